internal import CHarfBuzz

/// A table of a font file: big-endian numbers that may or may not be there. Reading past the end is an answer (nil),
/// not an error, because font files are input like any other.
@safe final class FontTable {
    private let blob: OpaquePointer
    private let bytes: UnsafeRawBufferPointer

    /// The table of a face; empty when the face has none of that name.
    init(_ face: OpaquePointer, _ name: StaticString) {
        unsafe blob = hb_face_reference_table(face, FontFace.tag(name))
        var length: UInt32 = 0
        let start = unsafe hb_blob_get_data(blob, &length)
        unsafe bytes = UnsafeRawBufferPointer(start: start, count: Int(length))
    }

    deinit { unsafe hb_blob_destroy(blob) }

    var isEmpty: Bool { unsafe bytes.isEmpty }

    func uint8(at offset: Int) -> UInt8? {
        guard offset >= 0, unsafe offset < bytes.count else { return nil }
        return unsafe bytes[offset]
    }

    func uint16(at offset: Int) -> UInt16? {
        guard let high = uint8(at: offset), let low = uint8(at: offset + 1) else { return nil }
        return UInt16(high) << 8 | UInt16(low)
    }

    func uint32(at offset: Int) -> UInt32? {
        guard let high = uint16(at: offset), let low = uint16(at: offset + 2) else { return nil }
        return UInt32(high) << 16 | UInt32(low)
    }
}
