import Bytes
import Typography

/// The lines of texts, and what entities cover on them.
extension SheetWriter {
    @inline(__always)
    mutating func block(_ i: Int, _ width: Int32) -> Int32 {
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

extension Solver {
    /// Whether the lines of a text begin at its left edge, however wide it is.
    @inline(__always)
    fileprivate func beginsAtLeft(_ i: Int) -> Bool {
        !shapes[i].traits.contains(.isAligned) && !fits[Int(parts[i].fit)].isAnyRightToLeft
    }
}
