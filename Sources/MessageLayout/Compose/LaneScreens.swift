import Bytes
import Typography

/// A style on all screens of a composer, as the solver asks for it: of each length and of each pitch the pixels of as many
/// screens as are solved at once.
struct LaneScreens: ~Copyable {
    let metrics: [TargetMetrics]
    var count: Int { metrics.count }
    /// Screens that are solved together: the last of them may be fewer than there are lanes. One more group is the first
    /// screen alone, for many messages.
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
    /// For each screen a number that it shares with those on which a text breaks alike in the same room.
    private var kins = Buffer<Int>()
    private(set) var kinCount = 0

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
            if kin == nil { kinCount += 1 }
        }
    }

    @inline(__always)
    func pixels(_ length: LengthID, in group: Int) -> Lanes { lengths[group &* lengthCount &+ Int(length.place)] }
    @inline(__always)
    func pitch(_ role: Int32, in group: Int) -> Lanes { pitches[group &* roleCount &+ Int(role)] }
    /// From the baseline of a line to its end.
    @inline(__always)
    func descent(_ role: Int32, in group: Int) -> Lanes { descents[group &* roleCount &+ Int(role)] }
    func room(in group: Int) -> Lanes { rooms[group] }
    func isMirrored(in group: Int) -> LaneMask { mirrored[group] }
    func isThere(in group: Int) -> LaneMask { there[group] }
    /// Screens of which only the width of rows differs from the one before.
    func isAlike(in group: Int) -> LaneMask { alike[group] }
    /// Of the first screen, where there are messages in the place of screens.
    func scale(of lane: Int, in group: Int) -> Scale {
        metrics[group < groups ? group &* Lanes.scalarCount &+ lane : 0].target.scale
    }
    func rows(of screen: Int) -> ScreenRows { rows[screen] }
    @inline(__always)
    func kin(of screen: Int) -> Int { kins[screen] }
    @inline(__always)
    func role(_ role: Int32, on screen: Int) -> RoleMetrics { roles[screen &* roleCount &+ Int(role)] }
    @inline(__always)
    func face(_ role: Int32, on screen: Int) -> RoleMetrics.Face { faces[screen &* roleCount &+ Int(role)] }
}

extension SIMD16<Int32> {
    /// The last one's number stands for those that are missing.
    fileprivate init(_ screens: ArraySlice<TargetMetrics>, _ number: (TargetMetrics) -> Int32) {
        self.init(repeating: screens.last.map(number) ?? 0)
        for (lane, screen) in screens.enumerated() { self[lane] = number(screen) }
    }
}

extension TargetMetrics {
    fileprivate func breaksAlike(_ other: TargetMetrics) -> Bool {
        target.scale == other.target.scale && target.textScale == other.target.textScale
            && zip(roles, other.roles).allSatisfy { $0.face == $1.face }
    }
}

extension Target {
    /// Whether only the width differs.
    fileprivate func isAlike(_ other: Target) -> Bool {
        scale == other.scale && textScale == other.textScale && isMirrored == other.isMirrored
    }
}
