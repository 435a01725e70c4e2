internal import Typography

/// The shaping of letters with which a substitution may begin.
extension Shaper {
    /// Shapes every stretch of such pairs together with one letter on each side, whose kerning the substitution may
    /// change; farther it does not reach, because nothing but pairs is kerned.
    mutating func shapeLigatures(_ table: PairTable, _ fonts: StyleFonts, _ result: inout MeasuredText) {
        let letters = lettering.letters
        var handled = 0
        for place in lettering.places.map(Int.init) where place > handled {
            guard table.isShaped(letters[place - 1], letters[place]) else { continue }
            let start = place - 1
            var end = start + 2
            while end < lettering.count && continues(table, at: end) { end += 1 }
            handled = end - 1
            let first = start > 0 && isLetter(letters[start - 1]) ? start - 1 : start
            let isOpen = end < lettering.count && isLetter(letters[end])
            replace(first..<(isOpen ? end + 1 : end), isOpen: isOpen, table, fonts, &result)
        }
    }

    /// Whether the letter at `end` belongs to the stretch before it, or begins another one right there: the two are
    /// shaped together, because the last letter before it may be half of a ligature.
    private func continues(_ table: PairTable, at end: Int) -> Bool {
        let letters = lettering.letters
        if table.isShaped(letters[end - 1], letters[end]) { return true }
        return isLetter(letters[end]) && table.isShaped(letters[end], letters[end + 1])
    }

    private func isLetter(_ letter: UInt8) -> Bool { letter != UInt8(ascii: " ") && letter != Alphabet.newline }

    /// Replaces a range by its shaped piece. `isOpen` when the last letter of the range only gives context: its own
    /// advance depends on the letter behind it.
    private mutating func replace(
        _ range: Range<Int>, isOpen: Bool, _ table: PairTable, _ fonts: StyleFonts, _ result: inout MeasuredText
    ) {
        let piece = stretch(range, table, fonts)
        let own = isOpen ? range.count - 1 : range.count
        for i in 0..<own { result.advances[range.lowerBound + i] = piece.advances[i] }
        for i in 1..<range.count {
            let place = range.lowerBound + i
            result.marks[place].remove(.unsafe)
            result.marks[place].formUnion(piece.marks[i].intersection(.unsafe))
        }
        let offset = Int32(range.lowerBound)
        for place in piece.unsafeBreaks { result.unsafeBreaks.append(place.moved(by: offset)) }
        for short in piece.shortPieces { result.shortPieces.append(short.moved(by: offset)) }
    }

    private mutating func stretch(_ range: Range<Int>, _ table: PairTable, _ fonts: StyleFonts) -> Piece {
        // Eight letters are a key; a longer stretch is no word.
        let isShort = range.count <= 8
        let key = isShort ? lettering.letters[range].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } : 0
        if isShort, let known = table.stretch(key) { return known }
        let units = lettering.letters[range].map { UInt16(table.alphabet.scalars[Int($0)]) }
        let setting = ShapingBuffer.Setting(face: fonts.places[0], script: table.alphabet.script, isRightToLeft: false)
        var piece = Piece()
        piece.begin(count: units.count)
        for i in units.indices { piece.marks[i] = .cluster }
        let characters = units.map { fonts.characters[UInt32($0)] }
        pieces.shape(units, characters, 0..<units.count, with: fonts.faces[0], as: setting, into: &piece)
        if isShort { table.insert(piece, for: key) }
        return piece
    }
}

extension PairTable {
    fileprivate func isShaped(_ a: UInt8, _ b: UInt8) -> Bool {
        entries[Int(a) << 8 | Int(b)].rawValue & Entry.shaped.rawValue != 0
    }
}

extension UnsafeBreak {
    func moved(by offset: Int32) -> UnsafeBreak {
        UnsafeBreak(
            position: position + offset, safeBefore: safeBefore + offset, safeAfter: safeAfter + offset,
            ending: ending, beginning: beginning)
    }
}

extension ShortPiece {
    func moved(by offset: Int32) -> ShortPiece { ShortPiece(start: start + offset, end: end + offset, units: units) }
}
