internal import Typography

/// The shaping of one run, in pieces as small as nothing reaches across, because small pieces were seen before.
extension Shaper {
    mutating func shapeRun(_ run: Range<Int>, _ fonts: StyleFonts, _ text: inout MeasuredText) {
        let first = analysis.units[run.lowerBound]
        if run.count == 1 && (first == newline || first == tab) { return }
        let place = Int(analysis.families[run.lowerBound])
        fonts.prepare(place)
        var setting = ShapingBuffer.Setting(
            face: fonts.places[place], script: analysis.scripts[run.lowerBound],
            isRightToLeft: analysis.levels[run.lowerBound] & 1 == 1)
        setting.attachesMarks = attachesMarks(in: setting.script, place, fonts)
        let face = fonts.faces[place]
        var start = run.lowerBound
        while start < run.upperBound {
            let end = analysis.clusterEnd(after: start, limit: run.upperBound)
            if isInert(start..<end, place) {
                text.advances[start] = inertAdvance(start..<end, face, setting)
                start = end
            } else {
                let end = pieceEnd(from: start, in: run, place, fonts, face, setting)
                addPiece(start..<end, fonts, face, setting, &text)
                start = end
            }
        }
        if analysis.hasMissing { for i in run where analysis.isMissing[i] { text.marks[i].insert(.missingGlyph) } }
        if !analysis.traits.isDisjoint(with: [.control, .separator]) { silenceControls(in: run, fonts, &text) }
        if analysis.marks[run.lowerBound] & Unicode.cluster == 0 { giveToBase(at: run.lowerBound, face, fonts, &text) }
    }

    /// Whether marks must be attached. A break between a base and a mark that is a cluster of its own is not safe,
    /// and attaching tells so. Hebrew shapers compose letters where marks are not attached.
    private func attachesMarks(in script: UInt16, _ place: Int, _ fonts: StyleFonts) -> Bool {
        !fonts.marksOnlyAttach[place] || script == ScriptRuns.hebrew || analysis.traits.contains(.clusterMark)
    }

    /// Whether the cluster is one inert or lone character, drawn by its first family.
    private func isInert(_ cluster: Range<Int>, _ place: Int) -> Bool {
        let record = analysis.characters[cluster.lowerBound]
        guard !record.traits.isDisjoint(with: [.inert, .lone]), cluster.count == record.length else { return false }
        return record.family.place == place
    }

    private mutating func inertAdvance(
        _ cluster: Range<Int>, _ face: FontFace, _ setting: ShapingBuffer.Setting
    ) -> Int32 {
        let record = analysis.characters[cluster.lowerBound]
        if record.traits.contains(.inert) { return record.advance }
        return pieces.width(of: cluster, in: analysis.units, analysis.characters, with: face, as: setting)
    }

    /// The end of a piece: at a space, beside an inert character, around an emoji, and between the words of scripts
    /// that write without spaces, unless the letters on both sides belong together.
    private mutating func pieceEnd(
        from start: Int, in run: Range<Int>, _ place: Int, _ fonts: StyleFonts, _ face: FontFace,
        _ setting: ShapingBuffer.Setting
    ) -> Int {
        var end = analysis.clusterEnd(after: start, limit: run.upperBound)
        if face.strike != nil { return end }
        let isSpace = fonts.isSpaceSafe[place] ? analysis.units[start] == space : false
        var last = start
        while end < run.upperBound {
            if fonts.isSpaceSafe[place] && (analysis.units[end] == space) != isSpace { return end }
            let next = analysis.clusterEnd(after: end, limit: run.upperBound)
            if isInert(end..<next, place) { return end }
            if mayCut(before: end), isSafeToCut(last..<next, at: end, face, setting) { return end }
            last = end
            end = next
        }
        return end
    }

    private func mayCut(before i: Int) -> Bool {
        guard analysis.marks[i] & Unicode.opportunity != 0 else { return false }
        return !analysis.characters[i].traits.isDisjoint(with: [.needsDictionary, .eastAsian])
    }

    /// Whether shaping the two clusters by themselves gives the same as shaping them together.
    private mutating func isSafeToCut(
        _ clusters: Range<Int>, at cut: Int, _ face: FontFace, _ setting: ShapingBuffer.Setting
    ) -> Bool {
        let setting = joined(clusters, setting)
        guard clusters.count <= PieceCache.longest, !setting.joins else { return false }
        let isCached = beginsCluster(clusters)
        if isCached, let marks = cache.marks(at: cut - clusters.lowerBound, of: analysis.units, clusters, setting) {
            return !marks.contains(.unsafe)
        }
        shape(clusters, face, setting)
        if isCached { cache.insert(piece, for: analysis.units, clusters, setting) }
        return !piece.marks[cut - clusters.lowerBound].contains(.unsafe)
    }

    private mutating func addPiece(
        _ range: Range<Int>, _ fonts: StyleFonts, _ face: FontFace, _ setting: ShapingBuffer.Setting,
        _ text: inout MeasuredText
    ) {
        guard range.count <= PieceCache.longest else {
            addLongPiece(range, face, setting, &text)
            return
        }
        let setting = joined(range, setting)
        let isCached = beginsCluster(range)
        if addPairs(range, fonts, setting, &text) { return }
        if isCached && cache.add(analysis.units, range, setting, to: &text) { return }
        shape(range, face, setting)
        if isCached { cache.insert(piece, for: analysis.units, range, setting) }
        text.add(piece, at: range.lowerBound)
    }

