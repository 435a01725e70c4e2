internal import Typography

/// A shaped stretch of text, by itself: offsets count from its start. Its neighbours influence it only by the way
/// they join.
struct Piece {
    var advances: [Int32] = []
    var marks: [Marks] = []
    var unsafeBreaks: [UnsafeBreak] = []
    var shortPieces: [ShortPiece] = []

    /// Begins a piece of `count` empty units, in the memory that is there.
    mutating func begin(count: Int) {
        advances.reset(to: 0, count: count)
        marks.reset(to: Marks(rawValue: 0), count: count)
        if !unsafeBreaks.isEmpty { unsafeBreaks.removeAll(keepingCapacity: true) }
        if !shortPieces.isEmpty { shortPieces.removeAll(keepingCapacity: true) }
    }
}

/// A shaper of pieces. It also asks the font about every place where a line may end inside a kerned pair, a ligature
/// or a joined word, so that no line breaker ever has to.
struct PieceShaper: ~Copyable {
    let buffer = ShapingBuffer()
    private var singles = SingleWidths()
    /// Whether the shaper's clusters begin at the units of the piece.
    private var shaped: [Bool] = []
    /// The edges of a stretch of clusters between which no break is safe: its start, the places between them, its end.
    private var edges: [Int] = []
    /// The widths of the clusters between the edges, each by itself.
    private var alone: [Int32] = []

    /// The longest piece. Longer ones are cut.
    static let longest = 256
    /// The most unsafe places in a row of which all lines between two are measured; beyond, only lines of one cluster.
    private static let mostExactPlaces = 4

    /// Shapes a range into `piece`, which has begun, and is marked where grapheme clusters begin, one of them at its
    /// first unit.
    mutating func shape(
        _ text: [UInt16], _ characters: [CharacterRecord], _ range: Range<Int>, with face: FontFace,
        as setting: ShapingBuffer.Setting, into piece: inout Piece
    ) {
        shaped.reset(to: false, count: range.count)
        let glyphs = buffer.shape(text, range, with: face, as: setting)
        for i in 0..<glyphs.count {
            let place = glyphs.cluster(i) - range.lowerBound
            piece.advances[place] &+= glyphs.advance(i)
            if glyphs.isUnsafeToBreak(i) { piece.marks[place].insert(.unsafe) }
            if glyphs.glyph(i) == 0 { piece.marks[place].insert(.missingGlyph) }
            shaped[place] = true
        }
        piece.marks[0].remove(.unsafe)
        foldMarks(&piece)
        shareLigatures(&piece)
        measureUnsafePlaces(&piece, text, characters, range.lowerBound, face, setting)
    }

    /// The width of a cluster that depends on nothing beside it but the way its neighbours join.
    mutating func width(
        of cluster: Range<Int>, in text: [UInt16], _ characters: [CharacterRecord], with face: FontFace,
        as setting: ShapingBuffer.Setting
    ) -> Int32 {
        singles.width(of: cluster, in: text, characters, with: face, as: setting, buffer)
    }

    /// Gives a mark that is a cluster to the shaper alone to its base.
    private func foldMarks(_ piece: inout Piece) {
        var base = 0
        for i in shaped.indices {
            if piece.marks[i].contains(.cluster) {
                base = i
            } else if shaped[i] {
                piece.advances[base] &+= piece.advances[i]
                piece.advances[i] = 0
                if piece.marks[i].contains(.missingGlyph) { piece.marks[base].insert(.missingGlyph) }
                piece.marks[i] = []
            }
        }
    }

    /// Shares a ligature out among the letters it stands for.
    private func shareLigatures(_ piece: inout Piece) {
        var start = 0
        while start < shaped.count {
            var end = start + 1
            while end < shaped.count && !shaped[end] { end += 1 }
            if end > start + 1 && shaped[start] { piece.share(start..<end) }
            start = end
        }
    }

    private mutating func measureUnsafePlaces(
        _ piece: inout Piece, _ text: [UInt16], _ characters: [CharacterRecord], _ origin: Int, _ face: FontFace,
        _ setting: ShapingBuffer.Setting
    ) {
        let count = piece.marks.count
        var safe = 0
        edges.removeAll(keepingCapacity: true)
        for i in 1..<count + 1 where i == count || piece.marks[i].contains(.cluster) {
            if i < count && piece.marks[i].contains(.unsafe) {
                if edges.isEmpty { edges.append(safe) }
                edges.append(i)
                continue
            }
            if !edges.isEmpty {
                edges.append(i)
                measureStretch(&piece, text, characters, origin, face, setting)
                edges.removeAll(keepingCapacity: true)
            }
            safe = i
        }
    }

