internal import Typography

/// The facts about one text before it is shaped, by UTF-16 unit. Kept from text to text, so that nothing is allocated.
struct TextAnalysis {
    var units: [UInt16] = []
    /// The record of each unit, or of the character that it is half of.
    var characters: [CharacterRecord] = []
    /// `Unicode.cluster`, `Unicode.opportunity`, `TextAnalysis.item`, `TextAnalysis.cut`.
    var marks: [UInt16] = []
    var levels: [UInt8] = []
    /// The level of the paragraph that begins at each unit; only set there.
    var paragraphLevels: [UInt8] = []
    var scripts: [UInt16] = []
    /// The place of the family in the style's order, for the first unit of each cluster.
    var families: [UInt8] = []
    /// Clusters of which no family has all.
    var isMissing: [Bool] = []
    var hasMissing = false
    /// The styles that the text uses, and below their fonts and stretches.
    var styles: [TextStyle] = []
    var fonts: [StyleFonts] = []
    var stretches: [Stretch] = []
    /// The traits of all characters together.
    var traits: CharacterTraits = []
    var isASCII = true

    static let item: UInt16 = 4
    /// The unit is not shaped with the text before it, but rounded with it.
    static let cut: UInt16 = 8

    /// The most units that are shaped together. Shapers take the square of the time for a pile of marks; a higher one
    /// is no writing.
    private static let mostTogether = 256

    /// A part of the text in one style.
    struct Stretch {
        var range: Range<Int>
        var style: Int
    }

    mutating func read(_ text: [UInt16]) {
        units = text
        replaceLoneSurrogates()
    }

    /// Begins the analysis of the units that are here.
    mutating func begin(_ style: TextStyle, _ spans: [RichText.Span] = []) {
        let count = units.count
        characters.reset(to: CharacterRecord(), count: count)
        marks.reset(to: 0, count: count)
        levels.reset(to: 0, count: count)
        paragraphLevels.reset(to: 0, count: count)
        scripts.reset(to: ScriptRuns.common, count: count)
        families.reset(to: 0, count: count)
        isMissing.reset(to: false, count: count)
        hasMissing = false
        traits = []
        isASCII = true
        findStretches(spans, style)
    }

    private mutating func replaceLoneSurrogates() {
        var i = 0
        while i < units.count {
            let (scalar, length) = units.scalar(at: i)
            if scalar == 0xfffd { units[i] = 0xfffd }
            i += length
        }
    }

    /// Finds the stretches. Spans that are out of order, overlap or reach past the text are cut to the part that is
    /// left for them.
    private mutating func findStretches(_ spans: [RichText.Span], _ style: TextStyle) {
        styles = [style]
        stretches = []
        var position = 0
        for span in spans {
            let start = max(position, min(Int(span.start), units.count))
            let end = max(start, min(Int(span.end), units.count))
            if start > position { stretches.append(Stretch(range: position..<start, style: 0)) }
            if end > start { stretches.append(Stretch(range: start..<end, style: number(of: span.style))) }
            position = end
        }
        if position < units.count { stretches.append(Stretch(range: position..<units.count, style: 0)) }
    }

    private mutating func number(of style: TextStyle) -> Int {
        if let known = styles.firstIndex(of: style) { return known }
        styles.append(style)
        return styles.count - 1
    }

    mutating func readCharacters() {
        for stretch in stretches { readCharacters(in: stretch.range, fonts[stretch.style].characters) }
    }

    /// Looks up the characters of a range. No other place asks the table.
    mutating func readCharacters(in range: Range<Int>, _ table: CharacterTable) {
        var found: UInt32 = 0
        var all: UInt32 = 0
        let units = units
        var characters = characters.mutableSpan
        var i = range.lowerBound
        while i < range.upperBound {
            let (scalar, length) = units.scalar(at: i)
            let record = table[scalar]
            found |= record.traits.rawValue
            all |= scalar
            characters[i] = record
            if length == 2 { characters[i + 1] = record }
            i += length
        }
        traits.formUnion(CharacterTraits(rawValue: found))
        if all >= 0x80 { isASCII = false }
    }

    mutating func findClusters() {
        if traits.isDisjoint(with: [.mayJoinClusters, .twoUnits]) {
            marks.reset(to: Unicode.cluster, count: units.count)
        } else {
            GraphemeClusters.mark(&marks, of: characters, units)
        }
    }

    mutating func findOpportunities(_ unicode: borrowing Unicode) {
        if !isASCII { LineBreakRules.mark(&marks, of: units, characters) }
        if traits.contains(.needsDictionary) { findWords(unicode) }
        BrowserBreaks.correct(&marks, of: units)
        if !isASCII { BrowserBreaks.moveBehindIdeographicSpaces(&marks, of: units) }
    }

