import Bytes
import Typography

/// What is stored beside the layouts of many messages, at hand for one more width.
///
/// Messages that are columns are sorted by their plans, of which bytes tell whether they are the same; their texts stand in pieces of
/// memory, the first ones of all messages of a plan in one, the second ones in another, so that all of a piece are broken in one
/// go (`StopsColumn`). Others are kept as they are stored.
package struct TextColumns: Sendable {
    /// Messages with the same parts.
    struct Group: Sendable {
        /// Their `PlanFacts`, as they are stored.
        let facts: [UInt8]
        fileprivate(set) var messages: [Int] = []
        fileprivate(set) var texts: [TextColumn]
    }

    struct Other: Sendable {
        var message: Int
        var stored: [UInt8]
    }

    private(set) var groups: [Group] = []
    /// Messages that are in no group.
    private(set) var others: [Other] = []
    package private(set) var count = 0

    package init() {}

    /// Plans that are told apart; messages of more are laid out one by one.
    private static let mostGroups = 64
    private static let (bytesPerMessage, bytesPerGroup) = (16, 1024)

    /// Of the memory that it takes, about.
    package var bytes: Int {
        others.reduce(Self.bytesPerMessage * count) { $0 + $1.stored.count }
            + groups.reduce(0) { $1.texts.reduce($0 + Self.bytesPerGroup) { $0 + $1.bytes } }
    }

    /// Keeps the memory.
    package mutating func removeAll() {
        for group in groups.indices {
            groups[group].messages.removeAll(keepingCapacity: true)
            for i in groups[group].texts.indices { groups[group].texts[i].removeAll() }
        }
        others.removeAll(keepingCapacity: true)
        count = 0
    }

    fileprivate func group(_ facts: borrowing Span<UInt8>) -> Int? {
        for i in groups.indices where facts.isEqual(to: groups[i].facts) { return i }
        return nil
    }

    /// - Parameter count: of the texts that each of its messages has.
    fileprivate mutating func addGroup(_ facts: [UInt8], texts count: Int) -> Int? {
        guard groups.count < Self.mostGroups else { return nil }
        groups.append(Group(facts: facts, texts: Array(repeating: TextColumn(), count: count)))
        return groups.count - 1
    }

    /// - Parameter message: of which `walk` has told the facts.
    fileprivate mutating func append(
        _ message: borrowing Span<UInt8>, _ walk: consuming StoredWalk, to group: Int, _ reader: inout StopsReader
    ) throws(StoredMessageError) {
        for i in groups[group].texts.indices {
            guard !walk.isAtEnd else { throw .doesNotFit }
            do throws(MeasuredTextError) {
                let text = try walk.next(in: message)
                try groups[group].texts[i].append(message.extracting(text), &reader)
            } catch {
                throw .text(error)
            }
        }
        guard walk.isAtEnd else { throw .doesNotFit }
        groups[group].messages.append(count)
        count += 1
    }

    fileprivate mutating func append(other stored: [UInt8]) {
        others.append(Other(message: count, stored: stored))
        count += 1
    }
}

extension Composer {
    /// Takes a message in, for screens to come. After an error the columns are of no use.
    package mutating func append(
        _ message: borrowing Span<UInt8>, to columns: inout TextColumns
    ) throws(StoredMessageError) {
        let walk: StoredWalk
        do throws(MeasuredTextError) { walk = try StoredWalk(message) } catch { throw .text(error) }
        guard let facts = walk.facts else { throw .isTooOld }
        if let known = columns.group(message.extracting(facts)) {
            return try columns.append(message, walk, to: known, &stopsReader)
        }
        let stored = message.array
        guard let count = try textCount(inColumn: stored),
            let new = columns.addGroup(Array(stored[facts]), texts: count)
        else {
            return columns.append(other: stored)
        }
        try columns.append(message, walk, to: new, &stopsReader)
    }

    /// How many texts a message has, if it is a column and nothing but its texts makes it differ from others of its plan.
    private mutating func textCount(inColumn message: [UInt8]) throws(StoredMessageError) -> Int? {
        let stored = try StoredTexts(checking: message)
        try take(stored)
        let plan = try plan(stored.facts, nil, expectsCuts: false)
        return plan.column >= 0 && plan.pictures.isEmpty && plan.bars.isEmpty ? plan.texts.count : nil
    }

    /// How high all of them are on the first target, collapsed.
    package mutating func heights(_ columns: TextColumns) throws(StoredMessageError) -> [ContentHeights] {
        var heights = [ContentHeights](repeating: ContentHeights(all: 0), count: columns.count)
        for other in columns.others {
            heights[other.message] = try self.heights(StoredTexts(checking: other.stored))
        }
        for group in columns.groups where !group.messages.isEmpty { try find(&heights, group) }
        return heights
    }

    private mutating func find(
        _ heights: inout [ContentHeights], _ group: TextColumns.Group
    ) throws(StoredMessageError) {
        let facts: PlanFacts
        do throws(MeasuredTextError) { facts = try PlanFacts(decoding: group.facts[...]) } catch { throw .text(error) }
        take(0, of: group)
        let plan = try plan(facts, nil, expectsCuts: false)
        // What is the same for all of them is found with the first one.
        if writer.turn(toColumn: plan) == nil { _ = try self.heights(facts) }
        var rest: [Int] = []
        writer.writeHeights(of: plan, group, literals: style.tables.literals.count) { place, found in
            if let found { heights[group.messages[place]] = found } else { rest.append(place) }
        }
        for place in rest {
            take(place, of: group)
            heights[group.messages[place]] = try self.heights(facts)
        }
    }

    /// Puts the texts of one of its messages where those of a message are that was measured.
    private func take(_ place: Int, of group: TextColumns.Group) {
        let literals = style.tables.literals.count
        shelf.resize(to: literals + group.texts.count)
        for (i, column) in group.texts.enumerated() { shelf[literals + i] = column.text(of: place) }
    }
}

extension SheetWriter {
    /// How high columns of the same parts are on the first screen, of which one was solved before. Tells nothing of those that
    /// are cut, or that have not the room that they want.
    fileprivate mutating func writeHeights(
        of plan: borrowing Plan, _ group: TextColumns.Group, literals: Int, _ body: (Int, ContentHeights?) -> Void
    ) {
        let stamps = turn(toColumn: plan)
        solver.breakAll(group.texts, literals: literals)
        for place in group.messages.indices {
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
    fileprivate mutating func breakAll(_ columns: [TextColumn], literals: Int) {
        let inside = begin(variant: 0, isExpanded: false).less(columnLengths.around).pixels
        // What the style brings is broken with the message at hand.
        breakColumn(inside)
        extents = Array(repeating: [], count: columns.count)
        for i in 0..<columnTexts.count {
            let shape = shapes[columnTexts[i].text]
            let place = Int(shape.value) - literals
            guard columns.indices ~= place else { continue }
            breaker(shape, room: inside).breakLines(of: columns[place].different, into: &columnLines)
            extents[place] = columns[place].places.map { extent(ofText: Int($0)) }
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
