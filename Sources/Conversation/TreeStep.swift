import MessageLayout
package import Rows
package import Wire

/// One change to a tree: windows learn of it, and tell their clients as far as it concerns them.
package struct TreeStep: Equatable, Sendable {
    package var kind: Kind
    package var reason: ChangeReason
    /// The change in height of the rows that the step names; of a moved row, the change of its own height.
    package var heightDelta: Int64
    package var change: ChangeClass

    package enum Kind: Equatable, Sendable {
        /// Rows, one behind another, before the row that had this rank.
        case insert(at: Int, [DressedRow])
        case remove(at: Int, TreeRow)
        /// A row that differs otherwise, in its place.
        case replace(at: Int, DressedRow)
        /// The second rank is counted without the row.
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
    /// The number of rows that the step adds.
    var countDelta: Int {
        switch kind {
        case .insert(_, let rows): rows.count
        case .remove: -1
        case .replace, .move, .redecorate: 0
        }
    }

    /// The bytes of memory that it takes, about.
    var bytes: Int {
        switch kind {
        case .insert(_, let rows): MemoryLayout<TreeStep>.stride + 32 + rows.count * MemoryLayout<DressedRow>.stride
        case .remove, .replace, .move, .redecorate: MemoryLayout<TreeStep>.stride
        }
    }

    /// The rank that a row has afterwards. The row after a removed one takes its place; after the last one, the row
    /// before.
    /// - Parameter total: the number of rows before the step.
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
