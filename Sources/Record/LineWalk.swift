import Bytes
import MessageLayout
import Typography

/// Goes from line to line through the blocks of one node, as they are written and as they are read. Much of a line is
/// known from the first block, and from the lines before it: a text that is broken elsewhere has as many units as it
/// had, and is as wide; and the units of a line are in proportion to its width.
struct LineWalk {
    private var face: Int32 = -1
    private var scale = Scale.one
    private var first: Sums?
    /// The sums of the first block, if it has the same face and scale.
    private var before: Sums?
    private var own = Sums()
    private var count: Int32 = 0
    /// Width of a space, about.
    private var space: Int32 = 0
    private var lastTraits: Int32 = 0

    /// Lines of a block, their units and widths together, and its widest.
    private struct Sums {
        var lines: Int32 = 0
        var units: Int32 = 0
        var widths: Int32 = 0
        var widest: Int32 = 0

        /// The number of units in a line of this width, in proportion to these lines.
        @inline(__always)
        func share(of width: Int32) -> Int32 {
            widths > 0 ? Int32(truncatingIfNeeded: Int64(units) &* Int64(width) / Int64(widths)) : 0
        }
    }

    /// Whether no block was begun.
    var isFresh: Bool { face < 0 }

    /// Turns to another block.
    /// - Parameter fontSize: in 1/64 device pixel.
    mutating func begin(_ count: Int32, face: Int32, _ scale: Scale, fontSize: Int32, isRightToLeft: Bool) {
        if self.face < 0 { (self.face, self.scale) = (face, scale) } else { first = first ?? own }
        before = face == self.face && scale.thousandths == self.scale.thousandths ? first : nil
        self.count = count
        (own, space) = (Sums(), fontSize >> 8)
        lastTraits = RecordForm.traits(isRightToLeft: isRightToLeft, isLast: false)
    }
}

extension Int32 {
    /// Traits, as they differ from others, in an order in which the end of a paragraph and an emergency are the
    /// smallest numbers.
    fileprivate var turned: Int32 { 0..<128 ~= self ? self >> 3 | (self & 7) << 4 : self }
    fileprivate var turnedBack: Int32 { 0..<128 ~= self ? self >> 4 | (self & 15) << 3 : self }
}

// Writing.
extension LineWalk {
    /// Writes the lines of the block.
    mutating func write(
        _ lines: borrowing Buffer<LineNumbers>, _ range: Range<Int>, _ unusual: RecordForm.Lines, widest: Int32,
        to bits: inout GolombSink
    ) {
        if range.isEmpty { return }
        if let before { bits.signed(widest &- before.widest, 5) } else { bits.number(widest, 8) }
        let known = before ?? Sums()
        var sums = Sums()
        sums.widest = widest
        let hasBefore = before != nil
        for i in range {
            let (line, isLast) = (lines[i], i == range.upperBound &- 1)
            if unusual.has(.gaps) { bits.signed(line.gap, 0) }
            if !isLast {
                bits.number(widest &- line.width, 4)
            } else if count > 1 {
                if hasBefore {
                    let expected = known.widths &- sums.widths &- (count &- known.lines) &* space
                    bits.signed(line.width &- expected, 2)
                } else {
                    bits.number(widest &- line.width, 5)
                }
            }
            if hasBefore {
                if isLast {
                    bits.signed(line.units &- (known.units &- sums.units), 0)
                } else {
                    bits.signed(line.units &- known.share(of: line.width), 2)
                }
            } else if sums.lines == 0 {
                bits.signed(line.units, 4)
            } else {
                bits.signed(line.units &- sums.share(of: line.width), 3)
            }
            if unusual.has(.traits) {
                let expected = lastTraits | (isLast ? RecordForm.lastTrait : 0)
                bits.number((line.traits ^ expected).turned, 0)
                lastTraits = line.traits & RecordForm.rightToLeftTrait
            }
            if unusual.has(.lefts) { bits.signed(line.left, 5) }
            sums.lines &+= 1
            sums.units &+= line.units
            sums.widths &+= line.width
        }
        own = sums
    }
}

// Reading.
extension LineWalk {
    /// Reads the lines of the block; returns the width of the widest.
    @inline(__always)
    mutating func lines(
        _ bits: inout GolombReader, _ unusual: RecordForm.Lines, into lines: inout Buffer<LineNumbers>
    ) -> Int32 {
        guard count > 0 else { return 0 }
        let widest = if let before { before.widest &+ bits.signed(5) } else { bits.length(8) }
        own.widest = widest
        // Copies, which stand in registers.
        let known = before ?? Sums()
        var sums = own
        let hasBefore = before != nil
        while sums.lines < count && bits.isWhole {
            let isLast = sums.lines == count &- 1
            var line = LineNumbers(units: 0, width: widest)
            if unusual.has(.gaps) { line.gap = bits.signed(0) }
            if !isLast {
                line.width = widest &- bits.length(4)
            } else if count > 1 {
                line.width =
                    hasBefore
                    ? known.widths &- sums.widths &- (count &- known.lines) &* space &+ bits.signed(2)
                    : widest &- bits.length(5)
            }
            if hasBefore {
                line.units =
                    isLast ? known.units &- sums.units &+ bits.signed(0) : known.share(of: line.width) &+ bits.signed(2)
            } else {
                line.units = sums.lines == 0 ? bits.signed(4) : sums.share(of: line.width) &+ bits.signed(3)
            }
            line.traits = lastTraits | (isLast ? RecordForm.lastTrait : 0)
            if unusual.has(.traits) {
                line.traits ^= bits.length(0).turnedBack
                lastTraits = line.traits & RecordForm.rightToLeftTrait
            }
            if unusual.has(.lefts) { line.left = bits.signed(5) }
            lines.append(line)
            sums.lines &+= 1
            sums.units &+= line.units
            sums.widths &+= line.width
        }
        own = sums
        return widest
    }
}

/// Goes from rectangle to rectangle of the entities of a block: in the order of text, so each is told from the one
/// before.
struct SpanWalk {
    private var last = LayoutSheet.EntitySpan(entity: 0, line: 0, left: 0, width: 0)

    mutating func write(_ span: LayoutSheet.EntitySpan, to bits: inout GolombSink) {
        bits.signed(span.entity &- last.entity, 0)
        bits.signed(span.line &- last.line, 0)
        bits.signed(span.left &- (span.line == last.line ? last.left &+ last.width : 0), 5)
        bits.number(span.width, 6)
        last = span
    }

    mutating func read(_ bits: inout GolombReader) -> LayoutSheet.EntitySpan {
        var span = last
        span.entity &+= bits.signed(0)
        span.line &+= bits.signed(0)
        span.left = (span.line == last.line ? last.left &+ last.width : 0) &+ bits.signed(5)
        span.width = bits.length(6)
        last = span
        return span
    }
}
