internal import CHarfBuzz
import Glibc

/// One face of a font file, mapped into memory and never changed: every lane of a process may use it at once.
@safe package final class FontFace: Sendable {
    package let path: String
    package let index: Int
    /// The identity of the whole file, if the list had it when the file was opened.
    package let identity: FontIdentity?
    package let unitsPerEm: Int32
    /// Bytes of the file, which are mapped, not read.
    package let mappedBytes: Int
    /// The advances of colour bitmaps, where the face has them.
    let strike: BitmapStrike?
    // Safe in every thread: `init` makes both immutable, and HarfBuzz counts references to them atomically.
    nonisolated(unsafe) let font: OpaquePointer
    nonisolated(unsafe) let face: OpaquePointer

    init(_ file: FaceFile) throws(FontError) {
        path = file.path
        index = file.index
        identity = file.identity
        guard let blob = unsafe hb_blob_create_from_file_or_fail(path) else {
            throw .unreadable(path: path, code: errno)
        }
        defer { unsafe hb_blob_destroy(blob) }
        let faces = unsafe Int(hb_face_count(blob))
        guard faces > 0 else { throw .notAFont(path: path) }
        guard index >= 0 && index < faces else { throw .noSuchFace(path: path, index: index, faces: faces) }
        unsafe face = hb_face_create(blob, UInt32(index))
        guard unsafe hb_face_get_glyph_count(face) > 0, unsafe FontFace.isWhole(face) else {
            unsafe hb_face_destroy(face)
            throw .notAFont(path: path)
        }
        unsafe hb_face_make_immutable(face)
        unsafe font = hb_font_create(face)
        unitsPerEm = unsafe Int32(hb_face_get_upem(face))
        unsafe hb_font_set_scale(font, unitsPerEm, unitsPerEm)
        unsafe hb_font_make_immutable(font)
        strike = unsafe BitmapStrike(face: face)
        mappedBytes = unsafe Int(hb_blob_get_length(blob))
    }

    deinit {
        unsafe hb_font_destroy(font)
        unsafe hb_face_destroy(face)
    }

    /// Whether the face has characters and widths, without which there is nothing to measure. A damaged file may
    /// still have a table of contents.
    private static func isWhole(_ face: OpaquePointer) -> Bool {
        for tag in [forme_hb_tag(99, 109, 97, 112), forme_hb_tag(104, 109, 116, 120)] {
            let table = unsafe hb_face_reference_table(face, tag)
            defer { unsafe hb_blob_destroy(table) }
            if unsafe hb_blob_get_length(table) == 0 { return false }
        }
        return true
    }

    /// The name that the font gives its family, which other programs know it by; empty where it gives none.
    package var familyName: String { name(UInt32(HB_OT_NAME_ID_FONT_FAMILY)) }

    /// The name that the font gives this face within its family, such as Bold.
    package var styleName: String { name(UInt32(HB_OT_NAME_ID_FONT_SUBFAMILY)) }

    /// The names that the font gives this face as a whole, by which style sheets find it (`local`): in words, and for
    /// PostScript.
    package var fullNames: [String] {
        [UInt32(HB_OT_NAME_ID_FULL_NAME), UInt32(HB_OT_NAME_ID_POSTSCRIPT_NAME)].map { name($0) }.filter { !$0.isEmpty }
    }

    /// Whether the face draws a character.
    package func has(_ scalar: UInt32) -> Bool { glyph(scalar) != nil }

    private func name(_ id: UInt32) -> String {
        var size: UInt32 = 0
        let length = unsafe hb_ot_name_get_utf8(face, id, nil, &size, nil)
        var bytes = [CChar](repeating: 0, count: Int(length) + 1)
        size = UInt32(bytes.count)
        _ = unsafe hb_ot_name_get_utf8(face, id, nil, &size, &bytes)
        return String(decoding: bytes.prefix(Int(length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the face draws with colour bitmaps.
    package var hasColourBitmaps: Bool { strike != nil }

    /// The characters that it has a glyph for, in order.
    package func characters() -> [ClosedRange<UInt32>] {
        let set = unsafe hb_set_create()
        defer { unsafe hb_set_destroy(set) }
        unsafe hb_face_collect_unicodes(face, set)
        var ranges: [ClosedRange<UInt32>] = []
        var (first, last) = (forme_hb_set_invalid(), forme_hb_set_invalid())
        while unsafe hb_set_next_range(set, &first, &last) != 0 { ranges.append(first...last) }
        return ranges
    }

    func glyph(_ scalar: UInt32) -> UInt32? {
        var glyph: UInt32 = 0
        return unsafe hb_font_get_nominal_glyph(font, scalar, &glyph) != 0 ? glyph : nil
    }

    func advance(ofGlyph glyph: UInt32) -> Int32 { unsafe hb_font_get_glyph_h_advance(font, glyph) }

    func advance(of scalar: UInt32) -> Int32? { glyph(scalar).map { advance(ofGlyph: $0) } }

    /// The number that divides advances of this face to give ems.
    var advanceUnits: Int32 { strike?.pixelsPerEm ?? unitsPerEm }

    /// Ascent and descent above and below the baseline, both positive.
    var extents: (ascent: Int32, descent: Int32) {
        var extents = hb_font_extents_t()
        unsafe hb_font_get_h_extents(font, &extents)
        return (extents.ascender, -extents.descender)
    }
}
