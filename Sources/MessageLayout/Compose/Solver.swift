import Bytes
import Typography

/// Finds where every part of one message stands, on as many screens at once as a lane has numbers, in two walks over its
/// parts: `fit` asks how wide each must be in the room there is, `place` gives it a place and a final width and learns its
/// height. Where screens differ in more than numbers (a stamp behind the last line or below it, a part that is left out),
/// a mask says which of them are meant.
///
/// Beside it runs an account of how far the answer reaches: every time room that comes from the row is compared with
/// what something needs, `slack` notes how much narrower the row could be, and `isWiderOpen` whether a wider one could
/// change anything. So one solution serves every row in an interval, and what it gives is final for all of them.
struct Solver: ~Copyable {
    let screens: LaneScreens
    let texts: TextShelf
    /// The screens that are at work.
    private(set) var group = 0
    private(set) var isMirrored = LaneMask.none
    private(set) var shapes = Buffer<Shape>()
    private(set) var pictures: [PixelSize] = []
    private(set) var barHeights: [[UInt8]] = []
    private(set) var hasLimits = false
    var variant: UInt8 = 0
    var isExpanded = false
    /// The screens on which the part at hand is there: what is found counts for no other.
    var live = LaneMask.none

    /// Of each part, as this walk found it.
    var parts = Buffer<PartState>()
    var brokenTexts = Buffer<BrokenText>()
    var fits = Buffer<TextFit>()
    /// For each part and kin of screens the last of its fits; -1 for none.
    var lastFits = Buffer<Int32>()
    var lines = LineBuffer()
    var media = Buffer<MediaState>()
    var mosaics = MosaicMemory()
    /// Messages in the place of screens, when many are solved on one.
    var bulk = TextBulk()
    var columnLines = ColumnLines()
    /// Parts that clients see, in the order of their nodes.
    private(set) var nodes = Buffer<Int32>()
    /// For each variant a bit: whether some part is only in it, or only in the one before.
    private var differences: UInt8 = 0

    /// How much narrower the room may be with nothing changed.
    var slack = Lanes(repeating: .max)
    /// Lanes where more room would change nothing.
    var isWiderOpen = LaneMask.all
    /// The end of what was fitted or placed last, for a stamp that wants to stand behind it.
    var tail = Tail.none
    var wasCut = LaneMask.none
    /// Of the lines that a stack may show; nil in others.
    var linesLeft: Lanes?
    /// The raw values of `StampMode`.
    var stampMode = Lanes()
    /// Lanes where the other state, collapsed or expanded, could look different.
    var dependsOnState = LaneMask.none
    /// Whether some text of the message was cut that can be expanded.
    var hasCut = false

    struct PartState {
        var isPresent = LaneMask.none
        /// As it was fitted.
        var fitted = Lanes()
        var left = Lanes()
        var top = Lanes()
        var width = Lanes()
        var height = Lanes()
        /// Behind the last line that is shown.
        var isLeftOut = LaneMask.none
    }

    /// Where the last line of a text ends.
    struct Tail {
        /// From the start edge of the part that was asked.
        var end: Lanes
        var isOpen: LaneMask

        static let none = Tail(end: Lanes(), isOpen: .none)

        @inline(__always)
        mutating func set(_ other: Tail, where mask: LaneMask) {
            end.set(other.end, where: mask)
            isOpen = isOpen.replaced(by: other.isOpen, where: mask)
        }
    }

    /// Room, and where it grows with the row.
    struct Room {
        var pixels: Lanes
        var isElastic: LaneMask

        @inline(__always)
        func less(_ taken: Lanes) -> Room {
            Room(pixels: larger(pixels &- taken, Lanes()), isElastic: isElastic)
        }
    }

    init(texts: TextShelf, screens: [TargetMetrics]) {
        self.screens = LaneScreens(screens)
        self.texts = texts
    }

    /// Turns to another message.
    mutating func take(_ plan: borrowing Plan) {
        hasCut = false
        shapes.replace(with: plan.shapes)
        pictures = plan.pictures
        barHeights = plan.bars
        if parts.count < shapes.count {
            parts.refill(PartState(), count: shapes.count)
            brokenTexts.refill(BrokenText(), count: shapes.count)
            media.refill(MediaState(), count: shapes.count)
        }
        (hasLimits, differences) = (false, 0)
        nodes.removeAll()
        for i in 0..<shapes.count {
            differences |= shapes[i].variants ^ shapes[i].variants << 1
            if shapes[i].node >= 0 { nodes.append(Int32(i)) }
            if shapes[i].operation == .stack, shapes[i].mostLines > 0 { hasLimits = true }
            (parts[i].isLeftOut, brokenTexts[i].mostLines) = (.none, Lanes())
        }
        fits.removeAll()
        lines.removeAll()
        lastFits.refill(-1, count: shapes.count * screens.kinCount)
        bulk.isOn = false
    }

