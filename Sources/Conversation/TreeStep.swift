import MessageLayout
package import Rows
package import Wire

/// One thing that happened to a tree: what windows learn of a change, and tell their clients as far as it concerns them.
package struct TreeStep: Equatable, Sendable {
    package var kind: Kind
    package var reason: ChangeReason
    /// Of the row when that is another one, else of a whole; of a moved row, of its own height.
    package var heightDelta: Int64
    package var change: ChangeClass

    package enum Kind: Equatable, Sendable {
        /// Rows, one behind another, before the row that had this rank.
        case insert(at: Int, [DressedRow])
        case remove(at: Int, TreeRow)
        /// Something else about a row, in its place.
        case replace(at: Int, DressedRow)
        /// The second rank is one among the others, when the row is not among them.
        case move(from: Int, to: Int, DressedRow)
        /// A row that is dressed in another way, because it has other neighbours.
        case redecorate(at: Int, DressedRow)
    }
}

/// A row beside its neighbours.
package struct DressedRow: Equatable, Sendable {
    package var row: TreeRow
    package var dress: RowDress
}

extension TreeStep {
    /// How many rows more there are afterwards.
    var countDelta: Int {
        switch kind {
        case .insert(_, let rows): rows.count
        case .remove: -1
        case .replace, .move, .redecorate: 0
        }
    }

    /// Where a row is afterwards. Of the row that is removed, the next one takes the place; of the last, the one before.
    /// - Parameter total: how many rows there are before the step.
    func place(after rank: Int, total: Int) -> Int {
        switch kind {
        case .insert(let place, let rows): return rank >= place ? rank + rows.count : rank
        case .remove(let place, _): return max(0, min(rank > place ? rank - 1 : rank, total - 2))
        case .replace, .redecorate: return rank
        case .move(let from, let to, _):
            if rank == from { return to }
            let between = rank > from ? rank - 1 : rank
            return between >= to ? between + 1 : between
        }
    }
}
