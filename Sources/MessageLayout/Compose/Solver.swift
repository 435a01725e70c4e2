import Bytes
import Typography

/// Finds where every part of one message stands on one screen, in two walks over its parts: `fit` asks how wide each must
/// be in the room there is, `place` gives it a place and a final width and learns its height.
///
/// Beside it runs an account of how far the answer reaches: every time room that comes from the row is compared with
/// what something needs, `slack` notes how much narrower the row could be, and `isWiderOpen` whether a wider one could
/// change anything. So one solution serves every row in an interval, and what it gives is final for all of them.
struct Solver: ~Copyable {
    private(set) var metrics: TargetMetrics
    private let screens: [TargetMetrics]
    /// Of all screens, one behind the other, where they need no counting of references.
    private var lengths = Buffer<Int32>()
    private(set) var roles = Buffer<RoleMetrics>()
    /// Where those of this screen begin.
    private var firstLength = 0
    private(set) var firstRole = 0
    private(set) var isMirrored = false
    /// The first screen with the same measures.
    private(set) var group = 0
    let texts: TextShelf
    private(set) var shapes = Buffer<Shape>()
    /// Which lengths and roles of the style the parts of the message ask for.
    private var uses = Plan.Uses()
    private(set) var pictures: [PixelSize] = []
    private(set) var barHeights: [[UInt8]] = []
    private(set) var isColumn = false
    /// Which column it is, the texts in it, and what of its lengths all layouts of a group of screens ask for.
    private(set) var column: Int32 = -1
    var columnTexts = Buffer<ColumnText>()
    var columnLengths = ColumnLengths()
    /// Of many messages with the same parts, of each text.
    var extents: [[TextExtent]] = []
    var columnLines = ColumnLines()
    var variant: UInt8 = 0
    var isExpanded = false

    /// Of each part, as this walk found it.
    var parts = Buffer<PartState>()
    /// Texts that were broken on this screen: another variant or state asks for the same lines again.
    var fits = Buffer<TextFit>()
    var lines = LineBuffer()
    var constants = Constants()
    var mosaics = MosaicMemory()
    /// Parts that clients see, in the order of their nodes.
    private(set) var nodes = Buffer<Int32>()

    /// How much narrower the room may be with nothing changed.
    var slack: Int32 = .max
    /// Whether more room would change nothing.
    var isWiderOpen = true
    /// The end of what was fitted or placed last, for a stamp that wants to stand behind it.
    var tail = Tail.none
    var wasCut = false
    /// Of the lines that a stack may show; nil in others.
    var linesLeft: Int32?
    var stampMode = StampMode.none
    /// What tells whether the layout of a column is like another.
    var form = ColumnForm()
    /// Whether the other state, collapsed or expanded, could look different.
    var dependsOnState = false
    /// Whether some text of the message was cut that can be expanded.
    var hasCut = false

    struct PartState {
        var isPresent = false
        var width: Int32 = 0
        var frame = PixelRect.zero
        /// Place in `fits`; -1 for none.
        var fit: Int32 = -1
        var fill = PixelSize.zero
        /// Lines that it may have of those of the stack around it; 0 where it has its own limit, or none.
        var mostLines: Int32 = 0
        /// Behind the last line that is shown.
        var isLeftOut = false
    }

    /// Where the last line of a text ends.
    struct Tail {
        /// From the start edge of the part that was asked.
        var end: Int32
        var isOpen: Bool

        static let none = Tail(end: 0, isOpen: false)
    }

    /// Room, and whether it grows with the row.
    struct Room {
        var pixels: Int32
        var isElastic: Bool

        func less(_ taken: Int32) -> Room { Room(pixels: max(0, pixels &- taken), isElastic: isElastic) }
    }

    /// Tests compare the roads for special plans with the one for all.
    var takesRoads = true

    init(texts: TextShelf, screens: [TargetMetrics]) {
        metrics = screens[0]
        self.screens = screens
        self.texts = texts
        for screen in screens {
            for length in screen.lengths { lengths.append(length) }
            for role in screen.roles { roles.append(role) }
        }
    }

    /// Turns to another message.
    mutating func take(_ plan: borrowing Plan) {
        hasCut = false
        // Columns of one number have the same parts.
        if plan.column >= 0, column == plan.column, takesRoads { return }
        shapes.replace(with: plan.shapes)
        parts.refill(PartState(), count: plan.shapes.count)
        pictures = plan.pictures
        barHeights = plan.bars
        isColumn = plan.isColumn && takesRoads
        column = isColumn ? plan.column : -1
        uses = plan.uses
        beginColumn()
        constants.begin(shapes)
        nodes.removeAll()
        for i in 0..<shapes.count where shapes[i].node >= 0 { nodes.append(Int32(i)) }
    }

