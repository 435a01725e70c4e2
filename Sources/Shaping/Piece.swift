internal import Typography

/// A shaped stretch of text that nothing beside it influences, by itself: offsets count from its start.
struct Piece {
    var advances: [Int32]
    var marks: [Marks]
    var unsafeBreaks: [UnsafeBreak]
    var shortPieces: [ShortPiece]

}

/// Shapes pieces, and asks the font again for every place where a line may end inside a kerned pair, a ligature or a
/// joined word, so that no line breaker ever has to.
struct PieceShaper: ~Copyable {
    let buffer = ShapingBuffer()

    /// Beyond this many unsafe places in a row, only lines of one cluster are measured between two of them.
    private static let mostExactPlaces = 6

    /// `isCluster(i)` says whether a grapheme cluster begins at unit i of the text.
    borrowing func shape(
        _ text: [UInt16], _ range: Range<Int>, with face: FontFace, as setting: ShapingBuffer.Setting,
        isCluster: (Int) -> Bool
    ) -> Piece {
        var piece = Piece(
            advances: Array(repeating: 0, count: range.count), marks: Array(repeating: [], count: range.count),
            unsafeBreaks: [], shortPieces: [])
        var shaped = [Bool](repeating: false, count: range.count)
        let glyphs = buffer.shape(text, range, with: face, as: setting)
        for i in 0..<glyphs.count {
            let place = glyphs.cluster(i) - range.lowerBound
            piece.advances[place] &+= glyphs.advance(i)
            if glyphs.isUnsafeToBreak(i) { piece.marks[place].insert(.unsafe) }
            if glyphs.glyph(i) == 0 { piece.marks[place].insert(.missingGlyph) }
            shaped[place] = true
        }
        piece.marks[0].remove(.unsafe)
        foldShapedClusters(&piece, shaped, range, isCluster)
        measureUnsafePlaces(&piece, text, range, face, setting)
        return piece
    }

    /// Brings the shaper's clusters and the text's together: a mark of its own goes to its base, and a ligature is
    /// shared out among the letters it stands for.
    private borrowing func foldShapedClusters(
        _ piece: inout Piece, _ shaped: [Bool], _ range: Range<Int>, _ isCluster: (Int) -> Bool
    ) {
        var last = 0
        var i = 0
        while i < range.count {
            let begins = i == 0 || isCluster(range.lowerBound + i)
            if begins {
                piece.marks[i].insert(.cluster)
                last = i
            } else if shaped[i] {
                piece.advances[last] &+= piece.advances[i]
                piece.advances[i] = 0
                if piece.marks[i].contains(.missingGlyph) { piece.marks[last].insert(.missingGlyph) }
                piece.marks[i] = []
            }
            i += 1
        }
        shareLigatures(&piece, shaped)
    }

    private borrowing func shareLigatures(_ piece: inout Piece, _ shaped: [Bool]) {
        var i = 0
        while i < shaped.count {
            var end = i + 1
            while end < shaped.count && !shaped[end] { end += 1 }
            let parts = (i..<end).filter { piece.marks[$0].contains(.cluster) }
            if shaped[i] && parts.count > 1 {
                let whole = piece.advances[i]
                for (n, part) in parts.enumerated() {
                    let count = Int32(parts.count)
                    piece.advances[part] = whole * Int32(n + 1) / count - whole * Int32(n) / count
                    if n > 0 { piece.marks[part].insert(.unsafe) }
                }
            }
            i = end
        }
    }

    private borrowing func measureUnsafePlaces(
        _ piece: inout Piece, _ text: [UInt16], _ range: Range<Int>, _ face: FontFace, _ setting: ShapingBuffer.Setting
    ) {
        var safe = 0
        var unsafePlaces: [Int] = []
        for i in 1..<range.count + 1 {
            let isEnd = i == range.count
            guard isEnd || piece.marks[i].contains(.cluster) else { continue }
            if !isEnd && piece.marks[i].contains(.unsafe) {
                unsafePlaces.append(i)
                continue
            }
            if !unsafePlaces.isEmpty {
                let stretch = UnsafeStretch(start: safe, end: i, places: unsafePlaces)
                measure(stretch, &piece, text, range.lowerBound, face, setting)
                unsafePlaces.removeAll()
            }
            safe = i
        }
    }

    private struct UnsafeStretch {
        var start: Int
        var end: Int
        var places: [Int]
    }

    private borrowing func measure(
        _ stretch: UnsafeStretch, _ piece: inout Piece, _ text: [UInt16], _ origin: Int, _ face: FontFace,
        _ setting: ShapingBuffer.Setting
    ) {
        func shaped(_ start: Int, _ end: Int) -> Int32 {
            buffer.width(text, origin + start..<origin + end, with: face, as: setting)
        }
        let advances = piece.advances
        func unbroken(_ start: Int, _ end: Int) -> Int32 { advances[start..<end].reduce(0, &+) }
        var deltas: [Int: (ending: Int32, beginning: Int32)] = [:]
        for place in stretch.places {
            let ending = shaped(stretch.start, place) &- unbroken(stretch.start, place)
            let beginning = shaped(place, stretch.end) &- unbroken(place, stretch.end)
            deltas[place] = (ending, beginning)
            piece.unsafeBreaks.append(
                UnsafeBreak(
                    position: Int32(place), safeBefore: Int32(stretch.start), safeAfter: Int32(stretch.end),
                    ending: ending, beginning: beginning))
        }
        for (n, start) in stretch.places.enumerated() {
            let reach = stretch.places.count <= PieceShaper.mostExactPlaces ? stretch.places.count : n + 2
            for end in stretch.places[(n + 1)..<min(reach, stretch.places.count)] {
                let width = shaped(start, end)
                let sum = unbroken(start, end) &+ (deltas[start]?.beginning ?? 0) &+ (deltas[end]?.ending ?? 0)
                guard width != sum else { continue }
                piece.shortPieces.append(ShortPiece(start: Int32(start), end: Int32(end), units: width))
            }
        }
    }
}
