import Bytes
import MessageLayout
import Typography

/// The place of a node, as a record tells it, in as many layouts as there are lanes, in device pixels: two numbers an
/// axis, told from the edges of its parent that it is pinned to.
///
/// A bubble that hugs its text is of another size at each width, and yet everything in it keeps its distances: so
/// told, one place serves all widths. Arithmetic wraps, so any frame comes back (`PinnedFrame`).
struct PlaceLanes {
    /// Offsets across and down, then lengths, or distances of the end where both ends are pinned.
    private var across: Lanes
    private var down: Lanes
    private var acrossSecond: Lanes
    private var downSecond: Lanes
    private var radius: Lanes
    private var fillWidth = Lanes()
    private var fillHeight = Lanes()
    /// `RecordForm.Place`; zero where the node is absent.
    private(set) var parts: Lanes

    @inline(__always)
    init(
        _ frames: LayoutSheet.Frames, in outer: Outer, _ sides: PlaceNumbers.Sides, mirrored: LaneMask
    ) {
        let (left, top) = (frames.left &- outer.left, frames.top &- outer.top)
        let right = outer.width &- frames.width &- left
        let bottom = outer.height &- frames.height &- top
        let (start, end) = (left.replacing(with: right, where: mirrored), right.replacing(with: left, where: mirrored))
        across = sides.across == .end ? end : start
        down = sides.down == .end ? bottom : top
        acrossSecond = sides.across == .both ? end : frames.width
        downSecond = sides.down == .both ? bottom : frames.height
        radius = frames.radius
        parts = Lanes(repeating: Int32(RecordForm.Place.isPresent.rawValue))
        add(.radius, where: radius .!= 0)
        // Rarely a distance is negative; but then all distances take a bit for the sign.
        var distances = across | down
        if sides.across == .both { distances |= acrossSecond }
        if sides.down == .both { distances |= downSecond }
        add(.signed, where: distances .< 0)
    }

    /// The places of a node in a layout of a sheet, with all that is in it.
    /// - Parameter lines: nil if it has none on any target.
    @inline(__always)
    init(
        _ sheet: LayoutSheet, _ place: Int, _ node: Int, _ nodes: borrowing Buffer<NodeForm>, in outermost: Outer,
        _ lines: LineSizes?, mirrored: LaneMask
    ) {
        let frames = sheet.frames.span
        let (parent, sides) = (Int(nodes[node].parent), nodes[node].sides)
        precondition(parent < node)
        var outer = outermost
        if parent >= 0 { outer.turn(to: frames[place &- node &+ parent]) }
        self.init(frames[place], in: outer, sides, mirrored: mirrored)
        if frames[place].extras >= 0 { add(sheet.extras[Int(frames[place].extras)]) }
        if let lines { hug(lines.width, lines.height, sides, where: frames[place].block .>= 0) }
        keep(frames[place].isPresent)
    }

    /// The frame around a node.
    struct Outer {
        var left = Lanes()
        var top = Lanes()
        var width: Lanes
        var height: Lanes
    }

    @inline(__always)
    mutating func add(_ extras: LayoutSheet.Extras) {
        (fillWidth, fillHeight) = (extras.fillWidth, extras.fillHeight)
        add(.fill, where: (fillWidth | fillHeight) .!= 0)
        add(.bars, where: extras.firstBar .< extras.endBar)
    }

    /// Leaves out lengths that follow from its lines.
    @inline(__always)
    mutating func hug(_ width: Lanes, _ height: Lanes, _ sides: PlaceNumbers.Sides, where mask: LaneMask) {
        add(.lines, where: mask)
        if sides.across != .both {
            let isHugging = mask .& (acrossSecond .== width)
            add(.hugging, where: isHugging)
            acrossSecond.set(0, where: isHugging)
        }
        if sides.down != .both {
            let isStacked = mask .& (downSecond .== height)
            add(.stacked, where: isStacked)
            downSecond.set(0, where: isStacked)
        }
    }

