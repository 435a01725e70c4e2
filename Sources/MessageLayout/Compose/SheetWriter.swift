import Bytes
import Typography

/// Solves a plan for all targets, variants and states, and writes down what is found. A solution that holds for the next
/// target, too, is not sought again.
struct SheetWriter: ~Copyable {
    let metrics: [TargetMetrics]
    private let targets: [Target]
    /// Of each screen, whether only the width of its rows differs from the one before.
    private let isAlike: [Bool]
    let shelf: TextShelf
    let variants: Int
    private var hasStates = false
    var solver: Solver
    /// On the screens that share everything but their width.
    private var naturalWidth: Int32 = -1
    /// For each slice the rows for which it is the layout: a target has it that is one of them, without solving.
    private var rows = Buffer<ClosedRange<Int32>>()
    var forms = ColumnForms()
    private let origin = LayoutSheet.Origin()
    var skeleton = Skeleton()
    var hasEntities = false
    // What a sheet consists of.
    private var reaches = Buffer<LayoutSheet.Reach>()
    private var slots = Buffer<Int32>()
    var slices = Buffer<LayoutSheet.Slice>()
    var placements = Buffer<LayoutSheet.Placement>()
    var fills = Buffer<LayoutSheet.Fill>()
    var blocks = Buffer<LayoutSheet.Block>()
    var lines = Buffer<LayoutSheet.BlockLine>()
    var spans = Buffer<LayoutSheet.EntitySpan>()
    private var bars = Buffer<UInt8>()

    init(metrics: [TargetMetrics], shelf: TextShelf, variants: Int) {
        (self.metrics, self.shelf, self.variants) = (metrics, shelf, variants)
        targets = metrics.map(\.target)
        isAlike = metrics.indices.map { $0 > 0 && metrics[$0].target.isAlike(metrics[$0 - 1].target) }
        solver = Solver(texts: shelf, screens: metrics)
    }

    var takesRoads: Bool {
        get { solver.takesRoads }
        set { solver.takesRoads = newValue }
    }

    enum Outcome {
        case whole
        /// Some text was cut that can be expanded.
        case cut
    }

    /// Writes over `sheet`, whose memory is used again.
    mutating func write(_ plan: consuming Plan, into sheet: inout LayoutSheet) -> Outcome {
        begin(plan)
        writeSlices()
        sheet.skeleton = skeleton
        sheet.origin = origin
        sheet.targets = targets
        sheet.variantCount = Int32(variants)
        sheet.stateCount = hasStates ? 2 : 1
        reaches.copy(to: &sheet.reaches)
        slots.copy(to: &sheet.slots)
        slices.copy(to: &sheet.slices)
        placements.copy(to: &sheet.placements)
        fills.copy(to: &sheet.fills)
        sheet.arrangements = forms.arrangements
        blocks.copy(to: &sheet.blocks)
        lines.copy(to: &sheet.lines)
        spans.copy(to: &sheet.spans)
        bars.copy(to: &sheet.bars)
        if hasStates { sheet.dropStates() }
        return solver.hasCut ? .cut : .whole
    }

    private mutating func begin(_ plan: borrowing Plan) {
        hasStates = plan.hasStates
        skeleton = plan.skeleton
        hasEntities = skeleton.texts.contains { !$0.entities.isEmpty }
        solver.take(plan)
        forms.begin()
        rows.removeAll()
        reaches.removeAll()
        slots.removeAll()
        slices.removeAll()
        placements.removeAll()
        fills.removeAll()
        blocks.removeAll()
        lines.removeAll()
        spans.removeAll()
        bars.removeAll()
    }

    private mutating func writeSlices() {
        let states = hasStates ? 2 : 1
        for place in metrics.indices {
            let own = metrics[place]
            let isAlike = isAlike[place]
            solver.turn(to: place, isAlike: isAlike)
            if !isAlike { naturalWidth = -1 }
            forms.turn(to: solver.group, parts: solver.shapes.count)
            for variant in 0..<variants {
                for state in 0..<states {
                    if state > 0, !solver.dependsOnState {
                        slots.append(slots[slots.count - 1])
                        continue
                    }
                    let before = isAlike ? slots[slots.count - variants * states] : -1
                    if before >= 0, rows[Int(before)].contains(own.row) {
                        slots.append(before)
                        // Nothing was solved here: whether the other state differs is as it was there.
                        if state == 0, states == 2 {
                            solver.dependsOnState = before != slots[slots.count - variants * states]
                        }
                    } else {
                        slots.append(solve(own, variant, state))
                    }
                }
            }
            reaches.append(reach(of: variants * states))
        }
    }

