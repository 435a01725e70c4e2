package import Bytes

/// The breaks of a plain text, as far as they do not depend on size and scale: the ends of its lines follow from the
/// number of units that fit on one, and from nothing else. So lines that were found for one box are those of many
/// others, at any scale, but for their widths in pixels.
@usableFromInline package struct PlainBreaks: Hashable, Sendable {
    private let unit: AdvanceUnit
    /// The units of the widest line.
    @usableFromInline var units: Int32 = 0
    /// The fewest units that would let some line take in more.
    @usableFromInline var unitsToGrow = Int32.max
    package private(set) var isAnyRightToLeft = false

    /// Breaks a plain text, and appends its lines and the units of each. Nil where lines depend on more, such as a
    /// word that does not fit, or an item that begins inside of one; they are appended all the same.
    package init?(
        of text: borrowing MeasuredText, _ breaker: LineBreaker, into lines: inout LineBuffer,
        _ units: inout Buffer<Int32>
    ) {
        guard let unit = text.stops.unit else {
            breaker.breakLines(of: text, into: &lines)
            return nil
        }
        self.unit = unit
        let first = lines.count
        let ruler = breaker.ruler(for: unit)
        let ends = text.stops.ends.span
        let breaks = text.stops.breaks.span
        let items = text.stops.items.span
        var place = PlainPlace(items)
        var traits: Int32 = 0
        while place.stop < breaks.count {
            let (line, next) =
                ruler.nextLine(ends, breaks, items, from: place)
                ?? breaker.wordLine(of: text, breaks, items, from: place)
            lines.append(line)
            units.append(next.units)
            traits |= line.traits.rawValue
            self.units = max(self.units, next.units)
            unitsToGrow = min(unitsToGrow, next.unitsToGrow)
            place = next
        }
        isAnyRightToLeft = LineTraits(rawValue: traits).contains(.rightToLeft)
        lines.markCuts(from: first, of: text)
        if self.units >= unitsToGrow { return nil }
    }

    /// The most units of a plain paragraph.
    @inlinable package static var widest: Int32 { 1 << 25 }

    package func factor(of breaker: LineBreaker) -> Factor {
        breaker.factor(unitsPerEm: unit.unitsPerEm, percent: unit.percent)
    }

    /// Whether a breaker of any scale that puts so many units on a line ends lines at these places.
    @inlinable @inline(__always)
    package func hold(_ limit: Int32) -> Bool { units <= limit && limit < unitsToGrow }

    /// Boxes, in 1/64 device pixel, in which a breaker of some scale ends lines at these places.
    @inlinable @inline(__always)
    package func boxes(_ factor: Factor) -> ClosedRange<Int32> {
        let least = max(0, factor.length(units) &- 1)
        // No paragraph is so wide that the one behind it ever fits.
        let most = unitsToGrow > PlainBreaks.widest ? Int32.max : factor.length(unitsToGrow) &- 2
        return least...max(least, most)
    }
}

extension Line {
    /// The same line with so many units at another scale.
    @inline(__always)
    package func scaled(to units: Int32, _ factor: Factor) -> Line {
        Line(start: start, end: end, width: factor.pixels(units), traits: traits)
    }
}
