import Bytes

/// A breaker of measured texts into lines of one width, at one size and scale, as a browser breaks them: greedily, in
/// whole 64ths of a device pixel.
///
/// A line fits when its width, each of its items rounded up to 1/64 pixel, is at most 1/64 pixel more than the box:
/// browsers grant that much, so that rounding up never costs a line a word that fits exactly. It ends at the last
/// opportunity that fits; failing that, after the last grapheme cluster that fits, but at least after one.
///
///     LineBreaker(width: .points(280), size: .points(17), scale: .three).lines(of: measured)
@usableFromInline package struct LineBreaker: Hashable, Sendable {
    /// Width of the box in 1/64 device pixel.
    package let box: Int32
    /// The widest line that still fits.
    let most: Int32
    package let size: Fixed
    package let scale: Scale
    package let textScale: TextScale
    /// Fonts of a thousand units are the usual case, and a division for each text would cost more than its lines.
    let usual: Ruler

    package init(width: Fixed, size: Fixed, scale: Scale, textScale: TextScale = .one) {
        let box = Int64(width.raw) * Int64(scale.thousandths) / 1000
        self.init(box: Int32(clamping: box), size: size, scale: scale, textScale: textScale)
    }

    /// A breaker for a box in 1/64 device pixel, as balancing and interval checks need it.
    package init(box: Int32, size: Fixed, scale: Scale, textScale: TextScale = .one) {
        self.box = max(0, min(box, LineBreaker.widestBox))
        most = self.box + 1
        self.size = Fixed(raw: max(0, min(size.raw, LineBreaker.largestSize.raw)))
        self.scale = Scale(thousandths: max(0, min(scale.thousandths, LineBreaker.largestScale.thousandths)))
        self.textScale = TextScale(percent: max(0, min(textScale.percent, LineBreaker.largestTextScale.percent)))
        let factor = Factor(
            size: self.size, scale: self.scale, textScale: self.textScale, percent: 100, unitsPerEm: 1000)
        usual = Ruler(factor: factor, most: most)
    }

    /// The widest box, a quarter of a million device pixels. Wider ones count as this.
    @inlinable package static var widestBox: Int32 { 1 << 24 }
    /// The greatest length: no line is wider, and no text is higher.
    @usableFromInline static var longest: Int64 { 1 << 28 }
    /// The largest size and scales. Larger ones count as these.
    package static let largestSize = Fixed.points(4096)
    package static let largestScale = Scale(thousandths: 16_000)
    package static let largestTextScale = TextScale(percent: 1000)

    /// The same breaker with another box. It is cheap: the factor stays.
    package func withBox(_ box: Int32) -> LineBreaker { LineBreaker(self, box: box) }

    private init(_ other: LineBreaker, box: Int32) {
        self.box = max(0, min(box, LineBreaker.widestBox))
        most = self.box + 1
        (size, scale, textScale) = (other.size, other.scale, other.textScale)
        usual = Ruler(factor: other.usual.factor, most: most)
    }

    package func lines(of text: borrowing MeasuredText) -> [Line] {
        var buffer = LineBuffer()
        breakLines(of: text, into: &buffer)
        return (0..<buffer.count).map { buffer[$0] }
    }

    /// Appends the lines of `text`.
    package func breakLines(of text: borrowing MeasuredText, into lines: inout LineBuffer) {
        let first = lines.count
        if let unit = text.stops.unit {
            breakPlainLines(of: text, in: unit, into: &lines)
        } else if !text.segments.list.isEmpty {
            breakSegmentedLines(of: text, into: &lines)
        } else {
            breakAnyLines(of: text, from: 0, into: &lines)
        }
        lines.markCuts(from: first, of: text)
    }

    package func factor(unitsPerEm: Int32, percent: Int32) -> Factor {
        if unitsPerEm == 1000 && percent == 100 { return usual.factor }
        return Factor(size: size, scale: scale, textScale: textScale, percent: percent, unitsPerEm: unitsPerEm)
    }

    func ruler(for unit: AdvanceUnit) -> Ruler {
        if unit.unitsPerEm == 1000 && unit.percent == 100 { return usual }
        return Ruler(factor: factor(unitsPerEm: unit.unitsPerEm, percent: unit.percent), most: most)
    }
}

