package import MessageLayout

/// The sender of a row and its look, by places in the lists of its block.
package struct RowFace: Sendable, BitwiseCopyable {
    package var sender: UInt16
    package var look: UInt16

    @inlinable package init(sender: UInt16, look: UInt16) { (self.sender, self.look) = (sender, look) }
}

// The road of a million rows. No branch can predict whether two belong to one series, so most is decided without one.
extension HeightWalk {
    /// Returns the sum of the heights that `next` would return for the rows of columns, one after another behind the
    /// first, which was told.
    /// - Parameter senders: the numbers of the senders that faces name by place; `looks` are those of the looks.
    package mutating func next(
        _ orders: Span<Int64>, _ times: Span<Int64>, _ faces: Span<RowFace>, _ heights: Span<ContentHeights>,
        senders: Span<UInt32>, looks: Span<UInt32>
    ) -> Int64 {
        precondition(times.count == orders.count && faces.count == orders.count && heights.count == orders.count)
        var sum: Int64 = 0
        var i = 1
        while i < orders.count {
            guard looks[Int(faces[i].look)] == last?.look, !hasUnreadLine(above: orders[orders.count - 1]),
                var stretch = Stretch(self)
            else {
                sum += Int64(next(brief(i, orders, times, faces, heights, senders, looks)))
                i += 1
                continue
            }
            let first = i
            while i < orders.count, looks[Int(faces[i].look)] == stretch.look, stretch.contains(times[i]) {
                stretch.add(times[i], senders[Int(faces[i].sender)], heights[i])
                i += 1
            }
            if i > first {
                sum += stretch.sum
                (joined, ending) = (stretch.joined, stretch.ending)
                last = brief(i - 1, orders, times, faces, heights, senders, looks)
            }
            guard i < orders.count else { break }
            // A row that begins a day, or has another look.
            sum += Int64(next(brief(i, orders, times, faces, heights, senders, looks)))
            i += 1
        }
        return sum
    }

    /// Whether the unread line may stand above one of the rows up to one of this order.
    private func hasUnreadLine(above order: Int64) -> Bool {
        guard ruler.lengths.unreadLine != nil, let from = ruler.lengths.unreadFrom, let last else { return false }
        return last.order < from && order >= from
    }

    private func brief(
        _ i: Int, _ orders: Span<Int64>, _ times: Span<Int64>, _ faces: Span<RowFace>, _ heights: Span<ContentHeights>,
        _ senders: Span<UInt32>, _ looks: Span<UInt32>
    ) -> RowBrief {
        RowBrief(
            order: orders[i], milliseconds: times[i], sender: senders[Int(faces[i].sender)],
            look: looks[Int(faces[i].look)], heights: heights[i])
    }

    /// Rows of one look and one day.
    private struct Stretch {
        let look: UInt32
        private let day: Range<Int64>
        private let own: Int64
        private let longestPause: Int64
        /// -1 where rows of this look do not take part in series.
        private let standsAlone: Int64
        private let within, between, betweenSides: Int32
        /// The forms of the viewer's own rows, first in a series and not, then those of rows of others, first and not.
        private let forms: [Form]
        private var time: Int64
        private var sender: Int64
        private(set) var joined: Int32
        private(set) var ending: Int32
        private(set) var sum: Int64 = 0

        private struct Form {
            /// -1 where the sender is named.
            var named: Int32
            /// The height above the strip; the least height of the strip, and the least at the end of a series.
            var above, least, leastLast: Int32

            init(_ measures: RowRuler.Measures, joins: Bool) {
                named = measures.isNamed && (measures.isNamedAlways || !joins) ? -1 : 0
                above = joins ? 0 : measures.above
                least = joins ? measures.beside : max(measures.beside, measures.besideFirst)
                leastLast = max(least, measures.besideLast)
            }
        }

        /// A stretch behind the last row; nil if there is none, or its day is not known.
        init?(_ walk: HeightWalk) {
            guard let last = walk.last else { return nil }
            let ruler = walk.ruler
            // Differences of such times do not overflow.
            day = ruler.lengths.dateLine == nil ? -(1 << 60)..<1 << 60 : ruler.calendar.span
            guard day.contains(last.milliseconds) else { return nil }
            look = last.look
            own = ruler.lengths.own.flatMap { Int64(exactly: $0) } ?? -1
            longestPause = min(Int64(clamping: ruler.lengths.longestPause), 1 << 60)
            standsAlone = ruler.looks[Int(look)].joinsSeries ? 0 : -1
            (within, between) = (ruler.lengths.withinSeries, ruler.lengths.betweenSeries)
            betweenSides = ruler.lengths.betweenSides
            let (own, others) = (ruler.measures[2 * Int(look)], ruler.measures[2 * Int(look) + 1])
            forms = [own, others].flatMap { [Form($0, joins: false), Form($0, joins: true)] }
            (time, sender, joined, ending) = (last.milliseconds, Int64(last.sender), walk.joined, walk.ending)
        }

        @inline(__always)
        func contains(_ time: Int64) -> Bool { time >= day.lowerBound && time < day.upperBound }

        /// Adds a row. In masks such as `isApart`, all bits are set where the name is true.
        @inline(__always)
        mutating func add(_ time: Int64, _ sender: UInt32, _ heights: ContentHeights) {
            let sender = Int64(sender)
            let pause = time &- self.time
            let isApart =
                ((longestPause &- pause) | (longestPause &+ pause)) &>> 63 | differs(sender, self.sender) | standsAlone
            let isOther = differs(sender, own)
            let changesSides = Int32(truncatingIfNeeded: isOther ^ differs(self.sender, own))
            let apart = Int32(truncatingIfNeeded: isApart)
            let form = forms[Int(isOther & 2 | ~isApart & 1)]
            let content = choose(
                choose(heights.own, heights.other, Int32(truncatingIfNeeded: isOther)), heights.otherWithName,
                form.named
            ).bounded
            sum &+= Int64(choose(joined, ending, apart))
            let lead = choose(within, choose(between, betweenSides, changesSides), apart) &+ form.above
            joined = lead &+ max(content, form.least)
            ending = lead &+ max(content, form.leastLast)
            (self.time, self.sender) = (time, sender)
        }

        @inline(__always)
        private func differs(_ one: Int64, _ other: Int64) -> Int64 {
            let difference = one ^ other
            return (difference | (0 &- difference)) &>> 63
        }

        /// The second number where all bits of the mask are set, the first where none is.
        @inline(__always)
        private func choose(_ first: Int32, _ second: Int32, _ mask: Int32) -> Int32 {
            first ^ (first ^ second) & mask
        }
    }
}
