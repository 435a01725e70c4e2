import Bytes
package import Typography

extension Composer {
    /// Appends the data that is stored beside the layouts of a message, of the one that was laid out last: its
    /// `PlanFacts`, and its measured texts in the order of its parts. With it, another width needs neither the
    /// message nor a letter measured.
    ///
    /// The first three bytes are the length of the facts, the lowest byte first, the fourth is the version. Then come
    /// the texts: the length of each in four bytes, the lowest first, and its stored form. Data from before there
    /// were facts begins with the first text, whose fourth byte is 0.
    package func encodeMeasuredTexts(into stored: inout [UInt8]) {
        var bytes = Buffer<UInt8>(capacity: 512)
        if let facts {
            let start = bytes.beginBlock()
            facts.encode(into: &bytes)
            bytes.endBlock(from: start)
            bytes[start + 3] = StoredTexts.version
        }
        for place in style.tables.literals.count..<shelf.count {
            let start = bytes.beginBlock()
            shelf.lend(place) { $0.encode(into: &bytes) }
            bytes.endBlock(from: start)
        }
        bytes.copy(behind: &stored)
    }
}

extension Buffer<UInt8> {
    fileprivate mutating func beginBlock() -> Int {
        word(0 as UInt32)
        return count - 4
    }

    fileprivate mutating func endBlock(from start: Int) {
        let length = UInt32(count - start - 4)
        for byte in 0..<4 { self[start + byte] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(byte))) }
    }
}

/// The data that `Composer.encodeMeasuredTexts` writes, read text by text.
package struct StoredTexts: Sendable {
    static let version: UInt8 = 1

    /// Nil in data from before there were facts.
    package let facts: PlanFacts?
    private let bytes: ArraySlice<UInt8>
    private var walk: StoredWalk

    package init(_ bytes: ArraySlice<UInt8>) throws(MeasuredTextError) {
        self.bytes = bytes
        walk = try StoredWalk(bytes.span)
        facts = try walk.facts.map { (place) throws(MeasuredTextError) in
            try PlanFacts(decoding: bytes[bytes.startIndex + place.lowerBound..<bytes.startIndex + place.upperBound])
        }
    }

    package var isAtEnd: Bool { walk.isAtEnd }

    /// Returns the next text; nil at the end. Throws for bytes that are no text.
    package mutating func next() throws(MeasuredTextError) -> MeasuredText? {
        guard !isAtEnd else { return nil }
        var text = MeasuredText.empty
        try next(into: &text)
        return text
    }

    /// Reads the next text into memory that is used again.
    mutating func next(into text: inout MeasuredText) throws(MeasuredTextError) {
        let bytes = bytes
        let place = try walk.next(in: bytes.span)
        try text.decode(bytes[bytes.startIndex + place.lowerBound..<bytes.startIndex + place.upperBound])
    }
}

/// The places of the parts in the stored data of a message.
struct StoredWalk {
    let facts: Range<Int>?
    private var place: Int
    private let end: Int

    init(_ bytes: borrowing Span<UInt8>) throws(MeasuredTextError) {
        end = bytes.count
        guard bytes.count >= 4, bytes[3] != 0 else {
            (facts, place) = (nil, 0)
            return
        }
        guard bytes[3] == StoredTexts.version else { throw .unknownVersion(bytes[3]) }
        place = 4 + (Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16)
        guard place <= end else { throw .truncated }
        facts = 4..<place
    }

    var isAtEnd: Bool { place == end }

    /// Returns the place of the next text.
    mutating func next(in bytes: borrowing Span<UInt8>) throws(MeasuredTextError) -> Range<Int> {
        guard end - place >= 4 else { throw .truncated }
        let length =
            Int(bytes[place]) | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2]) << 16 | Int(bytes[place + 3]) << 24
        guard end - place - 4 >= length else { throw .truncated }
        defer { place += 4 + length }
        return place + 4..<place + 4 + length
    }
}
