import Typography

/// What is stored beside the layouts of many messages, at hand for one more width.
///
/// Messages that are columns are sorted by their plans; their texts stand in pieces of memory, the first ones of all messages of
/// a plan in one, the second ones in another, so that all of a piece are broken in one go (`StopsColumn`). Others are kept as
/// they are stored.
package struct TextColumns: Sendable {
    /// Messages with the same parts.
    struct Group: Sendable {
        let facts: PlanFacts
        var messages: [Int] = []
        var texts: [StopsColumn]
    }

    private(set) var groups: [Group] = []
    /// Messages that are in no group.
    private(set) var others: [Int] = []
    private(set) var stored: [StoredTexts] = []
    private var numbers: [PlanFacts: Int] = [:]

    package init() {}

    package var count: Int { stored.count }
    /// Of the memory that it takes, about.
    package private(set) var bytes = 0
    private static let bytesPerMessage = 256
    private static let bytesPerText = 512
    /// Of a unit of a text: its advance and marks, and its part of stops.
    private static let bytesPerUnit = 16

    /// - Parameter texts: of a message that is a column; nil for one that is none.
    fileprivate mutating func append(_ message: StoredTexts, _ texts: [MeasuredText]?) {
        defer { stored.append(message) }
        bytes += Self.bytesPerMessage + message.size
        guard let facts = message.facts, let texts else { return others.append(stored.count) }
        let number = numbers[facts] ?? groups.count
        if number == groups.count {
            numbers[facts] = number
            groups.append(Group(facts: facts, texts: Array(repeating: StopsColumn(), count: texts.count)))
        }
        groups[number].messages.append(stored.count)
        for (i, text) in texts.enumerated() {
            groups[number].texts[i].append(text)
            bytes += Self.bytesPerText + Self.bytesPerUnit * text.count
        }
    }
}

extension Composer {
    /// Takes a message in, for screens to come.
    package mutating func append(
        _ message: StoredTexts, to columns: inout TextColumns
    ) throws(StoredMessageError) {
        try take(message)
        let plan = try plan(message, nil, expectsCuts: false)
        guard plan.column >= 0, plan.pictures.isEmpty, plan.bars.isEmpty else { return columns.append(message, nil) }
        columns.append(message, (style.tables.literals.count..<shelf.count).map { shelf[$0] })
    }

    /// How high all of them are on the first target, collapsed.
    package mutating func heights(_ columns: TextColumns) throws(StoredMessageError) -> [ContentHeights] {
        var heights = [ContentHeights](repeating: ContentHeights(all: 0), count: columns.count)
        for i in columns.others { heights[i] = try self.heights(columns.stored[i]) }
        for group in columns.groups {
            let first = columns.stored[group.messages[0]]
            try take(first)
            let plan = try plan(first, nil, expectsCuts: false)
            // What is the same for all of them is found with the first one.
            if writer.turn(toColumn: plan) == nil { _ = try self.heights(first) }
            let literals = style.tables.literals.count
            var rest: [Int] = []
            writer.writeHeights(of: plan, group.texts, literals: literals) { place, found in
                if let found { heights[group.messages[place]] = found } else { rest.append(group.messages[place]) }
            }
            for i in rest { heights[i] = try self.heights(columns.stored[i]) }
        }
        return heights
    }
}

extension SheetWriter {
    /// How high columns of the same parts are on the first screen, of which one was solved before. Tells nothing of those that
    /// are cut, or that have not the room that they want.
    fileprivate mutating func writeHeights(
        of plan: borrowing Plan, _ texts: [StopsColumn], literals: Int, _ body: (Int, ContentHeights?) -> Void
    ) {
        let stamps = turn(toColumn: plan)
        solver.breakAll(texts, literals: literals)
        for place in 0..<(texts.first?.count ?? 0) {
            body(place, stamps.flatMap { solver.turn(toMessage: place, literals: literals) ? outline($0) : nil })
        }
    }
}

extension Solver {
    /// What a column has to know of the lines of a text.
    struct TextExtent {
        var lineCount: Int32
        /// Whole device pixels of the widest and of the last line.
        var widest: Int32
        var last: Int32
        var isWrapped: Bool
        var isLastRightToLeft: Bool
    }

    /// Breaks the texts of many messages with the parts of the one at hand.
    fileprivate mutating func breakAll(_ columns: [StopsColumn], literals: Int) {
        let inside = begin(variant: 0, isExpanded: false).less(columnLengths.around).pixels
        // What the style brings is broken with the message at hand.
        breakColumn(inside)
        extents = Array(repeating: [], count: columns.count)
        for i in 0..<columnTexts.count {
            let shape = shapes[columnTexts[i].text]
            let place = Int(shape.value) - literals
            guard columns.indices ~= place else { continue }
            breaker(shape, room: inside).breakLines(of: columns[place], into: &columnLines)
            extents[place] = (0..<columns[place].count).map { extent(ofText: $0) }
        }
    }

    private func extent(ofText i: Int) -> TextExtent {
        let range = columnLines.range(of: i)
        let extent = columnLines.lines.extent(of: range)
        let last = range.isEmpty ? nil : columnLines.lines[range.upperBound - 1]
        return TextExtent(
            lineCount: Int32(range.count), widest: extent.widest.wholePixels, last: last?.width.wholePixels ?? 0,
            isWrapped: extent.isAnyWrapped,
            isLastRightToLeft: last?.traits.contains(.rightToLeft) ?? isMirrored)
    }

    /// False where it has a text that is cut.
    fileprivate mutating func turn(toMessage number: Int, literals: Int) -> Bool {
        for i in 0..<columnTexts.count {
            let shape = shapes[columnTexts[i].text]
            let place = Int(shape.value) - literals
            guard extents.indices ~= place, !extents[place].isEmpty else { continue }
            let extent = extents[place][number]
            if shape.mostLines > 0, extent.lineCount > shape.mostLines { return false }
            columnTexts[i].lineCount = extent.lineCount
            columnTexts[i].widest = extent.widest
            columnTexts[i].height = extent.lineCount * roles[role(shape)].pitch
            columnTexts[i].isWrapped = extent.isWrapped
            let isOpen =
                shape.traits.isDisjoint(with: [.isBlock, .isAligned]) && extent.lineCount > 0
                && extent.isLastRightToLeft == isMirrored
            columnTexts[i].tail = Tail(end: extent.last, isOpen: isOpen)
        }
        return true
    }
}
