package import MessageLayout
package import Names
package import Rows
import Wire

/// The rows of a conversation, as one reader sees them on one screen: an order-statistic tree that knows the number
/// of rows above any place, and their height.
///
/// Each operation takes O(log n): a row's place, the row at any place, and every change. A change gives new heights
/// to the rows that it names and to their two neighbours, whatever the length of the conversation. Trees are values:
/// a copy costs nothing, and shares all that is not changed.
///
///     var tree = try RowTree(blocks, style: style, viewer: viewer, own: me, target: target)
///     let span = tree.span(at: tree.rank(atY: 12_000))
package struct RowTree: Sendable {
    var root: TreeNode
    var catalog: RowCatalog
    /// The order from which on rows stand below the origin; nil until there is a row.
    package internal(set) var originOrder: Int64?
    /// The number of rows that changes have measured so far.
    package internal(set) var work = 0
    /// The bytes of memory that its rows take, about. Copies share them, as far as neither is changed.
    package internal(set) var bytes = 0

    /// An empty conversation.
    package init(
        style: DecorationStyle, viewer: Viewer, own: SenderID?, target: Target, originOrder: Int64? = nil
    ) {
        root = TreeNode(rows: [])
        catalog = RowCatalog(style: style, viewer: viewer, own: own, target: target)
        self.originOrder = originOrder
    }

    package var count: Int { root.sum.count }
    /// The height of all rows together.
    package var height: Int64 { root.sum.height }
    package var target: Target { catalog.target }
    package var viewer: Viewer { catalog.ruler.decorator.viewer }
}

/// The place of a row.
package struct RowSpan: Equatable, Sendable {
    package var rank: Int
    package var row: TreeRow
    package var dress: RowDress
    /// The top of the row, from the origin.
    package var top: Int64

    package var bottom: Int64 { top + Int64(row.height) }

    /// The top and bottom of its content: a date line that comes or goes above moves neither.
    package var content: Range<Int64> { top + Int64(dress.lead)..<bottom - Int64(dress.trail) }
}

// Reading. Nothing is changed, and a sealed block stays sealed.
extension RowTree {
    package func row(at rank: Int) -> TreeRow {
        let leaf = leaf(at: rank)
        return leaf.rows(catalog)[rank - leaf.rank]
    }

    package func span(at rank: Int) -> RowSpan { spans(rank..<rank + 1)[0] }

    /// Rows in order, each with its place.
    package func spans(_ range: Range<Int>) -> [RowSpan] {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        var spans: [RowSpan] = []
        spans.reserveCapacity(range.count)
        var ruler = catalog.ruler
        var seam: RowSeam?
        forEachRow(range) { rank, row, top, before, after in
            let above = seam ?? ruler.seam(between: before, and: row.brief)
            let below = after.map { ruler.seam(between: row.brief, and: $0) }
            let dress = ruler.dress(
                of: row.brief, below: above, joinsBelow: below?.joins ?? false, isLast: after == nil)
            spans.append(RowSpan(rank: rank, row: row, dress: dress, top: top))
            seam = below
        }
        return spans
    }

    /// The row that covers a place: the first row for every place above, the last for every place below.
    package func rank(atY y: Int64) -> Int {
        precondition(count > 0)
        let top = top
        // Clamped first: a reader may name any y, and no distance to it need fit an integer.
        let distance = max(top, min(y, top + height)) - top
        let leaf = leaf(atDistance: distance)
        return leaf.rank + leaf.row(atDistance: distance - leaf.above, catalog)
    }

    /// The distance from the origin down to the top of a row; behind the last row, to the end of all.
    package func y(ofRank rank: Int) -> Int64 { top + distance(toRank: rank) }

    /// The top of the first row.
    package var top: Int64 { -originDistance }
    package var bottom: Int64 { top + height }

    /// The first row that is not before a position: its own, if it is there.
    package func rank(of position: Position) -> Int {
        guard count > 0 else { return 0 }
        let leaf = leaf { $0.last < position.order }
        // Ids are read only where orders leave it open.
        let equal = leaf.partition { $0 >= position.order }..<leaf.partition { $0 > position.order }
        let place =
            equal.lowerBound
            + (equal.isEmpty ? 0 : Array(leaf.messages[equal]).partition { !($0 < position.message) })
        // Other leaves are asked only where more rows share an order than one leaf holds.
        if place < leaf.node.sum.count || leaf.node.sum.last != position.order { return leaf.rank + place }
        var low = leaf.rank + place
        var high = rank(ofOrder: position.order, isAfter: true)
        while low < high {
            let middle = (low + high) / 2
            if row(at: middle).message < position.message { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The first row of this order or a higher one; if `isAfter`, the first of a higher one.
    package func rank(ofOrder order: Int64, isAfter: Bool = false) -> Int {
        func isBefore(_ other: Int64) -> Bool { isAfter ? other <= order : other < order }
        guard count > 0, !isBefore(root.sum.last) else { return count }
        let leaf = leaf { isBefore($0.last) }
        return leaf.rank + leaf.partition { !isBefore($0) }
    }

    /// The rank of the message with this number, which it has for ever.
    package func rank(of number: MessageNumber) -> Int? {
        leaves(holding: number).lazy.compactMap { leaf in leaf.place(of: number).map { leaf.rank + $0 } }.first
    }

    /// The first row at or after a moment, as far as times rise with orders.
    package func rank(ofTime time: Timestamp) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if brief(at: middle)!.milliseconds < time.milliseconds { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The reader's own name, if the viewer has one among the senders.
    package var own: SenderID? { viewer.own == nil ? nil : catalog.senderNames[0] }
    package func sender(of row: TreeRow) -> SenderID { catalog.senderNames[Int(row.brief.sender)] }
    package func look(of row: TreeRow) -> RowLook { catalog.lookList[Int(row.brief.look)] }

    /// The rows of a range in order, as another tree takes them in.
    package func newRows(_ range: Range<Int>) -> [NewRow] {
        var rows: [NewRow] = []
        rows.reserveCapacity(range.count)
        forEachRow(range) { _, row, _, _, _ in
            rows.append(
                NewRow(
                    number: row.number, position: row.position, sender: sender(of: row),
                    time: Timestamp(milliseconds: row.brief.milliseconds), look: look(of: row),
                    heights: row.brief.heights))
        }
        return rows
    }

    /// Everything about a row's dress and place in it, from the size of its content in the variant that it is shown
    /// in.
    package func decoration(of span: RowSpan, content size: PixelSize) -> Decoration {
        catalog.ruler.decoration(of: span.row.brief, span.dress, content: size)
    }
}

// The origin: the end of the content of the first row that belongs below it. Older rows extend upward from there, and
// the rows around it may gain and lose date lines, names and gaps without moving what is below.
extension RowTree {
    /// The distance from the top of everything to the origin.
    private var originDistance: Int64 {
        guard count > 0, let originOrder else { return 0 }
        let rank = min(self.rank(ofOrder: originOrder), count - 1)
        return distance(toRank: rank + 1) - (rank == count - 1 ? Int64(catalog.ruler.trail) : 0)
    }
}
