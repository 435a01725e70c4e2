import Bytes
import Typography

/// The stored texts of many messages, at hand for one more width.
///
/// Messages are grouped by plan: those with the same bytes of facts have the same plan. The first texts of all
/// messages of a plan are in one piece of memory, the second ones in another, so that all texts of a piece are broken
/// in one go (`StopsColumn`), and messages are solved as if they were screens (`TextBulk`). Messages with pictures,
/// bars and lists, which have plans of their own, are kept as they are stored.
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
    package var groupCount: Int { groups.count }
    /// The number of messages in a group.
    package func count(ofGroup number: Int) -> Int { groups[number].messages.count }
    /// Messages that are in no group.
    private(set) var others: [Other] = []
    package private(set) var count = 0

    package init() {}

    /// The most plans that are told apart; messages of others are laid out one by one.
    private static let mostGroups = 64
    private static let (bytesPerMessage, bytesPerGroup) = (16, 1024)

    /// The memory that it takes, about.
    package var bytes: Int {
        others.reduce(Self.bytesPerMessage * count) { $0 + $1.stored.count }
            + groups.reduce(0) { $1.texts.reduce($0 + Self.bytesPerGroup) { $0 + $1.bytes } }
    }

    /// Removes all messages. The memory is kept.
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

    /// - Parameter count: the number of texts that each of its messages has.
    fileprivate mutating func addGroup(_ facts: [UInt8], texts count: Int) -> Int? {
        guard groups.count < Self.mostGroups else { return nil }
        groups.append(Group(facts: facts, texts: Array(repeating: TextColumn(), count: count)))
        return groups.count - 1
    }

    /// - Parameter message: the stored data, whose facts `walk` has passed.
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
    /// Appends a message, for screens to come. After an error the columns are of no use.
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
        guard let count = try textCount(ofUsual: stored),
            let new = columns.addGroup(Array(stored[facts]), texts: count)
        else {
            return columns.append(other: stored)
        }
        try columns.append(message, walk, to: new, &stopsReader)
    }

    /// The number of texts of a message, if it differs from others of its plan in nothing but texts.
    private mutating func textCount(ofUsual message: [UInt8]) throws(StoredMessageError) -> Int? {
        let stored = try StoredTexts(checking: message)
        try take(stored)
        let plan = try plan(stored.facts, nil, expectsCuts: false)
        return plan.isFlat && plan.pictures.isEmpty && plan.bars.isEmpty ? plan.texts.count : nil
    }

    /// Returns the heights of all messages on the first target, collapsed.
    package mutating func heights(_ columns: TextColumns) throws(StoredMessageError) -> [ContentHeights] {
        var heights = [ContentHeights](repeating: ContentHeights(all: 0), count: columns.count)
        for other in columns.others {
            heights[other.message] = try self.heights(StoredTexts(checking: other.stored))
        }
        for group in columns.groups where !group.messages.isEmpty { try find(&heights, group) }
        return heights
    }

    /// Lays the messages of a group out together, as if each were a target of one sheet. Its skeleton lacks the
    /// entities in their texts, and words that are made.
    ///
    /// - Returns: for each target of the sheet the number of its message; nil for one that is to be laid out by itself.
    package mutating func layOut(
        _ columns: TextColumns, group number: Int, into sheet: inout LayoutSheet
    ) throws(StoredMessageError) -> [Int?] {
        let group = columns.groups[number]
        let facts: PlanFacts
        do throws(MeasuredTextError) { facts = try PlanFacts(decoding: group.facts[...]) } catch { throw .text(error) }
        let literals = style.tables.literals.count
        shelf.resize(to: literals + group.texts.count)
        let plan = try unfinishedPlan(facts, nil, expectsCuts: false)
        guard !plan.hasStates, !facts.quotesMessage else { return [] }
        let isOther = writer.write(
            plan, group.texts, messages: group.messages.count, literals: literals, into: &sheet)
        return group.messages.indices.map { place in
            isOther[place] || !group.texts.allSatisfy { $0.isPlain(place) } ? nil : group.messages[place]
        }
    }

    private mutating func find(
        _ heights: inout [ContentHeights], _ group: TextColumns.Group
    ) throws(StoredMessageError) {
        let facts: PlanFacts
        do throws(MeasuredTextError) { facts = try PlanFacts(decoding: group.facts[...]) } catch { throw .text(error) }
        shelf.resize(to: style.tables.literals.count + group.texts.count)
        let plan = try unfinishedPlan(facts, nil, expectsCuts: false)
        var rest: [Int] = []
        writer.writeHeights(of: plan, group, literals: style.tables.literals.count) { place, found in
            if let found { heights[group.messages[place]] = found } else { rest.append(place) }
        }
        for place in rest {
            take(place, of: group)
            heights[group.messages[place]] = try self.heights(facts)
        }
    }

    /// Puts the texts of a message of the group on the shelf, in the place of measured ones.
    private func take(_ place: Int, of group: TextColumns.Group) {
        let literals = style.tables.literals.count
        shelf.resize(to: literals + group.texts.count)
        for (i, column) in group.texts.enumerated() { shelf[literals + i] = column.text(of: place) }
    }
}

extension SheetWriter {
    /// Finds the heights of messages of one plan on the first screen; nil for a message with a text that is cut, or
    /// that has another room than most.
    fileprivate mutating func writeHeights(
        of plan: borrowing Plan, _ group: TextColumns.Group, literals: Int, _ body: (Int, ContentHeights?) -> Void
    ) {
        solver.take(plan)
        solver.texts.bulk = TextBulk(group.texts, literals: literals)
        solver.turn(to: solver.screens.groups)
        var first = 0
        while first < group.messages.count {
            let messages = first..<min(first + Lanes.scalarCount, group.messages.count)
            solver.texts.turn(to: messages, solver.shapes)
            let heights = heights()
            for place in messages {
                body(place, solver.texts.bulk.isOther[place - first] ? nil : heights[place - first])
            }
            first = messages.upperBound
        }
        solver.texts.bulk.isOn = false
    }
}
