import Bytes
import MessageLayout
import Names
import Record
import Rows
import Wire

/// A leaf, with the number and the height of the rows above it.
struct LeafPlace {
    var node: TreeNode
    var rank: Int
    var above: Int64
    /// The rows next to it, if its own heights have to be measured.
    var before: RowBrief?
    var after: RowBrief?

    /// The heights of its rows. A sealed block's columns are read again for each question: some microseconds, and no
    /// memory.
    func heights(_ catalog: RowCatalog) -> [Int32] {
        guard let sealed = node.sealed else { return node.rows.map(\.height) }
        return catalog.heights(of: catalog.briefs(of: sealed.block), before: before, after: after)
    }

    func rows(_ catalog: RowCatalog) -> [TreeRow] {
        guard let sealed = node.sealed else { return node.rows }
        return catalog.rows(of: sealed.block, before: before, after: after)
    }

    /// The first row for which this holds; it holds for all after it, too.
    func partition(byOrder isSecond: (Int64) -> Bool) -> Int {
        guard let sealed = node.sealed else { return node.rows.partition { isSecond($0.brief.order) } }
        return RowTree.whole(sealed.block.orders).partition(isSecond)
    }

    // Rows are examined in place: a copy of one counts references.

    /// The row that covers a distance from the top of the leaf.
    func row(atDistance distance: Int64, _ catalog: RowCatalog) -> Int {
        var rest = distance
        func covers(_ height: Int32) -> Bool {
            rest -= Int64(height)
            return rest < 0
        }
        let place =
            node.sealed == nil
            ? node.rows.indices.first { covers(node.rows[$0].height) } : heights(catalog).firstIndex(where: covers)
        return place ?? node.sum.count - 1
    }

    /// The height of its first rows together.
    func height(ofFirst count: Int, _ catalog: RowCatalog) -> Int64 {
        guard node.sealed == nil else { return heights(catalog)[..<count].reduce(0) { $0 + Int64($1) } }
        return (0..<count).reduce(0) { $0 + Int64(node.rows[$1].height) }
    }

    func place(of number: MessageNumber) -> Int? {
        guard let sealed = node.sealed else { return node.rows.indices.first { node.rows[$0].number == number } }
        return RowTree.whole(sealed.block.numbers).firstIndex(of: number)
    }

    var messages: [MessageID] { node.sealed.map { RowTree.whole($0.block.messages) } ?? node.rows.map(\.message) }
}

extension RowTree {
    func leaf(at rank: Int) -> LeafPlace {
        var rest = rank
        return descend { node in
            let (i, inner) = node.child(at: rest)
            rest = inner
            return i
        }
    }

    func leaf(atDistance y: Int64) -> LeafPlace {
        var rest = y
        return descend { node in
            for i in node.children.indices.dropLast() {
                if rest < node.children[i].sum.height { return i }
                rest -= node.children[i].sum.height
            }
            return node.children.count - 1
        }
    }

    /// The first leaf that does not lie before the place that is sought.
    func leaf(after isBefore: (StretchSum) -> Bool) -> LeafPlace {
        descend { node in node.children.firstIndex { !isBefore($0.sum) } ?? node.children.count - 1 }
    }

    private func descend(_ choose: (TreeNode) -> Int) -> LeafPlace {
        var place = LeafPlace(node: root, rank: 0, above: 0)
        while !place.node.isLeaf {
            let i = choose(place.node)
            for above in 0..<i {
                place.rank += place.node.children[above].sum.count
                place.above += place.node.children[above].sum.height
            }
            place.node = place.node.children[i]
        }
        return withNeighbours(place)
    }

    private func withNeighbours(_ place: LeafPlace) -> LeafPlace {
        guard place.node.sealed != nil else { return place }
        var place = place
        place.before = brief(at: place.rank - 1)
        place.after = brief(at: place.rank + place.node.sum.count)
        return place
    }

    /// All leaves that may hold a row: one, unless messages came in another order than they stand in.
    func leaves(holding number: MessageNumber) -> [LeafPlace] {
        var found: [LeafPlace] = []
        func search(_ node: TreeNode, _ rank: Int, _ above: Int64) {
            guard !node.isLeaf else { return found.append(LeafPlace(node: node, rank: rank, above: above)) }
            var (rank, above) = (rank, above)
            // Children are looked at in place: a copy of one counts references.
            for i in node.children.indices {
                let sum = node.children[i].sum
                if sum.mayHold(number) { search(node.children[i], rank, above) }
                rank += sum.count
                above += sum.height
            }
        }
        if root.sum.mayHold(number) { search(root, 0, 0) }
        return found
    }

    /// Nil above the first row and below the last. The ends of a sealed block are at hand.
    func brief(at rank: Int) -> RowBrief? {
        guard 0..<count ~= rank else { return nil }
        var (node, rest) = (root, rank)
        while !node.isLeaf {
            let (i, inner) = node.child(at: rest)
            (node, rest) = (node.children[i], inner)
        }
        guard let sealed = node.sealed else { return node.rows[rest].brief }
        if rest == 0 { return sealed.first }
        if rest == node.sum.count - 1 { return sealed.last }
        return catalog.briefs(of: sealed.block)[rest]
    }

    func distance(toRank rank: Int) -> Int64 {
        if rank >= count { return height }
        let leaf = leaf(at: rank)
        return leaf.rank == rank ? leaf.above : leaf.above + leaf.height(ofFirst: rank - leaf.rank, catalog)
    }

    /// Calls a body with each row of a range, its rank and top, and the rows above and below it.
    func forEachRow(
        _ range: Range<Int>, _ body: (Int, TreeRow, Int64, RowBrief?, RowBrief?) -> Void
    ) {
        var before = brief(at: range.lowerBound - 1)
        var rank = range.lowerBound
        let top = top
        while rank < range.upperBound {
            let leaf = leaf(at: rank)
            let rows = leaf.rows(catalog)
            let end = min(rows.count, range.upperBound - leaf.rank)
            var y = (0..<rank - leaf.rank).reduce(top + leaf.above) { $0 + Int64(rows[$1].height) }
            for i in rank - leaf.rank..<end {
                let after = i + 1 < rows.count ? rows[i + 1].brief : brief(at: leaf.rank + rows.count)
                body(leaf.rank + i, rows[i], y, before, after)
                y += Int64(rows[i].height)
                before = rows[i].brief
            }
            rank = leaf.rank + end
        }
    }

    /// Reads what could be read once already, when the tree was made.
    static func whole<Value>(_ read: () throws(ByteError) -> Value) -> Value {
        do { return try read() } catch { preconditionFailure("a block that was read is whole: \(error)") }
    }
}

extension Array {
    /// The first place from which on all elements belong to the second part.
    func partition(_ isSecond: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
