package import Typography

extension Composer {
    /// Appends what is stored of the message that was laid out last beside its layouts, so that another width needs neither
    /// it nor a letter measured: what its plan depends on, and its measured texts in the order in which its parts come.
    ///
    /// The first three bytes are the length of the facts, the lowest byte first, the fourth is the version. Of each text
    /// follow its length in four bytes, the lowest first, and its stored form. What was stored before there were facts begins
    /// with the first text, of which the fourth byte is 0.
    package func encodeMeasuredTexts(into bytes: inout [UInt8]) {
        if let facts {
            let start = bytes.beginBlock()
            facts.encode(into: &bytes)
            bytes.endBlock(from: start)
            bytes[start + 3] = StoredTexts.version
        }
        for place in style.tables.literals.count..<shelf.count {
            let start = bytes.beginBlock()
            shelf.encode(place, into: &bytes)
            bytes.endBlock(from: start)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func beginBlock() -> Int {
        append(contentsOf: [0, 0, 0, 0])
        return count - 4
    }

    fileprivate mutating func endBlock(from start: Int) {
        let length = UInt32(count - start - 4)
        for byte in 0..<4 { self[start + byte] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(byte))) }
    }
}

/// What `Composer.encodeMeasuredTexts` wrote, text by text.
package struct StoredTexts: Sendable {
    static let version: UInt8 = 1

    /// Nil in what was stored before there were any.
    package let facts: PlanFacts?
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) throws(MeasuredTextError) {
        guard bytes.count >= 4, bytes[bytes.startIndex + 3] != 0 else {
            (facts, rest) = (nil, bytes)
            return
        }
        guard bytes[bytes.startIndex + 3] == Self.version else {
            throw .unknownVersion(bytes[bytes.startIndex + 3])
        }
        let length = bytes.prefix(3).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count - 4 >= length else { throw .truncated }
        facts = try PlanFacts(decoding: bytes.dropFirst(4).prefix(length))
        rest = bytes.dropFirst(4 + length)
    }

    /// In bytes.
    var size: Int { rest.count }
    package var isAtEnd: Bool { rest.isEmpty }

    /// The next text; nil when there is none. Throws for what is none.
    package mutating func next() throws(MeasuredTextError) -> MeasuredText? {
        guard !isAtEnd else { return nil }
        var text = MeasuredText.empty
        try next(into: &text)
        return text
    }

    /// The same in memory that is used again.
    mutating func next(into text: inout MeasuredText) throws(MeasuredTextError) {
        guard rest.count >= 4 else { throw .truncated }
        let start = rest.startIndex
        let length = (0..<4).reduce(0) { $0 | Int(rest[start + $1]) << (8 * $1) }
        guard rest.count - 4 >= length else { throw .truncated }
        try text.decode(rest[(start + 4)..<(start + 4 + length)])
        rest = rest[(start + 4 + length)...]
    }
}
