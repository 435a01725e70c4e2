import Typography

/// Solves a plan for all targets, variants and states, and writes down what is found. A solution that holds for the next
/// target, too, is not sought again.
struct SheetWriter: ~Copyable {
    private let metrics: [TargetMetrics]
    private let targets: [Target]
    /// Of each screen, whether only the width of its rows differs from the one before.
    private let isAlike: [Bool]
    private let shelf: TextShelf
    private let variants: Int
    private var hasStates = false
    private var solver: Solver
    /// On the screens that share everything but their width.
    private var naturalWidth: Int32 = -1
    /// For each slice the rows for which it is the layout: a target has it that is one of them, without solving.
    private var rows = Scratch<ClosedRange<Int32>>()
    /// For each column, group of screens, variant and state, and for whether the stamp has a line of its own, how the last
    /// layout was arranged.
    private var arrangements = Scratch<Arrangement>()
    private var arrangementCount: Int32 = 0
    private let origin = LayoutSheet.Origin()
    private var skeleton = Skeleton()
    // What a sheet consists of.
    private var reaches = Scratch<LayoutSheet.Reach>()
    private var slots = Scratch<Int32>()
    private var slices = Scratch<LayoutSheet.Slice>()
    private var placements = Scratch<LayoutSheet.Placement>()
    private var blocks = Scratch<LayoutSheet.Block>()
    private var lines = Scratch<LayoutSheet.BlockLine>()
    private var spans = Scratch<LayoutSheet.EntitySpan>()
    private var bars = Scratch<UInt8>()

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

    // Not private: the compiler stumbles over memory of what other files cannot name.
    struct Arrangement {
        var form = ColumnForm()
        /// Of the bubble.
        var radius: Int32 = 0
        var number: Int32 = -1
        var changes: Int32 = 0
    }

