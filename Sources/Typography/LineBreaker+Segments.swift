/// Breaking by words instead of by units.
extension LineBreaker {
    /// Appends the lines of a text that has segments. Lines that begin or end inside a word are found by the walk.
    func breakSegmentedLines(of text: borrowing MeasuredText, into lines: inout LineBuffer) {
        let segments = text.segments.list.span
        var factors = SIMD4<Int64>(repeating: 0)
        for (n, scale) in text.segments.scales.enumerated() {
            factors[n] = factor(unitsPerEm: scale.unitsPerEm, percent: scale.percent).scaled
        }
        var number = 0
        var start: Int32 = 0
        while Int(start) < text.count {
            if segments[number].start == start, let end = segmentedLine(segments, from: number, factors, into: &lines) {
                number = end
                start = segments[number].start
            } else {
                let line = line(of: text, from: start)
                lines.append(line)
                start = line.end
                while segments[number].start < start { number += 1 }
            }
        }
    }

    /// Appends the line that begins with segment `first` and answers the one behind it; nil when no word fits.
    @inline(__always)
    private func segmentedLine(
        _ segments: borrowing Span<Segments.Segment>, from first: Int, _ factors: SIMD4<Int64>,
        into lines: inout LineBuffer
    ) -> Int? {
        var rounded: Int64 = 0
        var exact: Int64 = 0
        var content: Int64 = 0
        var end = first
        var width: Int64 = 0
        let limit = Int64(most) << 16
        var number = first
        while true {
            let segment = segments[number]
            let traits = segment.traits.rawValue
            if traits & Segments.stops != 0 && (number > first || traits & Segments.Traits.endsParagraph.rawValue != 0)
            {
                if content > limit { break }
                (end, width) = (number, content)
                if traits & Segments.Traits.endsParagraph.rawValue != 0 {
                    if number + 1 < segments.count { end += 1 }
                    break
                }
            }
            if traits & Segments.Traits.beginsItem.rawValue != 0 {
                rounded &+= ceiled(exact)
                exact = 0
            }
            exact &+= Int64(segment.units) &* factors[Int(segment.scale & 3)]
            if traits & Segments.Traits.space.rawValue == 0 { content = rounded &+ ceiled(exact) }
            number += 1
        }
        if end == first { return nil }
        let ended = segments[end - 1].traits.contains(.endsParagraph) || end == segments.count - 1
        var traits: LineTraits = ended ? .lastOfParagraph : []
        if segments[first].traits.contains(.rightToLeft) { traits.insert(.rightToLeft) }
        lines.append(
            Line(
                start: segments[first].start, end: segments[end].start, width: Int32(clamping: width >> 16),
                traits: traits))
        return end
    }
}

extension Segments {
    fileprivate static let stops = Traits.opportunity.rawValue | Traits.endsParagraph.rawValue
}