/// The unit of advances: a font's units, at a percentage of the text's size.
struct AdvanceUnit: Hashable, Sendable {
    var unitsPerEm: Int32
    var percent: Int32
}

extension MeasuredText {
    func unit(of run: TextRun) -> AdvanceUnit {
        AdvanceUnit(unitsPerEm: run.unitsPerEm, percent: styles[Int(run.style)].percent)
    }
}

/// Measures lines of plain texts of one unit.
struct Ruler: Hashable, Sendable {
    let factor: Factor
    /// The widest line that fits.
    let most: Int32
    /// The most units that fit on a line of one item.
    let limit: Int32

    init(factor: Factor, most: Int32) {
        self.factor = factor
        self.most = most
        limit = factor.units(in: most)
    }
}

/// The factor that turns font units into 1/64 device pixels: size × scale × 64 / unitsPerEm, rounded to 1/65536 as
/// the browser's font engine rounds it. At 16 px, 1000 units are 16.00003 px, and browsers show it.
@usableFromInline package struct Factor: Hashable, Sendable {
    @usableFromInline package let scaled: Int64

    /// A factor of nothing: every width is 0.
    package static let none = Factor(scaled: 0)

    private init(scaled: Int64) { self.scaled = scaled }

    package init(size: Fixed, scale: Scale, textScale: TextScale, percent: Int32, unitsPerEm: Int32) {
        guard unitsPerEm > 0 else {  // inline boxes: 1/64 point
            scaled = (Int64(scale.thousandths) << 16) / 1000
            return
        }
        // Exact up to here: at most 2^18 (size) × 2^14 (scale) × 2^10 × 2^14 (percents).
        let numerator =
            Int64(size.raw) * Int64(scale.thousandths) * Int64(textScale.percent) * Int64(percent)
        let denominator = Int64(unitsPerEm) * 1000 * 100 * 100
        let (high, low) = numerator.multipliedFullWidth(by: 1 << 16)
        let (rounded, carry) = low.addingReportingOverflow(UInt64(denominator / 2))
        scaled = denominator.dividingFullWidth((high + (carry ? 1 : 0), rounded)).quotient
    }

    /// The length of some units, rounded up to whole 64ths.
    @inlinable @inline(__always)
    package func pixels(_ units: Int32) -> Int32 {
        Int32(truncatingIfNeeded: (Int64(units) &* scaled &+ 0xffff) >> 16)
    }

    /// The length of any number of units; `pixels` is for units that are known to fit.
    @inlinable @inline(__always)
    package func length(_ units: Int32) -> Int32 {
        guard scaled < 1 << 31 else { return longLength(units) }
        let exact = (Int64(units) &* scaled &+ 0xffff) >> 16
        return Int32(truncatingIfNeeded: max(-LineBreaker.longest, min(exact, LineBreaker.longest)))
    }

    @usableFromInline @inline(never)
    func longLength(_ units: Int32) -> Int32 {
        let exact = Int64(units).multipliedReportingOverflow(by: scaled)
        guard !exact.overflow else { return Int32(units < 0 ? -LineBreaker.longest : LineBreaker.longest) }
        return Int32(max(-LineBreaker.longest, min((exact.partialValue &+ 0xffff) >> 16, LineBreaker.longest)))
    }

    /// The most units of which the rounded width is at most `width`, of as many as a plain paragraph may have.
    @inlinable @inline(__always)
    package func units(in width: Int32) -> Int32 {
        Int32(truncatingIfNeeded: min((Int64(width) &<< 16) / max(1, scaled), Int64(PlainBreaks.widest)))
    }

    /// The most units that fit on a line in a box, as a breaker of that box counts.
    @inlinable @inline(__always)
    package func units(inBox box: Int32) -> Int32 { units(in: min(max(0, box), LineBreaker.widestBox) &+ 1) }
}
