import Names
import Wire

/// The changes of one tick, each message once: of several changes to a message the last counts.
///
///     collector.add(.put(row))
///     …
///     timeline.apply(collector.take(), upTo: stamp)    // at the tick
package struct ChangeCollector: Sendable {
    private var changes: [RowChange] = []
    private var places: [MessageNumber: Int] = [:]

    package init() {}

    package var isEmpty: Bool { changes.isEmpty }

    package mutating func add(_ change: RowChange) {
        guard let place = places[change.number] else {
            places[change.number] = changes.count
            return changes.append(change)
        }
        var change = change
        if case .put(_, let before) = changes[place].kind, case .put(let row, let content) = change.kind {
            change.kind = .put(row, content: max(before, content))
            // A row that came and was changed within one tick counts as one that came.
            change.reason = changes[place].reason
        }
        changes[place] = change
    }

    /// Returns everything so far, in the order in which messages were first heard of, and starts afresh.
    package mutating func take() -> [RowChange] {
        defer { self = ChangeCollector() }
        return changes
    }
}
