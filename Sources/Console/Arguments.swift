/// The options of one command, of one shape: `--name value`, or `--name` alone for a switch. Nothing is guessed:
/// an unknown or repeated option, a missing value and a stray word are each refused by name.
package struct Arguments: Sendable {
    package let command: String
    private var values: [String: [String]] = [:]
    private var switches: Set<String> = []

    /// - Parameters:
    ///   - options: names that take a value, without the dashes.
    ///   - lists: those of them that may be given more than once.
    ///   - switches: names that stand alone.
    package init(
        _ words: [String], of command: String, options: [String] = [], lists: [String] = [], switches: [String] = []
    ) throws {
        self.command = command
        var rest = words[...]
        while let word = rest.popFirst() {
            let name = String(word.dropFirst(2))
            if word.hasPrefix("--"), switches.contains(name) {
                self.switches.insert(name)
            } else if word.hasPrefix("--"), options.contains(name) {
                guard values[name] == nil || lists.contains(name) else { throw refusal("--\(name) is given twice") }
                guard let value = rest.popFirst() else { throw refusal("--\(name) needs a value") }
                values[name, default: []].append(value)
            } else {
                throw refusal(word.hasPrefix("-") ? "unknown option \(word)" : "'\(word)' is not expected here")
            }
        }
    }

    package func has(_ name: String) -> Bool { switches.contains(name) }

    package func text(_ name: String) -> String? { values[name]?.first }

    /// All values of an option that may be given more than once.
    package func texts(_ name: String) -> [String] { values[name] ?? [] }

    /// Those of the options that were given, as another command takes them.
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

    /// A mistake of whoever typed the command, with the help to read.
    package func refusal(_ sentence: String) -> Failure {
        Failure(.usage, "\(sentence).", manual: command)
    }
}
