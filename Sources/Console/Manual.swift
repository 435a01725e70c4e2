/// A command's help in its parts: man pages and completions are made of the very text that people read with `--help`.
///
///     usage: forme check [FOLDER] [--json]        synopses
///
///       FOLDER               what it is           entries: terms, and what is said of them
///       --json               what it does
///
///     It may run while …                          paragraphs
package struct Manual {
    package let name: String
    package let summary: String
    package private(set) var synopses: [String] = []
    package private(set) var entries: [Entry] = []
    package private(set) var paragraphs: [Paragraph] = []

    /// Options or operands, `--target WIDTH@SCALE`, `--dark, --light` or `FOLDER`, and the text about them.
    package struct Entry {
        package var terms: String
        package var text: String

        /// Each option that is named, without dashes, with the placeholder of its value; nil for a switch.
        package var options: [(name: String, value: String?)] {
            let words = terms.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
            return words.indices.filter { words[$0].hasPrefix("--") }.map { place in
                let next = place + 1 < words.count && !words[place + 1].hasPrefix("--") ? words[place + 1] : nil
                return (String(words[place].dropFirst(2)), next)
            }
        }
    }

    package struct Paragraph {
        package var text: String
        /// Shown as it is, line by line.
        package var isExample: Bool
    }

    /// The column at which the text of an entry begins.
    private static let column = 23

    package init(_ command: any Command) {
        (name, summary) = (command.name, command.summary)
        for line in command.usage.split(separator: "\n", omittingEmptySubsequences: false) { take(String(line)) }
        paragraphs.removeAll { $0.text.isEmpty }
    }

    private mutating func take(_ line: String) {
        let depth = line.prefix { $0 == " " }.count
        let text = String(line.dropFirst(depth))
        if text.hasPrefix("usage: ") {
            synopses.append(String(text.dropFirst(7)))
        } else if depth == 7, entries.isEmpty, paragraphs.isEmpty {
            synopses.append(text)
        } else if text.isEmpty {
            paragraphs.append(Paragraph(text: "", isExample: false))
        } else if depth == 2, paragraphs.allSatisfy({ $0.text.isEmpty }) {
            entries.append(Self.entry(text))
        } else if depth >= Self.column, paragraphs.allSatisfy({ $0.text.isEmpty }), !entries.isEmpty {
            let last = entries.count - 1
            entries[last].text += entries[last].text.isEmpty ? text : " \(text)"
        } else {
            continueParagraph(text, isExample: depth > 0)
        }
    }

    /// Terms end at two spaces, or at the column where texts begin.
    private static func entry(_ line: String) -> Entry {
        let terms: Substring
        if let gap = line.firstRange(of: "  ") {
            terms = line[..<gap.lowerBound]
        } else if line.hasPrefix("-"), line.count >= column - 2, line.dropFirst(column - 3).first == " " {
            terms = line.prefix(column - 3)
        } else {
            terms = line[...]
        }
        return Entry(terms: String(terms), text: String(line.dropFirst(terms.count).drop { $0 == " " }))
    }

    private mutating func continueParagraph(_ text: String, isExample: Bool) {
        guard let last = paragraphs.last, !last.text.isEmpty, last.isExample == isExample else {
            return paragraphs.append(Paragraph(text: text, isExample: isExample))
        }
        paragraphs[paragraphs.count - 1].text += (isExample ? "\n" : " ") + text
    }

    /// Words that stand first in some synopsis, as `make` of `forme keys make`; none where a synopsis has none.
    package func verbs(of program: String) -> [String] {
        var verbs: [String] = []
        for synopsis in synopses {
            let words = synopsis.split(separator: " ")
            guard words.count > 2, words[0] == program, words[1] == name else { continue }
            for verb in words[2].split(separator: "|") where verb.allSatisfy({ $0.isLowercase && $0.isLetter }) {
                if !verbs.contains(String(verb)) { verbs.append(String(verb)) }
            }
        }
        return verbs
    }

    /// The sort of a value: a file, a folder, one of some words, or any text.
    enum Value {
        case file
        case folder
        case words([String])
        case any
    }

    static func value(_ placeholder: String, in text: String) -> Value {
        switch placeholder {
        case _ where placeholder.hasPrefix("FILE"): .file
        case _ where placeholder.hasPrefix("FOLDER"): .folder
        default: choices(text).map { .words($0) } ?? .any
        }
    }

    /// The words of a text that begins with a list of them, as "live, backfill or relayout"; nil of any other.
    private static func choices(_ text: String) -> [String]? {
        let plain = text.replacing(" (default)", with: "")
        guard let list = plain.prefixMatch(of: /((?:[a-z]+, )*[a-z]+),? or ([a-z]+)\b/) else { return nil }
        return list.1.split(separator: ", ").map(String.init) + [String(list.2)]
    }
}
