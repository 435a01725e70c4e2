import Bytes
import MessageLayout
import Typography

/// The numbers and bits of a layout record that its writer and its readers share. `LayoutRecord.md` has them all.
enum RecordForm {
    static let version: UInt8 = 3
    /// Versions of records that were written before: version 1 has no data for drawing.
    static let previousVersions: ClosedRange<UInt8> = 1...2

    /// The order of numbers that say how many bits may be passed over.
    static let lengthOrder = 7

    /// The number of bits that tell one of `count` places, or that a node is absent.
    static func width(ofPlaces count: Int) -> Int { Int.bitWidth - count.leadingZeroBitCount }

    /// The head of a shape: the stamp's mode in the low bits, and whether its numbers are points.
    static let pointsShape: UInt32 = 8

    /// The parts of a node's place that are told, as its first number; 0 is an absent node.
    struct Place: OptionSet {
        let rawValue: UInt32
        static let isPresent = Place(rawValue: 1)
        /// Its numbers are points, so that one place serves all scales.
        static let points = Place(rawValue: 2)
        /// It has lines, and takes a content.
        static let lines = Place(rawValue: 4)
        /// It is as high as its lines, or as wide as the widest of them: that length is not told.
        static let stacked = Place(rawValue: 8)
        static let hugging = Place(rawValue: 16)
        static let radius = Place(rawValue: 32)
        static let fill = Place(rawValue: 64)
        /// It has bars, and takes a content.
        static let bars = Place(rawValue: 128)
        /// Distances are signed.
        static let signed = Place(rawValue: 256)
        static let all = Place(rawValue: 511)
        static let ofLines: UInt32 = 4 + 8 + 16
        /// Lines and bars.
        static let contents: UInt32 = 4 + 128

        /// The count of the numbers that follow.
        @inline(__always)
        var numbers: Int { PlaceNumbers.told(by: self).nonzeroBitCount }

        /// `contains`, without a call across modules.
        @inline(__always)
        func has(_ part: Place) -> Bool { rawValue & part.rawValue != 0 }
    }

    /// The unusual properties of lines.
    struct Lines: OptionSet {
        let rawValue: UInt32
        static let gaps = Lines(rawValue: 1)
        static let lefts = Lines(rawValue: 2)
        static let traits = Lines(rawValue: 4)
        static let spans = Lines(rawValue: 8)
        static let all = Lines(rawValue: 15)
        /// Properties that each line has a number for.
        static let ofLines: UInt32 = 1 + 2 + 4

        /// Whether it has any of them, without a call across modules.
        @inline(__always)
        func has(_ parts: Lines) -> Bool { rawValue & parts.rawValue != 0 }

        @inline(__always)
        var numbersPerLine: Int { 2 + intersection([.gaps, .lefts, .traits]).rawValue.nonzeroBitCount }
    }

    /// The fields of a node that are not as usual.
    struct Node: OptionSet {
        let rawValue: UInt32
        static let parent = Node(rawValue: 1)
        static let pins = Node(rawValue: 2)
        static let corners = Node(rawValue: 4)
        static let token = Node(rawValue: 8)
        static let source = Node(rawValue: 16)
        static let text = Node(rawValue: 32)
        static let traits = Node(rawValue: 64)
        static let action = Node(rawValue: 128)
        static let priority = Node(rawValue: 256)
        static let label = Node(rawValue: 512)
        static let all = Node(rawValue: 1023)
    }

    /// Start and top.
    static let usualPins: UInt8 = 5

    /// The head of a text: its alignment in the low bits, then the parts that it has.
    struct Text: OptionSet {
        let rawValue: UInt32
        static let literal = Text(rawValue: 4)
        static let pieces = Text(rawValue: 8)
        static let spans = Text(rawValue: 16)
        static let entities = Text(rawValue: 32)
        static let all = Text(rawValue: 60)
    }

    /// The head of a group of targets: these in the low bits, its number of widths above.
    static let mirrored: UInt32 = 1
    static let scaledText: UInt32 = 2
    static let wholePoints: UInt32 = 4
    static let groupShift: UInt32 = 3

    /// The device pixels of a number of points.
    @inline(__always)
    static func pixels(_ points: UInt32, _ scale: Scale) -> Int32 {
        Int32(truncatingIfNeeded: (Int64(points) * Int64(scale.thousandths) + 500) / 1000)
    }

    /// The points of a number of device pixels, if these are whole.
    @inline(__always)
    static func points(_ pixels: Int32, _ scale: Scale) -> UInt32? {
        guard pixels >= 0, scale.thousandths > 0 else { return nil }
        // Dividing by a constant takes no division.
        if scale.thousandths == 2000 { return pixels & 1 == 0 ? UInt32(pixels) >> 1 : nil }
        if scale.thousandths == 3000 { return UInt32(pixels) % 3 == 0 ? UInt32(pixels) / 3 : nil }
        let points = (Int64(pixels) * 1000 + Int64(scale.thousandths) / 2) / Int64(scale.thousandths)
        let found = UInt32(truncatingIfNeeded: points)
        return Int64(found) == points && self.pixels(found, scale) == pixels ? found : nil
    }

    /// A number at another scale, rounded towards 0.
    static func scaled(_ number: Int32, to scale: Scale, from other: Scale) -> Int32 {
        Int32(truncatingIfNeeded: Int64(number) * Int64(scale.thousandths) / Int64(max(1, other.thousandths)))
    }

    /// The width of a line, about, from its width at another scale: it may be one less.
    @inline(__always)
    static func width(_ width: Int32, at scale: Scale, from other: Scale) -> Int32 {
        let other = max(1, Int64(other.thousandths))
        return Int32(truncatingIfNeeded: (Int64(width) * Int64(scale.thousandths) + other - 1) / other)
    }

    /// The place where a line begins if nothing else is told.
    @inline(__always)
    static func left(of width: Int32, in node: Int32, _ alignment: Alignment, isRightToLeft: Bool) -> Int32 {
        switch alignment {
        case .start: isRightToLeft ? node &- width : 0
        case .center: (node &- width) / 2
        case .end: isRightToLeft ? 0 : node &- width
        }
    }

    /// Bits of `LineTraits`, compared as integers here: the operators of another module's types are not inlined.
    static let rightToLeftTrait: Int32 = 1
    static let lastTrait: Int32 = 8
    /// Traits of cuts in joined letters or within letters of another direction, at the end of a line or at its start:
    /// rows of version 1 do not tell them.
    static let cutTraits: Int32 = joinedTraits + 128 + 256 + 512
    /// Those of them that records of versions 1 and 2 may have.
    static let joinedTraits: Int32 = 32 + 64

    /// The traits of a line if nothing else is told.
    @inline(__always)
    static func traits(isRightToLeft: Bool, isLast: Bool) -> Int32 {
        (isRightToLeft ? rightToLeftTrait : 0) | (isLast ? lastTrait : 0)
    }
}

extension NumberReader {
    /// Reads how much wider and higher a layout is than its lines: the numbers behind the head of its shape.
    @inline(__always)
    mutating func sizeBesideLines(in head: UInt32, _ scale: Scale) -> PixelSize {
        guard head & RecordForm.pointsShape != 0 else { return PixelSize(width: signed(), height: signed()) }
        return PixelSize(width: RecordForm.pixels(number(), scale), height: RecordForm.pixels(number(), scale))
    }
}
