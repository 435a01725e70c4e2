internal import Typography

/// The fast path: texts of one alphabet in one style are looked up pair by pair, and only ligatures are shaped.
extension Shaper {
    /// Measures the text that `lettering` has read, and `analysis` if it is not ASCII. Returns false, and leaves
    /// `result` undefined, where some of it must be shaped in the general way.
    mutating func measureByPairs(_ style: TextStyle, into result: inout MeasuredText) -> Bool {
        guard lettering.count > 0, lettering.letters[0] != UInt8(ascii: " ") else { return false }
        let fonts = fonts(for: style)
        let table = fonts.pairTable(for: lettering.script)
        result.advances.setCount(lettering.count)
        result.marks.setCount(lettering.count, to: Marks(rawValue: 0))
        var seen = lettering.lookUp(in: table, &result.advances, &result.marks)
        if !seen.contains(.known) {
            for (a, b) in zip(lettering.letters, lettering.letters.dropFirst()) {
                table.resolve(a, b, pieces.buffer, fonts.characters)
            }
            seen = lettering.lookUp(in: table, &result.advances, &result.marks)
        }
        guard seen.isDisjoint(with: .general), seen.contains(.letter) else { return false }
        result.clearDetails()
        if seen.contains(.hyphenDigit) { lettering.findHyphenDigits(&result.marks) }
        if seen.contains(.shaped) { shapeLigatures(table, fonts, &result) }
        if !lettering.places.isEmpty { lettering.addKernedPlaces(table, &result) }
        lettering.addRuns(fonts, hasParagraphs: seen.contains(.paragraph), &result)
        lettering.findEntities(in: analysis.units, &result.entities)
        result.findStops()
        return true
    }
}

extension Lettering {
    /// Writes advances, marks and `places`. Returns the flags seen: `known` if every pair is, any other flag if any
    /// pair has it. The loop has no branches, as kerned pairs cannot be predicted.
    fileprivate mutating func lookUp(
        in table: PairTable, _ advances: inout [Int32], _ marks: inout [Marks]
    ) -> PairTable.Entry {
        var all: UInt32 = .max
        var any: UInt32 = 0
        var places = takePlaces()
        let allEntries = table.entries
        let entries = allEntries.span
        let allLetters = letters
        let letters = allLetters.span
        var advances = advances.mutableSpan
        var marks = marks.mutableSpan
        var notable = places.mutableSpan
        var found = 0
        var a = unsafe letters[unchecked: 0]
        var mark = Marks.cluster.rawValue
        if a == UInt8(ascii: " ") { mark |= Marks.space.rawValue }
        if a == Alphabet.newline { mark |= Marks.newline.rawValue }
        for i in 0..<advances.count {
            let b = unsafe letters[unchecked: i &+ 1]
            let entry = unsafe entries[unchecked: Int(a) &<< 8 | Int(b)].rawValue
            all &= entry
            any |= entry
            unsafe advances[unchecked: i] = Int32(truncatingIfNeeded: entry & 0xffff)
            unsafe marks[unchecked: i] = Marks(rawValue: mark)
            unsafe notable[unchecked: found] = Int32(truncatingIfNeeded: i &+ 1)
            found &+= Int((entry &>> 22 | entry &>> 17) & 1)
            mark = UInt8(truncatingIfNeeded: entry &>> 24) | UInt8(truncatingIfNeeded: entry &>> 16 & 0x40)
            a = b
        }
        places.setCount(found)
        self.places = places
        let known = PairTable.Entry.known.rawValue
        return PairTable.Entry(rawValue: any & ~known | all & known)
    }

    /// `places` with room for all letters, moved out because two spans of one value may not be open at once.
    private mutating func takePlaces() -> [Int32] {
        var taken: [Int32] = []
        swap(&taken, &places)
        taken.setCount(letters.count)
        return taken
    }

    /// A hyphen before a digit is an opportunity only after a letter or digit: `2198-|7007`, but `(-1`.
    fileprivate func findHyphenDigits(_ marks: inout [Marks]) {
        for i in 2..<max(2, count) where letters[i - 1] == UInt8(ascii: "-") && 0x30...0x39 ~= letters[i] {
            let before = letters[i - 2]
            if before < 0x80, BrowserBreaks.breaks(between: letters[i - 1], and: letters[i], after: before) {
                marks[i].insert(.opportunity)
            }
        }
    }

    fileprivate func findEntities(in units: [UInt16], _ entities: inout [Entity]) {
        if isASCII {
            unsafe letters.withUnsafeBufferPointer { letters in
                unsafe EntityFinder.find(inASCII: UnsafeBufferPointer(rebasing: letters.dropLast()), into: &entities)
            }
        } else {
            unsafe units.withUnsafeBufferPointer { unsafe EntityFinder.find(in: $0, into: &entities) }
        }
    }

    fileprivate func addRuns(_ fonts: StyleFonts, hasParagraphs: Bool, _ result: inout MeasuredText) {
        result.styles = fonts.onlyMetrics
        addRun(at: 0, fonts, &result)
        guard hasParagraphs else { return }
        for i in 1..<count where letters[i - 1] == Alphabet.newline { addRun(at: i, fonts, &result) }
    }

    private func addRun(at i: Int, _ fonts: StyleFonts, _ result: inout MeasuredText) {
        result.runs.append(
            TextRun(
                start: Int32(i), unitsPerEm: fonts.faces[0].advanceUnits, font: UInt16(fonts.places[0]),
                script: script))
    }

    /// Adds the places between kerned pairs. A break there gives the first letter its own advance back.
    fileprivate func addKernedPlaces(_ table: PairTable, _ result: inout MeasuredText) {
        var ligatures: [UnsafeBreak] = []
        if !result.unsafeBreaks.isEmpty { swap(&ligatures, &result.unsafeBreaks) }
        var (n, next) = (0, 0)
        while n < places.count {
            let first = places[n]
            var end = first
            // Neighbouring places are one stretch.
            while n < places.count && places[n] == end {
                end += 1
                n += 1
            }
            for place in first..<end {
                while next < ligatures.count, ligatures[next].position < place {
                    result.unsafeBreaks.append(ligatures[next])
                    next += 1
                }
                let isLigature = next < ligatures.count && ligatures[next].position == place
                guard !isLigature, result.marks[Int(place)].contains(.unsafe) else { continue }
                let letter = Int(place) - 1
                result.unsafeBreaks.append(
                    UnsafeBreak(
                        position: place, safeBefore: first - 1, safeAfter: end,
                        ending: table.baseAdvance(of: letters[letter]) - result.advances[letter], beginning: 0))
            }
        }
        result.unsafeBreaks += ligatures[next...]
    }
}

extension MeasuredText {
    mutating func clearDetails() {
        runs.removeAll(keepingCapacity: true)
        if !unsafeBreaks.isEmpty { unsafeBreaks.removeAll(keepingCapacity: true) }
        if !shortPieces.isEmpty { shortPieces.removeAll(keepingCapacity: true) }
        if !entities.isEmpty { entities.removeAll(keepingCapacity: true) }
        if !boxes.isEmpty { boxes.removeAll(keepingCapacity: true) }
        joins.removeAll()
        emojiCount = 0
    }
}

extension Array {
    /// Sets the count. Elements that are there stay; new ones are `value`.
    mutating func setCount(_ wanted: Int, to value: Element) {
        if wanted > count {
            append(contentsOf: repeatElement(value, count: wanted - count))
        } else if wanted < count {
            removeLast(count - wanted)
        }
    }
}
