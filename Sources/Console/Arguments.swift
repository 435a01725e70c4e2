/// The words behind a command: options as `--name value` or `--name=value`, switches as `--name` alone, and operands,
/// which may stand anywhere between them. Nothing is guessed: an unknown or repeated option, a missing value and a
/// stray word are each refused by name.
package struct Arguments: Sendable {
    package let command: String
    /// Words that are no options, in their order.
    package private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    private var switches: Set<String> = []

    /// Options that name a file or a folder, whichever command takes them.
    private static let paths: Set = [
        "cache", "config", "data", "disk", "fixtures", "fonts", "from", "html", "key", "keys", "output", "report",
        "style", "svg", "traces", "web",
    ]

    /// - Parameters:
    ///   - operands: how many it takes at most. Behind `--` every word is one, and `-` is one anywhere.
    ///   - options: names that take a value, without the dashes.
    ///   - lists: those of them that may be given more than once.
    ///   - switches: names that stand alone.
    package init(
        _ words: [String], of command: String, operands most: Int = 0, options: [String] = [], lists: [String] = [],
        switches: [String] = []
    ) throws {
        self.command = command
        var rest = words[...]
        var mayBeOption = true
        while let word = rest.popFirst() {
            guard mayBeOption, word.hasPrefix("-"), word != "-" else {
                guard operands.count < most else { throw refusal("'\(word)' is not expected here") }
                operands.append(word)
                continue
            }
            if word == "--", most > 0 {
                mayBeOption = false
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, own) = (parts.first.map(String.init) ?? "", parts.count > 1 ? String(parts[1]) : nil)
            if word.hasPrefix("--"), switches.contains(name) {
                guard own == nil else { throw refusal("--\(name) takes no value") }
                self.switches.insert(name)
            } else if word.hasPrefix("--"), options.contains(name) {
                guard values[name] == nil || lists.contains(name) else { throw refusal("--\(name) is given twice") }
                guard let value = own ?? rest.popFirst() else { throw refusal("--\(name) needs a value") }
                // Nobody means an empty path, which would be the folder at hand, or a file without a name.
                if value.isEmpty, Self.paths.contains(name) {
                    throw refusal("--\(name) takes a path, and has an empty one")
                }
                values[name, default: []].append(value)
            } else {
                let near = Spelling.nearest(name, among: options + switches).map { "; did you mean --\($0)?" } ?? ""
                throw refusal("unknown option \(word)\(near)")
            }
        }
    }

    package func has(_ name: String) -> Bool { switches.contains(name) }

    package func text(_ name: String) -> String? { values[name]?.first }

    /// All values of an option that may be given more than once.
    package func texts(_ name: String) -> [String] { values[name] ?? [] }

    /// The given ones of these options, as words for another command.
    package func words(_ names: [String]) -> [String] {
        names.flatMap { name in texts(name).flatMap { ["--\(name)", $0] } }
    }

    package func required(_ name: String) throws -> String {
        guard let value = text(name) else { throw refusal("--\(name) is missing") }
        return value
    }

    package func integer(_ name: String, in range: ClosedRange<Int>, default fallback: Int) throws -> Int {
        guard let text = text(name) else { return fallback }
        guard let number = Int(text), range.contains(number) else {
            throw refusal("--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return number
    }

    /// A usage error, with the help to read.
    package func refusal(_ sentence: String) -> Failure {
        Failure(.usage, sentence.hasSuffix("?") ? sentence : "\(sentence).", manual: command)
    }
}
