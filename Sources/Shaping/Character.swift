internal import CICU

/// The facts that the engine needs about a character, found once per character and style and then looked up.
struct CharacterRecord {
    var traits: CharacterTraits = []
    var script: UInt16 = 0
    var lineBreak = LineBreakClass.al
    var cluster = ClusterClass.other
    /// The first family that has a glyph.
    var family = FamilyPlace.none
    /// The advance in that family, where the glyph is inert there.
    var advance: Int32 = 0
    /// The effect on the forms of the letters beside it, as ICU numbers Joining_Type.
    var joining: UInt8 = 0
}

extension CharacterRecord {
    /// The length in UTF-16 units.
    var length: Int { traits.contains(.twoUnits) ? 2 : 1 }
}

/// The place of a family in a style's order.
struct FamilyPlace: Equatable {
    let number: UInt8

    /// No family has the character.
    static let none = FamilyPlace(number: 255)
    /// The character needs no glyph, and goes with its neighbours.
    static let any = FamilyPlace(number: 254)
    /// The most families in a style's order.
    static let most = 250

    /// The place in the style's order; nil for none and any.
    var place: Int? { number < 254 ? Int(number) : nil }
}

struct CharacterTraits: OptionSet {
    let rawValue: UInt32

    static let known = CharacterTraits(rawValue: 1)
    static let emoji = CharacterTraits(rawValue: 2)
    static let emojiPresentation = CharacterTraits(rawValue: 4)
    static let emojiModifier = CharacterTraits(rawValue: 8)
    static let regionalIndicator = CharacterTraits(rawValue: 16)
    /// Needs no glyph and must not move its cluster to another font: joiners, bidi controls, variation selectors.
    static let ignorable = CharacterTraits(rawValue: 32)
    static let opensBracket = CharacterTraits(rawValue: 64)
    static let closesBracket = CharacterTraits(rawValue: 128)
    /// Has Script_Extensions of its own.
    static let severalScripts = CharacterTraits(rawValue: 256)
    static let mark = CharacterTraits(rawValue: 512)
    /// Controls other than tab and newline: drawn as nothing.
    static let control = CharacterTraits(rawValue: 1024)
    /// Is or may be right to left, or changes direction: the text needs the bidi algorithm.
    static let bidi = CharacterTraits(rawValue: 2048)
    /// Decides which characters beside it are in one grapheme cluster with it.
    static let mayJoinClusters = CharacterTraits(rawValue: 4096)
    /// East_Asian_Width F, W or H.
    static let eastAsian = CharacterTraits(rawValue: 8192)
    /// East_Asian_Width F.
    static let fullWidth = CharacterTraits(rawValue: 262144)
    /// Has its `advance` in its first family, beside any neighbour.
    static let inert = CharacterTraits(rawValue: 524288)
    /// Has one advance in its first family for each form that its neighbours may ask for; nothing else about them
    /// counts.
    static let lone = CharacterTraits(rawValue: 1 << 26)
    /// The emoji family has a glyph, or none is needed.
    static let inEmojiFamily = CharacterTraits(rawValue: 1 << 27)
    /// Takes other forms beside its like, as Arabic letters do.
    static let joins = CharacterTraits(rawValue: 1_048_576)
    /// General category Pi.
    static let initialQuote = CharacterTraits(rawValue: 16384)
    /// General category Pf.
    static let finalQuote = CharacterTraits(rawValue: 32768)
    /// Extended_Pictographic, but not assigned yet.
    static let unassignedPictograph = CharacterTraits(rawValue: 65536)
    /// Belongs to a script whose words are found in a dictionary: line breaking class SA.
    static let needsDictionary = CharacterTraits(rawValue: 131072)
    /// Makes Khmer words.
    static let khmer = CharacterTraits(rawValue: 1 << 21)
    /// Marks of Burmese, Shan and other Myanmar letters that are grapheme clusters of their own, but not to shapers.
    static let looseMark = CharacterTraits(rawValue: 1 << 22)
    /// A mark that begins a grapheme cluster.
    static let clusterMark = CharacterTraits(rawValue: 1 << 25)
    /// Stands beyond U+FFFF.
    static let twoUnits = CharacterTraits(rawValue: 1 << 24)
    /// U+2028 and U+2029: drawn as a space.
    static let separator = CharacterTraits(rawValue: 1 << 23)
}

