internal import CHarfBuzzSubset

/// Glyphs or characters, as HarfBuzz holds them.
@safe final class GlyphSet {
    let raw: OpaquePointer

    init() { unsafe raw = hb_set_create() }

    deinit { unsafe hb_set_destroy(raw) }

    var isEmpty: Bool { unsafe hb_set_is_empty(raw) != 0 }
    var count: Int { unsafe Int(hb_set_get_population(raw)) }
    func insert(_ glyph: UInt32) { unsafe hb_set_add(raw, glyph) }
    func contains(_ glyph: UInt32) -> Bool { unsafe hb_set_has(raw, glyph) != 0 }

    /// The members in ascending order.
    var elements: [UInt32] {
        var found: [UInt32] = []
        var next = forme_subset_set_invalid()
        while unsafe hb_set_next(raw, &next) != 0 { found.append(next) }
        return found
    }
}
