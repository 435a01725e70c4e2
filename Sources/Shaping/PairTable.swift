internal import Typography

/// All there is to know about two letters side by side: the advance of the first, kerned against the second, and
/// whether a line may break between them. A text of such letters is measured by looking up its pairs, with no shaping
/// at all.
///
/// The table is filled as pairs are met: HarfBuzz and the line breaking rules are asked about each once.
/// `LayoutRules` proves from the font's own tables that pairs decide; a pair that a substitution may begin with is
/// shaped in its surroundings instead.
final class PairTable {
    let alphabet: Alphabet
    private let face: FontFace
    private let setting: ShapingBuffer.Setting
    private let rules: LayoutRules
    /// The glyph of each letter; nil for letters that are not to be measured by pairs.
    private let glyphs: [UInt32?]
    /// The advance of each of them: a text asks for one at each kerned pair. 0 for other letters.
    private let advances: [Int32]
    private(set) var entries: [Entry]
    /// Substituted stretches, by their letters.
    private var stretches: [UInt64: Piece] = [:]

    /// Sixteen bits of advance; the marks of the second letter in the highest byte; flags between.
    struct Entry: OptionSet {
        let rawValue: UInt32

        static let known = Entry(rawValue: 1 << 16)
        /// Must be shaped together with its neighbours.
        static let shaped = Entry(rawValue: 1 << 17)
        /// Cannot be decided by pairs: the text is measured the general way.
        static let general = Entry(rawValue: 1 << 18)
        /// A digit behind a hyphen: an opportunity only after a letter or digit.
        static let hyphenDigit = Entry(rawValue: 1 << 19)
        /// The first is a letter, which tells the script of the text.
        static let letter = Entry(rawValue: 1 << 20)
        /// The first is a newline: the second begins a paragraph.
        static let paragraph = Entry(rawValue: 1 << 21)
        /// The second letter is kerned against the first. Sixteen places up from `Marks.unsafe`.
        static let kerned = Entry(rawValue: 1 << 22)
        static let opportunity = Entry(rawValue: UInt32(Marks.opportunity.rawValue) << 24)

        var advance: Int32 { Int32(rawValue & 0xffff) }
    }

    init(alphabet: Alphabet, face: FontFace, place: Int) {
        self.alphabet = alphabet
        self.face = face
        setting = ShapingBuffer.Setting(face: place, script: alphabet.script, isRightToLeft: false)
        let all = alphabet.scalars.map { $0 > 0x0a ? face.glyph($0) : nil }
        rules = LayoutRules(of: face, script: alphabet.script, alphabet: Set(all.compactMap { $0 }))
        let complex = rules.complexGlyphs
        glyphs = all.map { glyph in glyph.flatMap { complex.contains($0) ? nil : $0 } }
        advances = glyphs.map { glyph in glyph.map { face.advance(ofGlyph: $0) } ?? 0 }
        entries = Array(repeating: Entry(), count: Alphabet.size * Alphabet.size)
    }

    /// The piece that a stretch of letters is shaped to, together with its neighbours; nil if it is not known yet.
    func stretch(_ key: UInt64) -> Piece? { stretches[key] }

    func insert(_ piece: Piece, for key: UInt64) {
        // There are some thousands in a language; a sender of more is hostile.
        if stretches.count > 1 << 14 { stretches.removeAll() }
        stretches[key] = piece
    }

    var byteCount: Int { entries.count * MemoryLayout<Entry>.stride }

    func resolve(_ a: UInt8, _ b: UInt8, _ buffer: borrowing ShapingBuffer, _ characters: CharacterTable) {
        let place = Int(a) << 8 | Int(b)
        guard !entries[place].contains(.known) else { return }
        entries[place] = entry(a, b, buffer, characters).union(.known)
    }

    func entry(_ a: UInt8, _ b: UInt8) -> Entry { entries[Int(a) << 8 | Int(b)] }

    /// The advance of the letter by itself, without kerning against the next.
    func baseAdvance(of a: UInt8) -> Int32 { advances[Int(a)] }

