internal import Typography

/// The short road: texts of one alphabet in one style are looked up pair by pair, and only ligatures are shaped.
extension Shaper {
    /// Measures `text` if it is all letters of one alphabet; otherwise answers false and leaves `result` undefined.
    mutating func measureByPairs(_ text: String, style: TextStyle, into result: inout MeasuredText) -> Bool {
        if styles[style] == nil { styles[style] = StyleFonts(style, of: fonts) }
        guard readLetters(of: text) else { return false }
        let tableNumber = self.tableNumber(for: style, script: letterScript)
        let count = letters.count - 1
        result.advances.setCount(count)
        result.marks.setCount(count, to: [])
        var seen = lookUp(tableNumber, &result.advances, &result.marks)
        if !seen.contains(.known) {
            resolvePairs(tableNumber)
            seen = lookUp(tableNumber, &result.advances, &result.marks)
        }
        guard seen.isDisjoint(with: .general), seen.contains(.letter) else { return false }
        finish(seen, tableNumber, style, &result)
        return true
    }

    /// Fills `letters` with the alphabet's numbers and a newline behind the last; false when there is some other
    /// character. ASCII, which is most, is copied.
    private mutating func readLetters(of text: String) -> Bool {
        letters.removeAll(keepingCapacity: true)
        var isASCII = true
        letterScript = 25
        var text = text
        text.withUTF8 { bytes in
            unsafe letters.append(contentsOf: bytes)
            var union: UInt8 = 0
            for unsafe byte in unsafe bytes { union |= byte }
            isASCII = union < 0x80
        }
        if !isASCII {
            guard let script = text.utf16.lazy.compactMap({ Alphabet.script(of: $0) }).first,
                let numbers = Shaper.alphabets.first(where: { $0.script == script })?.numbers
            else { return false }
            letterScript = script
            letters.removeAll(keepingCapacity: true)
            for unit in text.utf16 {
                guard unit < numbers.count, numbers[Int(unit)] != 0 else { return false }
                letters.append(numbers[Int(unit)])
            }
        }
        letters.append(Alphabet.newline)
        return letters.count > 1
    }

    static let alphabets: [Alphabet] = [.latin, .greek, .cyrillic]

    private mutating func tableNumber(for style: TextStyle, script: UInt16) -> Int {
        if let known = pairTables.firstIndex(where: { $0.style == style && $0.table.alphabet.script == script }) {
            return known
        }
        let fonts = styles[style]!
        let alphabet = Shaper.alphabets.first { $0.script == script } ?? .latin
        let table = PairTable(alphabet: alphabet, face: fonts.faces[0], place: fonts.places[0])
        pairTables.append((style, table))
        return pairTables.count - 1
    }

    /// Writes advances and marks; answers what was seen: `known` if every pair is, any other flag if any pair has it.
    private func lookUp(_ number: Int, _ advances: inout [Int32], _ marks: inout [Marks]) -> PairTable.Entry {
        var all: UInt32 = .max
        var any: UInt32 = 0
        let table = pairTables[number].table
        let entries = table.entries.span
        let letters = letters.span
        var advances = advances.mutableSpan
        var marks = marks.mutableSpan
        var a = unsafe letters[unchecked: 0]
        var mark = Marks.cluster.rawValue | (a == 0x20 ? Marks.space.rawValue : 0)
        if a == Alphabet.newline { mark |= Marks.newline.rawValue }
        for i in 0..<advances.count {
            let b = unsafe letters[unchecked: i &+ 1]
            let entry = unsafe entries[unchecked: Int(a) << 8 | Int(b)].rawValue
            all &= entry
            any |= entry
            unsafe advances[unchecked: i] = Int32(truncatingIfNeeded: entry & 0xffff)
            unsafe marks[unchecked: i] = Marks(rawValue: mark)
            mark = UInt8(truncatingIfNeeded: entry >> 24) | UInt8(truncatingIfNeeded: entry >> 16 & 0x40)
            a = b
        }
        let known = PairTable.Entry.known.rawValue
        return PairTable.Entry(rawValue: any & ~known | all & known)
    }

    private mutating func resolvePairs(_ number: Int) {
        for i in 0..<letters.count - 1 {
            pairTables[number].table.resolve(letters[i], letters[i + 1], pieces.buffer, unicode)
        }
    }

    private mutating func finish(
        _ seen: PairTable.Entry, _ number: Int, _ style: TextStyle, _ result: inout MeasuredText
    ) {
        if seen.contains(.hyphenDigit) { findHyphenDigits(&result) }
        result.unsafeBreaks.removeAll(keepingCapacity: true)
        result.shortPieces.removeAll(keepingCapacity: true)
        result.entities.removeAll(keepingCapacity: true)
        result.boxes.removeAll(keepingCapacity: true)
        result.emojiCount = 0
        if seen.contains(.shaped) { shapeLigatures(number, style, &result) }
        if seen.contains(.kerned) { addKernedPlaces(number, &result) }
        let fonts = styles[style]!
        if result.styles.count != 1 || result.styles[0] != fonts.metrics { result.styles = [fonts.metrics] }
        result.runs.removeAll(keepingCapacity: true)
        addRun(at: 0, fonts, &result)
        if letters.count > 2 && letters[..<(letters.count - 2)].contains(Alphabet.newline) {
            for i in 1..<letters.count - 1 where letters[i - 1] == Alphabet.newline { addRun(at: i, fonts, &result) }
        }
        result.findStops()
    }

    private func addRun(at i: Int, _ fonts: StyleFonts, _ result: inout MeasuredText) {
        result.runs.append(
            TextRun(
                start: Int32(i), unitsPerEm: fonts.faces[0].advanceUnits, font: UInt16(fonts.places[0]),
                script: letterScript))
    }

    /// A hyphen before a digit is an opportunity only after a letter or digit: `2198-|7007`, but `(-1`.
    private func findHyphenDigits(_ result: inout MeasuredText) {
        for i in 2..<max(2, letters.count - 1) where letters[i - 1] == UInt8(ascii: "-") && 0x30...0x39 ~= letters[i] {
            let before = letters[i - 2]
            if before < 0x80, BrowserBreaks.breaks(between: letters[i - 1], and: letters[i], after: before) {
                result.marks[i].insert(.opportunity)
            }
        }
    }
}
