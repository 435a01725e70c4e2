/// Lines of a status that belong together: first those that are always there, then some of which the last may be left
/// out.
struct StatusBlock {
    var head: [String]
    var rows: [String] = []
    /// Its columns stand one below the other: a line that is too long loses its end.
    var isTable = false
    /// Whether none of its rows is left out.
    var isWhole = false
    /// Count of rows that were left out.
    private var left = 0

    init(head: [String], rows: [String] = [], isTable: Bool = false) {
        (self.head, self.rows, self.isTable) = (head, rows, isTable)
    }

    var isEmpty: Bool { head.isEmpty && rows.isEmpty }
    private var count: Int { head.count + rows.count + (left > 0 ? 1 : 0) }

    /// Leaves out rows of the longest block, one at a time, until all fit.
    static func fit(_ blocks: inout [StatusBlock], rows: Int) {
        while lines(of: blocks, rows: rows, .none).count > rows {
            let able = blocks.indices.filter { !blocks[$0].isWhole && blocks[$0].rows.count > 1 }
            guard let longest = able.max(by: { blocks[$0].rows.count < blocks[$1].rows.count }) else { return }
            blocks[longest].rows.removeLast()
            blocks[longest].left += 1
        }
    }

    /// The lines of all blocks, with an empty line between two blocks where there is room.
    static func lines(of blocks: [StatusBlock], rows: Int?, _ ink: Ink) -> [String] {
        let blocks = blocks.filter { !$0.isEmpty }
        let isLoose = rows.map { rows in blocks.reduce(blocks.count - 1) { $0 + $1.count } <= rows } ?? true
        return Array(blocks.map { $0.lines(ink) }.joined(separator: isLoose ? [""] : []))
    }

    private func lines(_ ink: Ink) -> [String] {
        head + rows + (left > 0 ? [ink("and \(left) more: forme status --all", .faint)] : [])
    }

    /// The block with longer sentences broken between words; longer rows of a table are cut.
    func broken(at columns: Int?) -> StatusBlock {
        guard let columns else { return self }
        var block = self
        block.head = head.flatMap { InkedLine($0).broken(at: columns, betweenWords: !isTable) }
        block.rows = rows.flatMap { InkedLine($0).broken(at: columns, betweenWords: !isTable) }
        return block
    }
}

/// A line of one colour, or of none.
private struct InkedLine {
    private let opening: String
    private let text: Substring

    init(_ line: String) {
        guard line.hasPrefix(Ink.escape), line.hasSuffix(Ink.end), let start = line.firstIndex(of: "m") else {
            (opening, text) = ("", line[...])
            return
        }
        opening = String(line[...start])
        text = line[line.index(after: start)...].dropLast(Ink.end.count)
    }

    /// The line in parts of so many columns at most, except for longer words; without breaks between words, the first
    /// part.
    func broken(at columns: Int, betweenWords: Bool) -> [String] {
        guard text.count > columns else { return [inked(text)] }
        guard betweenWords else { return [inked(text.prefix(columns))] }
        var lines: [Substring] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > columns {
                lines.append(line[...])
                line = Self.indent
            }
            line += line.isEmpty || line == Self.indent ? String(word) : " " + word
        }
        return (lines + [line[...]]).map(inked)
    }

    private static let indent = "  "

    private func inked(_ text: Substring) -> String { opening.isEmpty ? String(text) : opening + text + Ink.end }
}
