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
    private let singles = SingleWidths()

    /// Longer pieces are cut.
    static let longest = 256
    /// Beyond this many unsafe places in a row, only lines of one cluster are measured between two of them.
    private static let mostExactPlaces = 4

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

    /// Each cluster of a stretch by itself tells nearly all. Where each is as wide as it is among the others, as most
    /// Arabic letters are, breaks change nothing; where there are two, as in a kerned pair, they are the two sides.
    private borrowing func measure(
        _ stretch: UnsafeStretch, _ piece: inout Piece, _ text: [UInt16], _ origin: Int, _ face: FontFace,
        _ setting: ShapingBuffer.Setting
    ) {
        let edges = [stretch.start] + stretch.places + [stretch.end]
        var alone: [Int32] = []
        var isSame = true
        for n in 0..<edges.count - 1 {
            let cluster = origin + edges[n]..<origin + edges[n + 1]
            let first = n > 0 ? origin + edges[n - 1] : cluster.lowerBound
            let end = n + 2 < edges.count ? origin + edges[n + 2] : cluster.upperBound
            alone.append(singles.width(of: cluster, in: first..<end, of: text, with: face, as: setting, buffer))
            isSame = isSame && alone[n] == piece.unbroken(edges[n], edges[n + 1])
        }
        if isSame {
            for place in stretch.places { piece.marks[place].remove(.unsafe) }
        } else if stretch.places.count == 1 {
            piece.addUnsafe(
                stretch, stretch.places[0], ending: alone[0] &- piece.unbroken(edges[0], edges[1]),
                beginning: alone[1] &- piece.unbroken(edges[1], edges[2]))
        } else {
            measureExactly(stretch, alone, &piece, text, origin, face, setting)
        }
    }

    private borrowing func measureExactly(
        _ stretch: UnsafeStretch, _ alone: [Int32], _ piece: inout Piece, _ text: [UInt16], _ origin: Int,
        _ face: FontFace, _ setting: ShapingBuffer.Setting
    ) {
        func shaped(_ start: Int, _ end: Int) -> Int32 {
            buffer.width(text, origin + start..<origin + end, with: face, as: setting)
        }
        var deltas: [(ending: Int32, beginning: Int32)] = []
        for place in stretch.places {
            let ending = shaped(stretch.start, place) &- piece.unbroken(stretch.start, place)
            let beginning = shaped(place, stretch.end) &- piece.unbroken(place, stretch.end)
            deltas.append((ending, beginning))
            piece.addUnsafe(stretch, place, ending: ending, beginning: beginning)
        }
        let isShort = stretch.places.count <= PieceShaper.mostExactPlaces
        for n in 0..<stretch.places.count - 1 {
            for m in (n + 1)..<(isShort ? stretch.places.count : n + 2) {
                let (start, end) = (stretch.places[n], stretch.places[m])
                let width = m == n + 1 ? alone[n + 1] : shaped(start, end)
                let sum = piece.unbroken(start, end) &+ deltas[n].beginning &+ deltas[m].ending
                guard width != sum else { continue }
                piece.shortPieces.append(ShortPiece(start: Int32(start), end: Int32(end), units: width))
            }
        }
    }
}

extension Piece {
    fileprivate func unbroken(_ start: Int, _ end: Int) -> Int32 { advances[start..<end].reduce(0, &+) }

    fileprivate mutating func addUnsafe(
        _ stretch: UnsafeStretch, _ place: Int, ending: Int32, beginning: Int32
    ) {
        unsafeBreaks.append(
            UnsafeBreak(
                position: Int32(place), safeBefore: Int32(stretch.start), safeAfter: Int32(stretch.end),
                ending: ending, beginning: beginning))
    }
}

/// A stretch of clusters between which no break is safe, and the places between them.
private struct UnsafeStretch {
    var start: Int
    var end: Int
    var places: [Int]
}