    /// Clears the place in layouts in which the node is absent.
    @inline(__always)
    mutating func keep(_ mask: LaneMask) {
        let rest = .!mask
        across.set(0, where: rest)
        down.set(0, where: rest)
        acrossSecond.set(0, where: rest)
        downSecond.set(0, where: rest)
        parts.set(0, where: rest)
    }

    @inline(__always)
    private mutating func add(_ part: RecordForm.Place, where mask: LaneMask) {
        parts |= Lanes(repeating: Int32(truncatingIfNeeded: part.rawValue)).kept(mask)
    }

    /// A place that no node has.
    static let unknown = PlaceLanes()

    private init() {
        (across, down, acrossSecond, downSecond, radius) = (Lanes(), Lanes(), Lanes(), Lanes(), Lanes())
        parts = Lanes(repeating: -1)
    }

    /// Takes the places of another where `mask` is set.
    mutating func set(_ other: PlaceLanes, where mask: LaneMask) {
        across.set(other.across, where: mask)
        down.set(other.down, where: mask)
        acrossSecond.set(other.acrossSecond, where: mask)
        downSecond.set(other.downSecond, where: mask)
        radius.set(other.radius, where: mask)
        fillWidth.set(other.fillWidth, where: mask)
        fillHeight.set(other.fillHeight, where: mask)
        parts.set(other.parts, where: mask)
    }

    /// Lanes where another place is not like this.
    @inline(__always)
    func isOther(_ other: PlaceLanes) -> LaneMask {
        let first = (across ^ other.across) | (down ^ other.down) | (acrossSecond ^ other.acrossSecond)
        let rest = (radius ^ other.radius) | (fillWidth ^ other.fillWidth) | (fillHeight ^ other.fillHeight)
        return first | rest | (downSecond ^ other.downSecond) | (parts ^ other.parts) .!= 0
    }

    /// Lanes where it is not as on the target before.
    var isOtherBefore: LaneMask {
        let first = across.isOther .| down.isOther .| acrossSecond.isOther .| downSecond.isOther
        return first .| radius.isOther .| fillWidth.isOther .| fillHeight.isOther .| parts.isOther
    }

    // Numbers of one layout; `mutating`, as reading one number of a vector is.

    @inline(__always)
    mutating func parts(of lane: Int) -> RecordForm.Place {
        RecordForm.Place(rawValue: UInt32(bitPattern: parts.number(in: lane)))
    }

    /// The numbers in the order of `PlaceNumbers`, in device pixels.
    @inline(__always)
    mutating func pixels(_ lane: Int) -> SIMD8<UInt32> {
        let first = SIMD4(
            parts.number(in: lane), across.number(in: lane), acrossSecond.number(in: lane), down.number(in: lane))
        let second = SIMD4(
            downSecond.number(in: lane), radius.number(in: lane), fillWidth.number(in: lane),
            fillHeight.number(in: lane))
        return unsafe unsafeBitCast(SIMD8(lowHalf: first, highHalf: second), to: SIMD8<UInt32>.self)
    }

    mutating func numbers(_ lane: Int, at scale: Scale, _ sides: PlaceNumbers.Sides) -> PlaceNumbers {
        parts(of: lane).rawValue == 0 ? .absent : PlaceNumbers(pixels: pixels(lane), at: scale, sides)
    }
}

extension PlaceLanes.Outer {
    /// Turns to a node inside, in the lanes where that is there. It is inlined: a call would be given a copy of the
    /// frames.
    @inline(__always)
    fileprivate mutating func turn(to frames: LayoutSheet.Frames) {
        left.set(frames.left, where: frames.isPresent)
        top.set(frames.top, where: frames.isPresent)
        width.set(frames.width, where: frames.isPresent)
        height.set(frames.height, where: frames.isPresent)
    }
}
