/// Breaking any text whatever: bidi, tabs, soft hyphens, several sizes and kerning across opportunities included.
extension LineBreaker {
    func breakAnyLines(of text: borrowing MeasuredText, from start: Int32, into lines: inout LineBuffer) {
        var start = start
        while start < text.count {
            let line = line(of: text, from: start)
            lines.append(line)
            start = line.end
        }
    }

    /// The line that begins at `start`.
    func line(of text: borrowing MeasuredText, from start: Int32) -> Line {
        let (end, traits) = lineEnd(of: text, from: start, most: most)
        guard end.unhyphenatedWidth + end.hyphen > most else { return line(from: start, to: end, traits: traits) }
        // The text fits without the hyphen that would end it. Browsers then fill the line anew, with the hyphen's room
        // left free whatever the line will end with.
        let (shorter, shorterTraits) = lineEnd(of: text, from: start, most: most - end.hyphen)
        return line(from: start, to: shorter, traits: shorterTraits)
    }

    /// The last place that fits into `most`, hyphens not counted.
    private func lineEnd(
        of text: borrowing MeasuredText, from start: Int32, most: Int32
    ) -> (end: Candidate, traits: LineTraits) {
        var best: Candidate?
        walk(text, from: start, stopping: .opportunities) { candidate in
            if candidate.unhyphenatedWidth <= most { best = candidate }
            return candidate.rawWidth <= most
        }
        if let best { return (best, []) }
        walk(text, from: start, stopping: .clusters) { candidate in
            if best == nil || candidate.unhyphenatedWidth <= most { best = candidate }
            return candidate.rawWidth <= most
        }
        guard let best else { preconditionFailure("a walk ends with a candidate") }
        return (best, .emergency)
    }

    func line(from start: Int32, to end: Candidate, traits: LineTraits) -> Line {
        var traits = traits
        if end.isRightToLeft { traits.insert(.rightToLeft) }
        if end.endsParagraph { traits = traits.subtracting(.emergency).union(.lastOfParagraph) }
        if end.showsHyphen { traits.insert(.hyphen) }
        return Line(start: start, end: end.position, width: end.width, traits: traits)
    }
}

/// A place where a line may end, and how wide the line would be.
struct Candidate {
    var position: Int32
    /// With all that a break here changes.
    var width: Int32
    /// Without: no later candidate is narrower than this, so a walk that passed the box can stop.
    var rawWidth: Int32
    var isOpportunity: Bool
    var endsParagraph: Bool
    /// What must be free for a hyphen here; at the end of a paragraph it is not shown, but must be free as well.
    var hyphen: Int32
    var showsHyphen: Bool
    var isRightToLeft: Bool

    var unhyphenatedWidth: Int32 { showsHyphen ? width - hyphen : width }
}

enum WalkStops {
    case opportunities, clusters
}

extension LineBreaker {
    /// Walks from the start of a line to the end of its paragraph and shows the visitor each place where the line may
    /// end, until the visitor answers false. The one place that knows how widths add up.
    @inline(__always)
    func walk(
        _ text: borrowing MeasuredText, from start: Int32, stopping stops: WalkStops, visitor: (Candidate) -> Bool
    ) {
        let advances = text.advances.span
        let marks = text.marks.span
        let wanted: Marks = stops == .opportunities ? .opportunity : [.opportunity, .cluster]
        // What hangs stays with what it follows, even where not one cluster fits.
        let unwanted: Marks = stops == .opportunities ? [] : [.space, .newline]
        var pen = Pen(text, at: start, breaker: self)
        var i = Int(start)
        while i < text.count {
            let mark = marks[i]
            if i > start && !mark.isDisjoint(with: wanted) && mark.isDisjoint(with: unwanted) {
                if !visitor(pen.candidate(at: Int32(i), mark: mark, text: text, breaker: self)) { return }
            }
            if i == pen.runEnd { pen.beginRun(text, at: i, breaker: self) }
            if mark.contains(.newline) {
                _ = visitor(pen.paragraphEnd(at: Int32(i + 1)))
                return
            }
            if mark.contains(.tab) { pen.advanceToTabStop() } else { pen.exact &+= Int64(advances[i]) &* pen.factor }
            if !mark.contains(.space) {
                pen.content = pen.width
                pen.contentEnd = Int32(i + 1)
                pen.endsInSoftHyphen = mark.contains(.softHyphen)
            }
            i += 1
        }
        _ = visitor(pen.paragraphEnd(at: Int32(text.count)))
    }
}

extension LineBreaker {
    /// The advance from the start of a line to each of its units, and to its end.
    func logicalPositions(of line: Line, in text: borrowing MeasuredText) -> [Int32] {
        var positions: [Int32] = []
        positions.reserveCapacity(Int(line.end - line.start) + 1)
        var pen = Pen(text, at: line.start, breaker: self)
        for i in Int(line.start)..<Int(line.end) {
            if i == pen.runEnd { pen.beginRun(text, at: i, breaker: self) }
            positions.append(pixels(pen.width))
            if text.marks[i].contains(.tab) {
                pen.advanceToTabStop()
            } else {
                pen.exact &+= Int64(text.advances[i]) &* pen.factor
            }
        }
        positions.append(pixels(pen.width))
        // What a break changes is the first and the last cluster's; a hyphen or an ellipsis is nobody's.
        positions[0] = 0
        let isUnsafe = line.end < text.count && text.marks[Int(line.end)].contains(.unsafe)
        if isUnsafe && line.traits.isDisjoint(with: [.hyphen, .ellipsis])
            && !text.marks[Int(line.end) - 1].contains(.space)
        {
            positions[positions.count - 1] = line.width
        }
        return positions
    }
}

