/// One number for each of sixteen screens, for which a layout is solved at once.
///
/// Sixteen numbers are four registers of any x86-64. The sixteen targets of a usual style then share every branch and
/// every look at a part, and walking costs about as much as it costs for one.
@usableFromInline package typealias Lanes = SIMD16<Int32>
/// A yes or no for each of sixteen screens.
@usableFromInline package typealias LaneMask = SIMDMask<Lanes>

extension SIMDMask<SIMD16<Int32>> {
    static var none: LaneMask { LaneMask(Lanes()) }
    static var all: LaneMask { LaneMask(Lanes(repeating: -1)) }

    /// The first `count` lanes.
    init(first count: Int) {
        self = .none
        for lane in 0..<Swift.min(count, Lanes.scalarCount) { self[lane] = true }
    }

    /// This lane and all behind it.
    @inlinable @inline(__always)
    package init(from lane: Int) { self = Lanes.order .>= Int32(truncatingIfNeeded: lane) }

    /// A mask of lanes whose bits are all set, or all clear.
    @inlinable @inline(__always)
    package init(_ bits: Lanes) { self = unsafe unsafeBitCast(bits, to: LaneMask.self) }

    /// -1 where it is set, and 0 elsewhere.
    @inlinable @inline(__always)
    package var numbers: Lanes { unsafe unsafeBitCast(self, to: Lanes.self) }

    @inlinable @inline(__always)
    package var isAny: Bool { !numbers.isZero }

    @inline(__always)
    func isSame(as other: LaneMask) -> Bool { (numbers ^ other.numbers).isZero }

    /// A bit for each lane, the first one lowest.
    @inlinable @inline(__always)
    package var bits: UInt32 { (numbers & Lanes.bits).commonBits }

    /// Sets one lane in place.
    @inline(__always)
    mutating func put(_ isSet: Bool, in lane: Int) {
        precondition(0..<Lanes.scalarCount ~= lane)
        unsafe withUnsafeMutableBytes(of: &self) {
            unsafe $0.storeBytes(of: isSet ? -1 : 0 as Int32, toByteOffset: lane &<< 2, as: Int32.self)
        }
    }

    /// Lanes where it is set, from the first on.
    @inlinable @inline(__always)
    package var lanes: LaneWalk { LaneWalk(rest: bits) }

    /// The first lane where it is set.
    @inlinable @inline(__always)
    package var first: Int? { bits == 0 ? nil : bits.trailingZeroBitCount }

    /// This mask, with the other's lanes where `mask` is set.
    @inline(__always)
    func replaced(by other: LaneMask, where mask: LaneMask) -> LaneMask {
        LaneMask(numbers.replacing(with: other.numbers, where: mask))
    }
}

/// Goes from lane to lane.
@usableFromInline package struct LaneWalk: Sequence, IteratorProtocol {
    @usableFromInline var rest: UInt32

    @inlinable @inline(__always)
    package init(rest: UInt32) { self.rest = rest }

    @inlinable @inline(__always)
    package mutating func next() -> Int? {
        guard rest != 0 else { return nil }
        defer { rest &= rest &- 1 }
        return rest.trailingZeroBitCount
    }
}

// The library has most of these for vectors of any kind, as loops over their numbers that go through memory: these
// take ten times as long. The ones here are a few instructions each.
extension SIMD16<Int32> {
    @inlinable @inline(__always)
    static var bits: Lanes {
        Lanes(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
    }

    @inlinable @inline(__always)
    static var order: Lanes { Lanes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) }

    @usableFromInline package typealias Quarters = (SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>)

    /// Bits that are set in any of the quarters, as two halves.
    @inlinable @inline(__always)
    var halves: SIMD2<UInt64> {
        let own = unsafe unsafeBitCast(self, to: Quarters.self)
        return unsafe unsafeBitCast((own.0 | own.1) | (own.2 | own.3), to: SIMD2<UInt64>.self)
    }

    @inlinable @inline(__always)
    var isZero: Bool {
        let halves = halves
        return halves[0] | halves[1] == 0
    }

