import Bytes
import Typography

/// Solves a plan for all targets, variants and states, and writes down what is found.
struct SheetWriter: ~Copyable {
    private let targets: [Target]
    /// Of each screen, whether only the width of its rows differs from the one before.
    private let areAlike: [Bool]
    let shelf: TextShelf
    let variants: Int
    var solver: Solver
    private var accounts = Buffer<Account>()
    /// For each variant and state the rows of what holds on the target at hand, and whether the other state differs.
    private var rows = Buffer<ClosedRange<Int32>>()
    private var differs = Buffer<Bool>()
    var hasEntities = false
    /// The sheet of the message at hand, in the memory of the one who asks for it.
    var sheet = LayoutSheet()
    /// Places where each part was written down last.
    var written = Buffer<WrittenText>()
    /// Rows of bars that are written down, and their places.
    private var barRows = Buffer<(row: BarRow, first: Int32, end: Int32)>()

    /// How far the layouts of a variant and state reach.
    struct Account {
        var slack = Lanes()
        var isWiderOpen = LaneMask.none
        var dependsOnState = LaneMask.none
        var naturalWidth = Lanes()
    }

    init(metrics: [TargetMetrics], shelf: TextShelf, variants: Int) {
        (self.shelf, self.variants) = (shelf, variants)
        targets = metrics.map(\.target)
        areAlike = metrics.indices.map { $0 > 0 && metrics[$0].target.isAlike(metrics[$0 - 1].target) }
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
        findReaches(states)
        if states == 2, self.sheet.areStatesAlike { self.sheet.dropStates() }
        return solver.hasCut ? .cut : .whole
    }

    /// The same of many messages of a plan without states, as if each were a target like the first. Of some it finds that they
    /// have to be laid out by themselves.
    /// - Returns: for each whether it is so.
    mutating func write(
        _ plan: borrowing Plan, _ columns: [TextColumn], messages: Int, literals: Int, into sheet: inout LayoutSheet
    ) -> [Bool] {
        swap(&self.sheet, &sheet)
        defer { swap(&self.sheet, &sheet) }
        begin(plan, Array(repeating: targets[0], count: messages), 1)
        solver.turn(to: TextBulk(columns, literals: literals, keepsLines: true))
        var isOther: [Bool] = []
        for first in stride(from: 0, to: messages, by: Lanes.scalarCount) {
            let some = first..<min(first + Lanes.scalarCount, messages)
            solver.turn(toMessages: some)
            writeGroup(1)
            for lane in 0..<some.count { isOther.append(solver.bulk.isOther[lane]) }
        }
        findReaches(1)
        solver.bulk.isOn = false
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
    }

    /// How high the message is on the first target, collapsed, and whether some text was cut that can be expanded. Where there
    /// are fewer variants, the last stands for those that are missing.
    mutating func heights(of plan: borrowing Plan) -> (ContentHeights, Outcome) {
        solver.take(plan)
        solver.turn(to: 0)
        let heights = heights()
        return (heights[0], solver.hasCut ? .cut : .whole)
    }

    /// The same of what is at hand in each lane.
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

    /// True where only the width of rows differs from the target before. A message has nothing from the one before it.
    private func isAlike(_ target: Int) -> Bool { !solver.bulk.isOn && areAlike[target] }

    private mutating func begin(_ plan: borrowing Plan, _ targets: [Target], _ states: Int) {
        hasEntities = plan.skeleton.texts.contains { !$0.entities.isEmpty }
        solver.take(plan)
        accounts.removeAll()
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
        var own = Account(
            slack: solver.slack, isWiderOpen: solver.isWiderOpen, dependsOnState: solver.dependsOnState)
        if state == 1 {
            keepCollapsed(from: first, where: .!accounts[accounts.count - 1].dependsOnState, of: there)
        } else if variant == 0 {
            own.naturalWidth = naturalWidth(size.width, there)
        }
        accounts.append(own)
    }

    /// The same as for the variant before.
    private mutating func writeAgain(_ states: Int) {
        sheet.sizes.append(sheet.sizes[sheet.sizes.count - states])
        accounts.append(accounts[accounts.count - states])
        let step = states * solver.nodes.count
        for _ in 0..<solver.nodes.count { sheet.frames.append(sheet.frames[sheet.frames.count - step]) }
    }

