import Bytes
import MessageLayout
import Typography

/// The targets of a record, and what follows from them.
struct Screens: Equatable, Sendable {
    private(set) var targets: [Target] = []
    /// For each target the place of the first one of its group.
    private(set) var groups: [Int32] = []
    /// For each the first one before it that is as wide in points; -1 for none. What holds for that one mostly holds for this.
    private(set) var twins: [Int32] = []
    /// For each the one that it is mostly like: its twin, without one the target before, and of the first that one.
    private(set) var likes: [Int32] = []
    /// Each once, as they come.
    private(set) var scales: [Scale] = []
    /// For each target which of them it has, and its own row.
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

/// The same for the walks over a sheet, in which targets stand side by side. Sheets mostly have those of the sheet before.
struct LaneScreens: ~Copyable {
    private(set) var all = Screens()
    /// Those of the sheet before, mostly down to their memory.
    private var last: [Target] = []
    /// As a record tells of them.
    private(set) var bytes = Buffer<UInt8>()
    /// For each group of lanes, in thousandths.
    private(set) var scales: [Lanes] = []
    private(set) var mirrored: [LaneMask] = []

    /// False if these are the same again.
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

    /// Lanes of a group that are targets.
    func lanes(of group: Int) -> Int { min(Lanes.scalarCount, all.targets.count - group * Lanes.scalarCount) }

    @inline(__always)
    func scale(_ group: Int, _ lane: Int) -> Scale { all.targets[group &* Lanes.scalarCount &+ lane].scale }
}

extension SIMD16<Int32> {
    /// Where it is not as in the lane before.
    @inline(__always)
    var isOther: SIMDMask<SIMD16<Int32>> {
        let before = SIMD16<Int32>(
            self[0], self[0], self[1], self[2], self[3], self[4], self[5], self[6], self[7], self[8], self[9], self[10],
            self[11], self[12], self[13], self[14])
        return self .!= before
    }
}
