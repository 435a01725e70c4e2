import Bytes

/// Other ways to ask for lines: cut short, of even width, the same for a while, or continued.
extension LineBreaker {
    /// The line from `start` that leaves room for an ellipsis, though more text follows.
    func truncated(_ text: borrowing MeasuredText, from start: Int32) -> Line {
        let ellipsis = ellipsis(of: text, from: start)
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

    /// The width of an ellipsis behind a line that begins there: it stands by itself, and no letter is kerned against
    /// it.
    func ellipsis(of text: borrowing MeasuredText, from start: Int32) -> Int32 {
        let style = text.style(at: start)
        return factor(unitsPerEm: style.unitsPerEm, percent: style.percent).length(style.ellipsis)
    }

    /// Cuts the lines of the buffer from `first` on to `count` of them, or fewer: the last one has an ellipsis, and
    /// words, if any line has some.
    package func cut(_ lines: inout LineBuffer, from first: Int = 0, to count: Int, of text: borrowing MeasuredText) {
        var count = first + count
        guard count > first, count < lines.count else { return }
        while count > first + 1, text.contentEnd(of: lines[count - 1]) == lines[count - 1].start { count -= 1 }
        let start = lines[count - 1].start
        lines.shrink(to: count - 1)
        lines.append(truncated(text, from: start))
        lines.markCuts(from: count - 1, of: text)
    }

    /// The narrowest box, in 1/64 device pixel, in which the text has no more lines than in this one.
    package func balancedBox(for text: MeasuredText) -> Int32 {
        var buffer = LineBuffer()
        func lineCount(_ box: Int32) -> Int {
            buffer.removeAll()
            withBox(box).breakLines(of: text, into: &buffer)
            return buffer.count
        }
        let wanted = lineCount(box)
        var low: Int32 = 0  // one less is too narrow
        var high = box
        while low < high {
            let middle = low + (high - low) / 2
            if lineCount(middle) > wanted { low = middle + 1 } else { high = middle }
        }
        return high
    }

    /// The boxes, in 1/64 device pixel, in which the text breaks at the same places as in this one.
    package func validBoxes(for lines: [Line], of text: MeasuredText) -> ClosedRange<Int32> {
        let boxes = BoxLimits(breaker: self)
        var low: Int32 = 0
        var high = LineBreaker.widestBox
        for line in lines {
            let limits = boxes.limits(of: line, in: text)
            low = max(low, limits.lowerBound)
            high = min(high, limits.upperBound)
        }
        return low...max(low, high)
    }

    /// The lines of a text that grew at its end, given the lines that it had before. Only lines that may have changed
    /// are broken again: the line before the first difference and those behind it.
    package func continued(_ lines: [Line], of old: MeasuredText, as new: MeasuredText) -> [Line] {
        let same = Int32(old.commonPrefix(with: new))
        // A line stands when the line after it does: its end was decided by the text that did not fit there.
        let kept = zip(lines, lines.dropFirst()).prefix { $0.1.end < same }.count
        var rest = LineBuffer()
        breakAnyLines(of: new, from: kept > 0 ? lines[kept - 1].end : 0, into: &rest)
        rest.markCuts(from: 0, of: new)
        return lines.prefix(kept) + (0..<rest.count).map { rest[$0] }
    }
}

extension MeasuredText {
    /// The number of units from the start that are measured alike.
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
        return min(same, joins.firstDifference(from: other.joins) ?? same)
    }
}
