package import Typography

/// Texts in a made-up font, for sums that can be done in the head. At 16 px and scale 1 a unit of it is 1/64 pixel.
///
/// Every letter, space and hyphen is 640 units wide (10 px), ideographs and kana twice that. Hebrew runs from right
/// to left. `AV` is kerned by -100 units, `LJ` by 100, `して` by -30, and `fff` is a ligature of 1200. The rest
/// (numbers between two directions, scripts that join) is for tests of shaping.
package enum Monospaced {
    package static let unitsPerEm: Int32 = 1024
    package static let letter: Int32 = 640

    package static func metrics(percent: Int32 = 100) -> StyleMetrics {
        StyleMetrics(
            unitsPerEm: unitsPerEm, ascent: 896, descent: 256, space: letter, hyphen: letter, ellipsis: letter,
            percent: percent)
    }
}

extension LineBreaker {
    /// A box as wide as so many letters of 10 px.
    package static func letters(_ count: Int32, scale: Scale = .one) -> LineBreaker {
        LineBreaker(width: .points(10 * count), size: .points(16), scale: scale)
    }

    /// A box in 1/64 pixel: for the made-up font, in units.
    package static func units(_ box: Int32) -> LineBreaker {
        LineBreaker(box: box, size: .points(16), scale: .one)
    }
}

extension MeasuredText {
    package static func monospaced(_ text: String) -> MeasuredText { monospaced(RichText(text)) }

    package static func monospaced(_ text: RichText) -> MeasuredText {
        var draft = MonospacedDraft(text)
        return draft.measured()
    }

    /// The same text, to be broken the general way whether it is plain or not.
    package var withoutStops: MeasuredText {
        var text = self
        text.stops = Stops()
        text.segments = Segments()
        return text
    }
}

/// A text while the made-up font measures it.
private struct MonospacedDraft {
    let text: RichText
    let units: [UInt16]
    var advances: [Int32]
    var marks: [Marks]
    var levels: [UInt8]
    var paragraphLevels: [UInt8]
    /// How many newlines stand before each unit.
    let paragraphs: [Int]
    var unsafeBreaks: [UnsafeBreak] = []
    var shortPieces: [ShortPiece] = []

    init(_ text: RichText) {
        self.text = text
        units = text.units
        advances = Array(repeating: 0, count: units.count)
        marks = Array(repeating: [], count: units.count)
        levels = Array(repeating: 0, count: units.count)
        paragraphLevels = levels
        var newlines = 0
        paragraphs = units.map { unit in
            defer { if unit == 0x0a { newlines += 1 } }
            return newlines
        }
    }

    mutating func measured() -> MeasuredText {
        guard !units.isEmpty else { return .empty }
        var i = 0
        for character in String(decoding: units, as: UTF16.self) {
            let count = character.utf16.count
            measureCluster(at: i)
            i += count
        }
        findOpportunities()
        findLevels()
        kern()
        let boxes = text.boxes.map { box in
            let (_, ascent, descent) = Self.measures(of: box)
            return MeasuredBox(position: box.position, ascent: ascent, descent: descent)
        }
        return MeasuredText(
            advances: advances, marks: marks, runs: runs(),
            styles: [Monospaced.metrics()] + text.spans.map { Monospaced.metrics(percent: $0.style.percent) },
            unsafeBreaks: unsafeBreaks, shortPieces: shortPieces, boxes: boxes)
    }

    private mutating func measureCluster(at i: Int) {
        // A soft hyphen goes with the letter before it.
        if units[i] != softHyphen || i == 0 || units[i - 1] == 0x0a { marks[i] = .cluster }
        switch units[i] {
        case 0x20, 0x3000: marks[i].insert(.space)
        case 0x09: marks[i].formUnion([.space, .tab])
        case 0x0a: marks[i].insert(.newline)
        case softHyphen: marks[i].insert(.softHyphen)
        default: break
        }
        switch units[i] {
        case 0x09, 0x0a, softHyphen, 0x200b: break
        case InlineBox.placeholder:
            advances[i] = text.boxes.first { $0.position == Int32(i) }.map { Self.measures(of: $0).width } ?? 0
        default: advances[i] = Self.isWide(units[i]) ? 2 * Monospaced.letter : Monospaced.letter
        }
    }

