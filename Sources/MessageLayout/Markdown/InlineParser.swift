/// Reads the marks inside one block. It notes a deed for each unit, and makes the text from these in the end.
///
/// Linear for any input: each search that may fail remembers so, and no unit is searched again for the same thing.
struct InlineParser {
    /// The block as it was written, and the place of each of its units in the source.
    let units: [UInt16]
    let places: [Int32]
    var index = 0
    private var deeds: [Deed]
    private var entities: [MarkedText.Entity] = []
    var delimiters: [DelimiterRun] = []
    private var brackets: [Bracket] = []
    /// The start of the last run of backticks, by its length.
    private var lastBackticks: [Int: Int]?

    /// The effect of a unit.
    private enum Deed {
        case shows, hides
        case opens(Look)
        case closes(Look)
    }

    private struct Bracket {
        var place: Int
        /// The number of delimiters before it.
        var delimiters: Int
    }

    static func text(of stretches: [Range<Int32>], in source: [UInt16]) -> MarkedText {
        let plain = MarkedText(stretches, of: source)
        guard plain.units.contains(where: isMark) else { return plain }
        var parser = InlineParser(units: plain.units, places: stretches.flatMap { $0 })
        parser.read()
        return parser.text(of: source)
    }

    private init(units: [UInt16], places: [Int32]) {
        self.units = units
        self.places = places
        deeds = Array(repeating: .shows, count: units.count)
    }

    private static func isMark(_ unit: UInt16) -> Bool {
        switch unit {
        case .star, .underscore, .tilde, .bar, .backtick, .openBracket, .backslash: true
        default: false
        }
    }
}

extension InlineParser {
    /// The unit at a place; behind the end a newline, so that no mark goes on there.
    func unit(at place: Int) -> UInt16 { place < units.count ? units[place] : .newline }

    /// The end of the run of units like the one at `place`.
    func endOfRun(at place: Int) -> Int {
        var end = place
        while end < units.count, units[end] == units[place] { end += 1 }
        return end
    }

    private mutating func read() {
        while index < units.count {
            switch units[index] {
            case .backslash: readEscape()
            case .backtick: readCode()
            case .openBracket:
                brackets.append(Bracket(place: index, delimiters: delimiters.count))
                index += 1
            case .closeBracket: readEndOfLink()
            case 0x48, 0x68: index = endOfAddress(at: index) ?? index + 1
            case let unit: readDelimiter(DelimiterRun.Kind(unit))
            }
        }
        matchDelimiters(from: 0)
    }

    private mutating func readEscape() {
        let next = unit(at: index + 1)
        guard index + 1 < units.count, next.isASCIIPunctuation || next == .newline else { return index += 1 }
        deeds[index] = .hides
        index += 2
    }

    private mutating func readDelimiter(_ kind: DelimiterRun.Kind?) {
        guard let kind else { return index += 1 }
        let range = index..<endOfRun(at: index)
        index = range.upperBound
        let run = DelimiterRun(
            kind, range, before: neighbour(before: range.lowerBound), after: neighbour(at: range.upperBound))
        if let run { delimiters.append(run) }
    }

    private func neighbour(before place: Int) -> Neighbour {
        guard place > 0 else { return .space }
        let isPair = UTF16.isTrailSurrogate(units[place - 1]) && place > 1 && UTF16.isLeadSurrogate(units[place - 2])
        return neighbour(at: isPair ? place - 2 : place - 1)
    }

    private func neighbour(at place: Int) -> Neighbour {
        guard place < units.count else { return .space }
        // A character of two units counts as a letter, and so does half of it.
        return Unicode.Scalar(units[place]).map(Neighbour.init) ?? .letter
    }