extension CharacterRecord {
    init(_ scalar: UInt32) {
        let facts = forme_icu_character(scalar)
        // Both are one script to OpenType, and to browsers before that.
        let isKatakana = facts.script == 22 || facts.script == 54
        script = isKatakana ? ScriptRuns.hiragana : facts.script
        lineBreak = LineBreakClass(resolving: facts.lineBreak, of: scalar, category: facts.category)
        cluster = ClusterClass(facts)
        joining = facts.joining
        traits = CharacterRecord.traits(of: scalar, facts)
        if cluster.joins { traits.insert(.mayJoinClusters) }
        if traits.contains(.mark) && !cluster.joins { traits.insert(.clusterMark) }
    }

    /// Characters that are ignorable to Unicode, but drawn: fillers of Hangul, and the controls of shorthand, which
    /// shapers draw where a font has them.
    private static let drawn: [UInt32] = [0x115f, 0x1160, 0x3164, 0xffa0, 0x1bca0, 0x1bca1, 0x1bca2, 0x1bca3]

    private static func traits(of scalar: UInt32, _ facts: forme_character) -> CharacterTraits {
        var traits: CharacterTraits = .known
        func has(_ flag: Int) -> Bool { Int(facts.flags) & flag != 0 }
        if has(FORME_CHARACTER_EMOJI) { traits.insert(.emoji) }
        if has(FORME_CHARACTER_EMOJI_PRESENTATION) { traits.insert(.emojiPresentation) }
        if has(FORME_CHARACTER_EMOJI_MODIFIER) { traits.insert(.emojiModifier) }
        if has(FORME_CHARACTER_REGIONAL_INDICATOR) { traits.insert(.regionalIndicator) }
        if has(FORME_CHARACTER_IGNORABLE) && !drawn.contains(scalar) { traits.insert(.ignorable) }
        if has(FORME_CHARACTER_JOINS) { traits.insert(.joins) }
        if has(FORME_CHARACTER_OPENS) { traits.insert(.opensBracket) }
        if has(FORME_CHARACTER_CLOSES) { traits.insert(.closesBracket) }
        if has(FORME_CHARACTER_EXTENSIONS) { traits.insert(.severalScripts) }
        if has(FORME_CHARACTER_MARK) { traits.insert(.mark) }
        if facts.category == 0 && has(FORME_CHARACTER_EXTENDED_PICTOGRAPHIC) {
            traits.insert(.unassignedPictograph)
        }
        if facts.category == 15 { traits.insert(.control) }
        if facts.category == 28 { traits.insert(.initialQuote) }
        if facts.category == 29 { traits.insert(.finalQuote) }
        if facts.lineBreak == LineBreakClass.sa.rawValue { traits.insert(.needsDictionary) }
        if KhmerBreaker.isLetter(scalar) { traits.insert(.khmer) }
        // East_Asian_Width: halfwidth 2, fullwidth 3, wide 5.
        if [2, 3, 5].contains(facts.eastAsian) { traits.insert(.eastAsian) }
        if facts.eastAsian == 3 { traits.insert(.fullWidth) }
        // Bidi_Class: everything but L, EN, ES, ET, CS, B, S, WS, ON, NSM and BN.
        if ![0, 2, 3, 4, 6, 7, 8, 9, 10, 17, 18].contains(facts.direction) { traits.insert(.bidi) }
        if isLooseMark(scalar) { traits.insert(.looseMark) }
        if 0x2028...0x2029 ~= scalar { traits.insert(.separator) }
        if scalar > 0xffff { traits.insert(.twoUnits) }
        return traits
    }

    private static func isLooseMark(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x102b...0x102c, 0x1038, 0x1062...0x1064, 0x1067...0x106d, 0x1083, 0x1087...0x108c, 0x108f,
            0x109a...0x109c, 0xaa7b, 0xaa7d:
            true
        default: false
        }
    }
}

