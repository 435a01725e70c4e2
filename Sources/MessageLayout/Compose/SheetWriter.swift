import Bytes
import Typography

/// Solves a plan for all targets, variants and states, and writes the sheet.
struct SheetWriter: ~Copyable {
    private let targets: [Target]
    let variants: Int
    var solver: Solver
    private var reaches = Reaches()
    /// The width of the first layout, and the lanes where it would be another in a row without an end.
    private var natural = (width: Lanes(), isOther: LaneMask.none)
    /// Lanes where the other state could look different from the layout that was solved last.
    private var dependsOnState = LaneMask.none
    private(set) var hasEntities = false
    /// The entities of the text whose lines were written last.
    var openEntities = OpenEntities()
    /// The sheet of the message at hand, in the caller's memory.
    var sheet = LayoutSheet()
    /// Lines and blocks of the sheet, until all of them are there.
    var lines = Buffer<LayoutSheet.BlockLine>()
    var blocks = Buffer<LayoutSheet.Block>()
    /// Texts as they were written last, by part.
    var written = Buffer<WrittenText>()
    /// Rows of bars that are written, and their places.
    private var barRows = Buffer<(row: BarRow, first: Int32, end: Int32)>()

    init(metrics: [TargetMetrics], shelf: TextShelf, variants: Int) {
        targets = metrics.map(\.target)
        self.variants = variants
        solver = Solver(texts: shelf, screens: metrics)
    }

    enum Outcome {
        case whole
        /// Some text was cut that can be expanded.
        case cut
    }

    /// Writes over `sheet`, whose memory is used again.
    mutating func write(_ plan: borrowing Plan, into sheet: inout LayoutSheet) -> Outcome {
        let states = plan.hasStates ? 2 : 1
        swap(&self.sheet, &sheet)
        defer { swap(&self.sheet, &sheet) }
        begin(plan, targets, states)
        for group in 0..<solver.screens.groups {
            solver.turn(to: group)
            writeGroup(states)
        }
        finish(states)
        if states == 2, self.sheet.areStatesAlike { self.sheet.dropStates() }
        return solver.texts.hasCut ? .cut : .whole
    }

    /// Writes many messages of a plan without states, each as if it were a target like the first.
    ///
    /// - Returns: for each message whether it has to be laid out by itself.
    mutating func write(
        _ plan: borrowing Plan, _ columns: [TextColumn], messages: Int, literals: Int, into sheet: inout LayoutSheet
    ) -> [Bool] {
        swap(&self.sheet, &sheet)
        defer { swap(&self.sheet, &sheet) }
        begin(plan, Array(repeating: targets[0], count: messages), 1)
        solver.texts.bulk = TextBulk(columns, literals: literals, keepsLines: true)
        // All messages have the plan that the solver took, on the first screen.
        solver.turn(to: solver.screens.groups)
        var isOther: [Bool] = []
        for first in stride(from: 0, to: messages, by: Lanes.scalarCount) {
            let some = first..<min(first + Lanes.scalarCount, messages)
            solver.texts.turn(to: some, solver.shapes)
            writeGroup(1)
            for lane in 0..<some.count { isOther.append(solver.texts.bulk.isOther[lane]) }
        }
        finish(1)
        solver.texts.bulk.isOn = false
        return isOther
    }

    private mutating func writeGroup(_ states: Int) {
        if written.count < solver.shapes.count { written.refill(WrittenText(), count: solver.shapes.count) }
        for i in 0..<solver.shapes.count { written[i].isKnown = .none }
        for variant in 0..<variants {
            for state in 0..<states {
                if isNew(variant) { write(variant, state) } else { writeAgain(states) }
            }
        }
        reaches.append(naturalWidth: naturalWidth())
    }

    /// Returns the heights of the message on the first target, collapsed, and whether some text was cut that can be
    /// expanded. The last variant stands for those that are missing.
    mutating func heights(of plan: borrowing Plan) -> (ContentHeights, Outcome) {
        solver.take(plan)
        solver.turn(to: 0)
        let heights = heights()
        return (heights[0], solver.texts.hasCut ? .cut : .whole)
    }

    /// Returns the heights of the message in each lane.
    mutating func heights() -> LaneHeights {
        let own = solver.solve(variant: 0, isExpanded: false).height
        let other = isNew(1) ? solver.solve(variant: 1, isExpanded: false).height : own
        let otherWithName = isNew(2) ? solver.solve(variant: 2, isExpanded: false).height : other
        return LaneHeights(own: own, other: other, otherWithName: otherWithName)
    }

    struct LaneHeights {
        var own: Lanes
        var other: Lanes
        var otherWithName: Lanes

        subscript(lane: Int) -> ContentHeights {
            ContentHeights(own: own[lane], other: other[lane], otherWithName: otherWithName[lane])
        }
    }

    /// True where the message has other parts in a variant than in the one before it.
    private func isNew(_ variant: Int) -> Bool { variant < variants && (variant == 0 || solver.differs(variant)) }

    private mutating func begin(_ plan: borrowing Plan, _ targets: [Target], _ states: Int) {
        hasEntities = plan.skeleton.texts.contains { !$0.entities.isEmpty }
        if hasEntities { openEntities = OpenEntities() }
        solver.take(plan)
        reaches.begin()
        lines.removeAll()
        blocks.removeAll()
        barRows.removeAll()
        sheet.begin(plan.skeleton, targets, variants: variants, states: states)
    }

