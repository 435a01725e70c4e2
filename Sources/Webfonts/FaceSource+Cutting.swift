internal import CHarfBuzzSubset
internal import CWOFF2

extension FaceSource {
    /// A slice as WOFF2: with all glyphs that rules make of its characters, so that these are drawn as by the whole
    /// face.
    package func webfont(of slice: FontSlice) throws(WebfontError) -> [UInt8] {
        try compressed(slice.isWhole ? whole() : cut(slice.characters))
    }

    /// The face by itself: all of its tables, as they are.
    func whole() -> [UInt8] {
        let builder = unsafe hb_face_builder_create()
        defer { unsafe hb_face_destroy(builder) }
        for tag in tags {
            let table = unsafe hb_face_reference_table(face, tag)
            defer { unsafe hb_blob_destroy(table) }
            _ = unsafe hb_face_builder_add_table(builder, tag, table)
        }
        let blob = unsafe hb_face_reference_blob(builder)
        defer { unsafe hb_blob_destroy(blob) }
        return unsafe Self.bytes(of: blob)
    }

    /// The face with these characters alone, as an OpenType font.
    package func cut(_ characters: [UInt32]) throws(WebfontError) -> [UInt8] {
        guard let input = unsafe hb_subset_input_create_or_fail() else { throw .cannotCut(path: path, index: index) }
        defer { unsafe hb_subset_input_destroy(input) }
        let wanted = unsafe hb_subset_input_unicode_set(input)
        for character in characters { unsafe hb_set_add(wanted, character) }
        // Forms of characters that a selector asks for.
        unsafe hb_set_add_range(wanted, 0xfe00, 0xfe0f)
        unsafe hb_set_add_range(wanted, 0xe0100, 0xe01ef)
        // The names of the font, of its owner and of its licence.
        let names = unsafe hb_subset_input_set(input, HB_SUBSET_SETS_NAME_ID)
        for name in [0, 1, 2, 3, 4, 5, 6, 7, 13, 14] as [UInt32] { unsafe hb_set_add(names, name) }
        guard let subset = unsafe hb_subset_or_fail(face, input) else { throw .cannotCut(path: path, index: index) }
        defer { unsafe hb_face_destroy(subset) }
        let blob = unsafe hb_face_reference_blob(subset)
        defer { unsafe hb_blob_destroy(blob) }
        return unsafe Self.bytes(of: blob)
    }

    private func compressed(_ font: [UInt8]) throws(WebfontError) -> [UInt8] {
        let room = unsafe forme_woff2_bound(font, font.count)
        var length = room
        let result = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            let isMade = unsafe forme_woff2_compress(font, font.count, buffer.baseAddress, &length)
            count = isMade ? length : 0
        }
        guard !result.isEmpty else { throw .cannotCompress(path: path, index: index) }
        return result
    }
}
