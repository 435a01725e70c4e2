package import Typography

extension Composer {
    /// Appends the measured texts of the message that was laid out last, in the order in which its parts come: what is stored
    /// beside a layout, so that another width needs no letter measured.
    ///
    /// Each is its length in four bytes, the lowest first, and its stored form.
    package func encodeMeasuredTexts(into bytes: inout [UInt8]) {
        for place in style.tables.literals.count..<shelf.count {
            let start = bytes.count
            bytes.append(contentsOf: [0, 0, 0, 0])
            shelf.encode(place, into: &bytes)
            let length = UInt32(bytes.count - start - 4)
            for byte in 0..<4 { bytes[start + byte] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(byte))) }
        }
    }
}

/// What `Composer.encodeMeasuredTexts` wrote, text by text.
package struct StoredTexts {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next text; nil when there is none. Throws for what is none.
    package mutating func next() throws(MeasuredTextError) -> MeasuredText? {
        guard !rest.isEmpty else { return nil }
        guard rest.count >= 4 else { throw .truncated }
        let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard rest.count - 4 >= length else { throw .truncated }
        defer { rest = rest.dropFirst(4 + length) }
        return try MeasuredText(decoding: rest.dropFirst(4).prefix(length))
    }
}
