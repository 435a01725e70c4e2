import MessageLayout
import Names
import Record
import Rows
import Wire

/// The sums of a stretch of rows.
struct StretchSum: Equatable, Sendable {
    var count = 0
    var height: Int64 = 0
    /// Orders of the first and the last row.
    var first: Int64 = 0
    var last: Int64 = 0
    /// A range that the numbers of all rows lie in: it leads from a number to its row, as numbers mostly rise with
    /// orders.
    var numbers: ClosedRange<Int64> = 0...0

    func mayHold(_ number: MessageNumber) -> Bool { count > 0 && numbers.contains(number.number) }

    static func + (upper: StretchSum, lower: StretchSum) -> StretchSum {
        if upper.count == 0 { return lower }
        if lower.count == 0 { return upper }
        let numbers =
            min(
                upper.numbers.lowerBound, lower.numbers.lowerBound)...max(
                upper.numbers.upperBound, lower.numbers.upperBound)
        return StretchSum(
            count: upper.count + lower.count, height: upper.height + lower.height, first: upper.first,
            last: lower.last, numbers: numbers)
    }
}

/// Rows that are unchanged since their block was sealed: they are read from the block when they are asked for.
final class SealedLeaf: Sendable {
    let block: RowBlock
    /// The rows at the ends: the heights of the neighbours depend on them.
    let first: RowBrief
    let last: RowBrief

    init(_ block: RowBlock, first: RowBrief, last: RowBrief) {
        (self.block, self.first, self.last) = (block, first, last)
    }
}

/// A node of a B+-tree: a leaf with rows, a leaf that is still a sealed block, or a branch.
struct TreeNode: Sendable {
    private(set) var sum: StretchSum
    private(set) var children: [TreeNode] = []
    private(set) var rows: [TreeRow] = []
    private(set) var sealed: SealedLeaf?

    /// The most rows of a leaf, and the most children of a branch: beyond these they are split.
    static let mostRows = 256
    static let mostChildren = 48

    init(rows: [TreeRow]) {
        self.rows = rows
        sum = TreeNode.sum(of: rows)
    }

    init(children: [TreeNode]) {
        self.children = children
        sum = children.reduce(StretchSum()) { $0 + $1.sum }
    }

    init(sealed: SealedLeaf, sum: StretchSum) { (self.sealed, self.sum) = (sealed, sum) }

    var isLeaf: Bool { children.isEmpty }

    /// The child that holds a row, and the row's place in it. The place behind the last row is in the last child.
    func child(at rank: Int) -> (index: Int, rank: Int) {
        var rest = rank
        for i in children.indices.dropLast() {
            let count = children[i].sum.count
            if rest < count { return (i, rest) }
            rest -= count
        }
        return (children.count - 1, rest)
    }

    private static func sum(of rows: [TreeRow]) -> StretchSum {
        guard let first = rows.first, let last = rows.last else { return StretchSum() }
        var sum = StretchSum(
            count: rows.count, first: first.brief.order, last: last.brief.order,
            numbers: first.number.number...first.number.number)
        var (least, most) = (first.number.number, first.number.number)
        for row in rows {
            sum.height += Int64(row.height)
            (least, most) = (min(least, row.number.number), max(most, row.number.number))
        }
        sum.numbers = least...most
        return sum
    }
}

// Changes. Leaves on the way are not sealed.
extension TreeNode {
    /// Inserts rows, and returns the nodes that now stand behind this one, as it would have grown too large.
    mutating func insert(_ new: [TreeRow], at rank: Int) -> [TreeNode] {
        precondition(sealed == nil)
        guard isLeaf else {
            let (i, rest) = child(at: rank)
            let siblings = children[i].insert(new, at: rest)
            children.insert(contentsOf: siblings, at: i + 1)
            guard children.count > TreeNode.mostChildren else {
                sum = children.reduce(StretchSum()) { $0 + $1.sum }
                return []
            }
            let parts = TreeNode.parts(of: children, atMost: TreeNode.mostChildren).map(TreeNode.init(children:))
            self = parts[0]
            return Array(parts.dropFirst())
        }
        rows.insert(contentsOf: new, at: rank)
        guard rows.count > TreeNode.mostRows else {
            add(new, at: rank)
            return []
        }
        let parts = TreeNode.parts(of: rows, atMost: TreeNode.mostRows).map(TreeNode.init(rows:))
        self = parts[0]
        return Array(parts.dropFirst())
    }

    mutating func remove(at rank: Int) {
        precondition(sealed == nil)
        guard isLeaf else {
            let (i, rest) = child(at: rank)
            children[i].remove(at: rest)
            if children[i].sum.count == 0 { children.remove(at: i) } else { join(at: i) }
            sum = children.reduce(StretchSum()) { $0 + $1.sum }
            return
        }
        rows.remove(at: rank)
        sum = TreeNode.sum(of: rows)
    }

    /// Changes a row in its place.
    mutating func update(at rank: Int, _ change: (inout TreeRow) -> Void) {
        precondition(sealed == nil)
        guard isLeaf else {
            let (i, rest) = child(at: rank)
            children[i].update(at: rest, change)
            sum = children.reduce(StretchSum()) { $0 + $1.sum }
            return
        }
        let before = rows[rank]
        change(&rows[rank])
        sum.height += Int64(rows[rank].height) - Int64(before.height)
        if rows[rank].brief.order != before.brief.order || rows[rank].number != before.number {
            sum = TreeNode.sum(of: rows)
        }
    }

    /// Puts the rows of a sealed leaf in its place.
    mutating func open(at rank: Int, as rows: [TreeRow]) {
        guard isLeaf else {
            let (i, rest) = child(at: rank)
            return children[i].open(at: rest, as: rows)
        }
        precondition(TreeNode.sum(of: rows) == sum, "a block opens as it was summed")
        (self.rows, sealed) = (rows, nil)
    }

    private mutating func add(_ new: [TreeRow], at rank: Int) {
        let added = TreeNode.sum(of: new)
        let before = sum
        sum = before + added
        if rank == 0 && before.count > 0 { sum.first = added.first }
        if rank < before.count { sum.last = before.last }
    }

    /// Joins a child that has become small with its neighbour, if there is room.
    private mutating func join(at i: Int) {
        let isSmall =
            children[i].isLeaf
            ? children[i].sum.count < TreeNode.mostRows / 4
            : children[i].children.count < TreeNode.mostChildren / 4
        guard isSmall, children.count > 1 else { return }
        let upper = min(i, children.count - 2)
        let (first, second) = (children[upper], children[upper + 1])
        guard first.sealed == nil, second.sealed == nil else { return }
        if first.isLeaf, first.rows.count + second.rows.count <= TreeNode.mostRows * 3 / 4 {
            children[upper] = TreeNode(rows: first.rows + second.rows)
        } else if !first.isLeaf, first.children.count + second.children.count <= TreeNode.mostChildren * 3 / 4 {
            children[upper] = TreeNode(children: first.children + second.children)
        } else {
            return
        }
        children.remove(at: upper + 1)
    }

    /// Splits elements into parts of about the same size, with room for more.
    static func parts<Element>(of elements: [Element], atMost limit: Int) -> [[Element]] {
        let count = (elements.count + limit * 3 / 4 - 1) / (limit * 3 / 4)
        return (0..<count).map { i in
            Array(elements[i * elements.count / count..<(i + 1) * elements.count / count])
        }
    }
}
