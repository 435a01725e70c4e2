import TestSupport
import Testing

@testable import MessageLayout

// A layout is solved by operations on sixteen numbers at once. Each of them is held to a loop over the numbers, which is
// what a layout for one screen would do. The solver itself is held to one screen at a time in `FormeLayoutTests`.

/// Numbers that are near each other, so that many are equal, and the ends of what there is.
private func anyNumber(using random: inout SplitMix64) -> Int32 {
    if Bool.random(using: &random) { return .random(in: -3...3, using: &random) }
    return [.min, .min + 1, -1, 0, 1, .max - 1, .max].randomElement(using: &random)!
}

extension Lanes {
    fileprivate static func random(using random: inout SplitMix64) -> Lanes {
        var lanes = Lanes()
        for lane in 0..<Lanes.scalarCount { lanes[lane] = anyNumber(using: &random) }
        return lanes
    }

    fileprivate var numbers: [Int32] { (0..<Lanes.scalarCount).map { self[$0] } }
}

extension LaneMask {
    fileprivate static func random(using random: inout SplitMix64) -> LaneMask {
        var mask = LaneMask.none
        for lane in 0..<Lanes.scalarCount { mask[lane] = .random(using: &random) }
        return [mask, mask, .none, .all].randomElement(using: &random)!
    }

    fileprivate var flags: [Bool] { (0..<Lanes.scalarCount).map { self[$0] } }
}

@Test func `an operation on two lanes is the operation on each of their numbers`() {
    let operations: [((Lanes, Lanes) -> Lanes, (Int32, Int32) -> Int32)] = [
        ({ larger($0, $1) }, { max($0, $1) }), ({ smaller($0, $1) }, { min($0, $1) }),
        ({ lanes, _ in lanes.half }, { number, _ in number >> 1 }),
    ]
    forEachSeed(200) { random in
        let (one, other) = (Lanes.random(using: &random), Lanes.random(using: &random))
        var (either, both) = (one, one)
        either |= other
        both &= other
        let isEach = operations.allSatisfy { lanes, number in
            lanes(one, other).numbers == zip(one.numbers, other.numbers).map(number)
        }
        return isEach && either.numbers == zip(one.numbers, other.numbers).map { $0 | $1 }
            && both.numbers == zip(one.numbers, other.numbers).map { $0 & $1 }
            && (one == other) == (one.numbers == other.numbers) && one == Lanes(one.numbers)
            && one.isZero == one.numbers.allSatisfy { $0 == 0 } && Lanes().isZero
            && one.each.indices.allSatisfy { one.each[$0] == one[$0] }
            && one.commonBits == one.numbers.reduce(0) { $0 | UInt32(bitPattern: $1) }
    }
}

@Test func `an operation on lanes and a number is the operation on each of them`() {
    let comparisons: [((Lanes, Int32) -> LaneMask, (Int32, Int32) -> Bool)] = [
        ({ $0 .== $1 }, { $0 == $1 }), ({ $0 .!= $1 }, { $0 != $1 }), ({ $0 .< $1 }, { $0 < $1 }),
        ({ $0 .<= $1 }, { $0 <= $1 }), ({ $0 .> $1 }, { $0 > $1 }), ({ $0 .>= $1 }, { $0 >= $1 }),
    ]
    forEachSeed(200) { random in
        let (lanes, other) = (Lanes.random(using: &random), anyNumber(using: &random))
        let magnitudes = lanes.magnitudes.numbers
        let isEach = comparisons.allSatisfy { mask, isTrue in
            mask(lanes, other).flags == lanes.numbers.map { isTrue($0, other) }
        }
        return isEach && (lanes &- other).numbers == lanes.numbers.map { $0 &- other }
            && (lanes ^ other).numbers == lanes.numbers.map { $0 ^ other }
            // The least number has no opposite, and stays what it is.
            && magnitudes == lanes.numbers.map { $0 < 0 ? 0 &- $0 : $0 }
    }
}

@Test func `lanes change where a mask is set, and nowhere else`() {
    forEachSeed(200) { random in
        let (one, other) = (Lanes.random(using: &random), Lanes.random(using: &random))
        let (mask, second) = (LaneMask.random(using: &random), LaneMask.random(using: &random))
        let single = anyNumber(using: &random)
        var (set, setToOne) = (one, one)
        set.set(other, where: mask)
        setToOne.set(single, where: mask)
        let chosen = (0..<Lanes.scalarCount).map { mask[$0] ? other[$0] : one[$0] }
        return one.replacing(with: other, where: mask).numbers == chosen && set.numbers == chosen
            && setToOne.numbers == (0..<Lanes.scalarCount).map { mask[$0] ? single : one[$0] }
            && one.kept(mask).numbers == (0..<Lanes.scalarCount).map { mask[$0] ? one[$0] : 0 }
            && second.replaced(by: .all, where: mask).flags == zip(second.flags, mask.flags).map { $0 || $1 }
    }
}

@Test func `a mask says which lanes are set, in every way`() {
    forEachSeed(200) { random in
        let (mask, other) = (LaneMask.random(using: &random), LaneMask.random(using: &random))
        let set = mask.flags.indices.filter { mask.flags[$0] }
        let place = Int.random(in: 0...Lanes.scalarCount, using: &random)
        return Array(mask.lanes) == set && mask.first == set.first && mask.isAny == !set.isEmpty
            && mask.bits == set.reduce(0) { $0 | 1 << UInt32($1) }
            && mask.numbers.numbers == mask.flags.map { $0 ? -1 : 0 } && LaneMask(mask.numbers) == mask
            && mask.isSame(as: other) == (mask.flags == other.flags) && mask.isSame(as: mask)
            && LaneMask(first: place).flags == (0..<Lanes.scalarCount).map { $0 < place }
            && LaneMask(from: place).flags == (0..<Lanes.scalarCount).map { $0 >= place }
    }
}

@Test func `one lane is read and set in place`() {
    forEachSeed(200) { random in
        var (lanes, mask) = (Lanes.random(using: &random), LaneMask.random(using: &random))
        var (numbers, flags) = (lanes.numbers, mask.flags)
        let (lane, value) = (Int.random(in: 0..<Lanes.scalarCount, using: &random), anyNumber(using: &random))
        guard lanes.number(in: lane) == numbers[lane] else { return false }
        lanes.put(value, in: lane)
        mask.put(value > 0, in: lane)
        (numbers[lane], flags[lane]) = (value, value > 0)
        return lanes.numbers == numbers && mask.flags == flags
    }
}
