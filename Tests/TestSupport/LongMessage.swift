/// Bodies of messages that say as much as a message may: some thousand lines of a letter or two, and the mentions,
/// links and tags that stand in such texts.
package enum LongMessage: String, CaseIterable, Sendable {
    case leftToRight, rightToLeft, mixed, rich
    /// A body that is high without being expanded.
    case poll

    /// The height of a screen; each of them is more than a hundred screens high.
    package static let screen: Int32 = 1200

    /// The body as JSON.
    package var body: String { body(letters) }

    /// The body of another revision: as many lines, other words.
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
