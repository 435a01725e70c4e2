import Bytes

/// The breaking of any text: bidi, tabs, soft hyphens, several sizes and kerning across opportunities included.
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
        if let end = opportunity(in: text, from: start) { return line(from: start, to: end, traits: []) }
        return wordLine(of: text, from: start)
    }

    /// The last opportunity that fits, if any does. When the text fits, but not the hyphen that would end it,
    /// browsers fill the line anew, with the hyphen's room left free for any end of the line.
    private func opportunity(in text: borrowing MeasuredText, from start: Int32) -> Candidate? {
        let end = lastOpportunity(in: text, from: start, most: most)
        guard let end, end.unhyphenatedWidth + end.hyphen > most else { return end }
        return lastOpportunity(in: text, from: start, most: most - end.hyphen)
    }

    private func lastOpportunity(in text: borrowing MeasuredText, from start: Int32, most: Int32) -> Candidate? {
        var best: Candidate?
        walk(text, from: start, stopping: .opportunities, upTo: most) { candidate in
            if candidate.unhyphenatedWidth <= most { best = candidate }
            return candidate.rawWidth <= most
        }
        return best
    }

    func line(from start: Int32, to end: Candidate, traits: LineTraits) -> Line {
        var traits = traits
        if end.isRightToLeft { traits.insert(.rightToLeft) }
        if end.endsParagraph { traits = traits.subtracting(.emergency).union(.lastOfParagraph) }
        if end.showsHyphen { traits.insert(.hyphen) }
        return Line(start: start, end: end.position, width: end.width, traits: traits)
    }
}

/// A place where a line may end, and the width that the line would have.
struct Candidate {
    var position: Int32
    /// The width with all changes of a break here.
    var width: Int32
    /// The width without them: no later candidate is narrower than this, so a walk that passed the box can stop.
    var rawWidth: Int32
    var isOpportunity: Bool
    var endsParagraph: Bool
    /// The room for a hyphen here; at the end of a paragraph it is not shown, but must be free as well.
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
    /// end, until the visitor answers false or the line is an em wider than `most`: no break takes that much back. The
    /// one place that knows how widths add up.
    @inline(__always)
    func walk(
        _ text: borrowing MeasuredText, from start: Int32, stopping stops: WalkStops, upTo most: Int32 = .max,
        visitor: (Candidate) -> Bool
    ) {
        let pen = Pen(text, at: start, breaker: self)
        walk(text, from: pen, at: Int(start), stopping: stops, upTo: most, visitor: visitor)
    }

    /// Walks from the middle of a line, where a pen stands already.
    @inline(__always)
    func walk(
        _ text: borrowing MeasuredText, from pen: Pen, at position: Int, stopping stops: WalkStops,
        upTo most: Int32 = .max, visitor: (Candidate) -> Bool
    ) {
        let start = Int(pen.start)
        let advances = text.advances.span
        let marks = text.marks.span
        let count = marks.count
        let wanted: UInt8 = stops == .opportunities ? Walk.opportunity : Walk.opportunity | Walk.cluster
        // Hanging units stay with the unit that they follow, even where not one cluster fits.
        let unwanted: UInt8 = stops == .opportunities ? 0 : Walk.space | Walk.newline
        let reach = most == .max ? Int64.max : Int64(most) << 16 + usual.factor.scaled * 1000
        var pen = pen
        var i = position
        while i < count {
            let mark = marks[i]
            if i > start && mark.rawValue & wanted != 0 && mark.rawValue & unwanted == 0 {
                if !visitor(pen.candidate(at: Int32(i), mark: mark, text: text)) { return }
            }
            if i == pen.runEnd { pen.beginRun(text, at: i, breaker: self) }
            if mark.rawValue & (Walk.space | Walk.newline | Walk.softHyphen) == 0 {
                // Letters, up to a unit that needs a closer look.
                let runEnd = min(pen.runEnd, count)
                let limit = reach == .max ? Int64.max : reach - pen.rounded
                var exact = pen.exact
                var isOrdinary = true
                while isOrdinary && exact <= limit {
                    exact &+= Int64(unsafe advances[unchecked: i]) &* pen.factor
                    i &+= 1
                    isOrdinary = i < runEnd
                    if isOrdinary { isOrdinary = unsafe marks[unchecked: i].rawValue & (wanted | Walk.notable) == 0 }
                }
                pen.exact = exact
                pen.keepContent(to: i)
                if exact > limit { return }
                continue
            }
            if mark.contains(.newline) {
                _ = visitor(pen.paragraphEnd(at: Int32(i + 1)))
                return
            }
            if mark.contains(.tab) { pen.advanceToTabStop() } else { pen.exact &+= Int64(advances[i]) &* pen.factor }
            i += 1
            if !mark.contains(.space) { pen.keepContent(to: i, endsInSoftHyphen: mark.contains(.softHyphen)) }
        }
        _ = visitor(pen.paragraphEnd(at: Int32(count)))
    }
}