    /// Measures a stretch. Its clusters by themselves tell nearly all. Where each is as wide as it is among the
    /// others, as most Arabic letters are, breaks change nothing; where there are two, as in a kerned pair, they are
    /// the two sides.
    private mutating func measureStretch(
        _ piece: inout Piece, _ text: [UInt16], _ characters: [CharacterRecord], _ origin: Int, _ face: FontFace,
        _ setting: ShapingBuffer.Setting
    ) {
        let last = edges.count - 1
        var isSame = true
        alone.removeAll(keepingCapacity: true)
        for n in 0..<last {
            let cluster = origin + edges[n]..<origin + edges[n + 1]
            let width = singles.width(of: cluster, in: text, characters, with: face, as: setting, buffer)
            isSame = isSame && width == piece.unbroken(edges[n], edges[n + 1])
            alone.append(width)
        }
        if isSame {
            for place in edges[1..<last] { piece.marks[place].remove(.unsafe) }
        } else if last == 2 {
            piece.addUnsafe(
                edges[1], in: edges[0]..<edges[2], ending: alone[0] &- piece.unbroken(edges[0], edges[1]),
                beginning: alone[1] &- piece.unbroken(edges[1], edges[2]))
        } else {
            measureExactly(&piece, text, characters, origin, face, setting)
        }
    }

    private mutating func measureExactly(
        _ piece: inout Piece, _ text: [UInt16], _ characters: [CharacterRecord], _ origin: Int, _ face: FontFace,
        _ setting: ShapingBuffer.Setting
    ) {
        func shaped(_ start: Int, _ end: Int) -> Int32 {
            singles.width(
                of: origin + start..<origin + end, in: text, characters, with: face, as: setting, buffer)
        }
        let stretch = edges[0]..<edges[edges.count - 1]
        let places = edges[1..<edges.count - 1]
        let known = piece.unsafeBreaks.count
        for place in places {
            piece.addUnsafe(
                place, in: stretch,
                ending: shaped(stretch.lowerBound, place) &- piece.unbroken(stretch.lowerBound, place),
                beginning: shaped(place, stretch.upperBound) &- piece.unbroken(place, stretch.upperBound))
        }
        let isShort = places.count <= PieceShaper.mostExactPlaces
        for n in places.indices.dropLast() {
            for m in (n + 1)..<(isShort ? places.endIndex : n + 2) {
                let (start, end) = (places[n], places[m])
                let width = m == n + 1 ? alone[n] : shaped(start, end)
                let beginning = piece.unsafeBreaks[known + n - 1].beginning
                let ending = piece.unsafeBreaks[known + m - 1].ending
                guard width != piece.unbroken(start, end) &+ beginning &+ ending else { continue }
                piece.shortPieces.append(ShortPiece(start: Int32(start), end: Int32(end), units: width))
            }
        }
    }
}

extension Piece {
    fileprivate func unbroken(_ start: Int, _ end: Int) -> Int32 {
        var sum: Int32 = 0
        for i in start..<end { sum &+= advances[i] }
        return sum
    }

    /// Gives each cluster of the ligature that stands at the first of `letters` its part of the width.
    fileprivate mutating func share(_ letters: Range<Int>) {
        let count = Int32(letters.count { marks[$0].contains(.cluster) })
        guard count > 1 else { return }
        let whole = advances[letters.lowerBound]
        var n: Int32 = 0
        for i in letters where marks[i].contains(.cluster) {
            advances[i] = whole * (n + 1) / count - whole * n / count
            if n > 0 { marks[i].insert(.unsafe) }
            n += 1
        }
    }

    fileprivate mutating func addUnsafe(_ place: Int, in stretch: Range<Int>, ending: Int32, beginning: Int32) {
        unsafeBreaks.append(
            UnsafeBreak(
                position: Int32(place), safeBefore: Int32(stretch.lowerBound), safeAfter: Int32(stretch.upperBound),
                ending: ending, beginning: beginning))
    }
}
