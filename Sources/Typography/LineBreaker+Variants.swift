/// Other ways to ask for lines: cut short, of even width, the same for a while, or continued.
extension LineBreaker {
    /// The line from `start` that leaves room for an ellipsis, though more text follows.
    func truncated(_ text: borrowing MeasuredText, from start: Int32) -> Line {
        let style = text.styles[Int(text.runs[text.run(at: start)].style)]
        let ellipsis = factor(unitsPerEm: style.unitsPerEm, percent: style.percent).length(style.ellipsis)
        var best = Line(start: start, end: start, width: ellipsis, traits: .ellipsis)
        walk(text, from: start, stopping: .clusters) { candidate in
            let width = candidate.showsHyphen ? candidate.rawWidth : candidate.width
            if width + ellipsis <= most {
                best.end = candidate.position
                best.width = width + ellipsis
                if candidate.isRightToLeft { best.traits.insert(.rightToLeft) }
            }
            return candidate.rawWidth + ellipsis <= most
        }
        return best
    }

    /// The narrowest box, in 1/64 device pixel, in which the text has no more lines than in this one.
    package func balancedBox(for text: MeasuredText) -> Int32 {
        let lines = lines(of: text)
        var low: Int32 = 0  // one less is too narrow
        var high = min(box, lines.map(\.width).max() ?? 0)
        var buffer = LineBuffer()
        while low < high {
            let middle = low + (high - low) / 2
            buffer.removeAll()
            withBox(middle).breakLines(of: text, into: &buffer)
            if buffer.count > lines.count { low = middle + 1 } else { high = middle }
        }
        return high
    }

    /// The boxes, in 1/64 device pixel, in which the text breaks at the same places as in this one.
    package func validBoxes(for lines: [Line], of text: MeasuredText) -> ClosedRange<Int32> {
        var low: Int32 = 0
        var high = LineBreaker.widestBox
        for line in lines {
            let limits = limits(of: line, in: text)
            low = max(low, limits.lowerBound)
            high = min(high, limits.upperBound)
        }
        return low...max(low, high)
    }

    /// The boxes in which a line that begins here ends where it does: those in which its end is the last opportunity
    /// that fits, and those in which none fits and its end is the last cluster.
    private func limits(of line: Line, in text: borrowing MeasuredText) -> ClosedRange<Int32> {
        let opportunities = Reach(of: line, among: .opportunities, in: text, self)
        let clusters = Reach(of: line, among: .clusters, in: text, self)
        let usual = opportunities.own..<max(opportunities.own, opportunities.next)
        let emergency = clusters.own..<max(clusters.own, min(clusters.next, opportunities.least))
        // Where they meet, they are one.
        let isUsual = usual.contains(most)
        var limits = isUsual ? usual : emergency
        if emergency.upperBound == usual.lowerBound { limits = emergency.lowerBound..<usual.upperBound }
        let low = max(0, limits.lowerBound - 1)
        return low...max(low, limits.upperBound - 2)
    }

    /// The lines of a text that grew at its end, given the lines of what it was. Only what may have changed is broken
    /// again: the line before the first difference and what follows it.
    package func continued(_ lines: [Line], of old: MeasuredText, as new: MeasuredText) -> [Line] {
        let same = Int32(old.commonPrefix(with: new))
        // A line stands when the line after it does: its end was decided by what did not fit there.
        let kept = zip(lines, lines.dropFirst()).prefix { $0.1.end < same }.count
        var rest = LineBuffer()
        breakAnyLines(of: new, from: kept > 0 ? lines[kept - 1].end : 0, into: &rest)
        return lines.prefix(kept) + (0..<rest.count).map { rest[$0] }
    }
}

/// The widest lines that must be allowed for a place to be where a line ends.
private struct Reach {
    /// For the line's own end; as good as never when it is not among the places.
    var own = LineBreaker.widestBox + 2
    /// For any place behind it.
    var next = LineBreaker.widestBox + 2
    /// For any at all.
    var least = LineBreaker.widestBox + 2

    init(of line: Line, among stops: WalkStops, in text: borrowing MeasuredText, _ breaker: LineBreaker) {
        // A walk goes no farther than the first place that is too wide with nothing changed at its end.
        var before: Int32 = 0
        var isFirst = true
        breaker.walk(text, from: line.start, stopping: stops) { candidate in
            let needed = max(candidate.width, before)
            if candidate.position == line.end { own = min(own, isFirst && stops == .clusters ? 0 : needed) }
            if candidate.position > line.end { next = min(next, needed) }
            least = min(least, needed)
            before = max(before, candidate.rawWidth)
            isFirst = false
            return candidate.rawWidth < next
        }
    }
}

extension MeasuredText {
    /// How many units from the start are measured alike.
    func commonPrefix(with other: MeasuredText) -> Int {
        var same = 0
        let limit = min(count, other.count)
        while same < limit && advances[same] == other.advances[same] && marks[same] == other.marks[same] { same += 1 }
        for (a, b) in zip(runs, other.runs) where a != b { same = min(same, Int(min(a.start, b.start))) }
        if runs.count != other.runs.count {
            let extra = runs.count > other.runs.count ? runs[other.runs.count] : other.runs[runs.count]
            same = min(same, Int(extra.start))
        }
        for (a, b) in zip(unsafeBreaks, other.unsafeBreaks) where a != b {
            same = min(same, Int(min(a.safeBefore, b.safeBefore)))
        }
        return same
    }
}
