internal import CHarfBuzz

/// The glyphs that any default rule of a face touches, in any of its scripts: those that it changes, and those before
/// or behind them. A glyph that is not among them is *inert*: it has its own advance beside any neighbour, and
/// nothing reaches across it. Ideographs are inert, and mostly spaces.
@safe final class TouchedGlyphs {
    private let glyphs: OpaquePointer
    /// Whether marks are only moved to their bases: the rules for that change no advance.
    let marksOnlyAttach: Bool
    private let face: FontFace
    /// The joined forms of a face with Arabic, found once a text has some.
    private(set) lazy var forms = JoinedForms(of: face)

    init(of face: FontFace) {
        self.face = face
        unsafe glyphs = hb_set_create()
        marksOnlyAttach = face.marksOnlyAttach
        if face.hasOtherRules { unsafe hb_set_invert(glyphs) }
        for name in [StaticString("GSUB"), "GPOS"] {
            let table = FontFace.tag(name)
            for lookup in face.lookups(of: FontFace.defaultFeatures, table: table) {
                unsafe hb_ot_layout_lookup_collect_glyphs(face.face, table, lookup, glyphs, glyphs, glyphs, nil)
            }
        }
    }

    deinit { unsafe hb_set_destroy(glyphs) }

    func contains(_ glyph: UInt32) -> Bool { unsafe hb_set_has(glyphs, glyph) != 0 }
}

/// The touched glyphs of all faces of a list, each found when a text first needs it. Shared by the styles of one
/// shaper.
final class TouchedFaces {
    private let faces: [FontFace]
    private var found: [Int: TouchedGlyphs] = [:]

    init(of faces: [FontFace]) { self.faces = faces }

    /// The touched glyphs of a face, by its place in the list.
    subscript(place: Int) -> TouchedGlyphs {
        if let known = found[place] { return known }
        let glyphs = TouchedGlyphs(of: faces[place])
        found[place] = glyphs
        return glyphs
    }
}

extension FontFace {
    /// Whether the face has rules outside of GSUB and GPOS.
    var hasOtherRules: Bool {
        ["morx", "mort", "kerx", "kern"].contains { unsafe !FontTable(face, $0).isEmpty }
    }

    fileprivate var marksOnlyAttach: Bool {
        let features = [StaticString("mark"), "mkmk"].map(FontFace.tag)
        let table = unsafe FontTable(face, "GPOS")
        return lookups(of: features, table: FontFace.tag("GPOS")).allSatisfy {
            FontLookup($0, of: table, isGSUB: false)?.attachesMarks ?? false
        }
    }

    /// The lookups of these features in the default language of every script of the face.
    func lookups(of wanted: [hb_tag_t], table: hb_tag_t) -> Set<UInt32> {
        var lookups: Set<UInt32> = []
        let scripts = unsafe hb_ot_layout_table_get_script_tags(face, table, 0, nil, nil)
        for script in 0..<scripts {
            let language = UInt32(HB_OT_LAYOUT_DEFAULT_LANGUAGE_INDEX)
            var count = unsafe hb_ot_layout_language_get_feature_indexes(face, table, script, language, 0, nil, nil)
            var features = [UInt32](repeating: 0, count: Int(count))
            var tags = [hb_tag_t](repeating: 0, count: Int(count))
            _ = unsafe hb_ot_layout_language_get_feature_indexes(face, table, script, language, 0, &count, &features)
            _ = unsafe hb_ot_layout_language_get_feature_tags(face, table, script, language, 0, &count, &tags)
            for (feature, tag) in zip(features, tags) where wanted.contains(tag) {
                lookups.formUnion(self.lookups(ofFeature: feature, table: table))
            }
        }
        return lookups
    }

    private func lookups(ofFeature feature: UInt32, table: hb_tag_t) -> [UInt32] {
        var count = unsafe hb_ot_layout_feature_get_lookups(face, table, feature, 0, nil, nil)
        var lookups = [UInt32](repeating: 0, count: Int(count))
        _ = unsafe hb_ot_layout_feature_get_lookups(face, table, feature, 0, &count, &lookups)
        return lookups
    }
}
