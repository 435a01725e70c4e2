package import Names
package import Wire

/// The rows of one conversation as one reader sees them on one screen, and their latest changes.
///
/// Readers who see the same share one timeline: all who only read, for instance, or all screens of one person. Its
/// windows are small, and each learns of a change by the same steps.
package struct Timeline: Sendable {
    package private(set) var tree: RowTree
    package private(set) var cursor: WindowCursor
    package let edition: EditionID
    /// Whether another edition is served by now.
    package var isOld = false
    private var log: [(since: WindowCursor, steps: [TreeStep])] = []
    private var loggedSteps = 0
    private var loggedBytes = 0

    /// The number of steps that are kept for windows that fell behind, and of changes, with steps or without.
    package static let mostSteps = 1024

    /// The bytes of memory that it takes, about: those of its rows, and those of the latest changes.
    package var bytes: Int { tree.bytes + loggedBytes }

    package init(_ tree: RowTree, edition: EditionID, cursor: WindowCursor) {
        (self.tree, self.edition, self.cursor) = (tree, edition, cursor)
    }

    /// Applies the collected changes as one change up to a stamp.
    @discardableResult
    package mutating func apply(_ changes: [RowChange], upTo stamp: Stamp) -> [TreeStep] {
        var steps: [TreeStep] = []
        var new: [NewRow] = []
        var reason = ChangeReason.live
        for change in changes {
            let rank = tree.rank(of: change.number)
            switch (change.kind, rank) {
            case (.removed, let rank?): steps += tree.remove(at: rank, reason: change.reason)
            case (.removed, nil): break
            case (.put(let row, let content), let rank?):
                steps += tree.replace(at: rank, with: row, content: content, reason: change.reason)
            case (.put(let row, _), nil):
                new.append(row)
                reason = change.reason
            }
        }
        steps += tree.insert(new.sorted { $0.position < $1.position }, reason: reason)
        note(steps, upTo: stamp)
        return steps
    }

    /// Removes the rows of messages that changed while they were read, as they may be wrong. No client has heard of
    /// the timeline yet.
    package mutating func forget(_ numbers: some Sequence<MessageNumber>) {
        for number in numbers {
            // A row that was moved meanwhile may be there twice.
            while let rank = tree.rank(of: number) { tree.remove(at: rank) }
        }
    }

    /// Takes in rows that are not there, in order. No client has heard of the timeline yet.
    package mutating func fill(_ rows: [NewRow]) { tree.insert(rows) }

    /// Notes the place up to which the reader has read.
    @discardableResult
    package mutating func read(from order: Int64?) -> [TreeStep] {
        let steps = tree.read(from: order)
        note(steps, upTo: cursor.stamp)
        return steps
    }

    /// The same with the rows of a range at hand.
    package func opened(_ range: Range<Int>) -> Timeline {
        var timeline = self
        timeline.tree = tree.opened(range)
        return timeline
    }

    /// The steps since a cursor, in order; nil if they are not kept any more.
    package func steps(since other: WindowCursor) -> [TreeStep]? {
        if other == cursor { return [] }
        guard let start = log.lastIndex(where: { $0.since == other }) else { return nil }
        return log[start...].flatMap(\.steps)
    }

    /// Forgets the steps before a moment, as all windows are past it; without one all steps, as there are no windows.
    package mutating func forgetSteps(before moment: WindowCursor? = nil) {
        guard let moment else { return (log, loggedSteps, loggedBytes) = ([], 0, 0) }
        forget(log.prefix { $0.since.isBefore(moment) }.count)
    }

    private mutating func note(_ steps: [TreeStep], upTo stamp: Stamp) {
        log.append((cursor, steps))
        loggedSteps += steps.count
        loggedBytes += Timeline.bytes(of: steps)
        // The stamp stays when a reader has read on, as nothing was written.
        cursor.turn = stamp == cursor.stamp ? cursor.turn &+ 1 : 0
        cursor.stamp = stamp
        while log.count > 1, loggedSteps > Timeline.mostSteps || log.count > Timeline.mostSteps { forget(1) }
    }

    private mutating func forget(_ count: Int) {
        for (_, steps) in log.prefix(count) {
            loggedSteps -= steps.count
            loggedBytes -= Timeline.bytes(of: steps)
        }
        log.removeFirst(count)
    }

    private static func bytes(of steps: [TreeStep]) -> Int { steps.reduce(64) { $0 + $1.bytes } }
}

extension WindowCursor {
    /// Whether a timeline was at this moment before it was at the other.
    package func isBefore(_ other: WindowCursor) -> Bool { (stamp, turn) < (other.stamp, other.turn) }
}

/// A change to one message, as far as its row is concerned.
package struct RowChange: Equatable, Sendable {
    package var number: MessageNumber
    package var kind: Kind
    package var reason: ChangeReason

    package enum Kind: Equatable, Sendable {
        /// The row is there, in this state; if it was there before, `content` is the difference of the contents.
        case put(NewRow, content: ChangeClass)
        case removed
    }

    package static func put(
        _ row: NewRow, content: ChangeClass = .geometry, reason: ChangeReason = .live
    ) -> RowChange {
        RowChange(number: row.number, kind: .put(row, content: content), reason: reason)
    }

    package static func removed(_ number: MessageNumber, reason: ChangeReason = .live) -> RowChange {
        RowChange(number: number, kind: .removed, reason: reason)
    }
}