    private static func measures(of box: InlineBox) -> (width: Int32, ascent: Int32, descent: Int32) {
        switch box.extent {
        case .em(let width, let ascent, let descent): (width, ascent, descent)
        case .fixed(let width, let ascent, let descent): (width.raw, ascent.raw, descent.raw)
        }
    }

    private mutating func findOpportunities() {
        for i in units.indices.dropFirst() where marks[i].contains(.cluster) || Self.hangs(units[i - 1]) {
            let (a, b) = (units[i - 1], units[i])
            guard a != 0x0a, b != 0x0a, !Self.hangs(b) else { continue }
            if Self.hangs(a) || [softHyphen, 0x2d, 0x200b].contains(a) || Self.isWide(a) || Self.isWide(b) {
                marks[i].insert(.opportunity)
            }
        }
    }

    /// Sets the levels. A unit without a direction of its own takes that of its neighbours if they agree, else the
    /// paragraph's.
    private mutating func findLevels() {
        var start = 0
        while start < units.count {
            let end = units[start...].firstIndex(of: 0x0a).map { $0 + 1 } ?? units.count
            let strong = (start..<end).map { Self.isRightToLeft(units[$0]) }
            let base: UInt8 = strong.lazy.compactMap(\.self).first == true ? 1 : 0
            for i in start..<end {
                let before = strong[..<(i - start + 1)].last { $0 != nil } ?? (base == 1)
                let after = strong[(i - start)...].first { $0 != nil } ?? (base == 1)
                let isRightToLeft = before == after ? before == true : base == 1
                levels[i] = isRightToLeft ? 1 : 2 * base
                if [0x09, 0x0a].contains(units[i]) { levels[i] = base }
                paragraphLevels[i] = base
            }
            start = end
        }
    }

    private mutating func kern() {
        for i in units.indices.dropFirst() {
            switch (units[i - 1], units[i]) {
            case (0x41, 0x56): kern(at: i, by: -100)
            case (0x4c, 0x4a): kern(at: i, by: 100)
            case (0x3057, 0x3066): kern(at: i, by: -30)
            default: break
            }
        }
        var i = 0
        while i + 3 <= units.count {
            if units[i..<i + 3].allSatisfy({ $0 == 0x66 }) && isOneRun(i, i + 2) {
                join(at: i)
                i += 2
            }
            i += 1
        }
        unsafeBreaks.sort { $0.position < $1.position }
    }

    private mutating func kern(at i: Int, by units: Int32) {
        guard isOneRun(i - 1, i) else { return }
        advances[i - 1] += units
        marks[i].insert(.unsafe)
        unsafeBreaks.append(unsafe(i, safe: i - 1..<i + 1, ending: -units, beginning: 0))
    }

    private mutating func join(at start: Int) {
        for i in start..<start + 3 { advances[i] = 400 }
        for i in start + 1..<start + 3 { marks[i].insert(.unsafe) }
        unsafeBreaks.append(unsafe(start + 1, safe: start..<start + 3, ending: 240, beginning: 480))
        unsafeBreaks.append(unsafe(start + 2, safe: start..<start + 3, ending: 480, beginning: 240))
        shortPieces.append(ShortPiece(start: Int32(start + 1), end: Int32(start + 2), units: Monospaced.letter))
    }

    private func unsafe(_ i: Int, safe: Range<Int>, ending: Int32, beginning: Int32) -> UnsafeBreak {
        UnsafeBreak(
            position: Int32(i), safeBefore: Int32(safe.lowerBound), safeAfter: Int32(safe.upperBound), ending: ending,
            beginning: beginning)
    }

    private func isOneRun(_ a: Int, _ b: Int) -> Bool {
        (a..<b).allSatisfy { kind($0) == kind($0 + 1) && marks[$0 + 1].contains(.cluster) }
    }

