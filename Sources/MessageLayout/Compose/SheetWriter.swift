import Bytes
import Typography

/// Solves a plan for all targets, variants and states, and writes down what is found.
struct SheetWriter: ~Copyable {
    private let targets: [Target]
    /// Of each screen, whether only the width of its rows differs from the one before.
    private let isAlike: [Bool]
    let shelf: TextShelf
    let variants: Int
    var solver: Solver
    private var accounts = Buffer<Account>()
    /// For each variant and state the rows of what holds on the target at hand, and whether the other state differs.
    private var rows = Buffer<ClosedRange<Int32>>()
    private var differs = Buffer<Bool>()
    var skeleton = Skeleton()
    var hasEntities = false
    // What a sheet consists of.
    private var reaches = Buffer<LayoutSheet.Reach>()
    private var sizes = Buffer<LayoutSheet.Sizes>()
    private var frames = Buffer<LayoutSheet.Frames>()
    private var extras = Buffer<LayoutSheet.Extras>()
    /// Places where each part was written down last.
    var written = Buffer<WrittenText>()
    var blocks = Buffer<LayoutSheet.Block>()
    var lines = Buffer<LayoutSheet.BlockLine>()
    var spans = Buffer<LayoutSheet.EntitySpan>()
    private var bars = Buffer<UInt8>()

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
        isAlike = metrics.indices.map { $0 > 0 && metrics[$0].target.isAlike(metrics[$0 - 1].target) }
        solver = Solver(texts: shelf, screens: metrics)
    }

    enum Outcome {
        case whole
        /// Some text was cut that can be expanded.
        case cut
    }

    /// Writes over `sheet`, whose memory is used again.
    mutating func write(_ plan: borrowing Plan, into sheet: inout LayoutSheet) -> Outcome {
        begin(plan)
        let states = plan.hasStates ? 2 : 1
        for group in 0..<solver.screens.groups {
            solver.turn(to: group)
            written.refill(WrittenText(), count: solver.shapes.count)
            for variant in 0..<variants {
                for state in 0..<states { write(group, variant, state) }
            }
        }
        findReaches(states)
        sheet.skeleton = skeleton
        sheet.take(targets, variants: variants, states: states)
        reaches.copy(to: &sheet.reaches)
        sizes.copy(to: &sheet.sizes)
        frames.copy(to: &sheet.frames)
        extras.copy(to: &sheet.extras)
        blocks.copy(to: &sheet.blocks)
        lines.copy(to: &sheet.lines)
        spans.copy(to: &sheet.spans)
        bars.copy(to: &sheet.bars)
        if states == 2, sheet.areStatesAlike { sheet.dropStates() }
        return solver.hasCut ? .cut : .whole
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
        let other = variants > 1 ? solver.solve(variant: 1, isExpanded: false).height : own
        let otherWithName = variants > 2 ? solver.solve(variant: 2, isExpanded: false).height : other
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

    private mutating func begin(_ plan: borrowing Plan) {
        skeleton = plan.skeleton
        hasEntities = skeleton.texts.contains { !$0.entities.isEmpty }
        solver.take(plan)
        accounts.removeAll()
        reaches.removeAll()
        sizes.removeAll()
        frames.removeAll()
        extras.removeAll()
        blocks.removeAll()
        lines.removeAll()
        spans.removeAll()
        bars.removeAll()
    }

    private mutating func write(_ group: Int, _ variant: Int, _ state: Int) {
        let size = solver.solve(variant: variant, isExpanded: state == 1)
        let there = solver.screens.isThere(in: group)
        sizes.append(LayoutSheet.Sizes(width: size.width, height: size.height, stamp: solver.stampMode.kept(there)))
        let first = frames.count
        writeFrames(group, width: size.width)
        var own = Account(
            slack: solver.slack, isWiderOpen: solver.isWiderOpen, dependsOnState: solver.dependsOnState)
        if state == 1 {
            keepCollapsed(from: first, where: .!accounts[accounts.count - 1].dependsOnState, of: there)
        } else if variant == 0 {
            own.naturalWidth = naturalWidth(group, size.width, there)
        }
        accounts.append(own)
    }

    /// Where the state makes no difference, what was found is written down once.
    private mutating func keepCollapsed(from first: Int, where mask: LaneMask, of there: LaneMask) {
        guard mask.isAny else { return }
        let isEverywhere = !(there .& .!mask).isAny
        for node in 0..<solver.nodes.count {
            let other = frames[first - solver.nodes.count + node]
            if isEverywhere { frames[first + node] = other }
            frames[first + node].block.set(other.block, where: mask)
        }
    }

    /// Asked once for all variants, on the first of the screens that differ in width alone: variants differ by a status or
    /// a name.
    private mutating func naturalWidth(_ group: Int, _ width: Lanes, _ there: LaneMask) -> Lanes {
        let isWiderOpen = solver.isWiderOpen
        var wanted = there .& .!isWiderOpen
        for lane in wanted.lanes where isAlike[group * Lanes.scalarCount + lane] { wanted[lane] = false }
        guard wanted.isAny else { return width }
        let natural = solver.naturalWidth(where: wanted)
        return width.replacing(with: natural, where: wanted)
    }

    private mutating func writeFrames(_ group: Int, width: Lanes) {
        for node in 0..<solver.nodes.count {
            let i = Int(solver.nodes[node])
            let there = solver.parts[i].isPresent
            guard there.isAny else {
                frames.append(.absent)
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
            case .text: own.block = writeText(i, group, there)
            case .media: own.extras = writeFill(i, there)
            case .bars: own.extras = writeBars(i, there)
            case .stack, .row, .flow, .grid, .inset, .overlay, .stamped, .box, .mosaic: break
            }
            frames.append(own)
        }
    }

    private mutating func writeFill(_ i: Int, _ there: LaneMask) -> Int32 {
        let fill = solver.media[i].fill
        extras.append(
            LayoutSheet.Extras(fillWidth: fill.width.kept(there), fillHeight: fill.height.kept(there)))
        return Int32(extras.count - 1)
    }

    private mutating func writeBars(_ i: Int, _ there: LaneMask) -> Int32 {
        var own = LayoutSheet.Extras()
        for lane in there.lanes {
            own.firstBar[lane] = Int32(bars.count)
            for bar in solver.bars(i, lane) { bars.append(bar) }
            own.endBar[lane] = Int32(bars.count)
        }
        extras.append(own)
        return Int32(extras.count - 1)
    }

    // MARK: Reaches

    /// For each target the rows for which all its layouts hold. A layout that holds for the next target, too, reaches as far
    /// as it did there.
    private mutating func findReaches(_ states: Int) {
        let columns = variants * states
        rows.refill(0...0, count: columns)
        differs.refill(false, count: columns)
        var naturalWidth: Int32 = 0
        for (target, own) in solver.screens.metrics.enumerated() {
            let lane = target % Lanes.scalarCount
            let first = target / Lanes.scalarCount * columns
            if !isAlike[target] { naturalWidth = max(0, accounts[first].naturalWidth[lane]) }
            var (narrowest, widest) = (Int32(0), Int32.max)
            for column in 0..<columns {
                // Of each two, where there are states, the second.
                let isExpanded = states == 2 && column & 1 == 1
                if isExpanded, !differs[column - 1] {
                    rows[column] = rows[column - 1]
                } else if isAlike[target], rows[column].contains(own.row) {
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
            reaches.append(LayoutSheet.Reach(narrowest: narrowest, widest: widest, naturalWidth: naturalWidth))
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