/// Records of characters under one style, in pages that fill as texts need them.
///
/// A class with memory of its own, because every text asks it about every character.
@safe final class CharacterTable {
    private let faces: [FontFace]
    /// The places of the faces in the font list.
    private let places: [Int]
    private let emoji: Int?
    private let touched: TouchedFaces
    /// 0x1100 pages of 256 records, or nil.
    private let pages: UnsafeMutablePointer<UnsafeMutablePointer<CharacterRecord>?>
    private(set) var byteCount = 0

    private static let pageCount = 0x1100
    private static let pageSize = 256

    init(faces: [FontFace], at places: [Int], emoji: Int?, touched: TouchedFaces) {
        self.faces = faces
        self.places = places
        self.emoji = emoji
        self.touched = touched
        unsafe pages = .allocate(capacity: CharacterTable.pageCount)
        unsafe pages.initialize(repeating: nil, count: CharacterTable.pageCount)
    }

    /// A table of no fonts: the facts of Unicode, and nothing else.
    convenience init() { self.init(faces: [], at: [], emoji: nil, touched: TouchedFaces(of: [])) }

    deinit {
        for page in 0..<CharacterTable.pageCount { unsafe pages[page]?.deallocate() }
        unsafe pages.deallocate()
    }

    @inline(__always)
    subscript(scalar: UInt32) -> CharacterRecord {
        precondition(scalar < 0x110000)
        if let page = unsafe pages[Int(scalar >> 8)] {
            let record = unsafe page[Int(scalar & 0xff)]
            if record.traits.rawValue & CharacterTraits.known.rawValue != 0 { return record }
        }
        return found(scalar)
    }

    @inline(never)
    private func found(_ scalar: UInt32) -> CharacterRecord {
        let place = Int(scalar >> 8)
        if unsafe pages[place] == nil {
            let page = UnsafeMutablePointer<CharacterRecord>.allocate(capacity: CharacterTable.pageSize)
            unsafe page.initialize(repeating: CharacterRecord(), count: CharacterTable.pageSize)
            unsafe pages[place] = unsafe page
            byteCount += CharacterTable.pageSize * MemoryLayout<CharacterRecord>.stride
        }
        let record = record(for: scalar)
        unsafe pages[place]?[Int(scalar & 0xff)] = record
        return record
    }

    private func record(for scalar: UInt32) -> CharacterRecord {
        var record = CharacterRecord(scalar)
        if !record.traits.isDisjoint(with: [.ignorable, .control, .separator]) {
            record.family = .any
            record.traits.insert(.inEmojiFamily)
            return record
        }
        if let first = faces.firstIndex(where: { covers(scalar, $0) }) {
            record.family = FamilyPlace(number: UInt8(first))
            if let emoji, emoji == first || covers(scalar, faces[emoji]) { record.traits.insert(.inEmojiFamily) }
            addAdvance(of: scalar, in: first, to: &record)
        }
        return record
    }

    /// Whether the family has the character. It is asked where the first family that has it will not do.
    func covers(_ scalar: UInt32, family place: Int) -> Bool {
        let family = self[scalar].family
        return family == .any || family.number <= place && covers(scalar, faces[place])
    }

    /// Whether a face draws a character. Shapers draw one that the face lacks by its parts, if the face has those: ≠
    /// by = and a stroke.
    private func covers(_ scalar: UInt32, _ face: FontFace) -> Bool {
        if face.glyph(scalar) != nil { return true }
        guard let (first, second) = Unicode.decomposition(of: scalar) else { return false }
        return (second.map { face.glyph($0) != nil } ?? true) && covers(first, face)
    }

    /// Adds the advance of a character that nothing reaches across, or notes that it has one for each of its forms.
    private func addAdvance(of scalar: UInt32, in place: Int, to record: inout CharacterRecord) {
        guard record.traits.isDisjoint(with: [.mark, .emoji]) else { return }
        guard faces[place].strike == nil, let glyph = faces[place].glyph(scalar) else { return }
        let touched = touched[places[place]]
        if record.script == ScriptRuns.arabic {
            if touched.forms.isLone(glyph) { record.traits.insert(.lone) }
        } else if record.traits.isDisjoint(with: [.bidi, .joins]) && !touched.contains(glyph) {
            record.advance = faces[place].advance(ofGlyph: glyph)
            record.traits.insert(.inert)
        }
    }
}
