internal import CHarfBuzz

extension FontFace {
    /// Whether no lookup of the face has to do with the space: then words may be shaped one by one, as browsers do.
    var isSpaceSafe: Bool {
        guard let space = glyph(0x20) else { return true }
        for table in [forme_hb_tag(71, 83, 85, 66), forme_hb_tag(71, 80, 79, 83)] {
            let lookups = unsafe hb_ot_layout_table_get_lookup_count(face, table)
            for lookup in 0..<lookups where touches(space, table: table, lookup: lookup) { return false }
        }
        return true
    }

    private func touches(_ glyph: UInt32, table: hb_tag_t, lookup: UInt32) -> Bool {
        let before = unsafe hb_set_create()
        let input = unsafe hb_set_create()
        let after = unsafe hb_set_create()
        defer {
            unsafe hb_set_destroy(before)
            unsafe hb_set_destroy(input)
            unsafe hb_set_destroy(after)
        }
        unsafe hb_ot_layout_lookup_collect_glyphs(face, table, lookup, before, input, after, nil)
        return unsafe hb_set_has(before, glyph) != 0 || hb_set_has(input, glyph) != 0 || hb_set_has(after, glyph) != 0
    }
}