    /// Reads code: from a run of backticks up to the next of the same length. Nothing in between is a mark.
    private mutating func readCode() {
        let start = endOfRun(at: index)
        let length = start - index
        guard last(backticks: length) >= start else { return index = start }
        var close = start
        while unit(at: close) != .backtick || endOfRun(at: close) - close != length {
            close = units[close] == .backtick ? endOfRun(at: close) : close + 1
        }
        hide(index..<start, opening: .monospaced)
        hide(close..<close + length, closing: .monospaced)
        var inside = start..<close
        // One space on each side keeps a backtick of the code apart from those around it.
        if units[start] == .space, units[close - 1] == .space, units[inside].contains(where: { $0 != .space }) {
            deeds[start] = .hides
            deeds[close - 1] = .hides
            inside = start + 1..<close - 1
        }
        add(inside, .code)
        index = close + length
    }

    private mutating func last(backticks length: Int) -> Int {
        if lastBackticks == nil {
            var last: [Int: Int] = [:]
            var place = 0
            while place < units.count {
                let end = endOfRun(at: place)
                if units[place] == .backtick { last[end - place] = place }
                place = end
            }
            lastBackticks = last
        }
        return lastBackticks?[length] ?? -1
    }

    /// Reads the end of a link: with an open bracket before it and an address behind it, the text between them is a
    /// link.
    private mutating func readEndOfLink() {
        let close = index
        index += 1
        guard let bracket = brackets.popLast(), bracket.place + 1 < close,
            let link = LinkAddress(behind: close, in: units)
        else { return }
        matchDelimiters(from: bracket.delimiters)
        hide(bracket.place..<bracket.place + 1)
        hide(close..<link.end)
        add(bracket.place + 1..<close, .url, target: link.address)
        // No link inside another.
        brackets.removeAll(keepingCapacity: true)
        index = link.end
    }
}

extension InlineParser {
    mutating func hide(_ range: Range<Int>, opening look: Look? = nil, closing: Look? = nil) {
        for place in range { deeds[place] = .hides }
        if let look { deeds[range.lowerBound] = .opens(look) }
        if let closing { deeds[range.lowerBound] = .closes(closing) }
    }

    mutating func add(_ range: Range<Int>, _ kind: Skeleton.Text.Entity.Kind, target: String = "") {
        entities.append(.init(range: Int32(range.lowerBound)..<Int32(range.upperBound), kind: kind, target: target))
    }

    private func text(of source: [UInt16]) -> MarkedText {
        var text = MarkedText(units: [])
        text.units.reserveCapacity(units.count)
        var looks = LookCounter()
        /// The place of each unit in the shown text.
        var shown: [Int32] = []
        shown.reserveCapacity(units.count + 1)
        for place in units.indices {
            let end = Int32(text.units.count)
            shown.append(end)
            switch deeds[place] {
            case .hides: break
            case .opens(let look): looks.open(look)
            case .closes(let look): looks.close(look)
            case .shows:
                text.units.append(units[place])
                text.pieces.join(places[place]..<places[place] + 1)
                text.spans.extend(to: end, looks.look)
            }
        }
        shown.append(Int32(text.units.count))
        if text.units.count == source.count { text.pieces = [] }
        // Sorted by their ranges in the source: there, a link that fills a spoiler is still shorter than the spoiler.
        let nested = entities.sorted {
            ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
        }
        text.entities = nested.map { entity in
            var entity = entity
            entity.range = shown[Int(entity.range.lowerBound)]..<shown[Int(entity.range.upperBound)]
            return entity
        }
        return text
    }
}

/// The looks that are open, and how often: strong text inside strong text is no stronger.
private struct LookCounter {
    private var counts = SIMD8<Int32>(repeating: 0)
    private(set) var look: Look = []

    mutating func open(_ added: Look) {
        counts[added.rawValue.trailingZeroBitCount] += 1
        look.insert(added)
    }

    mutating func close(_ ended: Look) {
        counts[ended.rawValue.trailingZeroBitCount] -= 1
        if counts[ended.rawValue.trailingZeroBitCount] == 0 { look.remove(ended) }
    }
}

extension [Skeleton.Text.Span] {
    fileprivate mutating func extend(to place: Int32, _ look: Look) {
        guard look != [] else { return }
        if let last, last.look == look, last.range.upperBound == place {
            self[count - 1].range = last.range.lowerBound..<place + 1
        } else {
            append(.init(range: place..<place + 1, look: look))
        }
    }
}
