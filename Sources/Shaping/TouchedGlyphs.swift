internal import CHarfBuzz

/// The glyphs that any default rule of a face has to do with, in any of its scripts: as what is changed, or as what
/// stands before or behind it. A glyph that is not among them is *inert*: it has its own advance whatever stands beside
/// it, and nothing reaches across it. Ideographs are, and mostly spaces.
@safe final class TouchedGlyphs {
    private let glyphs: OpaquePointer
    /// Whether marks are only moved to their bases: the rules for that change no advance.
    let marksOnlyAttach: Bool

    init(of face: FontFace) {
        unsafe glyphs = hb_set_create()
        marksOnlyAttach = face.marksOnlyAttach
        let isOther = ["morx", "mort", "kerx", "kern"].contains { unsafe !FontTable(face.face, $0).isEmpty }
        if isOther { unsafe hb_set_invert(glyphs) }
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

extension FontFace {
    fileprivate var marksOnlyAttach: Bool {
        let features = [StaticString("mark"), "mkmk"].map(FontFace.tag)
        return lookups(of: features, table: FontFace.tag("GPOS")).allSatisfy(onlyAttaches)
    }

    private func onlyAttaches(_ lookup: UInt32) -> Bool {
        let table = unsafe FontTable(face, "GPOS")
        guard let list = table.uint16(at: 8), let offset = table.uint16(at: Int(list) + 2 + 2 * Int(lookup)) else {
            return false
        }
        let start = Int(list) + Int(offset)
        var type = table.uint16(at: start)
        if type == 9, let subtable = table.uint16(at: start + 6) {
            // An extension: its subtables say what they are, all the same.
            type = table.uint16(at: start + Int(subtable) + 2)
        }
        return type.map { 4...6 ~= $0 } ?? false
    }

    /// The lookups of these features in the default language of every script of the face.
    fileprivate func lookups(of wanted: [hb_tag_t], table: hb_tag_t) -> Set<UInt32> {
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