    @inlinable @inline(__always)
    var commonBits: UInt32 {
        let halves = halves
        let both = halves[0] | halves[1]
        return UInt32(truncatingIfNeeded: both | both >> 32)
    }

    /// All numbers, to go through: a lane that is not known ahead is reached in a vector by a copy of all.
    @inline(__always)
    var each: InlineArray<16, Int32> { unsafe unsafeBitCast(self, to: InlineArray<16, Int32>.self) }

    /// Reads one number in place: `mutating`, so that no copy is made to look at.
    @inlinable @inline(__always)
    package mutating func number(in lane: Int) -> Int32 {
        precondition(0..<Lanes.scalarCount ~= lane)
        return unsafe withUnsafeMutableBytes(of: &self) {
            unsafe $0.load(fromByteOffset: lane &<< 2, as: Int32.self)
        }
    }

    /// Sets one number in place.
    @inlinable @inline(__always)
    package mutating func put(_ number: Int32, in lane: Int) {
        precondition(0..<Lanes.scalarCount ~= lane)
        unsafe withUnsafeMutableBytes(of: &self) {
            unsafe $0.storeBytes(of: number, toByteOffset: lane &<< 2, as: Int32.self)
        }
    }

    /// The same numbers where the mask is set, and zero elsewhere.
    @inlinable @inline(__always)
    package func kept(_ mask: LaneMask) -> Lanes { self & mask.numbers }

    @inlinable @inline(__always)
    package func replacing(with other: Lanes, where mask: LaneMask) -> Lanes { self ^ ((self ^ other) & mask.numbers) }

    @inlinable @inline(__always)
    package mutating func set(_ other: Lanes, where mask: LaneMask) { self = replacing(with: other, where: mask) }

    @inlinable @inline(__always)
    package mutating func set(_ number: Int32, where mask: LaneMask) {
        self = replacing(with: Lanes(repeating: number), where: mask)
    }

    @inlinable @inline(__always)
    package static func == (one: Lanes, other: Lanes) -> Bool { (one ^ other).isZero }
    @inlinable @inline(__always)
    package static func .== (one: Lanes, other: Int32) -> LaneMask { one .== Lanes(repeating: other) }
    @inlinable @inline(__always)
    package static func .!= (one: Lanes, other: Int32) -> LaneMask { one .!= Lanes(repeating: other) }
    @inlinable @inline(__always)
    package static func .< (one: Lanes, other: Int32) -> LaneMask { one .< Lanes(repeating: other) }
    @inlinable @inline(__always)
    package static func .<= (one: Lanes, other: Int32) -> LaneMask { one .<= Lanes(repeating: other) }
    @inlinable @inline(__always)
    package static func .> (one: Lanes, other: Int32) -> LaneMask { one .> Lanes(repeating: other) }
    @inlinable @inline(__always)
    package static func .>= (one: Lanes, other: Int32) -> LaneMask { one .>= Lanes(repeating: other) }
    @inlinable @inline(__always)
    package static func &- (one: Lanes, other: Int32) -> Lanes { one &- Lanes(repeating: other) }
    @inlinable @inline(__always)
    package static func ^ (one: Lanes, other: Int32) -> Lanes { one ^ Lanes(repeating: other) }
    @inlinable @inline(__always)
    package static func |= (one: inout Lanes, other: Lanes) { one = one | other }
    @inlinable @inline(__always)
    package static func &= (one: inout Lanes, other: Lanes) { one = one & other }

    @inline(__always)
    var magnitudes: Lanes { larger(self, Lanes() &- self) }

    /// Half of each number, rounded down.
    @inlinable @inline(__always)
    package var half: Lanes { self &>> Lanes(repeating: 1) }
}

@inlinable @inline(__always)
package func larger(_ one: Lanes, _ other: Lanes) -> Lanes { one.replacing(with: other, where: one .< other) }

@inlinable @inline(__always)
package func smaller(_ one: Lanes, _ other: Lanes) -> Lanes { one.replacing(with: other, where: other .< one) }