    /// Marks the words of scripts that write no spaces between them.
    private mutating func findWords(_ unicode: borrowing Unicode) {
        let khmer = traits.contains(.khmer) ? KhmerDictionary.installed.map(KhmerBreaker.init) : nil
        let kinds: CharacterTraits = khmer == nil ? .needsDictionary : [.needsDictionary, .khmer]
        var run = 0..<0
        var kind: CharacterTraits = []
        for i in units.indices {
            let next = characters[i].traits.intersection(kinds)
            if next != kind {
                markWords(of: kind, in: run, unicode, khmer)
                run = i..<i
                kind = next
            }
            run = run.lowerBound..<i + 1
        }
        markWords(of: kind, in: run, unicode, khmer)
    }

    private mutating func markWords(
        of kind: CharacterTraits, in run: Range<Int>, _ unicode: borrowing Unicode, _ khmer: KhmerBreaker?
    ) {
        if let khmer, kind.contains(.khmer) {
            khmer.mark(&marks, of: units, in: run)
        } else if kind.contains(.needsDictionary) {
            unicode.markWords(of: units, in: run, marks: &marks)
        }
    }

    /// Marks the places where browsers begin to shape anew for any characters: at U+200C, which thus forbids kerning
    /// too, and behind the spaces that a paragraph begins with.
    mutating func findItems() {
        var isLeading = true
        for i in units.indices {
            let unit = units[i]
            if unit == nonJoiner { marks[i] |= TextAnalysis.item }
            if isLeading && unit != space {
                if i > 0 && units[i - 1] == space { marks[i] |= TextAnalysis.item }
                isLeading = false
            }
            if unit == newline { isLeading = true }
        }
    }

    mutating func findLevels(_ unicode: borrowing Unicode) {
        guard traits.contains(.bidi) else { return }
        var start = 0
        while start < units.count {
            let end = units[start...].firstIndex(of: newline).map { $0 + 1 } ?? units.count
            paragraphLevels[start] = unicode.findLevels(of: units, in: start..<end, into: &levels)
            start = end
        }
    }

    mutating func chooseFonts() {
        for stretch in stretches { chooseFonts(in: stretch) }
    }

    private mutating func chooseFonts(in stretch: Stretch) {
        let fonts = fonts[stretch.style]
        var i = stretch.range.lowerBound
        while i < stretch.range.upperBound {
            // Most clusters are one letter that some family has.
            let record = characters[i]
            if let place = record.family.place, !record.traits.contains(.emoji),
                isShapedAlone(i, stretch.range.upperBound)
            {
                families[i] = UInt8(place)
                i += 1
                continue
            }
            var end = shapedTogether(from: i, limit: stretch.range.upperBound)
            if end - i >= TextAnalysis.mostTogether && end < units.count { marks[end] |= TextAnalysis.cut }
            if end > i + 1 { end = cutBehindEmoji(i..<end) }
            let (place, missing) = FontFallback.family(for: i..<end, of: units, characters, fonts)
            families[i] = UInt8(place)
            if missing {
                isMissing[i] = true
                hasMissing = true
            }
            for unit in i..<end { families[unit] = UInt8(place) }
            i = end
        }
    }

    /// The place behind the cluster that begins at `i`.
    func clusterEnd(after i: Int, limit: Int) -> Int {
        var end = i + 1
        while end < limit && marks[end] & Unicode.cluster == 0 { end += 1 }
        return end
    }

    private func isShapedAlone(_ i: Int, _ limit: Int) -> Bool {
        let next = i + 1
        return next == limit || marks[next] & Unicode.cluster != 0 && !characters[next].traits.contains(.looseMark)
    }

    /// The end of the units that are shaped in one font from `i` on: a cluster, or its part in one script and item.
    private func shapedTogether(from i: Int, limit: Int) -> Int {
        var end = i + 1
        while end < limit && marks[end] & TextAnalysis.item == 0 && scripts[end] == scripts[i] {
            guard marks[end] & Unicode.cluster == 0 || characters[end].traits.contains(.looseMark) else { return end }
            if end - i >= TextAnalysis.mostTogether && !UTF16.isTrailSurrogate(units[end]) { return end }
            end += 1
        }
        return end
    }

    private mutating func cutBehindEmoji(_ cluster: Range<Int>) -> Int {
        let end = FontFallback.emojiEnd(in: cluster, of: units, characters)
        if end < cluster.upperBound { marks[end] |= TextAnalysis.cut }
        return end
    }
}

let newline = UInt16(UInt8(ascii: "\n"))
let tab = UInt16(UInt8(ascii: "\t"))
let space = UInt16(UInt8(ascii: " "))
let ideographicSpace: UInt16 = 0x3000
let softHyphen: UInt16 = 0xad
let nonJoiner: UInt16 = 0x200c

extension Array {
    /// Fills the array with `count` times the value, in the memory that is there.
    mutating func reset(to value: Element, count wanted: Int) {
        setCount(wanted, to: value)
        unsafe withUnsafeMutableBufferPointer { unsafe $0.update(repeating: value) }
    }
}
