/// Sorts lines into blocks. Each line is looked at once or twice, and the text of a block read when the block ends.
struct BlockParser {
    private let source: [UInt16]
    private var finished: [MarkdownBlock] = []
    private var open: Open = .nothing
    /// The stretches of the source that the open block has.
    private var stretches: [Range<Int32>] = []
    private var quotes = 0
    /// The list items that the next line may stand in.
    private var items: [Item] = []

    private enum Open {
        case nothing
        case text(MarkdownBlock.Kind)
        case code(Fence)
    }

    private struct Item {
        /// Columns before its marker, and before its text.
        var marker: Int
        var text: Int
    }

    init(source: [UInt16]) { self.source = source }

    mutating func blocks() -> [MarkdownBlock] {
        var start = 0
        while start < source.count {
            let newline = source[start...].firstIndex(of: .newline) ?? source.count
            let hasReturn = newline < source.count && newline > start && source[newline - 1] == .carriageReturn
            read(LineCursor(source: source, start: start, end: hasReturn ? newline - 1 : newline))
            start = newline + 1
        }
        close()
        return finished
    }
}

extension BlockParser {
    private mutating func read(_ line: LineCursor) {
        if case .code(let fence) = open {
            var inside = line
            if inside.skipQuotes(atMost: quotes) == quotes { return readCode(inside, in: fence) }
        }
        var line = line
        enterQuotes(line.skipQuotes(atMost: MarkdownBlock.deepestQuote))
        // An item stays open over a blank line: the next one tells by its indentation whether it belongs to it.
        guard !line.isBlank else { return close() }
        leaveItems(indentation: line.indentation)
        if let fence = Fence(opening: line) {
            close()
            open = .code(fence)
        } else if let level = line.skipHeading() {
            close()
            add(line.restOfHeading, of: line, to: .heading(level: level))
            close()
        } else if !readItem(line) {
            line.skipIndentation(columns: items.last?.text ?? 0)
            add(line.rest, of: line, to: .paragraph)
        }
    }

    private mutating func readCode(_ line: LineCursor, in fence: Fence) {
        guard !fence.isClosed(by: line) else { return close() }
        if !stretches.isEmpty { joinNewline(before: line) }
        stretches.join(fence.content(of: line))
    }

    private mutating func readItem(_ line: LineCursor) -> Bool {
        var text = line
        guard let kind = text.skipItemMarker() else { return false }
        // A number that happens to stand at the start of a line begins no list, unless it is 1.
        if case .text = open, case .item(let ordinal?) = kind, ordinal != 1 { return false }
        close()
        if items.count == MarkdownBlock.deepestItem { items.removeLast() }
        items.append(Item(marker: line.indentation, text: line.indentation + text.index - line.content))
        add(text.rest, of: text, to: kind)
        return true
    }

    private mutating func enterQuotes(_ depth: Int) {
        guard depth != quotes else { return }
        close()
        items.removeAll()
        quotes = depth
    }

    /// Leaves the items that a line is outside of. A line is inside if it is two columns further in than the marker,
    /// also of numbers: few people count three.
    private mutating func leaveItems(indentation: Int) {
        guard let item = items.last, indentation < item.marker + 2 else { return }
        close()
        while let item = items.last, indentation < item.marker + 2 { items.removeLast() }
    }
}

extension BlockParser {
    /// Goes on with the open text, or opens one of this kind.
    private mutating func add(_ stretch: Range<Int32>, of line: LineCursor, to kind: MarkdownBlock.Kind) {
        if case .text = open {
            joinNewline(before: line)
        } else {
            close()
            open = .text(kind)
        }
        stretches.join(stretch)
    }

    private mutating func joinNewline(before line: LineCursor) {
        stretches.join(Int32(line.start) - 1..<Int32(line.start))
    }

    private mutating func close() {
        switch open {
        case .nothing: return
        case .text(let kind): finish(kind, InlineParser.text(of: stretches, in: source))
        case .code(let fence): finish(.code(language: fence.language), MarkedText(stretches, of: source))
        }
        open = .nothing
        stretches.removeAll()
    }

    private mutating func finish(_ kind: MarkdownBlock.Kind, _ text: MarkedText) {
        finished.append(
            MarkdownBlock(kind: kind, quotes: Int32(quotes), depth: Int32(items.count), text: text))
    }
}
