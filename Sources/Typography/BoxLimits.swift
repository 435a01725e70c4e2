/// The boxes in which lines of a text end at the same places as in the box of a breaker.
struct BoxLimits {
    let breaker: LineBreaker

    /// The boxes around the breaker's own in which a line that begins here ends at the same place.
    func limits(of line: Line, in text: borrowing MeasuredText) -> ClosedRange<Int32> {
        let ending = ending(of: text, from: line.start, most: breaker.most)
        guard ending.position == line.end else { return breaker.box...breaker.box }  // not a line of this breaker
        var (low, high) = (ending.widths.lowerBound, ending.widths.upperBound)
        while low > 1 {
            let below = self.ending(of: text, from: line.start, most: low - 1)
            guard below.position == line.end else { break }
            low = below.widths.lowerBound
        }
        while high <= LineBreaker.widestBox {
            let above = self.ending(of: text, from: line.start, most: high + 1)
            guard above.position == line.end else { break }
            high = above.widths.upperBound
        }
        return max(0, low - 1)...min(LineBreaker.widestBox, high - 1)
    }

    /// The end of a line that may be so wide, and the widths for which the same search ends it there.
    private func ending(
        of text: borrowing MeasuredText, from start: Int32, most: Int32
    ) -> (position: Int32, widths: ClosedRange<Int32>) {
        var widths = Search.allWidths
        let found =
            search(text, from: start, among: .opportunities, most: most, &widths)
            ?? search(text, from: start, among: .clusters, most: most, &widths)
        guard let found else { preconditionFailure("a walk ends with a candidate") }
        return (found.position, widths)
    }

    /// The last place that fits together with its hyphen, if any does; `widths` shrinks to those for which it is found.
    private func search(
        _ text: borrowing MeasuredText, from start: Int32, among stops: WalkStops, most: Int32,
        _ widths: inout ClosedRange<Int32>
    ) -> Candidate? {
        let first = Search(of: text, from: start, among: stops, most: most, breaker)
        widths = widths.clamped(to: first.widths)
        guard let end = first.best, end.hyphen > 0 else { return first.best }
        let whole = end.unhyphenatedWidth + end.hyphen
        if whole <= most {
            widths = widths.clamped(to: whole...Search.allWidths.upperBound)
            return end
        }
        let second = Search(of: text, from: start, among: stops, most: most - end.hyphen, breaker)
        widths = widths.clamped(to: Search.allWidths.lowerBound...whole - 1)
        widths = widths.clamped(
            to: second.widths.lowerBound + end.hyphen...second.widths.upperBound + end.hyphen)
        return second.best
    }
}

/// The last place that fits, hyphens not counted, and the widths for which it is the last.
private struct Search {
    private(set) var best: Candidate?
    /// The narrowest line that reaches it.
    private var least = Search.allWidths.lowerBound
    /// The narrowest line that reaches farther.
    private var next = Search.allWidths.upperBound

    static let allWidths: ClosedRange<Int32> = -(1 << 30)...1 << 30

    var widths: ClosedRange<Int32> { least...max(least, next - 1) }

    init(
        of text: borrowing MeasuredText, from start: Int32, among stops: WalkStops, most: Int32, _ breaker: LineBreaker
    ) {
        // A walk goes no farther than the first place that is too wide with nothing changed at its end.
        var before: Int32 = 0
        // The first cluster stands on the line whether it fits or not.
        var isAnyway = stops == .clusters
        breaker.walk(text, from: start, stopping: stops) { candidate in
            let needed = max(candidate.unhyphenatedWidth, before)
            if isAnyway || needed <= most {
                best = candidate
                least = isAnyway ? Search.allWidths.lowerBound : needed
                next = Search.allWidths.upperBound
            } else {
                next = min(next, needed)
            }
            isAnyway = false
            before = max(before, candidate.rawWidth)
            return candidate.rawWidth < next
        }
    }
}
