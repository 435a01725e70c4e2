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
    private var forms = ColumnForms()
    private let origin = LayoutSheet.Origin()
    private var skeleton = Skeleton()
    private var hasEntities = false
    // What a sheet consists of.
    private var reaches = Scratch<LayoutSheet.Reach>()
    private var slots = Scratch<Int32>()
    private var slices = Scratch<LayoutSheet.Slice>()
    private var placements = Scratch<LayoutSheet.Placement>()
    private var fills = Scratch<LayoutSheet.Fill>()
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

// Columns.
extension SheetWriter {
    /// Writes a column like others before it, in which nothing has to be put in its place. False where there was none.
    private mutating func writeOutline(_ variant: Int, at place: Int) -> Bool {
        guard let stamp = forms.stamp(at: place),
            let size = solver.outlineColumn(variant: variant, stamp: stamp.size)
        else { return false }
        let number = forms.number(at: place, 0, solver.stampMode, solver.form, radius: radius(0, size))
        guard number >= 0 else { return false }
        let first = Int32(fills.count)
        for i in 0..<solver.columnTexts.count {
            let text = solver.columnTexts[i]
            guard text.variants & solver.variant != 0 else { continue }
            let width = solver.columnWidth(of: text, in: size.width)
            fills.append(LayoutSheet.Fill(block: block(text.text, width), width: width))
            if text.stamp > 0 { fillStamp(stamp) }
        }
        slices.append(
            LayoutSheet.Slice(
                size: size, stamp: solver.stampMode, placements: first, isOutline: true, arrangement: number))
        return true
    }

    private mutating func fillStamp(_ stamp: ColumnForms.Stamp) {
        for place in stamp.first..<stamp.end {
            let text = forms.stampTexts[place]
            if forms.blocks[text.part] < 0 {
                forms.blocks[text.part] = Int32(blocks.count)
                var block = text.block
                block.lines = Int32(lines.count)..<Int32(lines.count) + 1
                block.spans = Int32(spans.count)..<Int32(spans.count)
                blocks.append(block)
                lines.append(text.line)
            }
            fills.append(LayoutSheet.Fill(block: forms.blocks[text.part], width: text.width))
        }
    }

    /// A number for how the nodes of a column are arranged. What is new in it is kept, for outlines.
    private mutating func arrangement(
        of slice: LayoutSheet.Slice, _ state: Int, at place: Int, isMirrored: Bool
    ) -> Int32 {
        let radius = placements[Int(slice.placements)].radius
        let known = forms.number(at: place, state, slice.stamp, solver.form, radius: radius)
        if known < 0, !solver.isStampWhole() { return -1 }
        if forms.stamp(at: place) == nil { keepStamp(at: place) }
        guard known < 0, forms.mayAdd(at: place, state, slice.stamp) else { return known }
        let first = Int(slice.placements)
        let arrangement = Arrangement(
            (first..<first + skeleton.nodes.count).map { placements[$0] }, of: slice.size, skeleton: skeleton,
            isMirrored: isMirrored
        ) { size(of: blocks[Int($0.block)]) }
        return forms.add(arrangement, at: place, state, slice.stamp, solver.form, radius: radius)
    }

    private func size(of block: LayoutSheet.Block) -> PixelSize {
        var width: Int32 = 0
        for line in block.lines { width = max(width, lines[Int(line)].width) }
        return PixelSize(width: width, height: block.pitch &* Int32(block.lines.count))
    }

    /// Remembers the stamp that was just placed, if it is the same under every message.
    private mutating func keepStamp(at place: Int) {
        var texts: [ColumnForms.StampText] = []
        var stamp = -1
        for i in 0..<solver.columnTexts.count where solver.columnTexts[i].stamp > 0 {
            stamp = solver.columnTexts[i].stamp
        }
        guard stamp >= 0, solver.parts[stamp].isPresent, solver.constants.isConstant(stamp), solver.isStampWhole()
        else {
            return
        }
        for part in stamp..<Int(solver.shapes[stamp].end) where solver.parts[part].isPresent {
            guard solver.shapes[part].operation == .text, solver.shapes[part].node >= 0 else { continue }
            let own = blocks[Int(solver.fits[Int(solver.parts[part].fit)].block)]
            guard own.lines.count == 1, own.spans.isEmpty else { return }
            texts.append(
                ColumnForms.StampText(
                    part: part, block: own, line: lines[Int(own.lines.lowerBound)],
                    width: solver.parts[part].frame.width))
        }
        let frame = solver.parts[stamp].frame
        forms.keep(PixelSize(width: frame.width, height: frame.height), texts, at: place)
    }

    /// Of a part's round corners. One beyond half of the shorter side means a capsule, or a circle.
    @inline(__always)
    private func radius(_ part: Int, _ size: PixelSize) -> Int32 {
        guard solver.shapes[part].radius != .zero else { return 0 }
        return min(solver.pixels(solver.shapes[part].radius), min(size.width, size.height) / 2)
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
        let isOfStamp = solver.isWholeInStamp(i, width)
        if isOfStamp, forms.blocks[i] >= 0 { return forms.blocks[i] }
        let text = Int(skeleton.nodes[Int(solver.shapes[i].node)].text)
        let alignment = solver.shapes[i].traits.contains(.isAligned) ? skeleton.texts[text].alignment : .start
        let firstLine = Int32(lines.count)
        let first = Int(solver.fits[place].firstLine)
        for line in first..<first + Int(solver.fits[place].lineCount) { write(solver.lines[line], alignment, width) }
        let firstSpan = Int32(spans.count)
        if hasEntities, !skeleton.texts[text].entities.isEmpty {
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
        if isOfStamp { forms.blocks[i] = block }
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
        let place = Int(shape.value)
        for number in 0..<Int(fit.lineCount) {
            let line = solver.lines[Int(fit.firstLine) + number]
            var positions: LinePositions?
            for (entity, found) in text.entities.enumerated() {
                let (start, end) = (found.range.lowerBound, found.range.upperBound)
                guard start < line.end, line.start < end else { continue }
                if let span = shelf.plainSpan(of: place, start, end, on: line, breaker) {
                    add(span, of: entity, on: number, firstLine)
                    continue
                }
                let known = positions ?? breaker.positions(of: line, in: shelf[place])
                positions = known
                for span in known.spans(of: start, end) {
                    add((span.left - known.left, span.width), of: entity, on: number, firstLine)
                }
            }
        }
    }

    /// A span from where its line begins, in 1/64 pixel.
    private mutating func add(
        _ span: (left: Int32, width: Int32), of entity: Int, on line: Int, _ firstLine: Int32
    ) {
        let start = (span.left + 1) >> 6
        let end = (span.left + span.width).wholePixels
        let left = lines[Int(firstLine) + line].left
        spans.append(
            LayoutSheet.EntitySpan(entity: Int32(entity), line: Int32(line), left: left + start, width: end - start))
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
