/// Other ways to ask for lines: cut short, of even width, the same for a while, or continued.
extension LineBreaker {
    /// The line from `start` that leaves room for an ellipsis, though more text follows.
    func truncated(_ text: borrowing MeasuredText, from start: Int32) -> Line {
        let style = text.styles[Int(text.runs[text.run(at: start)].style)]
        let ellipsis = factor(unitsPerEm: style.unitsPerEm, percent: style.percent).pixels(style.ellipsis)
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

    /// The narrowest box, in 1/64 device pixel, in which the text has as many lines as in this one.
    package func balancedBox(for text: MeasuredText) -> Int32 {
        let lines = lines(of: text)
        guard lines.count > 1 else { return lines.first?.width ?? 0 }
        var low: Int32 = 0  // too narrow
        var high = min(box, lines.map(\.width).max() ?? box)
        var buffer = LineBuffer()
        while low + 1 < high {
            let middle = low + (high - low) / 2
            buffer.removeAll()
            withBox(middle).breakLines(of: text, into: &buffer)
            if buffer.count > lines.count { low = middle } else { high = middle }
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

    /// The boxes in which a line that begins here ends where it does.
    private func limits(of line: Line, in text: borrowing MeasuredText) -> ClosedRange<Int32> {
        let isEmergency = line.traits.contains(.emergency)
        var low = max(0, line.width - 1)
        var next = LineBreaker.widestBox + 2
        var isFirstCluster = true
        walk(text, from: line.start, stopping: isEmergency ? .clusters : .opportunities) { candidate in
            if isEmergency && text.takesSpace(at: candidate.position) { return true }
            if candidate.position == line.end {
                low = isEmergency && isFirstCluster ? 0 : max(low, candidate.unhyphenatedWidth + candidate.hyphen - 1)
            }
            isFirstCluster = false
            if candidate.position > line.end { next = min(next, candidate.unhyphenatedWidth) }
            return candidate.rawWidth < next
        }
        // An opportunity that a wider box would allow ends an emergency as well.
        if isEmergency {
            walk(text, from: line.start, stopping: .opportunities) { candidate in
                next = min(next, candidate.unhyphenatedWidth)
                return candidate.rawWidth < next
            }
        }
        // More of the text fits, but not with its hyphen: no other box is sure to break here too.
        if next <= most { return box...box }
        return low...max(low, next - 2)
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