    /// Whether a range begins a cluster. A piece that begins inside one is not cached: the text before it decides
    /// where clusters begin in it.
    private func beginsCluster(_ range: Range<Int>) -> Bool {
        analysis.marks[range.lowerBound] & Unicode.cluster != 0
    }

    /// Adds a piece that is longer than any word, cut between clusters where there are several. The shaper's time
    /// grows with the square of a pile of marks.
    private mutating func addLongPiece(
        _ range: Range<Int>, _ face: FontFace, _ setting: ShapingBuffer.Setting, _ text: inout MeasuredText
    ) {
        var start = range.lowerBound
        while start < range.upperBound {
            let most = min(start + PieceShaper.longest, range.upperBound)
            var end = most
            while end < range.upperBound && end > start && analysis.marks[end] & Unicode.cluster == 0 { end -= 1 }
            if end == start { end = most }
            shape(start..<end, face, setting)
            text.add(piece, at: start)
            start = end
        }
    }

    /// Adds a word by its pairs, if they decide about it: it needs no shaping, and no cache either.
    private func addPairs(
        _ range: Range<Int>, _ fonts: StyleFonts, _ setting: ShapingBuffer.Setting, _ text: inout MeasuredText
    ) -> Bool {
        let hasAlphabet = Alphabet.all.contains { $0.script == setting.script }
        guard setting.face == fonts.places[0], !setting.isRightToLeft, hasAlphabet else { return false }
        let table = fonts.pairTable(for: setting.script)
        var isKerned = false
        var letter = table.alphabet.letter(of: analysis.units[range.lowerBound])
        for i in range {
            let isLast = i + 1 == range.upperBound
            let next = isLast ? Alphabet.newline : table.alphabet.letter(of: analysis.units[i + 1])
            table.resolve(letter, next, pieces.buffer, fonts.characters)
            let entry = table.entry(letter, next)
            guard entry.isDisjoint(with: [.general, .shaped]) else { return false }
            text.advances[i] = entry.advance
            if entry.contains(.kerned) {
                text.marks[i + 1].insert(.unsafe)
                isKerned = true
            }
            letter = next
        }
        if isKerned { addKernedPlaces(in: range, table, &text) }
        return true
    }

    /// Adds the places between kerned pairs. A break there gives the first letter its own advance back.
    private func addKernedPlaces(in range: Range<Int>, _ table: PairTable, _ text: inout MeasuredText) {
        var i = range.lowerBound + 1
        while i < range.upperBound {
            let first = i
            while i < range.upperBound && text.marks[i].contains(.unsafe) {
                let letter = table.alphabet.letter(of: analysis.units[i - 1])
                text.unsafeBreaks.append(
                    UnsafeBreak(
                        position: Int32(i), safeBefore: Int32(first - 1), safeAfter: 0,
                        ending: table.baseAdvance(of: letter) - text.advances[i - 1], beginning: 0))
                i += 1
            }
            for n in text.unsafeBreaks.count - (i - first)..<text.unsafeBreaks.count {
                text.unsafeBreaks[n].safeAfter = Int32(i)
            }
            i += 1
        }
    }

    /// Shapes a range into `piece`.
    private mutating func shape(_ range: Range<Int>, _ face: FontFace, _ setting: ShapingBuffer.Setting) {
        piece.begin(count: range.count)
        for i in range where i == range.lowerBound || analysis.marks[i] & Unicode.cluster != 0 {
            piece.marks[i - range.lowerBound] = .cluster
        }
        pieces.shape(analysis.units, analysis.characters, range, with: face, as: setting, into: &piece)
    }

    /// The setting with the joining of the letters beside the piece, which may change the forms in it.
    private func joined(_ range: Range<Int>, _ setting: ShapingBuffer.Setting) -> ShapingBuffer.Setting {
        analysis.traits.contains(.joins) ? setting.at(range, of: analysis.characters) : setting
    }

    /// Gives the first glyphs of a run to the base before it. A run that begins inside a cluster, as a Hebrew point
    /// on a Latin letter does, is no place for a caret: its first glyphs widen the base.
    private func giveToBase(at start: Int, _ face: FontFace, _ fonts: StyleFonts, _ text: inout MeasuredText) {
        let units = Int64(fonts.faces[Int(analysis.families[base])].advanceUnits)
        let advance = Int64(text.advances[start]) * units / Int64(face.advanceUnits)
        text.advances[base] &+= Int32(truncatingIfNeeded: advance)
        text.advances[start] = 0
        if text.marks[start].contains(.missingGlyph) { text.marks[base].insert(.missingGlyph) }
        text.marks[start] = []
    }

    /// Controls are drawn as nothing, and U+2028 and U+2029 as a space.
    private mutating func silenceControls(in run: Range<Int>, _ fonts: StyleFonts, _ text: inout MeasuredText) {
        for i in run {
            let unit = analysis.units[i]
            if unit < 0x20 || 0x7f..<0xa0 ~= unit {
                text.advances[i] = 0
                text.marks[i].remove(.missingGlyph)
            } else if unit == 0x2028 || unit == 0x2029 {
                text.advances[i] = fonts.metrics.space
                text.marks[i].remove(.missingGlyph)
            }
        }
    }
}
