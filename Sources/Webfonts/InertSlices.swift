internal import CHarfBuzzSubset

/// The slices of a face in which most characters do not affect each other, such as ideographs. The characters that
/// any rule looks at beside another glyph are one slice; the others, which are *inert*, are shared out. So are
/// syllables of Hangul, which only the tone marks of old texts affect: these marks come with each slice of syllables.
struct InertSlices {
    private(set) var slices: [FontSlice] = []

    /// Bytes of a slice, before it is compressed.
    private static let sliceBytes = 64 << 10

    private static let syllables: ClosedRange<UInt32> = 0xac00...0xd7a3
    private static let toneMarks: Set<UInt32> = [0x302e, 0x302f]

    init(of face: FaceSource, _ characters: [UInt32]) {
        let touched = face.touchedGlyphs
        var core: Set<UInt32> = []
        for character in characters {
            if Self.syllables ~= character { continue }
            if let glyph = face.glyph(of: character), !touched.contains(glyph) { continue }
            core.insert(character)
        }
        core.formUnion(Self.composed(of: core, among: characters))
        let places = FrequentCharacters.places()
        let inert = characters.filter { !core.contains($0) }.sorted {
            let (first, second) = (places[$0] ?? .max, places[$1] ?? .max)
            return first != second ? first < second : $0 < $1
        }
        // A few inert characters are not worth files of their own.
        guard inert.count > characters.count / 4 else { return }
        let each = max(1, Self.sliceBytes * face.glyphCount / face.byteCount)
        if !core.isEmpty { slices.append(FontSlice(characters: core.sorted())) }
        for start in stride(from: 0, to: inert.count, by: each) {
            var slice = Set(inert[start..<min(start + each, inert.count)])
            if slice.contains(where: { Self.syllables ~= $0 }) { slice.formUnion(Self.toneMarks.intersection(core)) }
            slices.append(FontSlice(characters: slice.sorted()))
        }
    }

    /// Characters that Unicode decomposes into two of the core: shapers draw the two by one glyph where the face has
    /// it. Syllables of Hangul are left out: made of their letters they are as wide, and they are too many for the
    /// core.
    private static func composed(of core: Set<UInt32>, among characters: [UInt32]) -> [UInt32] {
        let unicode = unsafe hb_unicode_funcs_get_default()
        return characters.filter { character in
            var (first, second) = (UInt32(0), UInt32(0))
            guard !(Self.syllables ~= character), unsafe hb_unicode_decompose(unicode, character, &first, &second) != 0
            else { return false }
            return core.contains(first) && core.contains(second)
        }
    }
}

extension FaceSource {
    /// The glyphs that any rule looks at which shapers apply unasked, in any script and language.
    fileprivate var touchedGlyphs: GlyphSet {
        let touched = GlyphSet()
        for table in [StaticString("GSUB"), "GPOS"] {
            let tag = Self.tag(table)
            let lookups = GlyphSet()
            unsafe hb_ot_layout_collect_lookups(face, tag, nil, nil, Self.features + [0], lookups.raw)
            for lookup in lookups.elements {
                unsafe hb_ot_layout_lookup_collect_glyphs(face, tag, lookup, touched.raw, touched.raw, touched.raw, nil)
            }
        }
        return touched
    }

    /// The features that shapers apply unasked. Forms for another language (`locl`) are not among them: they stand by
    /// themselves, and come with their character.
    private static let features: [UInt32] = [
        "rvrn", "ltra", "ltrm", "rand", "ccmp", "rlig", "abvm", "blwm", "mark", "mkmk", "calt", "clig", "curs", "dist",
        "kern", "liga", "rclt", "akhn", "blws", "abvs", "cjct", "half", "haln", "init", "isol", "fina", "fin2", "fin3",
        "medi", "med2", "nukt", "pref", "pres", "pstf", "psts", "rkrf", "rphf", "vatu", "cfar", "stch", "mset", "ljmo",
        "vjmo", "tjmo",
    ].map(tag)
}
