import MessageLayout
import Typography

/// What a record tells of a node's place in one layout, in device pixels (`PlaceLanes`).
struct PlaceNumbers {
    /// Offsets across and down, then lengths, or distances of the end where both ends are pinned.
    private var told: SIMD4<Int32>
    /// Radius, fill and parts.
    private var rest: SIMD4<Int32>

    /// Which edges a node is pinned to, as they are asked for.
    struct Sides: Equatable {
        let across: Side
        let down: Side

        init(_ pins: Pins) { (across, down) = (Side(pins.rawValue & 3), Side(pins.rawValue >> 2 & 3)) }
    }

    /// From where an axis is told.
    enum Side {
        case start
        case end
        /// What is told second is a distance, not a length.
        case both

        fileprivate init(_ pins: UInt8) { self = pins == 3 ? .both : pins == 2 ? .end : .start }
    }

    init(told: SIMD4<Int32>, rest: SIMD4<Int32>) { (self.told, self.rest) = (told, rest) }

    static let none = PlaceNumbers(told: SIMD4(), rest: SIMD4())

    /// Bits of all of them, and of a number that goes with them.
    func mixed(with other: Int32) -> UInt32 {
        let mixed = (told &* SIMD4(31, 37, 41, 43)) ^ (rest &* SIMD4(47, 53, 59, 61))
        let sum = UInt32(bitPattern: mixed.wrappedSum()) &+ UInt32(bitPattern: other)
        return (sum &* 0x9e37_79b9) >> 16
    }

    @inline(__always)
    func isEqual(_ other: PlaceNumbers) -> Bool { told == other.told && rest == other.rest }

    private var parts: RecordForm.Place {
        get { RecordForm.Place(rawValue: UInt32(bitPattern: rest[3])) }
        set { rest[3] = Int32(bitPattern: newValue.rawValue) }
    }

    /// Writes them in points if whole ones tell all of them.
    func append(to sink: inout some NumberSink & ~Copyable, at scale: Scale, _ sides: Sides) {
        var own = self
        if parts.has(.signed) || !own.turnToPoints(at: scale) { own = self }
        let isSigned = parts.has(.signed)
        sink.number(own.parts.rawValue)
        sink.append(
            own.told[0], parts.has(.hugging) ? nil : own.told[2], isSigned: isSigned,
            isStretched: sides.across == .both)
        sink.append(
            own.told[1], parts.has(.stacked) ? nil : own.told[3], isSigned: isSigned,
            isStretched: sides.down == .both)
        if parts.has(.radius) { sink.number(own.rest[0]) }
        if parts.has(.fill) {
            sink.number(own.rest[1])
            sink.number(own.rest[2])
        }
    }

    /// Halfway, and false, where something is no whole points. What is not told is zero.
    private mutating func turnToPoints(at scale: Scale) -> Bool {
        parts = RecordForm.Place(rawValue: parts.rawValue | RecordForm.Place.points.rawValue)
        for i in 0..<4 where told[i] != 0 {
            guard let points = RecordForm.points(told[i], scale) else { return false }
            told[i] = Int32(bitPattern: points)
        }
        for i in 0..<3 where rest[i] != 0 {
            guard let points = RecordForm.points(rest[i], scale) else { return false }
            rest[i] = Int32(bitPattern: points)
        }
        return true
    }
}

extension NumberSink where Self: ~Copyable {
    @inline(__always)
    fileprivate mutating func append(_ offset: Int32, _ second: Int32?, isSigned: Bool, isStretched: Bool) {
        if isSigned { signed(offset) } else { number(offset) }
        guard let second else { return }
        if isSigned && isStretched { signed(second) } else { number(second) }
    }
}
