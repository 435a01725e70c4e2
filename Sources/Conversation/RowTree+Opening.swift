package import Bytes
package import MessageLayout
package import Names
package import Record
package import Rows
import Wire

extension RowTree {
    /// Opens the rows of sealed blocks, in order, and behind them those that no block has yet. All blocks are laid
    /// out for the target.
    package init(
        opening blocks: [RowBlock], then tail: [NewRow] = [], style: DecorationStyle, viewer: Viewer, own: SenderID?,
        target: Target, originOrder: Int64? = nil
    ) throws(ByteError) {
        var opening = TreeOpening(style: style, viewer: viewer, own: own, target: target)
        for block in blocks { try opening.add(block) }
        self = opening.finish(then: tail, originOrder: originOrder)
    }

    fileprivate init(_ catalog: RowCatalog, _ leaves: [TreeNode], originOrder: Int64?) {
        var level = leaves
        while level.count > 1 {
            level = TreeNode.parts(of: level, atMost: TreeNode.mostChildren).map(TreeNode.init(children:))
        }
        root = level.first ?? TreeNode(rows: [])
        self.catalog = catalog
        self.originOrder = originOrder ?? (root.sum.count > 0 ? root.sum.first : nil)
    }
}

/// Blocks on their way into a tree, one after the other.
///
/// It reads the columns of each block that heights depend on, sums them, and keeps the block: fifty nanoseconds a row
/// at most. A row has its height when the one after it is known.
package struct TreeOpening: ~Copyable {
    private var leaves: [TreeNode] = []
    private var catalog: RowCatalog
    private var rows = BlockRows()
    private var faces = FaceNumbers()
    private var walk: HeightWalk
    /// The last block. It is no leaf yet, as the height of its last row is missing.
    private var open: (block: RowBlock, first: RowBrief, last: RowBrief, sum: StretchSum)?
    /// The bytes of memory that the leaves take, about.
    package private(set) var bytes = 0
    private static let bytesPerLeaf = 512

    package init(style: DecorationStyle, viewer: Viewer, own: SenderID?, target: Target) {
        catalog = RowCatalog(style: style, viewer: viewer, own: own, target: target)
        walk = HeightWalk(catalog.ruler, below: nil)
    }

    package mutating func add(_ block: RowBlock) throws(ByteError) {
        try rows.read(block, for: catalog.target)
        if let last = walk.last, rows[0].order < last.order { throw .outOfRange(rows[0].order, of: "order") }
        if faces.edition != rows.dictionaryEdition {
            faces = FaceNumbers(rows, &catalog)
            walk.ruler = catalog.ruler
        }
        let first = faces.brief(rows, 0)
        close(height: walk.next(first))
        var sum = StretchSum(
            count: rows.count, first: first.order, last: rows[rows.count - 1].order, numbers: rows.numbers)
        sum.height = faces.heights(rows, behindFirstOn: &walk)
        open = (block, first, walk.last ?? first, sum)
    }

    /// - Parameter tail: the rows behind those of the blocks.
    package consuming func finish(then tail: [NewRow], originOrder: Int64? = nil) -> RowTree {
        close(height: walk.finish(above: nil))
        var tree = RowTree(catalog, leaves, originOrder: originOrder)
        tree.bytes = bytes
        tree.insert(tail)
        // Every place is counted from the origin, so its rows are kept at hand.
        if let order = tree.originOrder { tree.open(at: min(tree.rank(ofOrder: order), tree.count - 1)) }
        tree.work = 0
        return tree
    }

    /// - Parameter height: the height of the last row.
    private mutating func close(height: Int32) {
        guard let whole = open else { return }
        var sum = whole.sum
        sum.height += Int64(height)
        leaves.append(TreeNode(sealed: SealedLeaf(whole.block, first: whole.first, last: whole.last), sum: sum))
        bytes += whole.block.size + Self.bytesPerLeaf
        open = nil
    }
}

/// The numbers of a block's senders and looks in the whole conversation.
struct FaceNumbers {
    private(set) var edition = 0
    private var senders: [UInt32] = []
    private var looks: [UInt32] = []

    init() {}

    init(_ rows: borrowing BlockRows, _ catalog: inout RowCatalog) {
        edition = rows.dictionaryEdition
        senders = rows.senders.map { catalog.number(of: $0) }
        looks = rows.looks.map { catalog.number(of: $0) }
    }

    func heights(_ rows: borrowing BlockRows, behindFirstOn walk: inout HeightWalk) -> Int64 {
        rows.heights(behindFirstOn: &walk, senders: senders, looks: looks)
    }

    @inline(__always)
    func brief(_ rows: borrowing BlockRows, _ i: Int) -> RowBrief {
        let row = rows[i]
        return RowBrief(
            order: row.order, milliseconds: row.milliseconds, sender: senders[row.sender], look: looks[row.look],
            heights: row.heights)
    }
}

extension RowCatalog {
    /// A sealed block's rows, with the heights that they have between these neighbours.
    func rows(of block: RowBlock, before: RowBrief?, after: RowBrief?) -> [TreeRow] {
        let briefs = briefs(of: block)
        let heights = heights(of: briefs, before: before, after: after)
        let (numbers, messages) = (RowTree.whole(block.numbers), RowTree.whole(block.messages))
        return briefs.indices.map { i in
            TreeRow(number: numbers[i], message: messages[i], brief: briefs[i], height: heights[i])
        }
    }

    func briefs(of block: RowBlock) -> [RowBrief] {
        RowTree.whole { () throws(ByteError) in try read(block) }
    }

    private func read(_ block: RowBlock) throws(ByteError) -> [RowBrief] {
        var columns = BlockRows()
        try columns.read(block, for: target)
        // All senders and looks are known since the tree was made, so the copy learns nothing.
        var catalog = self
        let faces = FaceNumbers(columns, &catalog)
        var briefs: [RowBrief] = []
        briefs.reserveCapacity(columns.count)
        for i in 0..<columns.count { briefs.append(faces.brief(columns, i)) }
        return briefs
    }

    /// The heights of rows that follow each other.
    func heights(of rows: [RowBrief], before: RowBrief?, after: RowBrief?) -> [Int32] {
        guard !rows.isEmpty else { return [] }
        var walk = HeightWalk(ruler, below: before)
        var heights: [Int32] = []
        heights.reserveCapacity(rows.count + 1)
        for row in rows { heights.append(walk.next(row)) }
        heights.append(walk.finish(above: after))
        return Array(heights.dropFirst())
    }

    func dressed(_ rows: [TreeRow], before: RowBrief?, after: RowBrief?) -> [DressedRow] {
        guard let first = rows.first else { return [] }
        var ruler = ruler
        var dressed: [DressedRow] = []
        dressed.reserveCapacity(rows.count)
        var seam = ruler.seam(between: before, and: first.brief)
        for (i, row) in rows.enumerated() {
            let next = i + 1 < rows.count ? rows[i + 1].brief : after
            let below = next.map { ruler.seam(between: row.brief, and: $0) }
            let dress = ruler.dress(
                of: row.brief, below: seam, joinsBelow: below?.joins ?? false, isLast: next == nil)
            dressed.append(DressedRow(row: row, dress: dress))
            dressed[i].row.height = dress.height
            if let below { seam = below }
        }
        return dressed
    }
}
