internal import Typography

/// The fonts of one style, in the order in which they are tried, and what is known of characters under them.
struct StyleFonts {
    /// Places in the font list, one for each family.
    let places: [Int]
    let faces: [FontFace]
    let metrics: StyleMetrics
    /// Where the emoji family stands in `faces`.
    let emoji: Int?
    var characters: CharacterTable

    init(_ style: TextStyle, of list: FontList) {
        places = list.faces(for: style)
        faces = places.map { list.faces[$0] }
        emoji = places.firstIndex { list.isEmoji(face: $0) }
        characters = CharacterTable(faces: faces)
        let primary = faces[0]
        let extents = primary.extents
        let dot = primary.advance(of: 0x2e) ?? 0
        metrics = StyleMetrics(
            unitsPerEm: primary.unitsPerEm, ascent: extents.ascent, descent: extents.descent,
            space: primary.advance(of: 0x20) ?? primary.unitsPerEm / 4,
            hyphen: primary.advance(of: 0x2010) ?? primary.advance(of: 0x2d) ?? 0,
            ellipsis: primary.advance(of: 0x2026) ?? 3 * dot, percent: style.percent)
    }
}
