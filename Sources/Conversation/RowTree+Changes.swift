import MessageLayout
import Names
import Record
import Rows
package import Wire

extension RowTree {
    /// Adds rows that are not there, in the order of their positions, and returns the steps of that.
    ///
    /// Rows that follow each other in the conversation go in together, so that a page of k rows costs O(k + log n).
    @discardableResult
    package mutating func insert(_ rows: [NewRow], reason: ChangeReason = .live) -> [TreeStep] {
        var steps: [TreeStep] = []
        var rest = rows[...]
        while let first = rest.first {
            if originOrder == nil { originOrder = first.position.order }
            // Opened first, so that a sealed block is read once and not for each question.
            open(at: leaf { $0.last < first.position.order }.rank)
            let rank = rank(of: first.position)
            open(at: rank)
            let next = rank < count ? row(at: rank).position : nil
            let run = rest.prefix { row in next.map { next in row.position < next } ?? true }
            precondition(!run.isEmpty, "rows are in order, and none of them is there")
            rest = rest.dropFirst(run.count)
            steps += splice(run.map { catalog.row($0) }, at: rank, reason)
        }
        return steps
    }

    @discardableResult
    package mutating func remove(at rank: Int, reason: ChangeReason = .live) -> [TreeStep] {
        open(at: rank)
        let row = row(at: rank)
        bytes -= row.bytes
        return change(around: rank, removing: 1, adding: 0, reason) { tree in
            tree.root.remove(at: rank)
            tree.lowerRoot()
            return TreeStep(
                kind: .remove(at: rank, row), reason: reason, heightDelta: -Int64(row.height), change: .geometry)
        }
    }

    /// Sets another revision of a row: other content, sender, look or time. A row with another position moves there.
    ///
    /// - Parameter content: the difference of the contents, as far as the height does not tell it.
    @discardableResult
    package mutating func replace(
        at rank: Int, with new: NewRow, content: ChangeClass = .geometry, reason: ChangeReason = .edit
    ) -> [TreeStep] {
        open(at: rank)
        let old = row(at: rank)
        if old.position != new.position, !keepsItsPlace(rank, as: new.position) {
            return move(from: rank, to: new, reason)
        }
        let row = catalog.row(new)
        bytes += row.bytes - old.bytes
        return change(around: rank, removing: 1, adding: 1, reason) { tree in
            let settled = tree.settle(row, at: rank)
            let height = settled.row.height
            let dress: ChangeClass =
                old.height != height || tree.mayMove(old, row)
                ? .geometry : old.brief == row.brief ? .equal : .appearance
            return TreeStep(
                kind: .replace(at: rank, settled), reason: reason, heightDelta: Int64(height) - Int64(old.height),
                change: max(content, dress))
        }
    }

    /// Whether something in a row may stand elsewhere: at the other side, under another sender, or at another place
    /// in its template. A status moves nothing.
    private func mayMove(_ old: TreeRow, _ new: TreeRow) -> Bool {
        old.brief.sender != new.brief.sender || look(of: old).template != look(of: new).template
    }

    /// Whether a row that gets another name, as a local echo does from its backend, stays between the same two rows.
    private func keepsItsPlace(_ rank: Int, as position: Position) -> Bool {
        row(at: rank).position.order == position.order
            && (rank == 0 || row(at: rank - 1).position < position)
            && (rank + 1 == count || position < row(at: rank + 1).position)
    }

    private mutating func move(from rank: Int, to new: NewRow, _ reason: ChangeReason) -> [TreeStep] {
        let old = row(at: rank)
        var removal = remove(at: rank, reason: reason)
        var arrival = insert([new], reason: reason)
        // Rows between the two that are dressed in another way after the removal are reported first.
        let place = arrival.firstIndex { if case .insert = $0.kind { true } else { false } }
        guard let place, case .insert(let to, let rows) = arrival[place].kind else { return removal + arrival }
        arrival[place] = TreeStep(
            kind: .move(from: rank, to: to, rows[0]), reason: reason,
            heightDelta: Int64(rows[0].row.height) - Int64(old.height), change: .geometry)
        let moved = arrival.remove(at: place)
        removal.removeFirst()
        return [moved] + removal.map { $0.passing(moved: rank, to: to) } + arrival
    }

    private mutating func splice(_ rows: [TreeRow], at rank: Int, _ reason: ChangeReason) -> [TreeStep] {
        change(around: rank, removing: 0, adding: rows.count, reason) { tree in
            let rows = tree.catalog.dressed(rows, before: tree.brief(at: rank - 1), after: tree.brief(at: rank))
            tree.work += rows.count
            tree.bytes += rows.reduce(0) { $0 + $1.row.bytes }
            tree.grow(tree.root.insert(rows.map(\.row), at: rank))
            return TreeStep(
                kind: .insert(at: rank, rows), reason: reason,
                heightDelta: rows.reduce(0) { $0 + Int64($1.dress.height) }, change: .geometry)
        }
    }

