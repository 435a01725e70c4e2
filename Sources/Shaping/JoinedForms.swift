internal import CHarfBuzz

/// The *lone* letters of a face with Arabic: such a letter takes the form that its neighbours ask for, and no rule
/// looks at any of its forms together with another glyph. It has one advance in each form, and nothing reaches across
/// it.
@safe final class JoinedForms {
    private let face: FontFace
    /// The glyphs of all rules that look at several, without the rules that only attach marks.
    private let reached: OpaquePointer
    private let substitutions: OpaquePointer

    init(of face: FontFace) {
        self.face = face
        unsafe reached = hb_set_create()
        unsafe substitutions = hb_set_create()
        var isKnown = face.hasArabicForms && !face.hasOtherRules
        for name in [StaticString("GSUB"), "GPOS"] {
            let (table, tag) = unsafe (FontTable(face.face, name), FontFace.tag(name))
            let isGSUB = tag == FontFace.tag("GSUB")
            for number in face.lookups(of: FontFace.defaultFeatures, table: tag) {
                if isGSUB { unsafe hb_set_add(substitutions, number) }
                guard let lookup = FontLookup(number, of: table, isGSUB: isGSUB) else { continue }
                if lookup.looksAtOneGlyph || lookup.attachesMarks { continue }
                isKnown = isKnown && lookup.namesItsGlyphs
                unsafe hb_ot_layout_lookup_collect_glyphs(face.face, tag, number, reached, reached, reached, nil)
            }
        }
        if !isKnown {
            unsafe hb_set_clear(reached)
            unsafe hb_set_invert(reached)
        }
    }

    deinit {
        unsafe hb_set_destroy(reached)
        unsafe hb_set_destroy(substitutions)
    }

    /// Whether the letter with this glyph is lone. Marks never are: rules look across them.
    func isLone(_ glyph: UInt32) -> Bool {
        let forms = unsafe hb_set_create()
        defer { unsafe hb_set_destroy(forms) }
        unsafe hb_set_add(forms, glyph)
        unsafe hb_ot_layout_lookups_substitute_closure(face.face, substitutions, forms)
        var form = forme_hb_set_invalid()
        while unsafe hb_set_next(forms, &form) != 0 {
            let isMark = unsafe hb_ot_layout_get_glyph_class(face.face, form) == HB_OT_LAYOUT_GLYPH_CLASS_MARK
            if unsafe isMark || hb_set_has(reached, form) != 0 { return false }
        }
        return true
    }
}

extension FontFace {
    /// Whether the face has forms of its own. For a face that has none, shapers make forms, and ligatures of them,
    /// from the characters that Unicode has for those.
    fileprivate var hasArabicForms: Bool {
        let lookups = unsafe hb_set_create()
        defer { unsafe hb_set_destroy(lookups) }
        let forms = [StaticString("isol"), "init", "medi", "fina"].map(FontFace.tag) + [0]
        unsafe hb_ot_layout_collect_lookups(
            face, FontFace.tag("GSUB"), [FontFace.tag("arab"), 0], nil, forms, lookups)
        return unsafe hb_set_is_empty(lookups) == 0
    }
}