    private func entry(
        _ a: UInt8, _ b: UInt8, _ buffer: borrowing ShapingBuffer, _ characters: CharacterTable
    ) -> Entry {
        guard isLetter(a), isLetter(b) else { return .general }
        var entry = Entry(rawValue: UInt32(marks(of: b)) << 24)
        if Alphabet.script(of: UInt16(alphabet.scalars[Int(a)])) != nil { entry.insert(.letter) }
        // Browsers begin to shape anew behind the spaces that a paragraph begins with.
        guard a != Alphabet.newline else { return b == UInt8(ascii: " ") ? .general : entry.union(.paragraph) }
        let base = baseAdvance(of: a)
        guard b != Alphabet.newline else { return base <= 0x1fff && base >= 0 ? entry.with(base) : .general }
        insertOpportunity(a, b, &entry, characters)
        switch kerning(a, b, buffer) {
        case .shaped: return entry.isDisjoint(with: .opportunity) ? entry.union(.shaped).with(base) : .general
        case .general: return .general
        case .advance(let advance):
            if advance != base {
                // A kerned opportunity, or a kerned space, makes the text no plain one.
                guard entry.isDisjoint(with: .opportunity), a != UInt8(ascii: " "), b != UInt8(ascii: " ") else {
                    return .general
                }
                entry.formUnion(.kerned)
            }
            return 0...0x1fff ~= advance ? entry.with(advance) : .general
        }
    }

    private func isLetter(_ a: UInt8) -> Bool { a == Alphabet.newline || glyphs[Int(a)] != nil }

    private func marks(of letter: UInt8) -> UInt8 {
        let marks: Marks =
            switch letter {
            case Alphabet.newline: [.cluster, .newline]
            case UInt8(ascii: " "): [.cluster, .space]
            default: .cluster
            }
        return marks.rawValue
    }

    private func insertOpportunity(_ a: UInt8, _ b: UInt8, _ entry: inout Entry, _ characters: CharacterTable) {
        let space = UInt8(ascii: " ")
        if b == space { return }
        if a == space {
            entry.insert(.opportunity)
        } else if a < 0x80 && b < 0x80 {
            if a == UInt8(ascii: "-") && 0x30...0x39 ~= b { entry.insert(.hyphenDigit) }
            if BrowserBreaks.breaks(between: a, and: b, after: nil) { entry.insert(.opportunity) }
        } else if a == UInt8(ascii: "-") {
            entry.insert(.general)  // depends on what stands before the hyphen
        } else {
            let x = UInt16(alphabet.scalars.first { Alphabet.script(of: UInt16($0)) == alphabet.script } ?? 0x78)
            let text = [x, UInt16(alphabet.scalars[Int(a)]), UInt16(alphabet.scalars[Int(b)]), x]
            var marks = [UInt16](repeating: 0, count: 4)
            LineBreakRules.mark(&marks, of: text, text.map { characters[UInt32($0)] })
            BrowserBreaks.correct(&marks, of: text)
            if marks[2] & Unicode.opportunity != 0 { entry.insert(.opportunity) }
        }
    }

    private enum Kerning {
        case advance(Int32)
        case shaped
        case general
    }

    private func kerning(_ a: UInt8, _ b: UInt8, _ buffer: borrowing ShapingBuffer) -> Kerning {
        guard let first = glyphs[Int(a)], let second = glyphs[Int(b)] else { return .general }
        if rules.complexPairs.contains(LayoutRules.pair(first, second)) { return .shaped }
        let text = [UInt16(alphabet.scalars[Int(a)]), UInt16(alphabet.scalars[Int(b)])]
        let shaped = buffer.shape(text, 0..<2, with: face, as: setting)
        guard shaped.count == 2, shaped.glyph(0) == first, shaped.glyph(1) == second,
            shaped.advance(1) == face.advance(ofGlyph: second)
        else { return .general }
        return .advance(shaped.advance(0))
    }
}

extension PairTable.Entry {
    func with(_ advance: Int32) -> PairTable.Entry { union(PairTable.Entry(rawValue: UInt32(advance) & 0xffff)) }
}