    private mutating func write(_ variant: Int, _ state: Int) {
        let size = solver.solve(variant: variant, isExpanded: state == 1)
        let there = solver.there
        sheet.sizes.append(
            LayoutSheet.Sizes(width: size.width, height: size.height, stamp: solver.stampMode.kept(there)))
        let first = sheet.frames.count
        writeFrames(width: size.width)
        reaches.append(solver.account)
        if state == 1 { keepCollapsed(from: first, where: .!dependsOnState, of: there) }
        dependsOnState = solver.account.dependsOnState
        if variant == 0, state == 0 {
            natural = (size.width, there .& .!solver.account.isWiderOpen .& .!solver.screens.isAlike(in: solver.group))
        }
    }

    /// Writes the layouts of the variant before once more.
    private mutating func writeAgain(_ states: Int) {
        sheet.sizes.append(sheet.sizes[sheet.sizes.count - states])
        reaches.append(before: states)
        let step = states * solver.nodes.count
        for _ in 0..<solver.nodes.count { sheet.frames.append(sheet.frames[sheet.frames.count - step]) }
    }

    /// Takes over the collapsed blocks where the state makes no difference; if that is in all lanes, whole frames.
    private mutating func keepCollapsed(from first: Int, where mask: LaneMask, of there: LaneMask) {
        guard mask.isAny else { return }
        let isEverywhere = !(there .& .!mask).isAny
        for node in 0..<solver.nodes.count {
            let other = sheet.frames[first - solver.nodes.count + node]
            if isEverywhere { sheet.frames[first + node] = other }
            sheet.frames[first + node].block.set(other.block, where: mask)
        }
    }

    /// The natural width, found once for all variants, from the first (variants differ by a status or a name), and
    /// once for screens that differ in width alone. It comes last, as all texts are broken anew for it.
    private mutating func naturalWidth() -> Lanes {
        guard natural.isOther.isAny else { return natural.width }
        (solver.live, solver.variant, solver.isExpanded) = (natural.isOther, 1, false)
        let own = solver.fit(0, Room(pixels: Lanes(repeating: 1 << 18), isElastic: .none))
        return natural.width.replacing(with: own, where: natural.isOther)
    }

    private mutating func writeFrames(width: Lanes) {
        for node in 0..<solver.nodes.count {
            let i = Int(solver.nodes[node])
            let there = solver.parts[i].isPresent
            guard there.isAny else {
                sheet.frames.append(.absent)
                continue
            }
            var own = LayoutSheet.Frames()
            own.isPresent = there
            own.top = solver.parts[i].top.kept(there)
            own.width = solver.parts[i].width.kept(there)
            own.height = solver.parts[i].height.kept(there)
            let left = solver.parts[i].left
            let fromRight = width &- left &- own.width
            own.left = left.replacing(with: fromRight, where: solver.screens.isMirrored(in: solver.group)).kept(there)
            // A radius beyond half of the shorter side means a capsule, or a circle.
            if solver.shapes[i].radius != .zero {
                let most = smaller(own.width, own.height).half
                own.radius = smaller(solver.pixels(solver.shapes[i].radius), most).kept(there)
            }
            switch solver.shapes[i].operation {
            case .text: own.block = writeText(i, there)
            case .media: own.extras = writeFill(i, there)
            case .bars: own.extras = writeBars(i, there)
            case .stack, .row, .flow, .grid, .inset, .overlay, .stamped, .box, .mosaic: break
            }
            sheet.frames.append(own)
        }
    }

    private mutating func writeFill(_ i: Int, _ there: LaneMask) -> Int32 {
        let fill = solver.media.states[i].fill
        sheet.extras.append(
            LayoutSheet.Extras(fillWidth: fill.width.kept(there), fillHeight: fill.height.kept(there)))
        return Int32(sheet.extras.count - 1)
    }

    private mutating func writeBars(_ i: Int, _ there: LaneMask) -> Int32 {
        var own = LayoutSheet.Extras()
        for lane in there.lanes {
            let place = place(of: barRow(i, lane))
            (own.firstBar[lane], own.endBar[lane]) = (barRows[place].first, barRows[place].end)
        }
        sheet.extras.append(own)
        return Int32(sheet.extras.count - 1)
    }

    /// The bars that there is room for.
    private func barRow(_ i: Int, _ lane: Int) -> BarRow {
        let lengths = solver.shapes[i].lengths
        let (bar, gap) = (max(1, solver.pixels(lengths.a)[lane]), solver.pixels(lengths.b)[lane])
        return BarRow(
            heights: solver.shapes[i].value, count: (solver.parts[i].width[lane] + gap) / (bar + gap), least: bar,
            most: min(255, solver.pixels(lengths.c)[lane]))
    }

    /// Returns the place of a row of bars, which is written if it is new.
    private mutating func place(of row: BarRow) -> Int {
        for known in 0..<barRows.count where barRows[known].row == row { return known }
        let first = Int32(sheet.bars.count)
        row.append(solver.media.barHeights[Int(row.heights)], to: &sheet.bars)
        barRows.append((row, first, Int32(sheet.bars.count)))
        return barRows.count - 1
    }

    private mutating func finish(_ states: Int) {
        lines.copy(to: &sheet.lines)
        blocks.copy(to: &sheet.blocks)
        reaches.find(
            sheet.targets.count, columns: variants * states, states: states, solver.screens,
            areMessages: solver.texts.bulk.isOn, into: &sheet.reaches)
    }
}
