internal import Typography

/// The second half of measuring: from an analysed text to runs, shaped pieces and the finished value.
extension Shaper {
    mutating func assemble(boxes: [InlineBox], into text: inout MeasuredText) {
        text.clearDetails()
        text.advances.reset(to: 0, count: analysis.units.count)
        text.marks.reset(to: Marks(rawValue: 0), count: analysis.units.count)
        text.styles = analysis.fonts.count == 1 ? analysis.fonts[0].onlyMetrics : analysis.fonts.map(\.metrics)
        base = 0
        var boxes = boxes[...]
        var i = 0
        for stretch in analysis.stretches {
            while i < stretch.range.upperBound {
                let end = runEnd(from: i, limit: stretch.range.upperBound)
                let box = box(at: i, in: &boxes)
                beginRun(at: i, style: stretch.style, box: box, &text)
                if let box {
                    place(box, at: i, &text)
                } else {
                    shapeRun(i..<end, analysis.fonts[stretch.style], &text)
                }
                if let last = (i..<end).last(where: { analysis.marks[$0] & Unicode.cluster != 0 }) { base = last }
                i = end
            }
        }
        markUnits(&text)
        if analysis.traits.contains(.joins) { analysis.characters.findJoins(text.marks, into: &text.joins) }
        unsafe analysis.units.withUnsafeBufferPointer { unsafe EntityFinder.find(in: $0, into: &text.entities) }
        text.emojiCount = countEmoji()
        text.findStops()
    }

    /// The number of emoji of a text that has nothing else but spaces; else 0.
    private func countEmoji() -> Int32 {
        guard analysis.traits.contains(.emoji) else { return 0 }
        var count: Int32 = 0
        for stretch in analysis.stretches {
            let emoji = analysis.fonts[stretch.style].emoji.map { UInt8($0) }
            for i in stretch.range where analysis.marks[i] & Unicode.cluster != 0 {
                let unit = analysis.units[i]
                if unit == space || unit == newline { continue }
                guard analysis.families[i] == emoji, !analysis.isMissing[i] else { return 0 }
                count += 1
            }
        }
        return count
    }

    /// The end of a run: where font, script, level or style change, and around units that stand in the flow by
    /// themselves.
    private func runEnd(from start: Int, limit: Int) -> Int {
        if isAlone(start) { return start + 1 }
        let (level, script, family) = (analysis.levels[start], analysis.scripts[start], analysis.families[start])
        var i = start + 1
        while i < limit {
            if isAlone(i) || analysis.marks[i] & (TextAnalysis.item | TextAnalysis.cut) != 0 { return i }
            if analysis.levels[i] != level || analysis.scripts[i] != script || analysis.families[i] != family {
                return i
            }
            i += 1
        }
        return limit
    }

    private func isAlone(_ i: Int) -> Bool {
        let unit = analysis.units[i]
        return unit == newline || unit == tab || unit == InlineBox.placeholder
    }

    /// An inline box in the units of its run.
    private struct Box {
        var unitsPerEm: Int32
        var width: Int32
        var ascent: Int32
        var descent: Int32

        init(_ extent: InlineBox.Extent) {
            switch extent {
            case .em(let width, let ascent, let descent):
                (unitsPerEm, self.width, self.ascent, self.descent) = (1000, max(0, width), ascent, descent)
            case .fixed(let width, let ascent, let descent):
                (unitsPerEm, self.width) = (0, max(0, width.raw))
                (self.ascent, self.descent) = (ascent.raw, descent.raw)
            }
        }
    }

    private func box(at i: Int, in boxes: inout ArraySlice<InlineBox>) -> Box? {
        while let first = boxes.first, first.position < i { boxes.removeFirst() }
        guard let box = boxes.first, box.position == i, analysis.units[i] == InlineBox.placeholder else { return nil }
        return Box(box.extent)
    }

    private func place(_ box: Box, at i: Int, _ text: inout MeasuredText) {
        text.advances[i] = box.width
        text.boxes.append(MeasuredBox(position: Int32(i), ascent: box.ascent, descent: box.descent))
    }

    private mutating func beginRun(
        at i: Int, style: Int, box: Box?, _ text: inout MeasuredText
    ) {
        let fonts = analysis.fonts[style]
        let place = Int(analysis.families[i])
        var run = TextRun(
            start: Int32(i), unitsPerEm: box?.unitsPerEm ?? fonts.advanceUnits[place],
            font: box == nil ? UInt16(fonts.places[place]) : TextRun.box, script: analysis.scripts[i],
            level: analysis.levels[i], style: UInt8(clamping: style), paragraphLevel: analysis.paragraphLevels[i])
        if i > 0 {
            let last = text.runs[text.runs.count - 1]
            run.beginsItem =
                isAlone(i) || isAlone(i - 1) || analysis.marks[i] & TextAnalysis.item != 0 || last.level != run.level
                || last.style != run.style
            if analysis.units[i - 1] != newline { run.paragraphLevel = last.paragraphLevel }
        }
        text.runs.append(run)
    }

    /// Sets the marks that need no shaping: clusters, spaces, newlines, opportunities.
    private func markUnits(_ text: inout MeasuredText) {
        let units = analysis.units.span
        let found = analysis.marks.span
        var marks = text.marks.mutableSpan
        var before = newline
        for i in marks.indices {
            let unit = units[i]
            var mark = marks[i].rawValue
            if found[i] & Unicode.cluster != 0 { mark |= Marks.cluster.rawValue }
            if found[i] & Unicode.opportunity != 0 { mark |= Marks.opportunity.rawValue }
            switch unit {
            case space, ideographicSpace: mark |= Marks.space.rawValue
            case tab: mark |= Marks.space.rawValue | Marks.tab.rawValue
            case newline: mark |= Marks.newline.rawValue
            case softHyphen:
                mark |= Marks.softHyphen.rawValue
                // It goes with the letter before it: no caret and no emergency break stands between.
                if before != newline { mark &= ~Marks.cluster.rawValue }
            default: break
            }
            marks[i] = Marks(rawValue: mark)
            before = unit
        }
    }
}
