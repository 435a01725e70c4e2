import MessageLayout
package import Names
import Rows
package import Wire

// Places of rows, for windows and for questions.
extension Timeline {
    /// Nil where the place names a row that is not there.
    package func rank(of place: RowPlace) -> Int? {
        let last = max(0, tree.count - 1)
        switch place {
        case .newest: return last
        case .unread:
            guard let order = tree.viewer.unreadFrom else { return last }
            return min(tree.rank(ofOrder: order), last)
        case .row(let number): return tree.rank(of: number)
        case .date(let time): return min(tree.rank(ofTime: time), last)
        case .y(let y): return tree.count == 0 ? 0 : tree.rank(atY: y)
        }
    }

    /// The top of a screen that shows a place: its row stands at the top, as far as there are rows to fill the rest.
    func screenTop(showing place: RowPlace, rank: Int, screen: Int32) -> Int64 {
        let lowest = max(tree.top, tree.bottom - Int64(screen))
        let wanted: Int64 =
            switch place {
            case .newest: lowest
            case .unread where tree.viewer.unreadFrom.map { tree.rank(ofOrder: $0) >= tree.count } ?? true: lowest
            case .unread, .row, .date: tree.y(ofRank: rank)
            case .y(let y): y
            }
        return max(tree.top, min(wanted, lowest))
    }

    package func rows(_ ranks: Range<Int>) -> [WindowRow] {
        tree.spans(ranks).map { WindowRow(DressedRow(row: $0.row, dress: $0.dress)) }
    }

    /// The rows with these numbers, each with its rank: a gateway fetches bodies for them.
    package func rows(_ numbers: [MessageNumber]) -> [(rank: Int, row: WindowRow)] {
        numbers.compactMap { number in tree.rank(of: number).map { ($0, rows($0..<$0 + 1)[0]) } }
    }

    /// The heights of all rows that reach into a range of y, and nothing else.
    package func heights(_ range: Range<Int64>, of window: WindowID) -> HeightsReply {
        guard tree.count > 0 else {
            return HeightsReply(window: window, cursor: cursor, rank: 0, top: 0, heights: [])
        }
        let first = tree.rank(atY: range.lowerBound)
        let last = range.isEmpty ? first : tree.rank(atY: range.upperBound - 1)
        let ranks = first..<min(last + 1, first + Limits.heightsPerReply)
        return HeightsReply(
            window: window, cursor: cursor, rank: first, top: tree.y(ofRank: first), heights: tree.heights(ranks))
    }

    /// The row at a rank and its place; nil where there is none.
    package func place(at rank: Int, of window: WindowID) -> PlaceReply? {
        guard 0..<tree.count ~= rank else { return nil }
        let span = tree.span(at: rank)
        return PlaceReply(
            window: window, cursor: cursor, rank: rank, top: span.top,
            row: WindowRow(DressedRow(row: span.row, dress: span.dress)))
    }

    /// The y that an anchor stands at; nil where its row is not there.
    package func y(of anchor: WindowAnchor) -> Int64? {
        tree.rank(of: anchor.row).map { y(of: anchor, at: $0) }
    }

    func y(of anchor: WindowAnchor, at rank: Int) -> Int64 {
        let content = tree.span(at: rank).content
        return Int64(anchor.offset) + (anchor.edge == .top ? content.lowerBound : content.upperBound)
    }
}

extension WindowRow {
    init(_ dressed: DressedRow) {
        let (row, dress) = (dressed.row, dressed.dress)
        self.init(
            number: row.number, message: row.message, order: row.brief.order, height: dress.height, lead: dress.lead,
            strip: dress.strip)
    }
}

extension RowTree {
    func heights(_ ranks: Range<Int>) -> [Int32] {
        var heights: [Int32] = []
        heights.reserveCapacity(ranks.count)
        while ranks.lowerBound + heights.count < ranks.upperBound {
            let rank = ranks.lowerBound + heights.count
            let leaf = leaf(at: rank)
            heights += leaf.heights(catalog).dropFirst(rank - leaf.rank).prefix(ranks.upperBound - rank)
        }
        return heights
    }
}