private enum Walk {
    static let cluster = Marks.cluster.rawValue
    static let opportunity = Marks.opportunity.rawValue
    static let space = Marks.space.rawValue
    static let newline = Marks.newline.rawValue
    static let softHyphen = Marks.softHyphen.rawValue
    static let notable = space | newline | softHyphen
}

/// The state of a walk: the width so far, in 1/64 pixel with 16 more bits. Sums wrap: a stored text may hold any
/// numbers, and must then have some lines, if not sensible ones.
struct Pen {
    let start: Int32
    let startsUnsafe: UnsafeBreak?
    var run: Int
    var runEnd: Int
    var factor: Int64 = 0
    var tab: Int64 = 0
    var isRightToLeft = false
    var hyphen: Int64 = 0
    /// The width of the complete items, each rounded up.
    var rounded: Int64 = 0
    /// The width of the item that is not complete.
    var exact: Int64 = 0
    /// Both, up to the last unit that does not hang.
    private var contentRounded: Int64 = 0
    private var contentExact: Int64 = 0
    private var contentEnd: Int32
    private var endsInSoftHyphen = false

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
        tab = breaker.tab(of: style)
        hyphen = breaker.hyphen(of: style)
        isRightToLeft = next.paragraphLevel & 1 == 1
    }

    var width: Int64 { rounded &+ ceiled(exact) }

    private var content: Int64 { contentRounded &+ ceiled(contentExact) }

    @inline(__always)
    mutating func keepContent(to end: Int, endsInSoftHyphen: Bool = false) {
        contentRounded = rounded
        contentExact = exact
        contentEnd = Int32(truncatingIfNeeded: end)
        self.endsInSoftHyphen = endsInSoftHyphen
    }

    mutating func advanceToTabStop() {
        guard tab > 0 else { return }
        rounded = width
        exact = distance(from: rounded, toStopOf: tab)
    }

    func paragraphEnd(at position: Int32) -> Candidate {
        let width = pixels(content)
        return Candidate(
            position: position, width: width, rawWidth: width, isOpportunity: true, endsParagraph: true,
            hyphen: endsInSoftHyphen ? pixels(hyphen) : 0, showsHyphen: false, isRightToLeft: isRightToLeft)
    }

    func candidate(at position: Int32, mark: Marks, text: borrowing MeasuredText) -> Candidate {
        let content = content
        var width = content
        if mark.contains(.unsafe) && contentEnd == position {
            width = unsafeWidth(text.unsafeBreak(at: position), in: text)
        }
        // At an emergency, too: a line that ends in a soft hyphen always shows it.
        let showsHyphen = endsInSoftHyphen
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

/// The lengths of a style, in 1/64 pixel with 16 more bits.
extension LineBreaker {
    func hyphen(of style: StyleMetrics) -> Int64 { ceiled(Int64(style.hyphen) &* factor(of: style)) }

    /// The distance between tab stops, which stand at multiples of eight spaces.
    func tab(of style: StyleMetrics) -> Int64 { 8 &* Int64(style.space) &* factor(of: style) }

    private func factor(of style: StyleMetrics) -> Int64 {
        factor(unitsPerEm: style.unitsPerEm, percent: style.percent).scaled
    }
}

/// A tab stop closer than half a space is skipped.
func distance(from position: Int64, toStopOf tab: Int64) -> Int64 {
    let distance = tab &- position % tab
    return distance < tab / 16 ? distance &+ tab : distance
}

func ceiled(_ value: Int64) -> Int64 { (value &+ 0xffff) & ~0xffff }

/// A length in 1/64 pixel, never negative, and of four million pixels at most, so that the sum of a few lengths is a
/// length.
func pixels(_ value: Int64) -> Int32 { Int32(max(0, min(value >> 16, LineBreaker.longest))) }

extension MeasuredText {
    /// The run that holds `position`.
    package func run(at position: Int32) -> Int { runs.lastIndex(notAfter: position) { $0.start } }

    func style(at position: Int32) -> StyleMetrics { styles[Int(runs[run(at: position)].style)] }

    /// The units that a break before `position` adds to the line that begins there.
    func beginning(at position: Int32) -> Int32 {
        guard position < count, marks[Int(position)].contains(.unsafe) else { return 0 }
        return unsafeBreak(at: position).beginning
    }

    /// The sum of advances.
    func units(from start: Int32, to end: Int32) -> Int32 {
        let advances = advances.span.extracting(Int(start)..<Int(end))
        var sum: Int32 = 0
        for i in advances.indices { sum &+= unsafe advances[unchecked: i] }
        return sum
    }

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