    private static let mostChanges: Int32 = 8

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
        solver.take(plan)
        rows.removeAll()
        reaches.removeAll()
        slots.removeAll()
        slices.removeAll()
        placements.removeAll()
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
        let size = solver.solve(variant: variant, isExpanded: state == 1)
        let first = Int32(placements.count)
        writePlacements(size, isMirrored: own.target.isMirrored)
        rows.append(solver.rows(on: own))
        let number = Int32(slices.count)
        let arrangement = solver.column < 0 ? -1 : arrangement(variant, state, radius: placements[Int(first)].radius)
        slices.append(
            LayoutSheet.Slice(size: size, stamp: solver.stampMode, placements: first, arrangement: arrangement))
        // Asked once for all variants: they differ by a status or a name.
        if naturalWidth < 0 { naturalWidth = solver.isWiderOpen ? size.width : solver.naturalWidth() }
        return number
    }

    /// A number for how the nodes of a column are arranged.
    private mutating func arrangement(_ variant: Int, _ state: Int, radius: Int32) -> Int32 {
        let group = Int(solver.column) * metrics.count + solver.group
        let place = ((group * variants + variant) * 2 + state) * 2 + (solver.stampMode == .ownLine ? 1 : 0)
        while arrangements.count <= place { arrangements.append(Arrangement()) }
        let known = arrangements[place]
        if known.number < 0 || known.radius != radius || known.form != solver.form {
            // Where it differs time and again, nothing is gained by numbers.
            guard known.changes < SheetWriter.mostChanges, solver.isStampWhole() else { return -1 }
            arrangements[place] = Arrangement(
                form: solver.form, radius: radius, number: arrangementCount, changes: known.changes + 1)
            arrangementCount += 1
        }
        return arrangements[place].number
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
            if solver.shapes[i].radius != .zero {
                // A radius beyond half of the shorter side means a capsule, or a circle.
                placement.radius = min(solver.pixels(solver.shapes[i].radius), min(frame.width, frame.height) / 2)
            }
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

// Lines.
extension SheetWriter {
    @inline(__always)
    private mutating func block(_ i: Int, _ width: Int32) -> Int32 {
        let place = Int(solver.parts[i].fit)
        if solver.fits[place].block >= 0, solver.fits[place].blockPart == i,
            solver.fits[place].blockWidth == width || solver.beginsAtLeft(i)
        {
            return solver.fits[place].block
        }
        return newBlock(i, width)
    }

    @inline(never)
    private mutating func newBlock(_ i: Int, _ width: Int32) -> Int32 {
        let place = Int(solver.parts[i].fit)
        let text = Int(skeleton.nodes[Int(solver.shapes[i].node)].text)
        let alignment = solver.shapes[i].traits.contains(.isAligned) ? skeleton.texts[text].alignment : .start
        let firstLine = Int32(lines.count)
        let first = Int(solver.fits[place].firstLine)
        for line in first..<first + Int(solver.fits[place].lineCount) { write(solver.lines[line], alignment, width) }
        let firstSpan = Int32(spans.count)
        if !skeleton.texts[text].entities.isEmpty {
            writeSpans(skeleton.texts[text], solver.fits[place], solver.shapes[i], firstLine)
        }
        let role = solver.role(solver.shapes[i])
        blocks.append(
            LayoutSheet.Block(
                fontSize: solver.roles[role].fontSize, pitch: solver.roles[role].pitch,
                ascent: solver.roles[role].ascent, lines: firstLine..<Int32(lines.count),
                spans: firstSpan..<Int32(spans.count)))
        let block = Int32(blocks.count - 1)
        solver.fits[place].block = block
        solver.fits[place].blockWidth = width
        solver.fits[place].blockPart = Int32(i)
        return block
    }

    private mutating func write(_ line: Line, _ alignment: Alignment, _ width: Int32) {
        let own = line.width.wholePixels
        let isRightToLeft = line.traits.contains(.rightToLeft)
        let left =
            switch alignment {
            case .start: isRightToLeft ? width - own : 0
            case .center: (width - own) / 2
            case .end: isRightToLeft ? 0 : width - own
            }
        lines.append(
            LayoutSheet.BlockLine(start: line.start, end: line.end, left: left, width: own, traits: line.traits))
    }

    private mutating func writeSpans(
        _ text: Skeleton.Text, _ fit: TextFit, _ shape: Shape, _ firstLine: Int32
    ) {
        let breaker = solver.breaker(shape, room: fit.room)
        for number in 0..<Int(fit.lineCount) {
            let line = solver.lines[Int(fit.firstLine) + number]
            guard text.entities.contains(where: { $0.range.lowerBound < line.end && line.start < $0.range.upperBound })
            else { continue }
            let positions = breaker.positions(of: line, in: shelf[Int(shape.value)])
            let left = lines[Int(firstLine) + number].left
            for (entity, found) in text.entities.enumerated() {
                for span in positions.spans(of: found.range.lowerBound, found.range.upperBound) {
                    let start = (span.left - positions.left + 1) >> 6
                    let end = (span.left - positions.left + span.width).wholePixels
                    spans.append(
                        LayoutSheet.EntitySpan(
                            entity: Int32(entity), line: Int32(number), left: left + start, width: end - start))
                }
            }
        }
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
    /// Whether the lines of a text begin at its left edge, however wide it is.
    @inline(__always)
    fileprivate func beginsAtLeft(_ i: Int) -> Bool {
        !shapes[i].traits.contains(.isAligned) && !fits[Int(parts[i].fit)].isAnyRightToLeft
    }

    /// The rows, in device pixels, for which what was solved is the layout.
    func rows(on own: TargetMetrics) -> ClosedRange<Int32> {
        let room = own.rowRoom
        let narrowest = slack >= room ? 0 : own.room.narrowestRow(for: room - slack)
        let widest = isWiderOpen ? Int32.max : own.room.widestRow(for: room)
        return max(narrowest, own.classRows.lowerBound)...min(widest, own.classRows.upperBound)
    }
}

extension Target {
    /// Whether only the width differs.
    fileprivate func isAlike(_ other: Target) -> Bool {
        scale == other.scale && textScale == other.textScale && isMirrored == other.isMirrored
    }
}
