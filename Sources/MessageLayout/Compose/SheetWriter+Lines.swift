import Bytes
import Typography

/// A text as it was written down last: for other variants it is mostly the same.
struct WrittenText {
    var isKnown = LaneMask.none
    var fit = Lanes()
    var width = Lanes()
    var block = Lanes()
    /// Whether lines begin at its left edge, however wide it is.
    var beginsAtLeft = LaneMask.none
}

/// The lines of texts, and what entities cover on them.
extension SheetWriter {
    /// The blocks of a text; -1 where it is not there.
    mutating func writeText(_ i: Int, _ there: LaneMask) -> Lanes {
        let isAsWide = written[i].beginsAtLeft .| (written[i].width .== solver.parts[i].width)
        let isNew =
            there .& .!(written[i].isKnown .& isAsWide .& (written[i].fit .== solver.brokenTexts[i].fit))
        if isNew.isAny {
            for lane in isNew.lanes { write(i, lane) }
        }
        return written[i].block.replacing(with: -1, where: .!there)
    }

    private mutating func write(_ i: Int, _ lane: Int) {
        let fit = Int(solver.brokenTexts[i].fit[lane])
        let width = solver.parts[i].width[lane]
        let beginsAtLeft = !solver.shapes[i].traits.contains(.isAligned) && !solver.fits[fit].isAnyRightToLeft
        if solver.fits[fit].block < 0 || !beginsAtLeft && solver.fits[fit].blockWidth != width {
            solver.fits[fit].block = newBlock(i, solver.screen(of: lane), solver.fits[fit], width)
            solver.fits[fit].blockWidth = width
        }
        written[i].isKnown[lane] = true
        (written[i].fit[lane], written[i].width[lane]) = (Int32(truncatingIfNeeded: fit), width)
        written[i].block[lane] = solver.fits[fit].block
        written[i].beginsAtLeft[lane] = beginsAtLeft
    }

    @inline(never)
    private mutating func newBlock(_ i: Int, _ screen: Int, _ fit: TextFit, _ width: Int32) -> Int32 {
        let text = Int(sheet.skeleton.nodes[Int(solver.shapes[i].node)].text)
        let alignment = solver.shapes[i].traits.contains(.isAligned) ? sheet.skeleton.texts[text].alignment : .start
        let firstLine = Int32(sheet.lines.count)
        let first = Int(fit.firstLine)
        for line in first..<first + Int(fit.lineCount) { write(solver.lines[line], alignment, width) }
        let firstSpan = Int32(sheet.spans.count)
        if hasEntities, !sheet.skeleton.texts[text].entities.isEmpty {
            writeSpans(sheet.skeleton.texts[text], fit, i, screen, firstLine)
        }
        let role = solver.screens.role(solver.shapes[i].number, on: screen)
        sheet.blocks.append(
            LayoutSheet.Block(
                fontSize: role.fontSize, pitch: role.pitch, ascent: role.ascent,
                lines: firstLine..<Int32(sheet.lines.count), spans: firstSpan..<Int32(sheet.spans.count)))
        return Int32(sheet.blocks.count - 1)
    }

    @inline(__always)
    private mutating func write(_ line: Line, _ alignment: Alignment, _ width: Int32) {
        let own = line.width.wholePixels
        let isRightToLeft = line.traits.contains(.rightToLeft)
        let left =
            switch alignment {
            case .start: isRightToLeft ? width - own : 0
            case .center: (width - own) / 2
            case .end: isRightToLeft ? 0 : width - own
            }
        sheet.lines.append(
            LayoutSheet.BlockLine(start: line.start, end: line.end, left: left, width: own, traits: line.traits))
    }

    private mutating func writeSpans(
        _ text: Skeleton.Text, _ fit: TextFit, _ i: Int, _ screen: Int, _ firstLine: Int32
    ) {
        let breaker = solver.breaker(i, on: screen, room: fit.room)
        let place = Int(solver.shapes[i].value)
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
        let left = sheet.lines[Int(firstLine) + line].left
        sheet.spans.append(
            LayoutSheet.EntitySpan(entity: Int32(entity), line: Int32(line), left: left + start, width: end - start))
    }
}