    /// Turns to another screen. What was found stands, when only its row is of another width, and what depends on that
    /// is of no use to this message.
    mutating func turn(to screen: Int, isAlike: Bool) {
        let classRows = metrics.classRows
        metrics = screens[screen]
        let (lastLength, lastRole) = (firstLength, firstRole)
        (firstLength, firstRole) = (screen * metrics.lengths.count, screen * metrics.roles.count)
        if isAlike, metrics.classRows == classRows || isAsUseful(lastLength, lastRole) { return }
        group = screen
        constants.forget()
        for i in 0..<parts.count { parts[i].fit = -1 }
        isMirrored = metrics.target.isMirrored
        fits.removeAll()
        lines.removeAll()
        turnColumn()
    }

    /// Whether another screen of the same scales has the same measures for this message.
    private func isAsUseful(_ otherLength: Int, _ otherRole: Int) -> Bool {
        for length in uses.lengths where lengths[firstLength + length] != lengths[otherLength + length] { return false }
        for role in uses.roles where !roles[firstRole + role].isEqual(to: roles[otherRole + role]) { return false }
        return true
    }

    /// The width that the message would have if its row had no end; of a column, with a stamp of which the width is known.
    mutating func naturalWidth(stamp: Int32) -> Int32 {
        let room = Room(pixels: Solver.endless, isElastic: false)
        return isColumn ? fitColumn(room, stamp: stamp) : fit(0, room)
    }

    private static let endless: Int32 = 1 << 18

    @inline(__always)
    func pixels(_ length: LengthID) -> Int32 { lengths[firstLength + Int(length.place)] }

    /// The role of a text part.
    func role(_ shape: Shape) -> Int { firstRole + Int(shape.number) }

    func breaker(_ shape: Shape, room: Int32) -> LineBreaker { roles[role(shape)].breaker.withBox(room << 6) }

    /// Solves for a variant and a state. Afterwards `parts` says where everything is.
    mutating func solve(variant: Int, isExpanded: Bool) -> PixelSize {
        let room = begin(variant: variant, isExpanded: isExpanded)
        for i in 0..<parts.count {
            (parts[i].isPresent, parts[i].isLeftOut, parts[i].mostLines) = (false, false, 0)
        }
        guard shapes.count > 0, isThere(0) else { return .zero }
        if isColumn { return solveColumn(in: room) }
        let width = fit(0, room)
        tail = .none
        let height = place(0, 0, 0, width)
        return PixelSize(width: width, height: height)
    }

    /// The room of a row, with nothing found yet.
    @inline(__always)
    mutating func begin(variant: Int, isExpanded: Bool) -> Room {
        (self.variant, self.isExpanded) = (1 << UInt8(variant), isExpanded)
        (slack, isWiderOpen, wasCut, stampMode, tail) = (.max, true, false, .none, .none)
        dependsOnState = false
        return Room(pixels: metrics.rowRoom, isElastic: true)
    }

    /// Whether a part is there at all. (`cut` looks back at the text before it.)
    mutating func isThere(_ i: Int) -> Bool {
        guard shapes[i].variants & variant != 0, !parts[i].isLeftOut else { return false }
        switch shapes[i].shows {
        case .always: return true
        case .cut: return wasCut
        case .collapsed:
            dependsOnState = true
            return !isExpanded
        case .expanded:
            dependsOnState = true
            return isExpanded
        }
    }

    // MARK: The account

    /// What was asked fits with so much to spare.
    @inline(__always)
    mutating func spare(_ pixels: Int32, _ room: Room) {
        if room.isElastic { slack = min(slack, max(0, pixels)) }
    }

    /// More room would give another answer.
    @inline(__always)
    mutating func wantsMore(_ room: Room) {
        if room.isElastic { isWiderOpen = false }
    }

    /// Any other room would.
    @inline(__always)
    mutating func pin(_ room: Room) {
        spare(0, room)
        wantsMore(room)
    }

    // MARK: Fitting

    /// The width that part `i` needs in `room`: never more than it, when that can be helped.
    @inline(__always)
    mutating func fit(_ i: Int, _ room: Room) -> Int32 {
        if let known = constants.known(i, variant), known.width <= room.pixels {
            spare(room.pixels - known.width, room)
            parts[i].width = known.width
            tail = .none
            return known.width
        }
        return fitAnew(i, room)
    }