    private func runs() -> [TextRun] {
        units.indices.filter { $0 == 0 || kind($0) != kind($0 - 1) }.map { i in
            let fixed = text.boxes.contains { box in
                if case .fixed = box.extent { box.position == Int32(i) } else { false }
            }
            let before = i > 0 ? kind(i - 1) : nil
            let beginsItem =
                before.map {
                    $0.alone != kind(i).alone || $0.level != levels[i] || $0.paragraph != kind(i).paragraph
                } ?? true
            return TextRun(
                start: Int32(i), unitsPerEm: fixed ? 0 : Monospaced.unitsPerEm,
                font: units[i] == InlineBox.placeholder ? TextRun.box : Self.isWide(units[i]) ? 1 : 0,
                level: levels[i], style: UInt8(kind(i).style), beginsItem: beginsItem || before?.style != kind(i).style,
                paragraphLevel: paragraphLevels[i])
        }
    }

    /// The properties that make a run of its own. Tabs and boxes stand alone, and a paragraph begins with a run.
    private struct Kind: Equatable {
        var level: UInt8
        var style: Int
        var isWide: Bool
        var alone: Int?
        var paragraph: Int
    }

    private func kind(_ i: Int) -> Kind {
        let isAlone = [0x09, InlineBox.placeholder].contains(units[i])
        let style = text.spans.firstIndex { $0.start <= Int32(i) && Int32(i) < $0.end }
        return Kind(
            level: levels[i], style: style.map { $0 + 1 } ?? 0, isWide: Self.isWide(units[i]),
            alone: isAlone ? i : nil, paragraph: paragraphs[i])
    }

    private static func hangs(_ unit: UInt16) -> Bool { [0x20, 0x09, 0x3000].contains(unit) }

    private static func isWide(_ unit: UInt16) -> Bool { 0x3041...0x30ff ~= unit || 0x4e00...0x9fff ~= unit }

    private static func isRightToLeft(_ unit: UInt16) -> Bool? {
        switch unit {
        case 0x590...0x5ff: true
        case 0x41...0x5a, 0x61...0x7a, 0x3041...0x30ff, 0x4e00...0x9fff: false
        default: nil
        }
    }
}

private let softHyphen: UInt16 = 0xad

extension RichText {
    /// A text of up to `words` words that the made-up font knows, with all of its traps: kerning, ligatures, clusters
    /// of several units, two directions, tabs, soft hyphens, larger stretches and boxes. Plain ones have only words.
    package static func random(words: Int, isPlain: Bool = false, using random: inout SplitMix64) -> RichText {
        let plain = [
            "a", "be", "see", "you", "at", "nine", "wonderful", " ", "  ", "\n", "-", "e\u{301}", "fff", "AV", "x",
            "LJ",
        ]
        let others = [
            "漢字", "して", "か", "שלום", "אב", "\t", "sun\u{ad}day", "\u{ad}", "👨‍👩‍👧", "\u{3000}", "\u{200b}", "\u{a0}",
            "\u{fffc}", "LJLJ",
        ]
        let vocabulary = isPlain ? plain : plain + others
        var text = ""
        for _ in 0..<Int.random(in: 0...words, using: &random) {
            text += vocabulary.randomElement(using: &random)!
            if Bool.random(using: &random) { text += " " }
        }
        var rich = RichText(text)
        guard !isPlain else { return rich }
        for i in rich.units.indices where rich.units[i] == InlineBox.placeholder {
            let extents: [InlineBox.Extent] = [
                .em(width: 900, ascent: 1200, descent: 300),
                .fixed(width: .points(24), ascent: .points(30), descent: .zero),
            ]
            rich.boxes.append(InlineBox(position: Int32(i), extent: extents.randomElement(using: &random)!))
        }
        if let start = rich.units.indices.randomElement(using: &random), Bool.random(using: &random) {
            let end = Int.random(in: start...rich.units.count, using: &random)
            rich.spans = [.init(start: Int32(start), end: Int32(end), style: TextStyle(percent: 130))]
        }
        return rich
    }
}
