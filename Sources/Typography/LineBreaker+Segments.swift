import Bytes

/// Breaking by words instead of by units.
extension LineBreaker {
    /// Appends the lines of a text that has segments.
    func breakSegmentedLines(of text: borrowing MeasuredText, into lines: inout LineBuffer) {
        let segments = text.segments.list.span
        var factors = SIMD4<Int64>(repeating: 0)
        for (n, scale) in text.segments.scales.enumerated() {
            factors[n] = factor(unitsPerEm: scale.unitsPerEm, percent: scale.percent).scaled
        }
        var place = SegmentPlace(segments, number: 0)
        while Int(place.start) < text.count {
            // The width of a line that begins and ends inside one ligature does not follow from sums.
            let isTangled = !text.shortPieces.isEmpty && text.marks[Int(place.start)].contains(.unsafe)
            if !isTangled, let end = segmentedEnd(segments, of: text, from: place, factors) {
                let (line, next) = segmentedLine(segments, of: text, from: place, to: end)
                lines.append(line)
                place = SegmentPlace(segments, number: next)
            } else {
                let line = isTangled ? line(of: text, from: place.start) : wordLine(of: text, from: place.start)
                lines.append(line)
                place.pass(line, of: text, segments)
            }
        }
    }

    private func segmentedLine(
        _ segments: borrowing Span<Segments.Segment>, of text: borrowing MeasuredText, from place: SegmentPlace,
        to end: SegmentedEnd
    ) -> (line: Line, next: Int) {
        let isParagraphEnd = segments[end.stop].traits.contains(.endsParagraph)
        let next = isParagraphEnd ? min(end.stop + 1, segments.count - 1) : end.stop
        let position = segments[next].start
        var width = end.width
        var traits: LineTraits = isParagraphEnd ? .lastOfParagraph : []
        if segments[place.number].traits.contains(.rightToLeft) { traits.insert(.rightToLeft) }
        if end.isHyphenated && !isParagraphEnd {
            width += hyphen(before: position, in: text)
            traits.insert(.hyphen)
        }
        return (Line(start: place.start, end: position, width: pixels(width), traits: traits), next)
    }

    /// The last end of a line that fits, if any does. When the text fits, but not the hyphen that would end it, the
    /// line is filled anew, with the hyphen's room left free.
    @inline(__always)
    private func segmentedEnd(
        _ segments: borrowing Span<Segments.Segment>, of text: borrowing MeasuredText, from place: SegmentPlace,
        _ factors: SIMD4<Int64>
    ) -> SegmentedEnd? {
        let limit = Int64(most) << 16
        let end = segmentedEnd(segments, of: text, from: place, factors, limit)
        guard let end, end.isHyphenated else { return end }
        let hyphen = hyphen(before: segmentedLine(segments, of: text, from: place, to: end).line.end, in: text)
        return end.width + hyphen <= limit
            ? end : segmentedEnd(segments, of: text, from: place, factors, limit - hyphen)
    }

    @inline(__always)
    private func segmentedEnd(
        _ segments: borrowing Span<Segments.Segment>, of text: borrowing MeasuredText, from place: SegmentPlace,
        _ factors: SIMD4<Int64>, _ limit: Int64
    ) -> SegmentedEnd? {
        var number = place.number
        var factor = factors[Int(segments[number].scale & 3)]
        var rounded: Int64 = 0
        var exact = Int64(place.lead) &* factor
        var content: Int64 = 0
        var isHyphenated = false
        var end: SegmentedEnd?
        // A line does not end where it begins, and its first item begins there even if it is cut.
        var relevant: UInt8 = ~(Segments.opportunity | Segments.beginsItem)
        while true {
            let segment = segments[number]
            let traits = segment.traits.rawValue & relevant
            relevant = 0xff
            if traits & (Segments.opportunity | Segments.endsParagraph) != 0 {
                let width =
                    segment.ending == 0 ? content : rounded &+ ceiled(exact &+ Int64(segment.ending) &* factor)
                if width <= limit { end = SegmentedEnd(stop: number, width: width, isHyphenated: isHyphenated) }
                if content > limit || traits & Segments.endsParagraph != 0 { return end }
            }
            if traits & Segments.beginsItem != 0 {
                rounded &+= ceiled(exact)
                exact = 0
            }
            factor = factors[Int(segment.scale & 3)]
            if traits & Segments.tab == 0 {
                exact &+= Int64(segment.units) &* factor
            } else {
                rounded &+= ceiled(exact)
                exact = tabDistance(from: rounded, at: segment.start, in: text)
            }
            if traits & Segments.space == 0 {
                content = rounded &+ ceiled(exact)
                isHyphenated = traits & Segments.softHyphen != 0
            }
            number &+= 1
        }
    }
}

/// A place where a line may end.
private struct SegmentedEnd {
    /// The segment behind it, or the one that ends the paragraph.
    var stop: Int
    /// The width in 1/64 pixel with 16 more bits, without the hyphen.
    var width: Int64
    var isHyphenated: Bool
}

/// The place where the next line begins.
private struct SegmentPlace {
    private(set) var start: Int32
    /// The segment that holds the start.
    private(set) var number: Int
    /// Units of it that stand before the start.
    private var passed: Int32 = 0
    /// The units that a break at the start adds to the line.
    private var beginning: Int32

    init(_ segments: borrowing Span<Segments.Segment>, number: Int) {
        start = segments[number].start
        self.number = number
        beginning = Int32(segments[number].beginning)
    }

    /// The units that the line has beyond those of the segments from `number` on.
    var lead: Int32 { beginning &- passed }

    /// Goes behind a line that may end inside a word.
    mutating func pass(
        _ line: Line, of text: borrowing MeasuredText, _ segments: borrowing Span<Segments.Segment>
    ) {
        let before = number
        while number + 1 < segments.count && segments[number + 1].start <= line.end { number += 1 }
        if number > before { passed = 0 }
        passed &+= text.units(from: max(line.start, segments[number].start), to: line.end)
        beginning = text.beginning(at: line.end)
        start = line.end
    }
}

extension LineBreaker {
    @inline(never)
    private func hyphen(before position: Int32, in text: borrowing MeasuredText) -> Int64 {
        hyphen(of: text.style(at: position - 1))
    }

    @inline(never)
    private func tabDistance(from width: Int64, at position: Int32, in text: borrowing MeasuredText) -> Int64 {
        let tab = tab(of: text.style(at: position))
        return tab > 0 ? distance(from: width, toStopOf: tab) : 0
    }
}

extension Segments {
    fileprivate static let opportunity = Traits.opportunity.rawValue
    fileprivate static let beginsItem = Traits.beginsItem.rawValue
    fileprivate static let space = Traits.space.rawValue
    fileprivate static let endsParagraph = Traits.endsParagraph.rawValue
    fileprivate static let tab = Traits.tab.rawValue
    fileprivate static let softHyphen = Traits.softHyphen.rawValue
}