    private mutating func fitAnew(_ i: Int, _ room: Room) -> Int32 {
        let shape = shapes[i]
        var room = room
        tail = .none
        if shape.maximum != .zero {
            let most = pixels(shape.maximum)
            if most <= room.pixels {
                spare(room.pixels - most, room)
                room = Room(pixels: most, isElastic: false)
            }
        }
        var width: Int32
        if shape.traits.contains(.follows) {
            width = 0
        } else {
            width = fitContent(i, shape, room)
            if shape.traits.contains(.fills) {
                pin(room)
                width = max(width, room.pixels)
            }
        }
        if shape.minimum != .zero { width = atLeast(pixels(shape.minimum), width, room) }
        parts[i].width = width
        return width
    }

    /// What is too narrow gets its least width, if there is room.
    mutating func atLeast(_ least: Int32, _ width: Int32, _ room: Room) -> Int32 {
        guard width < least else { return width }
        if least <= room.pixels { spare(room.pixels - least, room) } else { pin(room) }
        return min(least, max(width, room.pixels))
    }

    private mutating func fitContent(_ i: Int, _ shape: Shape, _ room: Room) -> Int32 {
        switch shape.operation {
        case .text: return fitText(i, room)
        case .stack: return fitStack(i, shape, room)
        case .row: return fitRow(i, shape, room)
        case .flow: return fitFlow(i, shape, room)
        case .grid: return fitGrid(i, shape, room)
        case .inset: return fitInset(i, shape, room)
        case .overlay: return fit(i + 1, room)
        case .stamped: return fitStamped(i, shape, room)
        case .box: return fitBox(shape, room)
        case .media: return fitMedia(i, shape, room)
        case .mosaic: return fitMosaic(i, shape, room)
        case .bars: return fitBars(i, shape, room)
        }
    }

    private mutating func fitBox(_ shape: Shape, _ room: Room) -> Int32 {
        let wanted = pixels(shape.lengths.a)
        if wanted <= room.pixels { spare(room.pixels - wanted, room) } else { pin(room) }
        return min(wanted, room.pixels)
    }

    // MARK: Placing

    /// Puts part `i` at a point with a final width, and returns its height.
    @inline(__always)
    mutating func place(_ i: Int, _ x: Int32, _ y: Int32, _ width: Int32) -> Int32 {
        if let known = constants.known(i, variant), known.width == width {
            constants.place(i, variant, x, y, &parts)
            tail = .none
            return known.height
        }
        return placeAnew(i, x, y, width)
    }

    private mutating func placeAnew(_ i: Int, _ x: Int32, _ y: Int32, _ width: Int32) -> Int32 {
        let shape = shapes[i]
        // What asked for no width learns only now how much there is. That is settled by others: the row has no say in it.
        if shape.traits.contains(.follows) { _ = fitContent(i, shape, Room(pixels: width, isElastic: false)) }
        tail = .none
        parts[i].isPresent = true
        let height: Int32
        switch shape.operation {
        case .text: height = placeText(i, width)
        case .stack: height = placeStack(i, shape, x, y, width)
        case .row: height = placeRow(i, shape, x, y, width)
        case .flow: height = placeFlow(i, shape, x, y, width)
        case .grid: height = placeGrid(i, shape, x, y, width)
        case .inset: height = placeInset(i, shape, x, y, width)
        case .overlay: height = placeOverlay(i, shape, x, y, width)
        case .stamped: height = placeStamped(i, shape, x, y, width)
        case .box: height = pixels(shape.lengths.b)
        case .media: height = placeMedia(i, shape, width)
        case .mosaic: height = placeMosaic(i, shape, x, y, width)
        case .bars: height = pixels(shape.lengths.c)
        }
        parts[i].frame = PixelRect(left: x, top: y, width: width, height: height)
        if constants.isConstant(i), width == parts[i].width { constants.remember(i, variant, parts) }
        return height
    }

    /// Moves a part with everything in it.
    mutating func shift(_ i: Int, _ dx: Int32, _ dy: Int32) {
        for inside in i..<Int(shapes[i].end) {
            parts[inside].frame.left += dx
            parts[inside].frame.top += dy
        }
    }

    /// The width that a part gets out of what there is.
    func finalWidth(_ i: Int, in width: Int32) -> Int32 {
        let shape = shapes[i]
        if shape.operation == .box, shape.traits.contains(.follows) { return width * shape.number / 100 }
        if shape.traits.contains(.follows) || shape.alignment == .stretch {
            guard shape.maximum != .zero else { return width }
            return min(width, max(pixels(shape.maximum), parts[i].width))
        }
        return min(width, parts[i].width)
    }

    func offset(_ i: Int, of own: Int32, in width: Int32) -> Int32 {
        switch shapes[i].alignment {
        case .stretch, .start: 0
        case .center: (width - own) / 2
        case .end: width - own
        }
    }
}