/// Where a walk stands: the width so far, in 1/64 pixel with 16 more bits. Sums wrap: a stored text may hold any numbers,
/// and must then have some lines, if not sensible ones.
struct Pen {
    let start: Int32
    let startsUnsafe: UnsafeBreak?
    var run: Int
    var runEnd: Int
    var factor: Int64 = 0
    var tab: Int64 = 0
    var isRightToLeft = false
    var hyphen: Int64 = 0
    /// Items that are complete, each rounded up.
    var rounded: Int64 = 0
    /// The item that is not.
    var exact: Int64 = 0
    /// Width up to the last unit that does not hang.
    var content: Int64 = 0
    var contentEnd: Int32
    var endsInSoftHyphen = false

    init(_ text: borrowing MeasuredText, at start: Int32, breaker: LineBreaker) {
        self.start = start
        contentEnd = start
        startsUnsafe = text.marks[Int(start)].contains(.unsafe) ? text.unsafeBreak(at: start) : nil
        run = text.run(at: start) - 1
        runEnd = Int(start)
        beginRun(text, at: Int(start), breaker: breaker)
        if let startsUnsafe { exact = Int64(startsUnsafe.beginning) &* factor }
    }

    mutating func beginRun(_ text: borrowing MeasuredText, at i: Int, breaker: LineBreaker) {
        run += 1
        let next = text.runs[run]
        runEnd = run + 1 < text.runs.count ? Int(text.runs[run + 1].start) : text.count
        if next.beginsItem {
            rounded = width
            exact = 0
        }
        let style = text.styles[Int(next.style)]
        factor = breaker.factor(unitsPerEm: next.unitsPerEm, percent: style.percent).scaled
        let styleFactor = breaker.factor(unitsPerEm: style.unitsPerEm, percent: style.percent).scaled
        tab = 8 &* Int64(style.space) &* styleFactor
        hyphen = ceiled(Int64(style.hyphen) &* styleFactor)
        isRightToLeft = next.paragraphLevel & 1 == 1
    }

    var width: Int64 { rounded &+ ceiled(exact) }

    /// Tab stops stand at multiples of eight spaces; one closer than half a space is skipped.
    mutating func advanceToTabStop() {
        guard tab > 0 else { return }
        let position = width
        var distance = tab &- position % tab
        if distance < tab / 16 { distance &+= tab }
        rounded = position
        exact = distance
    }

    func paragraphEnd(at position: Int32) -> Candidate {
        let width = pixels(content)
        return Candidate(
            position: position, width: width, rawWidth: width, isOpportunity: true, endsParagraph: true,
            hyphen: endsInSoftHyphen ? pixels(hyphen) : 0, showsHyphen: false, isRightToLeft: isRightToLeft)
    }

    func candidate(at position: Int32, mark: Marks, text: borrowing MeasuredText, breaker: LineBreaker) -> Candidate {
        var width = content
        if mark.contains(.unsafe) && contentEnd == position {
            width = unsafeWidth(text.unsafeBreak(at: position), in: text)
        }
        let showsHyphen = endsInSoftHyphen && mark.contains(.opportunity)
        if showsHyphen { width &+= hyphen }
        return Candidate(
            position: position, width: pixels(width), rawWidth: pixels(content),
            isOpportunity: mark.contains(.opportunity), endsParagraph: false,
            hyphen: showsHyphen ? pixels(hyphen) : 0, showsHyphen: showsHyphen, isRightToLeft: isRightToLeft)
    }

    private func unsafeWidth(_ end: UnsafeBreak, in text: borrowing MeasuredText) -> Int64 {
        if let startsUnsafe, startsUnsafe.safeAfter > end.position,
            let piece = text.shortPiece(from: start, to: end.position)
        {
            return ceiled(Int64(piece.units) &* factor)
        }
        return rounded &+ ceiled(exact &+ Int64(end.ending) &* factor)
    }
}

private func ceiled(_ value: Int64) -> Int64 { (value &+ 0xffff) & ~0xffff }

/// Never negative, and of four million pixels at most, so that the sum of a few lengths is a length.
private func pixels(_ value: Int64) -> Int32 { Int32(max(0, min(value >> 16, LineBreaker.longest))) }

extension MeasuredText {
    /// The run that holds `position`.
    package func run(at position: Int32) -> Int { runs.lastIndex(notAfter: position) { $0.start } }

    func unsafeBreak(at position: Int32) -> UnsafeBreak {
        let found = unsafeBreaks[unsafeBreaks.lastIndex(notAfter: position) { $0.position }]
        precondition(found.position == position, "every unit marked unsafe has its entry")
        return found
    }

    func shortPiece(from start: Int32, to end: Int32) -> ShortPiece? {
        guard !shortPieces.isEmpty else { return nil }
        // Ordered by start, and few begin at the same place.
        var i = shortPieces.lastIndex(notAfter: start) { $0.start }
        while i >= 0 && shortPieces[i].start == start {
            if shortPieces[i].end == end { return shortPieces[i] }
            i -= 1
        }
        return nil
    }
}

extension Array {
    /// Index of the last element whose key is at most `key`, in an array ordered by key that has one.
    func lastIndex(notAfter key: Int32, by keyOf: (Element) -> Int32) -> Int {
        var low = 0
        var high = count
        while low + 1 < high {
            let middle = (low + high) / 2
            if keyOf(self[middle]) <= key { low = middle } else { high = middle }
        }
        return low
    }
}
