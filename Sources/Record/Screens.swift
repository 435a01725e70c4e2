import Bytes
import MessageLayout
import Typography

/// The targets of a record, and numbers that follow from them.
struct Screens: Equatable, Sendable {
    private(set) var targets: [Target] = []
    /// The place of the first target of each target's group.
    private(set) var groups: [Int32] = []
    /// The twin of each: the first one before it that is as wide in points; -1 for none. Twins mostly have the same
    /// layouts.
    private(set) var twins: [Int32] = []
    /// The one that each is mostly like: its twin, without one the target before; the first is like itself.
    private(set) var likes: [Int32] = []
    /// The scales, each once, as they come.
    private(set) var scales: [Scale] = []
    /// By target, the number of its scale, the same as a bit, and its own row.
    private(set) var scaleNumbers: [Int32] = []
    private(set) var scaleBits: [UInt64] = []
    private(set) var rows: [Int32] = []

    mutating func append(_ target: Target) {
        let place = targets.count
        let follows = targets.last.map { target.follows($0) } ?? false
        groups.append(follows ? groups[place - 1] : Int32(place))
        twins.append(targets.firstIndex { $0.width.raw == target.width.raw }.map { Int32($0) } ?? -1)
        likes.append(twins[place] >= 0 ? twins[place] : max(0, Int32(place) - 1))
        let scale = scales.firstIndex(of: target.scale) ?? scales.count
        if scale == scales.count { scales.append(target.scale) }
        scaleNumbers.append(Int32(scale))
        scaleBits.append(1 << UInt64(scale))
        rows.append(target.rowPixels)
        targets.append(target)
    }

    @inline(__always)
    func scale(_ target: Int) -> Scale { targets[target].scale }
}

/// The same for the walks over a sheet, in which targets stand side by side. A sheet mostly has those of the one
/// before.
struct SheetScreens: ~Copyable {
    private(set) var all = Screens()
    /// The targets of the sheet before, mostly down to their memory.
    private var last: [Target] = []
    /// The targets as a record tells them.
    private(set) var bytes = Buffer<UInt8>()
    /// The scales of each group of lanes, in thousandths.
    private(set) var scales: [Lanes] = []
    private(set) var mirrored: [LaneMask] = []

    /// Turns to other targets. False if these are the same again.
    mutating func turn(to targets: [Target]) -> Bool {
        guard bytes.count == 0 || last != targets else { return false }
        last = targets
        all = Screens()
        for target in targets { all.append(target) }
        bytes.removeAll()
        bytes.append(targets)
        let groups = (targets.count + Lanes.scalarCount - 1) / Lanes.scalarCount
        scales = Array(repeating: Lanes(), count: groups)
        mirrored = Array(repeating: LaneMask(Lanes()), count: groups)
        for (place, target) in targets.enumerated() {
            let (group, lane) = place.quotientAndRemainder(dividingBy: Lanes.scalarCount)
            scales[group][lane] = target.scale.thousandths
            mirrored[group][lane] = target.isMirrored
        }
        return true
    }

    /// The number of lanes of a group that are targets.
    func lanes(of group: Int) -> Int { min(Lanes.scalarCount, all.targets.count - group * Lanes.scalarCount) }

    @inline(__always)
    func scale(_ group: Int, _ lane: Int) -> Scale { all.targets[group &* Lanes.scalarCount &+ lane].scale }
}

extension SIMD16<Int32> {
    /// Lanes where it is not as in the lane before.
    @inline(__always)
    var isOther: SIMDMask<SIMD16<Int32>> {
        let before = SIMD16<Int32>(
            self[0], self[0], self[1], self[2], self[3], self[4], self[5], self[6], self[7], self[8], self[9], self[10],
            self[11], self[12], self[13], self[14])
        return self .!= before
    }
}
