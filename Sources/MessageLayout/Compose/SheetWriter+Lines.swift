import Bytes
import Typography

/// A text as it was written down last: for other variants it is mostly the same.
struct WrittenText {
    var isKnown = LaneMask.none
    var fit = Lanes()
    var width = Lanes()
    var block = Lanes()
}

/// The lines of texts, and the spans of entities on them.
extension SheetWriter {
    /// Writes a text, and returns its blocks; -1 where it is absent.
    mutating func writeText(_ i: Int, _ there: LaneMask) -> Lanes {
        let isAligned = solver.shapes[i].traits.contains(.isAligned)
        var isOther = .!written[i].isKnown .| (written[i].fit .!= solver.texts.broken[i].fit)
        // All other lines begin at the left edge, however wide the text is.
        if isAligned || solver.texts.broken[i].isAnyRightToLeft {
            isOther = isOther .| (written[i].width .!= solver.parts[i].width)
        }
        let isNew = there .& isOther
        if isNew.isAny { write(i, where: isNew, isAligned: isAligned) }
        return written[i].block.replacing(with: -1, where: .!there)
    }

    private mutating func write(_ i: Int, where isNew: LaneMask, isAligned: Bool) {
        written[i].isKnown = written[i].isKnown .| isNew
        written[i].fit.set(solver.texts.broken[i].fit, where: isNew)
        written[i].width.set(solver.parts[i].width, where: isNew)
        for lane in isNew.lanes {
            let fit = Int(written[i].fit.number(in: lane))
            let dependsOnWidth = isAligned || solver.texts.fits[fit].isAnyRightToLeft
            if solver.texts.fits[fit].block < 0
                || dependsOnWidth && solver.texts.fits[fit].blockWidth != written[i].width.number(in: lane)
            {
                let width = written[i].width.number(in: lane)
                let screen = solver.texts.screen(of: lane, in: solver.group)
                writeBlock(i, screen, fit, width, isAligned: isAligned)
                solver.texts.fits[fit].block = Int32(truncatingIfNeeded: blocks.count &- 1)
                solver.texts.fits[fit].blockWidth = width
            }
            written[i].block.put(solver.texts.fits[fit].block, in: lane)
        }
    }

    @inline(__always)
    private mutating func writeBlock(_ i: Int, _ screen: Int, _ fit: Int, _ width: Int32, isAligned: Bool) {
        let (firstLine, firstSpan) = (lines.count, Int32(truncatingIfNeeded: sheet.spans.count))
        if isAligned {
            let node = Int(solver.shapes[i].node)
            let alignment = sheet.skeleton.texts[Int(sheet.skeleton.nodes[node].text)].alignment
            solver.texts.appendLines(of: fit, alignment, in: width, to: &lines)
        } else {
            solver.texts.appendLines(of: fit, .start, in: width, to: &lines)
        }
        if hasEntities { writeSpans(of: fit, i, screen, behind: Int32(firstLine)) }
        let role = solver.screens.face(solver.shapes[i].number, on: screen)
        blocks.append(
            LayoutSheet.Block(
                fontSize: role.fontSize, pitch: role.pitch, ascent: role.ascent,
                lines: Int32(truncatingIfNeeded: firstLine)..<Int32(truncatingIfNeeded: lines.count),
                spans: firstSpan..<Int32(truncatingIfNeeded: sheet.spans.count)))
    }

    @inline(never)
    private mutating func writeSpans(of fit: Int, _ i: Int, _ screen: Int, behind firstLine: Int32) {
        let text = Int(sheet.skeleton.nodes[Int(solver.shapes[i].node)].text)
        if sheet.skeleton.texts[text].entities.isEmpty { return }
        openEntities.begin(text, sheet.skeleton.texts[text].entities)
        writeSpans(fit, i, screen, firstLine)
    }

    private mutating func writeSpans(_ fit: Int, _ i: Int, _ screen: Int, _ firstLine: Int32) {
        let breaker = solver.screens.role(solver.shapes[i].number, on: screen).breaker
        let (shelf, place) = (solver.texts.shelf, Int(solver.shapes[i].value))
        let own = solver.texts.fits[fit]
        for number in 0..<Int(own.lineCount) {
            let line = solver.texts.line(number, of: own)
            openEntities.turn(to: line)
            var positions: LinePositions?
            for entity in openEntities.here {
                let range = openEntities.ranges[entity]
                let (start, end) = (range.lowerBound, range.upperBound)
                if let span = shelf.lend(place, { breaker.plainSpan(of: start, end, on: line, in: $0) }) {
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

    /// Adds a span, given from the start of its line in 1/64 pixel.
    private mutating func add(
        _ span: (left: Int32, width: Int32), of entity: Int, on line: Int, _ firstLine: Int32
    ) {
        // Spaces that hang over the end of a line are not covered: a span there would be drawn beside the text.
        let (left, width) = (lines[Int(firstLine) + line].left, lines[Int(firstLine) + line].width)
        let start = min(max(0, (span.left + 1) >> 6), width)
        let end = min((span.left + span.width).wholePixels, width)
        guard start < end else { return }
        sheet.spans.append(
            LayoutSheet.EntitySpan(entity: Int32(entity), line: Int32(line), left: left + start, width: end - start))
    }
}

extension TextFits {
    /// Appends the lines of a text that was fitted, in a part of some width.
    @inline(__always)
    fileprivate func appendLines(
        of fit: Int, _ alignment: Alignment, in width: Int32, to all: inout Buffer<LayoutSheet.BlockLine>
    ) {
        let first = Int(fits[fit].firstLine)
        let (scale, units) = (fits[fit].factor, firstUnits(of: fits[fit]))
        for number in 0..<Int(fits[fit].lineCount) {
            let line = lines[first &+ number]
            let own = units < 0 ? line.width : scale.pixels(self.units[units &+ number])
            all.append(LayoutSheet.BlockLine(line, own.wholePixels, alignment, in: width))
        }
    }
}

extension LayoutSheet.BlockLine {
    /// - Parameter own: width of the line, in whole device pixels.
    @inline(__always)
    fileprivate init(_ line: Line, _ own: Int32, _ alignment: Alignment, in width: Int32) {
        let isRightToLeft = line.traits.contains(.rightToLeft)
        let left =
            switch alignment {
            case .start: isRightToLeft ? width - own : 0
            case .center: (width - own) / 2
            case .end: isRightToLeft ? 0 : width - own
            }
        self.init(start: line.start, end: line.end, left: left, width: own, traits: line.traits)
    }
}