    /// Turns to other screens.
    mutating func turn(to group: Int) {
        self.group = group
        isMirrored = screens.isMirrored(in: group)
        for i in 0..<shapes.count {
            brokenTexts[i].isKnown = .none
            media[i].isKnown = .none
        }
    }

    /// Turns to many messages on the first screen. What `take` took is the plan of all of them.
    mutating func turn(to bulk: TextBulk) {
        self.bulk = bulk
        turn(to: screens.groups)
    }

    mutating func turn(toMessages messages: Range<Int>) {
        bulk.turn(to: messages)
        for i in 0..<shapes.count where bulk.column(of: shapes[i].value) != nil { brokenTexts[i].isKnown = .none }
    }

    /// The lanes that stand for something.
    var there: LaneMask { bulk.isOn ? bulk.isThere : screens.isThere(in: group) }

    @inline(__always)
    func screen(of lane: Int) -> Int { bulk.isOn ? 0 : group &* Lanes.scalarCount &+ lane }

    /// True where a variant has other parts than the one before it.
    func differs(_ variant: Int) -> Bool { differences >> UInt8(variant) & 1 != 0 }

    @inline(__always)
    func pixels(_ length: LengthID) -> Lanes { screens.pixels(length, in: group) }

    /// What was found for a variant and a state; afterwards `parts` says where everything is.
    struct Size {
        var width = Lanes()
        var height = Lanes()
    }

    mutating func solve(variant: Int, isExpanded: Bool) -> Size {
        let room = Room(pixels: screens.room(in: group), isElastic: .all)
        begin(variant: variant, isExpanded: isExpanded)
        for i in 0..<shapes.count { parts[i].isPresent = .none }
        if hasLimits {
            for i in 0..<shapes.count {
                (parts[i].isLeftOut, brokenTexts[i].mostLines) = (.none, Lanes())
            }
        }
        guard shapes.count > 0, isThere(0).isAny else { return Size() }
        let width = fit(0, room)
        tail = .none
        let height = place(0, Lanes(), Lanes(), width)
        return Size(width: width.kept(live), height: height.kept(live))
    }

    private mutating func begin(variant: Int, isExpanded: Bool) {
        (self.variant, self.isExpanded) = (1 << UInt8(variant), isExpanded)
        live = there
        (slack, isWiderOpen, wasCut, stampMode, tail) = (Lanes(repeating: .max), .all, .none, Lanes(), .none)
        (dependsOnState, linesLeft) = (.none, nil)
    }

    /// The width that the message would have on some screens if their rows had no end.
    mutating func naturalWidth(where wanted: LaneMask) -> Lanes {
        live = wanted
        return fit(0, Room(pixels: Lanes(repeating: Solver.endless), isElastic: .none))
    }

    private static let endless: Int32 = 1 << 18

    /// Where a part is there. (`cut` looks back at the text before it.)
    @inline(__always)
    mutating func isThere(_ i: Int) -> LaneMask {
        guard shapes[i].variants & variant != 0 else { return .none }
        let own = hasLimits ? live .& .!parts[i].isLeftOut : live
        return shapes[i].shows == .always ? own : isShown(i, own)
    }

    private mutating func isShown(_ i: Int, _ own: LaneMask) -> LaneMask {
        switch shapes[i].shows {
        case .always: return own
        case .cut: return own .& wasCut
        case .collapsed:
            dependsOnState = dependsOnState .| own
            return isExpanded ? .none : own
        case .expanded:
            dependsOnState = dependsOnState .| own
            return isExpanded ? own : .none
        }
    }

    // MARK: The account

    /// What was asked fits with so much to spare, or has not enough.
    @inline(__always)
    mutating func compare(_ wanted: Lanes, with room: Room) {
        spare(room.pixels &- wanted, room)
        wantsMore(room, where: wanted .> room.pixels)
    }

    @inline(__always)
    mutating func spare(_ pixels: Lanes, _ room: Room, where mask: LaneMask = .all) {
        let least = smaller(slack, larger(pixels, Lanes()))
        slack.set(least, where: room.isElastic .& live .& mask)
    }

    /// More room would give another answer.
    @inline(__always)
    mutating func wantsMore(_ room: Room, where mask: LaneMask) {
        isWiderOpen = isWiderOpen .& .!(room.isElastic .& live .& mask)
    }

    /// Any other room would.
    mutating func pin(_ room: Room) {
        spare(Lanes(), room)
        wantsMore(room, where: .all)
    }

    // MARK: Fitting

    /// The width of a part where it is there, and zero elsewhere.
    @inline(__always)
    mutating func fit(_ i: Int, _ room: Room, where there: LaneMask) -> Lanes {
        if there.isSame(as: live) { return fit(i, room) }
        let (outer, before) = (live, tail)
        live = there
        let width = fit(i, room)
        live = outer
        var own = before
        own.set(tail, where: there)
        tail = own
        return width.kept(there)
    }