    /// What the last slots have in common.
    private func reach(of count: Int) -> LayoutSheet.Reach {
        var common = 0...Int32.max
        for slot in slots.count - count..<slots.count { common = common.clamped(to: rows[Int(slots[slot])]) }
        return LayoutSheet.Reach(
            narrowest: common.lowerBound, widest: common.upperBound, naturalWidth: max(0, naturalWidth))
    }

    private mutating func solve(_ own: TargetMetrics, _ variant: Int, _ state: Int) -> Int32 {
        let number = Int32(slices.count)
        let place = solver.column < 0 ? -1 : (Int(solver.column) * metrics.count + solver.group) * variants + variant
        if place < 0 || hasStates || !writeOutline(variant, at: place) {
            writeWhole(variant, state, at: place, isMirrored: own.target.isMirrored)
        }
        rows.append(solver.rows(on: own))
        // Asked once for all variants: they differ by a status or a name.
        if naturalWidth < 0 {
            let stamp = place < 0 ? nil : forms.stamp(at: place)
            naturalWidth =
                solver.isWiderOpen
                ? slices[Int(number)].size.width : solver.naturalWidth(stamp: stamp?.size.width ?? -1)
        }
        return number
    }

    private mutating func writeWhole(_ variant: Int, _ state: Int, at place: Int, isMirrored: Bool) {
        let size = solver.solve(variant: variant, isExpanded: state == 1)
        let first = Int32(placements.count)
        writePlacements(size, isMirrored: isMirrored)
        let slice = LayoutSheet.Slice(size: size, stamp: solver.stampMode, placements: first)
        slices.append(slice)
        if place >= 0 {
            slices[slices.count - 1].arrangement = arrangement(of: slice, state, at: place, isMirrored: isMirrored)
        }
    }

    private mutating func writePlacements(_ size: PixelSize, isMirrored: Bool) {
        for node in 0..<solver.nodes.count {
            let i = Int(solver.nodes[node])
            guard solver.parts[i].isPresent else {
                placements.append(
                    LayoutSheet.Placement(isPresent: false, frame: PixelRect(left: 0, top: 0, width: 0, height: 0)))
                continue
            }
            var frame = solver.parts[i].frame
            if isMirrored { frame.left = size.width - frame.right }
            var placement = LayoutSheet.Placement(frame: frame)
            placement.radius = radius(i, PixelSize(width: frame.width, height: frame.height))
            switch solver.shapes[i].operation {
            case .text: placement.block = block(i, frame.width)
            case .media: placement.fill = solver.parts[i].fill
            case .bars: placement.bars = writeBars(i)
            case .stack, .row, .flow, .grid, .inset, .overlay, .stamped, .box, .mosaic: break
            }
            placements.append(placement)
        }
    }

    private mutating func writeBars(_ i: Int) -> Range<Int32> {
        let start = Int32(bars.count)
        for bar in solver.bars(i) { bars.append(bar) }
        return start..<Int32(bars.count)
    }
}

extension LayoutSheet {
    /// Where nothing can be expanded after all, one state says it.
    fileprivate mutating func dropStates() {
        let pairs = stride(from: 0, to: slots.count, by: 2)
        guard pairs.allSatisfy({ isEqual(slots[$0], slots[$0 + 1]) }) else { return }
        slots = pairs.map { slots[$0] }
        stateCount = 1
    }

    private func isEqual(_ a: Int32, _ b: Int32) -> Bool {
        if a == b { return true }
        let (one, other) = (slices[Int(a)], slices[Int(b)])
        guard one.size == other.size, one.stamp == other.stamp else { return false }
        return skeleton.nodes.indices.allSatisfy {
            placements[Int(one.placements) + $0] == placements[Int(other.placements) + $0]
        }
    }
}

extension Solver {
    /// The rows, in device pixels, for which what was solved is the layout.
    func rows(on own: TargetMetrics) -> ClosedRange<Int32> {
        let room = own.rowRoom
        let narrowest = slack >= room ? 0 : own.room.narrowestRow(for: room - slack)
        let widest = isWiderOpen ? Int32.max : own.widestAlike
        return max(narrowest, own.classRows.lowerBound)...min(widest, own.classRows.upperBound)
    }
}

extension Target {
    /// Whether only the width differs.
    fileprivate func isAlike(_ other: Target) -> Bool {
        scale == other.scale && textScale == other.textScale && isMirrored == other.isMirrored
    }
}
