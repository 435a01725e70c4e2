internal import Typography

/// The fonts of one style, in the order in which they are tried, and the facts about characters under them.
final class StyleFonts {
    let style: TextStyle
    /// The places in the font list, one for each family.
    let places: [Int]
    let faces: [FontFace]
    /// The numbers that divide the advances of each face to give ems.
    let advanceUnits: [Int32]
    let metrics: StyleMetrics
    /// The metrics as a list, as measured texts in this style alone hold them.
    let onlyMetrics: [StyleMetrics]
    /// The place of the emoji family in `faces`.
    let emoji: Int?
    /// Whether the words of each face may be shaped one by one, because nothing kerns or joins across a space; known
    /// of faces that are prepared.
    private(set) var isSpaceSafe: [Bool]
    /// Whether the marks of each face change no advance; known of faces that are prepared.
    private(set) var marksOnlyAttach: [Bool]
    private var isPrepared: [Bool]
    private let touched: TouchedFaces
    let characters: CharacterTable
    /// The tables of the alphabets that texts were written in.
    var pairTables: [PairTable] = []

    init(_ style: TextStyle, of list: FontList, touched: TouchedFaces) {
        self.style = style
        places = list.faces(for: style)
        faces = places.map { list.faces[$0] }
        advanceUnits = faces.map(\.advanceUnits)
        emoji = places.firstIndex { list.isEmoji(face: $0) }
        isPrepared = faces.map { _ in false }
        isSpaceSafe = isPrepared
        marksOnlyAttach = isPrepared
        self.touched = touched
        characters = CharacterTable(faces: faces, at: places, emoji: emoji, touched: touched)
        let primary = faces[0]
        let extents = primary.extents
        let dot = primary.advance(of: 0x2e) ?? 0
        metrics = StyleMetrics(
            unitsPerEm: primary.unitsPerEm, ascent: extents.ascent, descent: extents.descent,
            space: primary.advance(of: 0x20) ?? primary.unitsPerEm / 4,
            hyphen: primary.advance(of: 0x2010) ?? primary.advance(of: 0x2d) ?? 0,
            ellipsis: primary.advance(of: 0x2026) ?? 3 * dot, percent: style.percent)
        onlyMetrics = [metrics]
    }

    /// Finds the facts about a face before texts are shaped with it, and not sooner: a list has fonts of more scripts
    /// than anybody writes.
    func prepare(_ place: Int) {
        guard !isPrepared[place] else { return }
        let touched = touched[places[place]]
        isSpaceSafe[place] = faces[place].glyph(0x20).map { !touched.contains($0) } ?? true
        marksOnlyAttach[place] = touched.marksOnlyAttach
        isPrepared[place] = true
    }

    func pairTable(for script: UInt16) -> PairTable {
        if let known = pairTables.first(where: { $0.alphabet.script == script }) { return known }
        let alphabet = Alphabet.all.first { $0.script == script } ?? .latin
        pairTables.append(PairTable(alphabet: alphabet, face: faces[0], place: places[0]))
        return pairTables[pairTables.count - 1]
    }
}
