import Bytes
import Typography

/// A style on all screens of a composer, as the solver needs it: each length and each pitch in pixels, for all
/// screens of a group at once.
struct LaneScreens: ~Copyable {
    let metrics: [TargetMetrics]
    var count: Int { metrics.count }
    /// The number of groups of screens that are solved together. The last group may have fewer screens than there are
    /// lanes. Behind it is one more, the first screen alone, for many messages.
    let groups: Int
    private let lengthCount: Int
    private let roleCount: Int
    private var lengths = Buffer<Lanes>()
    private var pitches = Buffer<Lanes>()
    private var descents = Buffer<Lanes>()
    private var rooms = Buffer<Lanes>()
    private var mirrored = Buffer<LaneMask>()
    private var there = Buffer<LaneMask>()
    private var alike = Buffer<LaneMask>()
    private var rows = Buffer<ScreenRows>()
    private var roles = Buffer<RoleMetrics>()
    private var faces = Buffer<RoleMetrics.Face>()
    /// The kin of each screen: a number that is shared by the screens on which a text breaks alike in the same room.
    private var kins = Buffer<Int>()
    /// The first screen of each kin.
    private var firsts = Buffer<Int>()
    var kinCount: Int { firsts.count }

    init(_ metrics: [TargetMetrics]) {
        self.metrics = metrics
        groups = (metrics.count + Lanes.scalarCount - 1) / Lanes.scalarCount
        lengthCount = metrics.first?.lengths.count ?? 0
        roleCount = metrics.first?.roles.count ?? 0
        for group in 0...groups {
            let first = group * Lanes.scalarCount
            let own =
                group < groups ? metrics[first..<min(first + Lanes.scalarCount, metrics.count)] : metrics.prefix(1)
            for place in 0..<lengthCount { lengths.append(Lanes(own) { $0.lengths[place] }) }
            for place in 0..<roleCount {
                pitches.append(Lanes(own) { $0.roles[place].face.pitch })
                descents.append(Lanes(own) { $0.roles[place].face.pitch - $0.roles[place].face.ascent })
            }
            rooms.append(Lanes(own) { $0.rows.rowRoom })
            mirrored.append(Lanes(own) { $0.target.isMirrored ? 1 : 0 } .> 0)
            there.append(LaneMask(first: own.count))
            alike.append(LaneMask.none)
            for place in own.indices where group < groups && place > 0 {
                alike[group][place - first] = metrics[place].target.isAlike(metrics[place - 1].target)
            }
        }
        for (place, screen) in metrics.enumerated() {
            rows.append(screen.rows)
            for role in screen.roles {
                roles.append(role)
                faces.append(role.face)
            }
            let kin = metrics[..<place].firstIndex { $0.breaksAlike(screen) }
            kins.append(kin.map { kins[$0] } ?? kinCount)
            if kin == nil { firsts.append(place) }
        }
    }

    @inline(__always)
    func pixels(_ length: LengthID, in group: Int) -> Lanes { lengths[group &* lengthCount &+ Int(length.place)] }
    @inline(__always)
    func pitch(_ role: Int32, in group: Int) -> Lanes { pitches[group &* roleCount &+ Int(role)] }
    /// The distance from the baseline of a line to its bottom.
    @inline(__always)
    func descent(_ role: Int32, in group: Int) -> Lanes { descents[group &* roleCount &+ Int(role)] }
    func room(in group: Int) -> Lanes { rooms[group] }
    func isMirrored(in group: Int) -> LaneMask { mirrored[group] }
    func isThere(in group: Int) -> LaneMask { there[group] }
    /// Screens that differ from the one before only in the width of rows.
    func isAlike(in group: Int) -> LaneMask { alike[group] }
    /// The scale of a screen; that of the first where lanes are messages.
    func scale(of lane: Int, in group: Int) -> Scale {
        metrics[group < groups ? group &* Lanes.scalarCount &+ lane : 0].target.scale
    }
    func rows(of screen: Int) -> ScreenRows { rows[screen] }
    @inline(__always)
    func kin(of screen: Int) -> Int { kins[screen] }
    @inline(__always)
    func first(ofKin kin: Int) -> Int { firsts[kin] }
    @inline(__always)
    func role(_ role: Int32, on screen: Int) -> RoleMetrics { roles[screen &* roleCount &+ Int(role)] }
    @inline(__always)
    func face(_ role: Int32, on screen: Int) -> RoleMetrics.Face { faces[screen &* roleCount &+ Int(role)] }
}

extension SIMD16<Int32> {
    /// One number of each screen; the last screen's stands for missing ones.
    fileprivate init(_ screens: ArraySlice<TargetMetrics>, _ number: (TargetMetrics) -> Int32) {
        self.init(repeating: screens.last.map(number) ?? 0)
        for (lane, screen) in screens.enumerated() { self[lane] = number(screen) }
    }
}

extension TargetMetrics {
    /// Faces are in whole 64ths of a pixel, in which two sizes may be one. Lines are as long as the sizes say.
    fileprivate func breaksAlike(_ other: TargetMetrics) -> Bool {
        target.scale == other.target.scale && target.textScale == other.target.textScale
            && zip(roles, other.roles).allSatisfy { $0.breaker == $1.breaker && $0.face == $1.face }
    }
}

extension Target {
    /// Whether only the width differs.
    fileprivate func isAlike(_ other: Target) -> Bool {
        scale == other.scale && textScale == other.textScale && isMirrored == other.isMirrored
    }
}
