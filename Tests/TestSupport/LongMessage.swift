/// Bodies of messages with some thousand lines of a letter or two, and what stands in such texts besides: as much as a message may say.
package enum LongMessage: String, CaseIterable, Sendable {
    case leftToRight, rightToLeft, mixed, rich
    /// High without being expanded.
    case poll

    /// A screen of which each of them has more than a hundred.
    package static let screen: Int32 = 1200

    /// As JSON.
    package var body: String { body(letters) }

    /// The same length, other words: another revision.
    package var edited: String { body(letters.map { $0 + "x" }) }

    private var letters: [String] {
        switch self {
        case .leftToRight, .poll: ["a", "bc"]
        case .rightToLeft: ["א", "ב"]
        case .mixed: ["aא", "ב1", "c", "ד", "😀"]
        case .rich: ["**a**", "*b*", "`c`"] + Array(repeating: "d", count: 30)
        }
    }

    private func body(_ letters: [String]) -> String {
        let lines = (0..<2000).map { line in
            line % 199 == 7 ? "@ada https://forme.example/\(line) #forme" : letters[line % letters.count]
        }
        // Two spaces end a line in Markdown.
        let text = lines.joined(separator: self == .rich ? "  \\n" : "\\n")
        switch self {
        case .leftToRight, .rightToLeft, .mixed: return #"{"kind": "text", "text": "\#(text)"}"#
        case .rich: return #"{"kind": "rich", "text": "\#(text)"}"#
        case .poll: return #"{"kind": "poll", "question": "\#(text)", "options": [{"text": "yes"}, {"text": "no"}]}"#
        }
    }
}