    /// Changes the tree at a rank, and gives new heights to the row above and the row below if they are dressed in
    /// another way afterwards. No other row can be.
    private mutating func change(
        around rank: Int, removing removed: Int, adding added: Int, _ reason: ChangeReason,
        _ body: (inout RowTree) -> TreeStep
    ) -> [TreeStep] {
        // Opened before the change: their sums were made beside the neighbours that they have now.
        for place in [rank - 1, rank, rank + removed] { open(at: place) }
        let (upper, lower) = (dress(at: rank - 1), dress(at: rank + removed))
        let step = body(&self)
        return [step] + redress(at: rank - 1, from: upper, reason) + redress(at: rank + added, from: lower, reason)
    }

    private func dress(at rank: Int) -> RowDress? {
        guard let row = brief(at: rank) else { return nil }
        var ruler = catalog.ruler
        return ruler.dress(of: row, after: brief(at: rank - 1), before: brief(at: rank + 1))
    }

    private mutating func redress(at rank: Int, from old: RowDress?, _ reason: ChangeReason) -> [TreeStep] {
        guard let old, let new = dress(at: rank) else { return [] }
        work += 1
        guard new != old else { return [] }
        open(at: rank)
        root.update(at: rank) { $0.height = new.height }
        let delta = Int64(new.height) - Int64(old.height)
        return [
            TreeStep(
                kind: .redecorate(at: rank, DressedRow(row: row(at: rank), dress: new)), reason: reason,
                heightDelta: delta, change: new.stands(as: old) ? .appearance : .geometry)
        ]
    }

    /// Puts a row in the place of another, and measures its height there.
    private mutating func settle(_ row: TreeRow, at rank: Int) -> DressedRow {
        let settled = catalog.dressed([row], before: brief(at: rank - 1), after: brief(at: rank + 1))[0]
        work += 1
        root.update(at: rank) { $0 = settled.row }
        return settled
    }
}

// Changes by the reader.
extension RowTree {
    /// Takes the place up to which the viewer has read. Dresses change where the unread line was and where it goes,
    /// and nowhere else. A viewer with another zone or clock needs another tree.
    package mutating func read(from order: Int64?) -> [TreeStep] {
        var viewer = viewer
        guard viewer.unreadFrom != order else { return [] }
        let ranks = Set([viewer.unreadFrom, order].compactMap { $0.map { rank(ofOrder: $0) } })
            .flatMap { [$0 - 1, $0] }.filter { 0..<count ~= $0 }
        let places = Set(ranks).sorted()
        let dresses = places.map { dress(at: $0) }
        viewer.unreadFrom = order
        for rank in places { open(at: rank) }
        catalog.change(to: viewer)
        return zip(places, dresses).flatMap { redress(at: $0, from: $1, .live) }
    }
}

// The shape of the tree.
extension RowTree {
    /// Opens a sealed leaf, so that it can be changed: its rows take its place, with the heights that were summed.
    mutating func open(at rank: Int) {
        guard 0..<count ~= rank else { return }
        let leaf = leaf(at: rank)
        guard let sealed = leaf.node.sealed else { return }
        let rows = leaf.rows(catalog)
        bytes += rows.reduce(-sealed.block.size) { $0 + $1.bytes }
        root.open(at: rank, as: rows)
    }

    /// Whether the rows of a range are at hand, with no block to be read for them.
    package func isAtHand(_ range: Range<Int>) -> Bool {
        var rank = range.lowerBound
        while rank < range.upperBound {
            let leaf = leaf(at: rank)
            guard leaf.node.sealed == nil else { return false }
            rank = leaf.rank + leaf.node.sum.count
        }
        return true
    }

    /// The same tree with the rows of a range at hand: a caller that asks for them more than once reads their blocks
    /// once.
    func opened(_ range: Range<Int>) -> RowTree {
        var tree = self
        var rank = range.lowerBound
        while rank < range.upperBound {
            let leaf = tree.leaf(at: rank)
            if leaf.node.sealed != nil { tree.root.open(at: rank, as: leaf.rows(catalog)) }
            rank = leaf.rank + leaf.node.sum.count
        }
        return tree
    }

    private mutating func grow(_ siblings: [TreeNode]) {
        guard !siblings.isEmpty else { return }
        var level = [root] + siblings
        while level.count > 1 {
            level = TreeNode.parts(of: level, atMost: TreeNode.mostChildren).map(TreeNode.init(children:))
        }
        root = level[0]
    }

    private mutating func lowerRoot() {
        while root.children.count == 1 { root = root.children[0] }
    }
}

extension RowDress {
    /// Whether everything in the row stands where it stood: only corners, tails and drawings in space that stays
    /// reserved differ.
    fileprivate func stands(as old: RowDress) -> Bool {
        (lead, strip, trail, variant) == (old.lead, old.strip, old.trail, old.variant)
            && hasUnreadLine == old.hasUnreadLine && (day == nil) == (old.day == nil)
    }
}

extension TreeStep {
    /// The same step, reported after the move of a row that was absent when the step was made.
    fileprivate func passing(moved from: Int, to: Int) -> TreeStep {
        guard case .redecorate(let rank, let row) = kind else { return self }
        var step = self
        step.kind = .redecorate(at: rank < to ? rank : rank + 1, row)
        return step
    }
}
