internal import Typography

/// Repairs of a text that was looked up by pairs: ligatures, and the places where breaks undo kerning.
extension Shaper {
    /// Shapes every stretch of pairs that a substitution may begin with, together with one letter on each side, whose
    /// kerning the substitution may change; farther it does not reach, because nothing but pairs is kerned.
    mutating func shapeLigatures(_ number: Int, _ style: TextStyle, _ result: inout MeasuredText) {
        let entries = pairTables[number].table
        var i = 0
        while i < letters.count - 2 {
            guard entries.contains(.shaped, letters[i], letters[i + 1]) else {
                i += 1
                continue
            }
            var end = i + 2
            while end < letters.count - 1 && entries.contains(.shaped, letters[end - 1], letters[end]) { end += 1 }
            let start = i > 0 && isWord(letters[i - 1]) ? i - 1 : i
            let limit = end < letters.count - 1 && isWord(letters[end]) ? end + 1 : end
            replace(start..<limit, isOpen: limit > end, number, style, &result)
            i = end
        }
    }

    private func isWord(_ letter: UInt8) -> Bool { letter != UInt8(ascii: " ") && letter != Alphabet.newline }

    /// `isOpen` when the last letter of the range only gives context: its own advance depends on what follows it.
    private mutating func replace(
        _ range: Range<Int>, isOpen: Bool, _ number: Int, _ style: TextStyle, _ result: inout MeasuredText
    ) {
        let fonts = styles[style]!
        let alphabet = pairTables[number].table.alphabet
        let units = letters[range].map { UInt16(alphabet.scalars[Int($0)]) }
        let setting = ShapingBuffer.Setting(face: fonts.places[0], script: alphabet.script, isRightToLeft: false)
        let key = PieceCache.Key(setting: setting, units: units[...])
        let piece: Piece
        if let known = cache.piece(key) {
            piece = known
        } else {
            piece = pieces.shape(units, 0..<units.count, with: fonts.faces[0], as: setting) { _ in true }
            cache.insert(piece, for: key)
        }
        let own = isOpen ? piece.advances.count - 1 : piece.advances.count
        for i in 0..<own { result.advances[range.lowerBound + i] = piece.advances[i] }
        for i in 1..<piece.marks.count {
            let place = range.lowerBound + i
            if piece.marks[i].contains(.unsafe) { result.marks[place].insert(.unsafe) } else {
                result.marks[place].remove(.unsafe)
            }
        }
        let offset = Int32(range.lowerBound)
        result.unsafeBreaks += piece.unsafeBreaks.map { $0.moved(by: offset) }
        result.shortPieces += piece.shortPieces.map { $0.moved(by: offset) }
    }

    /// Breaking a kerned pair gives the first letter its own advance back.
    func addKernedPlaces(_ number: Int, _ result: inout MeasuredText) {
        let table = pairTables[number].table
        let shaped = result.unsafeBreaks
        result.unsafeBreaks.removeAll(keepingCapacity: true)
        var rest = shaped[...]
        var i = 1
        while i < result.marks.count {
            guard result.marks[i].contains(.unsafe) else {
                i += 1
                continue
            }
            var end = i + 1
            while end < result.marks.count && result.marks[end].contains(.unsafe) { end += 1 }
            for place in i..<end {
                let position = Int32(place)
                if let known = rest.first, known.position == position {
                    result.unsafeBreaks.append(known)
                    rest.removeFirst()
                } else {
                    let ending = table.baseAdvance(of: letters[place - 1]) - result.advances[place - 1]
                    result.unsafeBreaks.append(
                        UnsafeBreak(
                            position: position, safeBefore: Int32(i - 1), safeAfter: Int32(end), ending: ending,
                            beginning: 0))
                }
            }
            i = end
        }
    }
}

extension PairTable {
    func contains(_ flag: Entry, _ a: UInt8, _ b: UInt8) -> Bool { entries[Int(a) << 8 | Int(b)].contains(flag) }
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

extension Array {
    /// Keeps what is there; what is new is `value`.
    mutating func setCount(_ wanted: Int, to value: Element) {
        if wanted > count {
            append(contentsOf: repeatElement(value, count: wanted - count))
        } else {
            removeLast(count - wanted)
        }
    }
}
