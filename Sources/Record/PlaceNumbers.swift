import Bytes
import MessageLayout
import Typography

/// The place of a node in one layout, as a record and a row have it: in whole points if these tell all of it exactly,
/// so that one place serves all widths and scales, otherwise in device pixels. Also the numbers of the layout itself:
/// its place for the stamp, and how much wider and higher it is than its lines.
struct PlaceNumbers: Equatable {
    /// Parts (`RecordForm.Place`); offset and then length, or distance of the end, across; the same down; radius;
    /// width and height of a fill. Of a layout, its head, width and height. Numbers that are not told are zero.
    var numbers = SIMD8<UInt32>()

    static let absent = PlaceNumbers()
    static let parts = 0, across = 1, down = 3, radius = 5, fill = 6
    /// The numbers of a layout: a bit each but the first, and their count.
    static let ofLayout: UInt8 = 0b110, countOfLayout = 3

    @inline(__always)
    static func == (one: PlaceNumbers, other: PlaceNumbers) -> Bool { (one.numbers ^ other.numbers).isZero }

    @inline(__always)
    var parts: RecordForm.Place { RecordForm.Place(rawValue: numbers[Self.parts]) }

    /// The numbers that follow on the parts, a bit each.
    @inline(__always)
    static func told(by parts: RecordForm.Place) -> UInt8 {
        guard parts.rawValue != 0 else { return 0 }
        let bits = UInt8(truncatingIfNeeded: parts.rawValue)
        // Hugging 16 leaves out the second, stacked 8 the fourth; radius 32 and fill 64 are where their numbers are.
        return 0b1010 | ~bits &>> 2 & 0b100 | ~bits &<< 1 & 0b1_0000 | bits & 0b110_0000 | bits &<< 1 & 0b1000_0000
    }

    /// The numbers of a layout.
    init(stamp: Int32, width: Int32, height: Int32, at scale: Scale) {
        if let wide = RecordForm.points(width, scale), let high = RecordForm.points(height, scale) {
            numbers = SIMD8(UInt32(bitPattern: stamp) | RecordForm.pointsShape, wide, high, 0, 0, 0, 0, 0)
        } else {
            numbers = SIMD8(UInt32(bitPattern: stamp), width.zigzag, height.zigzag, 0, 0, 0, 0, 0)
        }
    }

    /// The numbers of a node, from device pixels.
    init(pixels: SIMD8<UInt32>, at scale: Scale, _ sides: Sides) {
        numbers = pixels
        guard !parts.has(.signed) else {
            let distances =
                [Self.across, Self.down] + (sides.across == .both ? [2] : []) + (sides.down == .both ? [4] : [])
            for i in distances { numbers[i] = Int32(bitPattern: numbers[i]).zigzag }
            return
        }
        var lengths = pixels
        lengths[Self.parts] = 0
        guard let points = lengths.points(at: scale) else { return }
        numbers = points
        numbers[Self.parts] = pixels[Self.parts] | RecordForm.Place.points.rawValue
    }

    private init() {}

    /// The width and height that a layout has beyond its lines.
    func beside(at scale: Scale) -> PixelSize {
        guard numbers[0] & RecordForm.pointsShape == 0 else {
            return PixelSize(width: RecordForm.pixels(numbers[1], scale), height: RecordForm.pixels(numbers[2], scale))
        }
        return PixelSize(width: Int32(zigzag: numbers[1]), height: Int32(zigzag: numbers[2]))
    }

    /// - Parameter told: the numbers that follow on the first, a bit each.
    @inline(__always)
    func append(_ told: UInt8, to row: inout Buffer<UInt8>) {
        row.number(numbers[0])
        for i in 1..<8 where told &>> UInt8(truncatingIfNeeded: i) & 1 != 0 { row.number(numbers[i]) }
    }

    /// Appends the place of a node as it stands in a row.
    @inline(__always)
    func appendPlace(to row: inout Buffer<UInt8>) { append(Self.told(by: parts), to: &row) }

    /// The edges that a node is pinned to, by axis.
    struct Sides: Equatable {
        let across: Side
        let down: Side

        init(_ pins: Pins) { (across, down) = (Side(pins.rawValue & 3), Side(pins.rawValue >> 2 & 3)) }
    }

    /// The side that an axis is told from.
    enum Side {
        case start
        case end
        /// Both sides: the second number is a distance, not a length.
        case both

        fileprivate init(_ pins: UInt8) { self = pins == 3 ? .both : pins == 2 ? .end : .start }
    }
}

extension SIMD8<UInt32> {
    /// Device pixels as points, if all are whole: at the scales of most screens all at once, without a division.
    @inline(__always)
    fileprivate func points(at scale: Scale) -> Self? {
        switch scale.thousandths {
        case 2000: return (self & 0x8000_0001).isZero ? self &>> 1 : nil
        case 3000:
            // A number that is no multiple of three becomes one above all thirds.
            let thirds = self &* 0xaaaa_aaab
            let most = SIMD8<UInt32>(repeating: UInt32(Int32.max) / 3)
            return (thirds .> most).isNone ? thirds : nil
        default:
            var points = self
            for i in 0..<8 where self[i] != 0 {
                guard let own = RecordForm.points(Int32(bitPattern: self[i]), scale) else { return nil }
                points[i] = own
            }
            return points
        }
    }

    /// True where all are zero. (The operator of the library goes from one to the next.)
    @inline(__always)
    var isZero: Bool {
        let words = unsafe unsafeBitCast(self, to: SIMD4<UInt64>.self)
        return words[0] | words[1] | words[2] | words[3] == 0
    }
}

extension SIMDMask<SIMD8<Int32>> {
    @inline(__always)
    fileprivate var isNone: Bool { unsafe unsafeBitCast(self, to: SIMD8<UInt32>.self).isZero }
}

// Numbers of a layout, in the bits of a record.
extension GolombSink {
    /// Writes for each number whether it is that of a layout before, and the number if it is not.
    mutating func append(_ own: PlaceNumbers, like other: PlaceNumbers) {
        for i in 0..<PlaceNumbers.countOfLayout {
            flag(own.numbers[i] == other.numbers[i])
            if own.numbers[i] != other.numbers[i] { number(own.numbers[i], 3) }
        }
    }
}

extension GolombReader {
    @inline(__always)
    mutating func layoutNumbers(like other: PlaceNumbers) -> PlaceNumbers {
        var own = other
        for i in 0..<PlaceNumbers.countOfLayout where !flag() { own.numbers[i] = number(3) }
        return own
    }
}