    /// The width that part `i` needs in `room`: never more than it, when that can be helped.
    mutating func fit(_ i: Int, _ room: Room) -> Lanes {
        var room = room
        tail = .none
        if shapes[i].maximum != .zero {
            let most = pixels(shapes[i].maximum)
            let isNarrower = most .<= room.pixels
            spare(room.pixels &- most, room, where: isNarrower)
            room = Room(
                pixels: room.pixels.replacing(with: most, where: isNarrower),
                isElastic: room.isElastic .& .!isNarrower)
        }
        var width: Lanes
        if shapes[i].traits.contains(.follows) {
            width = Lanes()
        } else {
            width = fitContent(i, room)
            if shapes[i].traits.contains(.fills) {
                pin(room)
                width = larger(width, room.pixels)
            }
        }
        if shapes[i].minimum != .zero { width = atLeast(pixels(shapes[i].minimum), width, room) }
        parts[i].fitted = width
        return width
    }

    /// What is too narrow gets its least width, if there is room.
    private mutating func atLeast(_ least: Lanes, _ width: Lanes, _ room: Room) -> Lanes {
        let isTooNarrow = width .< least
        spare(room.pixels &- least, room, where: isTooNarrow)
        wantsMore(room, where: isTooNarrow .& (least .> room.pixels))
        return width.replacing(with: smaller(least, larger(width, room.pixels)), where: isTooNarrow)
    }

    private mutating func fitContent(_ i: Int, _ room: Room) -> Lanes {
        switch shapes[i].operation {
        case .text: return fitText(i, room)
        case .stack: return fitStack(i, room)
        case .row: return fitRow(i, room)
        case .flow: return fitFlow(i, room)
        case .grid: return fitGrid(i, room)
        case .inset: return fitInset(i, room)
        case .overlay: return fit(i + 1, room)
        case .stamped: return fitStamped(i, room)
        case .box: return fitBox(i, room)
        case .media: return fitMedia(i, room)
        case .mosaic: return fitMosaic(room)
        case .bars: return fitBars(i, room)
        }
    }

    private mutating func fitBox(_ i: Int, _ room: Room) -> Lanes {
        let wanted = pixels(shapes[i].lengths.a)
        compare(wanted, with: room)
        return smaller(wanted, room.pixels)
    }

    // MARK: Placing

    /// Puts a part where it is there at a point with a final width, and returns its height; zero elsewhere.
    @inline(__always)
    mutating func place(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes, where there: LaneMask) -> Lanes {
        if there.isSame(as: live) { return place(i, x, y, width) }
        let (outer, before) = (live, tail)
        live = there
        let height = place(i, x, y, width)
        live = outer
        var own = before
        own.set(tail, where: there)
        tail = own
        return height.kept(there)
    }

    mutating func place(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        // What asked for no width learns only now how much there is. That is settled by others: the row has no say in it.
        if shapes[i].traits.contains(.follows) { _ = fitContent(i, Room(pixels: width, isElastic: .none)) }
        tail = .none
        parts[i].isPresent = parts[i].isPresent .| live
        let height: Lanes
        switch shapes[i].operation {
        case .text: height = placeText(i, width)
        case .stack: height = placeStack(i, x, y, width)
        case .row: height = placeRow(i, x, y, width)
        case .flow: height = placeFlow(i, x, y, width)
        case .grid: height = placeGrid(i, x, y, width)
        case .inset: height = placeInset(i, x, y, width)
        case .overlay: height = placeOverlay(i, x, y, width)
        case .stamped: height = placeStamped(i, x, y, width)
        case .box: height = pixels(shapes[i].lengths.b)
        case .media: height = placeMedia(i, width)
        case .mosaic: height = placeMosaic(i, x, y, width)
        case .bars: height = pixels(shapes[i].lengths.c)
        }
        (parts[i].left, parts[i].top, parts[i].width, parts[i].height) = (x, y, width, height)
        return height
    }

    /// Moves a part with everything in it.
    mutating func shift(_ i: Int, _ dx: Lanes, _ dy: Lanes) {
        for inside in i..<Int(shapes[i].end) {
            parts[inside].left &+= dx
            parts[inside].top &+= dy
        }
    }

    /// The width that a part gets out of what there is.
    func finalWidth(_ i: Int, in width: Lanes) -> Lanes {
        if shapes[i].operation == .box, shapes[i].traits.contains(.follows) {
            return (width &* Lanes(repeating: shapes[i].number)) / 100
        }
        if shapes[i].traits.contains(.follows) || shapes[i].alignment == .stretch {
            guard shapes[i].maximum != .zero else { return width }
            return smaller(width, larger(pixels(shapes[i].maximum), parts[i].fitted))
        }
        return smaller(width, parts[i].fitted)
    }

    @inline(__always)
    func offset(_ i: Int, of own: Lanes, in width: Lanes) -> Lanes {
        switch shapes[i].alignment {
        case .stretch, .start: Lanes()
        case .center: (width &- own).half
        case .end: width &- own
        }
    }
}
