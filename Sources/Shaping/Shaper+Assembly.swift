internal import Typography

/// The second half of measuring: from an analysed text to runs, shaped pieces and the finished value.
extension Shaper {
    mutating func assemble(boxes: [InlineBox]) -> MeasuredText {
        let count = analysis.units.count
        var draft = Draft(count: count)
        var boxes = boxes[...]
        var i = 0
        for stretch in analysis.stretches {
            while i < stretch.range.upperBound {
                let end = runEnd(from: i, limit: stretch.range.upperBound)
                let box = box(at: i, in: &boxes)
                beginRun(at: i, style: stretch.style, box: box, &draft)
                if let box { place(box, at: i, &draft) } else { shapeRun(i..<end, analysis.fonts[stretch.style], &draft) }
                i = end
            }
        }
        markUnits(&draft)
        return MeasuredText(
            advances: draft.advances, marks: draft.marks, runs: draft.runs,
            styles: analysis.fonts.map(\.metrics), unsafeBreaks: draft.unsafeBreaks,
            shortPieces: draft.shortPieces, boxes: draft.boxes)
    }

    struct Draft {
        var advances: [Int32]
        var marks: [Marks]
        var runs: [TextRun] = []
        var unsafeBreaks: [UnsafeBreak] = []
        var shortPieces: [ShortPiece] = []
        var boxes: [MeasuredBox] = []

        init(count: Int) {
            advances = Array(repeating: 0, count: count)
            marks = Array(repeating: [], count: count)
        }
    }