    /// Where the state makes no difference, what was found is written down once.
    private mutating func keepCollapsed(from first: Int, where mask: LaneMask, of there: LaneMask) {
        guard mask.isAny else { return }
        let isEverywhere = !(there .& .!mask).isAny
        for node in 0..<solver.nodes.count {
            let other = sheet.frames[first - solver.nodes.count + node]
            if isEverywhere { sheet.frames[first + node] = other }
            sheet.frames[first + node].block.set(other.block, where: mask)
        }
    }

    /// Asked once for all variants, on the first of the screens that differ in width alone: variants differ by a status or
    /// a name.
    private mutating func naturalWidth(_ width: Lanes, _ there: LaneMask) -> Lanes {
        let isWiderOpen = solver.isWiderOpen
        var wanted = there .& .!isWiderOpen
        for lane in wanted.lanes where isAlike(solver.group * Lanes.scalarCount + lane) { wanted[lane] = false }
        guard wanted.isAny else { return width }
        let natural = solver.naturalWidth(where: wanted)
        return width.replacing(with: natural, where: wanted)
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
            own.left = left.replacing(with: fromRight, where: solver.isMirrored).kept(there)
            // One beyond half of the shorter side means a capsule, or a circle.
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
        let fill = solver.media[i].fill
        sheet.extras.append(
            LayoutSheet.Extras(fillWidth: fill.width.kept(there), fillHeight: fill.height.kept(there)))
        return Int32(sheet.extras.count - 1)
    }

    private mutating func writeBars(_ i: Int, _ there: LaneMask) -> Int32 {
        var own = LayoutSheet.Extras()
        for lane in there.lanes {
            let place = place(of: solver.barRow(i, lane))
            (own.firstBar[lane], own.endBar[lane]) = (barRows[place].first, barRows[place].end)
        }
        sheet.extras.append(own)
        return Int32(sheet.extras.count - 1)
    }

    /// Bars are written down once.
    private mutating func place(of row: BarRow) -> Int {
        for known in 0..<barRows.count where barRows[known].row == row { return known }
        let first = Int32(sheet.bars.count)
        row.append(solver.barHeights[Int(row.heights)], to: &sheet.bars)
        barRows.append((row, first, Int32(sheet.bars.count)))
        return barRows.count - 1
    }

    // MARK: Reaches

    /// For each target the rows for which all its layouts hold. A layout that holds for the next target, too, reaches as far
    /// as it did there.
    private mutating func findReaches(_ states: Int) {
        let columns = variants * states
        rows.refill(0...0, count: columns)
        sheet.reaches.removeAll(keepingCapacity: true)
        differs.refill(false, count: columns)
        var naturalWidth: Int32 = 0
        for target in sheet.targets.indices {
            let own = solver.screens.metrics[solver.bulk.isOn ? 0 : target]
            let lane = target % Lanes.scalarCount
            let first = target / Lanes.scalarCount * columns
            if !isAlike(target) { naturalWidth = max(0, accounts[first].naturalWidth[lane]) }
            var (narrowest, widest) = (Int32(0), Int32.max)
            for column in 0..<columns {
                // Of each two, where there are states, the second.
                let isExpanded = states == 2 && column & 1 == 1
                if isExpanded, !differs[column - 1] {
                    rows[column] = rows[column - 1]
                } else if isAlike(target), rows[column].contains(own.row) {
                    // It is the layout of the target before; whether the other state differs, is as it was there.
                } else {
                    rows[column] = own.rows(
                        slack: accounts[first + column].slack[lane],
                        isWiderOpen: accounts[first + column].isWiderOpen[lane])
                    if !isExpanded { differs[column] = accounts[first + column].dependsOnState[lane] }
                }
                narrowest = max(narrowest, rows[column].lowerBound)
                widest = min(widest, rows[column].upperBound)
            }
            sheet.reaches.append(LayoutSheet.Reach(narrowest: narrowest, widest: widest, naturalWidth: naturalWidth))
        }
    }
}

extension TargetMetrics {
    /// The rows, in device pixels, for which what was solved is the layout.
    func rows(slack: Int32, isWiderOpen: Bool) -> ClosedRange<Int32> {
        let narrowest = slack >= rowRoom ? 0 : room.narrowestRow(for: rowRoom - slack)
        let widest = isWiderOpen ? Int32.max : widestAlike
        return max(narrowest, classRows.lowerBound)...min(widest, classRows.upperBound)
    }
}

extension Target {
    /// Whether only the width differs.
    fileprivate func isAlike(_ other: Target) -> Bool {
        scale == other.scale && textScale == other.textScale && isMirrored == other.isMirrored
    }
}
