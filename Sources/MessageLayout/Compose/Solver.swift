import Bytes
import Typography

/// Finds the places of all parts of one message, on as many screens at once as there are lanes, in two walks over its
/// parts: `fit` asks how wide each must be in the room there is, `place` gives it a place and a final width and
/// learns its height. Where screens differ in more than numbers (a stamp behind the last line or below it, a part
/// that is left out), a mask says which of them are meant.
///
/// A solution is final for all rows in an interval, whose ends are in `account`.
struct Solver: ~Copyable {
    let screens: LaneScreens
    /// The group of screens at work.
    private(set) var group = 0
    private(set) var shapes = Buffer<Shape>()
    private(set) var hasLimits = false
    var variant: UInt8 = 0
    var isExpanded = false
    /// The screens on which the part at hand is there: results count for no other.
    var live = LaneMask.none

    /// The parts, as this walk found them.
    var parts = Buffer<PartState>()
    var texts: TextFits
    var media = MediaFits()
    /// Parts that clients see, in the order of their nodes.
    private(set) var nodes = Buffer<Int32>()
    /// A bit for each variant: whether some part is only in it, or only in the one before.
    private var differences: UInt8 = 0

    var account = Account()
    /// The end of the part that was fitted or placed last, for a stamp that may stand behind it.
    var tail = TextEnd.none
    var wasCut = LaneMask.none
    /// Lines that the stack around may still show; nil outside of stacks with a limit.
    var linesLeft: Lanes?
    /// The raw values of `StampMode`.
    var stampMode = Lanes()

    init(texts: TextShelf, screens: [TargetMetrics]) {
        self.screens = LaneScreens(screens)
        self.texts = TextFits(shelf: texts)
    }

    /// Turns to another message.
    mutating func take(_ plan: borrowing Plan) {
        shapes.replace(with: plan.shapes)
        if parts.count < shapes.count { parts.refill(PartState(), count: shapes.count) }
        texts.begin(parts: shapes.count, kins: screens.kinCount)
        media.begin(plan)
        (hasLimits, differences) = shapes.summary(&nodes)
        texts.clearLimits(of: &parts, count: shapes.count)
    }

    /// Turns to other screens.
    mutating func turn(to group: Int) {
        self.group = group
        for i in 0..<shapes.count { (texts.broken[i].isKnown, media.states[i].isKnown) = (.none, .none) }
    }

    /// The lanes that stand for a screen or a message.
    var there: LaneMask { texts.bulk.isOn ? texts.bulk.isThere : screens.isThere(in: group) }

    /// True where a variant has other parts than the one before it.
    func differs(_ variant: Int) -> Bool { differences >> UInt8(variant) & 1 != 0 }

    @inline(__always)
    func pixels(_ length: LengthID) -> Lanes { screens.pixels(length, in: group) }

    /// Solves a variant and a state, and returns the size of the message. Afterwards `parts` has all places.
    mutating func solve(variant: Int, isExpanded: Bool) -> (width: Lanes, height: Lanes) {
        (self.variant, self.isExpanded) = (1 << UInt8(variant), isExpanded)
        live = there
        (account, wasCut, stampMode, linesLeft) = (Account(), .none, Lanes(), nil)
        parts.begin(shapes.count)
        if hasLimits { texts.clearLimits(of: &parts, count: shapes.count) }
        guard shapes.count > 0, isThere(0).isAny else { return (Lanes(), Lanes()) }
        let width = fit(0, Room(pixels: screens.room(in: group), isElastic: live))
        let height = place(0, Lanes(), Lanes(), width)
        return (width.kept(live), height.kept(live))
    }

    /// Lanes where a part is there. (`cut` looks back at the text before it.)
    @inline(__always)
    mutating func isThere(_ i: Int) -> LaneMask {
        guard shapes[i].variants & variant != 0 else { return .none }
        let own = hasLimits ? live .& .!parts[i].isLeftOut : live
        switch shapes[i].shows {
        case .always: return own
        case .cut: return own .& wasCut
        case .collapsed, .expanded:
            account.dependsOnState = account.dependsOnState .| own
            return isExpanded == (shapes[i].shows == .expanded) ? own : .none
        }
    }

    /// Calls `body` with each part in `i` that is there on some screen, and with these screens.
    @inline(__always)
    mutating func forEachPart(in i: Int, from first: Int? = nil, _ body: (inout Solver, Int, LaneMask) -> Void) {
        var child = first ?? i + 1
        while child < Int(shapes[i].end) {
            let there = isThere(child)
            if there.isAny { body(&self, child, there) }
            child = Int(shapes[child].end)
        }
    }

    /// Finds a length on some of the screens at hand; on others it is zero, and the tail stays.
    @inline(__always)
    mutating func only(_ there: LaneMask, _ body: (inout Solver) -> Lanes) -> Lanes {
        if there.isSame(as: live) { return body(&self) }
        let outer = live
        var all = tail
        live = there
        let length = body(&self)
        live = outer
        all.set(tail, where: there)
        tail = all
        return length.kept(there)
    }

    @inline(__always)
    mutating func fit(_ i: Int, _ room: Room, where there: LaneMask) -> Lanes {
        only(there) { $0.fit(i, room.only(there)) }
    }

    @inline(__always)
    mutating func place(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes, where there: LaneMask) -> Lanes {
        only(there) { $0.place(i, x, y, width) }
    }

    /// Returns the width that part `i` needs in `room`: no more than that, if it can be helped.
    mutating func fit(_ i: Int, _ room: Room) -> Lanes {
        var room = room
        var width = Lanes()
        tail = .none
        if shapes[i].maximum != .zero { room = account.atMost(pixels(shapes[i].maximum), room) }
        if !shapes[i].traits.contains(.follows) {
            width = fitContent(i, room)
            if shapes[i].traits.contains(.fills) { width = larger(width, account.pin(room)) }
        }
        if shapes[i].minimum != .zero { width = account.atLeast(pixels(shapes[i].minimum), width, room) }
        parts[i].fitted = width
        return width
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
        case .box: return account.length(pixels(shapes[i].lengths.a), room)
        case .media: return fitMedia(i, room)
        case .mosaic: return account.pin(room)
        case .bars: return account.length(media.width(ofBars: shapes[i], screens, in: group), room)
        }
    }

    /// Puts a part at a point with a final width, and returns its height.
    mutating func place(_ i: Int, _ x: Lanes, _ y: Lanes, _ width: Lanes) -> Lanes {
        // A part that follows learns its room only now. Others have settled it: the row has no say in it.
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

    /// The final width of a part in `width`. It is inlined: a call would be given a copy of the whole solver.
    @inline(__always) func finalWidth(_ i: Int, in width: Lanes) -> Lanes {
        shapes[i].width(in: width, fitted: parts[i].fitted, atMost: pixels(shapes[i].maximum))
    }
}
