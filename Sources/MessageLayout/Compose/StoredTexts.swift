import Bytes
package import Typography

extension Composer {
    /// Appends what is stored of the message that was laid out last beside its layouts, so that another width needs neither
    /// it nor a letter measured: what its plan depends on, and its measured texts in the order in which its parts come.
    ///
    /// The first three bytes are the length of the facts, the lowest byte first, the fourth is the version. Of each text
    /// follow its length in four bytes, the lowest first, and its stored form. What was stored before there were facts begins
    /// with the first text, of which the fourth byte is 0.
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

/// What `Composer.encodeMeasuredTexts` wrote, text by text.
package struct StoredTexts: Sendable {
    static let version: UInt8 = 1

    /// Nil in what was stored before there were any.
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

    /// The next text; nil when there is none. Throws for what is none.
    package mutating func next() throws(MeasuredTextError) -> MeasuredText? {
        guard !isAtEnd else { return nil }
        var text = MeasuredText.empty
        try next(into: &text)
        return text
    }

    /// The same in memory that is used again.
    mutating func next(into text: inout MeasuredText) throws(MeasuredTextError) {
        let bytes = bytes
        let place = try walk.next(in: bytes.span)
        try text.decode(bytes[bytes.startIndex + place.lowerBound..<bytes.startIndex + place.upperBound])
    }
}

/// Where the parts of what is stored of a message are.
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

    /// The next text.
    mutating func next(in bytes: borrowing Span<UInt8>) throws(MeasuredTextError) -> Range<Int> {
        guard end - place >= 4 else { throw .truncated }
        let length =
            Int(bytes[place]) | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2]) << 16 | Int(bytes[place + 3]) << 24
        guard end - place - 4 >= length else { throw .truncated }
        defer { place += 4 + length }
        return place + 4..<place + 4 + length
    }
}
