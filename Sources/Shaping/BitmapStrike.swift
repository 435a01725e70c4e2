internal import CHarfBuzz

/// The advances of colour bitmaps, read from the strike itself (`CBLC` and `CBDT`). Browsers advance by the bitmap,
/// scaled with its strike, and not by `hmtx`: for Noto Color Emoji 136/109 em instead of 2550/2048.
struct BitmapStrike: Sendable {
    let pixelsPerEm: Int32
    private let advances: [UInt32: Int32]

    func advance(ofGlyph glyph: UInt32) -> Int32? { advances[glyph] }

    /// Reads the strike; nil when the face has no colour bitmaps. A damaged table gives fewer advances, and nothing
    /// worse.
    init?(face: OpaquePointer) {
        let index = unsafe FontTable(face, "CBLC")
        let data = unsafe FontTable(face, "CBDT")
        guard let strikes = index.uint32(at: 4), strikes > 0 else { return nil }
        // The largest strike, as browsers choose for large sizes; fonts in use have one.
        let records = (0..<min(Int(strikes), 64)).map { 8 + 48 * $0 }
        guard let record = records.max(by: { (index.uint8(at: $0 + 44) ?? 0) < (index.uint8(at: $1 + 44) ?? 0) }),
            let ppem = index.uint8(at: record + 44), ppem > 0,
            let array = index.uint32(at: record), let ranges = index.uint32(at: record + 8)
        else { return nil }
        var found: [UInt32: Int32] = [:]
        for range in 0..<min(Int(ranges), 4096) {
            let entry = Int(array) + 8 * range
            guard let first = index.uint16(at: entry), let last = index.uint16(at: entry + 2), first <= last,
                let offset = index.uint32(at: entry + 4)
            else { continue }
            BitmapStrike.read(
                index, data, subtable: Int(array) + Int(offset), first: first, last: last, into: &found)
        }
        pixelsPerEm = Int32(ppem)
        advances = found
    }

    private static func read(
        _ index: FontTable, _ data: FontTable, subtable: Int, first: UInt16, last: UInt16,
        into advances: inout [UInt32: Int32]
    ) {
        guard let format = index.uint16(at: subtable), let image = index.uint16(at: subtable + 2),
            let base = index.uint32(at: subtable + 4)
        else { return }
        for glyph in first...last {
            let place = Int(glyph - first)
            let offset: Int? =
                switch format {
                case 1: index.uint32(at: subtable + 8 + 4 * place).map { Int($0) }
                case 3: index.uint16(at: subtable + 8 + 2 * place).map { Int($0) }
                default: nil
                }
            guard let offset else { continue }
            // Small metrics have the advance in their fifth byte; so have big ones for horizontal text.
            guard image == 17 || image == 18, let advance = data.uint8(at: Int(base) + offset + 4) else { continue }
            advances[UInt32(glyph)] = Int32(advance)
        }
    }
}
