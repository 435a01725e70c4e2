import Typography

/// Solves a plan for all targets, variants and states, and writes down what is found. A solution that holds for the next
/// target, too, is not sought again.
struct SheetWriter: ~Copyable {
    private let metrics: [TargetMetrics]
    private let shelf: TextShelf
    private let variants: Int
    private let hasStates: Bool
    private var solver: Solver
    private var result = LayoutSheet()

    init(_ plan: borrowing Plan, metrics: [TargetMetrics], shelf: TextShelf, variants: Int) {
        (self.metrics, self.shelf, self.variants) = (metrics, shelf, variants)
        hasStates = plan.hasStates
        solver = Solver(plan, texts: shelf, metrics: metrics[0])
        result.skeleton = plan.skeleton
        result.targets = metrics.map(\.target)
        result.variantCount = Int32(variants)
        result.stateCount = hasStates ? 2 : 1
    }

    mutating func sheet() -> LayoutSheet {
        let states = hasStates ? 2 : 1
        result.slots.reserveCapacity(metrics.count * variants * states)
        for (place, own) in metrics.enumerated() {
            let isAlike = place > 0 && own.target.isAlike(metrics[place - 1].target)
            solver.turn(to: own)
            for variant in 0..<variants {
                for state in 0..<states {
                    let before = isAlike ? result.slots[result.slots.count - variants * states] : -1
                    if before >= 0, result.slices[Int(before)].covers(own.row) {
                        result.slots.append(before)
                    } else {
                        result.slots.append(solve(own, variant, state))
                    }
                }
            }
        }
        dropStates()
        return result
    }

    private mutating func solve(_ own: TargetMetrics, _ variant: Int, _ state: Int) -> Int32 {
        let size = solver.solve(variant: variant, isExpanded: state == 1)
        let first = Int32(result.placements.count)
        writePlacements(size, isMirrored: own.target.isMirrored)
        let room = own.room.room(inRow: own.row)
        let narrowest = solver.slack >= room ? 0 : own.room.narrowestRow(for: room - solver.slack)
        let widest = solver.isWiderOpen ? Int32.max : own.room.widestRow(for: room)
        let (mode, isWiderOpen) = (solver.stampMode, solver.isWiderOpen)
        result.slices.append(
            LayoutSheet.Slice(
                size: size, narrowest: max(narrowest, own.classRows.lowerBound),
                widest: min(widest, own.classRows.upperBound), stamp: mode,
                naturalWidth: isWiderOpen ? size.width : solver.naturalWidth(), placements: first))
        return Int32(result.slices.count - 1)
    }

    private mutating func writePlacements(_ size: PixelSize, isMirrored: Bool) {
        for i in solver.shapes.indices where solver.shapes[i].node >= 0 {
            guard solver.parts[i].isPresent else {
                result.placements.append(.absent)
                continue
            }
            let shape = solver.shapes[i]
            var frame = solver.parts[i].frame
            if isMirrored { frame.left = size.width - frame.right }
            // A radius beyond half of the shorter side means a capsule, or a circle.
            let radius = min(solver.pixels(shape.radius), min(frame.width, frame.height) / 2)
            var placement = LayoutSheet.Placement(frame: frame, radius: radius)
            switch shape.operation {
            case .text: placement.block = block(i, shape, frame.width)
            case .media: placement.fill = solver.parts[i].fill
            case .bars:
                let start = Int32(result.bars.count)
                result.bars += solver.bars(i)
                placement.bars = start..<Int32(result.bars.count)
            case .stack, .row, .flow, .grid, .inset, .overlay, .stamped, .box, .mosaic: break
            }
            result.placements.append(placement)
        }
    }

    /// Where nothing can be expanded after all, one state says it.
    private mutating func dropStates() {
        guard hasStates else { return }
        let pairs = stride(from: 0, to: result.slots.count, by: 2)
        guard pairs.allSatisfy({ isEqual(result.slots[$0], result.slots[$0 + 1]) }) else { return }
        result.slots = pairs.map { result.slots[$0] }
        result.stateCount = 1
    }

    private func isEqual(_ a: Int32, _ b: Int32) -> Bool {
        if a == b { return true }
        let (one, other) = (result.slices[Int(a)], result.slices[Int(b)])
        guard one.size == other.size, one.stamp == other.stamp else { return false }
        let count = result.skeleton.nodes.count
        return (0..<count).allSatisfy { place in
            result.placements[Int(one.placements) + place] == result.placements[Int(other.placements) + place]
        }
    }
}

// Lines.
extension SheetWriter {
    private mutating func block(_ i: Int, _ shape: Shape, _ width: Int32) -> Int32 {
        let place = Int(solver.parts[i].fit)
        let fit = solver.fits[place]
        if fit.block >= 0, fit.blockWidth == width, !shape.traits.contains(.isAligned) {
            return fit.block
        }
        let role = solver.metrics.roles[Int(shape.number)]
        let text = result.skeleton.texts[Int(result.skeleton.nodes[Int(shape.node)].text)]
        let firstLine = Int32(result.lines.count)
        for line in fit.lines { write(solver.lines[line], text.alignment, width) }
        let firstSpan = Int32(result.spans.count)
        if !text.entities.isEmpty { writeSpans(text, fit, role, shape, firstLine) }
        result.blocks.append(
            LayoutSheet.Block(
                fontSize: role.fontSize, pitch: role.pitch, ascent: role.ascent,
                lines: firstLine..<Int32(result.lines.count), spans: firstSpan..<Int32(result.spans.count)))
        solver.fits[place].block = Int32(result.blocks.count - 1)
        solver.fits[place].blockWidth = width
        return solver.fits[place].block
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
        result.lines.append(
            LayoutSheet.BlockLine(start: line.start, end: line.end, left: left, width: own, traits: line.traits))
    }

    private mutating func writeSpans(
        _ text: Skeleton.Text, _ fit: TextFit, _ role: RoleMetrics, _ shape: Shape, _ firstLine: Int32
    ) {
        let breaker = role.breaker.withBox(fit.room << 6)
        for (number, place) in fit.lines.enumerated() {
            let line = solver.lines[place]
            guard text.entities.contains(where: { $0.range.lowerBound < line.end && line.start < $0.range.upperBound })
            else { continue }
            let positions = breaker.positions(of: line, in: shelf[Int(shape.value)])
            let left = result.lines[Int(firstLine) + number].left
            for (entity, found) in text.entities.enumerated() {
                for span in positions.spans(of: found.range.lowerBound, found.range.upperBound) {
                    let start = (span.left - positions.left + 1) >> 6
                    let end = (span.left - positions.left + span.width).wholePixels
                    result.spans.append(
                        LayoutSheet.EntitySpan(
                            entity: Int32(entity), line: Int32(number), left: left + start, width: end - start))
                }
            }
        }
    }
}

extension LayoutSheet.Slice {
    func covers(_ row: Int32) -> Bool { narrowest <= row && row <= widest }
}

extension Target {
    /// Whether only the width differs.
    fileprivate func isAlike(_ other: Target) -> Bool {
        scale == other.scale && textScale == other.textScale && isMirrored == other.isMirrored
    }
}
