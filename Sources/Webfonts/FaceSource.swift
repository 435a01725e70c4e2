internal import CHarfBuzzSubset

/// One face of a font file, to be compressed or cut.
///
///     let face = try FaceSource(path: "/usr/…/NotoSans-Regular.ttf")
///     for slice in SlicePlan(of: face).slices { try write(face.webfont(of: slice)) }
@safe package final class FaceSource {
    package let path: String
    package let index: Int
    let face: OpaquePointer
    let font: OpaquePointer

    package init(path: String, index: Int = 0) throws(WebfontError) {
        (self.path, self.index) = (path, index)
        guard let blob = unsafe hb_blob_create_from_file_or_fail(path) else { throw .unreadable(path: path) }
        defer { unsafe hb_blob_destroy(blob) }
        guard index >= 0, unsafe index < Int(hb_face_count(blob)) else { throw .noFace(path: path, index: index) }
        unsafe face = hb_face_create(blob, UInt32(index))
        unsafe font = hb_font_create(face)
        guard unsafe hb_face_get_glyph_count(face) > 0 else { throw .noFace(path: path, index: index) }
    }

    deinit {
        unsafe hb_font_destroy(font)
        unsafe hb_face_destroy(face)
    }

    /// The characters that the face has a glyph for.
    package var characters: [UInt32] {
        let set = GlyphSet()
        unsafe hb_face_collect_unicodes(face, set.raw)
        return set.elements
    }

    var glyphCount: Int { unsafe Int(hb_face_get_glyph_count(face)) }
    /// Whether it draws with colour bitmaps.
    var hasBitmaps: Bool { table("CBDT").count > 0 }

    func glyph(of character: UInt32) -> UInt32? {
        var glyph: UInt32 = 0
        return unsafe hb_font_get_nominal_glyph(font, character, &glyph) != 0 ? glyph : nil
    }

    func table(_ name: StaticString) -> [UInt8] {
        let blob = unsafe hb_face_reference_table(face, Self.tag(name))
        defer { unsafe hb_blob_destroy(blob) }
        return unsafe Self.bytes(of: blob)
    }

    /// Bytes of all of its tables.
    package var byteCount: Int { tags.reduce(0) { $0 + tableLength($1) } }

    var tags: [UInt32] {
        var count = unsafe hb_face_get_table_tags(face, 0, nil, nil)
        var tags = [UInt32](repeating: 0, count: Int(count))
        _ = unsafe hb_face_get_table_tags(face, 0, &count, &tags)
        return Array(tags.prefix(Int(count)))
    }

    private func tableLength(_ tag: UInt32) -> Int {
        let blob = unsafe hb_face_reference_table(face, tag)
        defer { unsafe hb_blob_destroy(blob) }
        return unsafe Int(hb_blob_get_length(blob))
    }

    static func tag(_ name: StaticString) -> UInt32 {
        (0..<4).reduce(UInt32(0)) { unsafe $0 << 8 | UInt32(name.utf8Start[$1]) }
    }

    static func bytes(of blob: OpaquePointer?) -> [UInt8] {
        var length: UInt32 = 0
        guard let start = unsafe hb_blob_get_data(blob, &length) else { return [] }
        return unsafe start.withMemoryRebound(to: UInt8.self, capacity: Int(length)) {
            unsafe Array(UnsafeBufferPointer(start: $0, count: Int(length)))
        }
    }
}