    /// A run ends where font, script, level or style change, and around what stands in the flow by itself.
    private func runEnd(from start: Int, limit: Int) -> Int {
        if isAlone(start) { return start + 1 }
        var i = start + 1
        while i < limit {
            if isAlone(i) || analysis.levels[i] != analysis.levels[start] { return i }
            if analysis.families[i] != analysis.families[start] || analysis.scripts[i] != analysis.scripts[start] { return i }
            if analysis.marks[i] & TextAnalysis.item != 0 { return i }
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

    private func place(_ box: Box, at i: Int, _ draft: inout Draft) {
        draft.advances[i] = box.width
        draft.boxes.append(MeasuredBox(position: Int32(i), ascent: box.ascent, descent: box.descent))
    }

    private mutating func beginRun(
        at i: Int, style: Int, box: Box?, _ draft: inout Draft
    ) {
        let fonts = analysis.fonts[style]
        let place = Int(analysis.families[i])
        let face = fonts.faces[place]
        let afterNewline = i > 0 && analysis.units[i - 1] == newline
        let paragraphLevel =
            i == 0 || afterNewline ? analysis.paragraphLevels[i] : draft.runs.last!.paragraphLevel
        draft.runs.append(
            TextRun(
                start: Int32(i), unitsPerEm: box?.unitsPerEm ?? face.advanceUnits,
                font: box == nil ? UInt16(fonts.places[place]) : TextRun.box, script: analysis.scripts[i],
                level: analysis.levels[i], style: UInt8(clamping: style),
                beginsItem: beginsItem(at: i, style: style, after: draft.runs.last),
                paragraphLevel: paragraphLevel))
    }

    private func beginsItem(at i: Int, style: Int, after last: TextRun?) -> Bool {
        guard let last, i > 0 else { return true }
        if isAlone(i) || isAlone(i - 1) || analysis.marks[i] & TextAnalysis.item != 0 { return true }
        return last.level != analysis.levels[i] || last.style != UInt8(clamping: style)
    }

    /// Marks that need no shaping: spaces, newlines, opportunities.
    private func markUnits(_ draft: inout Draft) {
        for i in draft.marks.indices {
            // A soft hyphen goes with the letter before it: no caret and no emergency break stands between.
            let isAfterLetter = i > 0 && analysis.units[i] == softHyphen && analysis.units[i - 1] != newline
            if isAfterLetter { draft.marks[i].remove(.cluster) }
            if analysis.marks[i] & Unicode.cluster != 0 && !isAfterLetter { draft.marks[i].insert(.cluster) }
            if analysis.marks[i] & Unicode.opportunity != 0 { draft.marks[i].insert(.opportunity) }
            switch analysis.units[i] {
            case space, ideographicSpace: draft.marks[i].insert(.space)
            case tab: draft.marks[i].formUnion([.space, .tab])
            case newline: draft.marks[i].insert(.newline)
            case softHyphen: draft.marks[i].insert(.softHyphen)
            default: break
            }
        }
    }

    private mutating func shapeRun(_ run: Range<Int>, _ fonts: StyleFonts, _ draft: inout Draft) {
        if run.count == 1 && (analysis.units[run.lowerBound] == newline || analysis.units[run.lowerBound] == tab) {
            return
        }
        let place = Int(analysis.families[run.lowerBound])
        let setting = ShapingBuffer.Setting(
            face: fonts.places[place], script: analysis.scripts[run.lowerBound],
            isRightToLeft: analysis.levels[run.lowerBound] & 1 == 1)
        let face = fonts.faces[place]
        var start = run.lowerBound
        while start < run.upperBound {
            var end = run.upperBound
            if isSpaceSafe(setting.face) {
                let isSpace = analysis.units[start] == space
                end = analysis.units[start..<end].firstIndex { ($0 == space) != isSpace } ?? end
            }
            add(piece(start..<end, face, setting), at: start, &draft)
            start = end
        }
        for i in run where analysis.isMissing[i] { draft.marks[i].insert(.missingGlyph) }
        silenceControls(in: run, fonts, &draft)
        if analysis.marks[run.lowerBound] & Unicode.cluster == 0 { giveToBase(at: run.lowerBound, face, fonts, &draft) }
    }

    /// A run that begins inside a cluster, as a Hebrew point on a Latin letter does, is no place for a caret: its first
    /// glyphs widen the base.
    private func giveToBase(at start: Int, _ face: FontFace, _ fonts: StyleFonts, _ draft: inout Draft) {
        guard let base = analysis.marks[..<start].lastIndex(where: { $0 & Unicode.cluster != 0 }) else { return }
        let units = fonts.faces[Int(analysis.families[base])].advanceUnits
        draft.advances[base] += draft.advances[start] * units / face.advanceUnits
        draft.advances[start] = 0
        if draft.marks[start].contains(.missingGlyph) { draft.marks[base].insert(.missingGlyph) }
        draft.marks[start] = []
    }

    private mutating func piece(_ range: Range<Int>, _ face: FontFace, _ setting: ShapingBuffer.Setting) -> Piece {
        let isAlone = range.count <= PieceCache.longest && !joinsContext(range)
        let key = PieceCache.Key(setting: setting, units: analysis.units[range])
        if isAlone, let known = cache.piece(key) { return known }
        let marks = analysis.marks
        let piece = pieces.shape(analysis.units, range, with: face, as: setting) { marks[$0] & Unicode.cluster != 0 }
        if isAlone { cache.insert(piece, for: key) }
        return piece
    }

    /// Whether a letter beside the piece may change the forms in it.
    private func joinsContext(_ range: Range<Int>) -> Bool {
        func joins(_ unit: UInt16) -> Bool {
            0x600...0x8ff ~= unit || 0x1800...0x18af ~= unit || 0x200c...0x200d ~= unit || unit >= 0xa840
        }
        let before = range.lowerBound > 0 && joins(analysis.units[range.lowerBound - 1])
        return before || range.upperBound < analysis.units.count && joins(analysis.units[range.upperBound])
    }

    private func add(_ piece: Piece, at start: Int, _ draft: inout Draft) {
        for i in piece.advances.indices {
            draft.advances[start + i] = piece.advances[i]
            draft.marks[start + i] = piece.marks[i]
        }
        let offset = Int32(start)
        draft.unsafeBreaks += piece.unsafeBreaks.map { $0.moved(by: offset) }
        draft.shortPieces += piece.shortPieces.map { $0.moved(by: offset) }
    }

    /// Controls are drawn as nothing, and U+2028 and U+2029 as a space.
    private mutating func silenceControls(in run: Range<Int>, _ fonts: StyleFonts, _ draft: inout Draft) {
        for i in run {
            let unit = analysis.units[i]
            if unit < 0x20 || 0x7f..<0xa0 ~= unit {
                draft.advances[i] = 0
                draft.marks[i].remove(.missingGlyph)
            } else if unit == 0x2028 || unit == 0x2029 {
                draft.advances[i] = fonts.metrics.space
                draft.marks[i].remove(.missingGlyph)
            }
        }
    }

    mutating func isSpaceSafe(_ face: Int) -> Bool {
        if let known = spaceSafety[face] { return known }
        let found = fonts.faces[face].isSpaceSafe
        spaceSafety[face] = found
        return found
    }
}
