import Typography

/// What the plan of a message depends on besides its texts, as it is stored with these: a few bytes, in which nothing is said.
///
/// | bytes | |
/// |---|---|
/// | 1 | 1 for a kind that the style does not know, 2 where marks and links of the message, which is Markdown, are shown |
/// | 1, rest | kind whose template it was put into |
/// | number, rest | what the planner was told (`PlanTrace`) |
/// | number | pictures; of each width and height, numbers |
/// | number | lists of bars; of each a number, and so many bytes |
///
/// Numbers are seven bits in a byte, the lowest first; the highest bit says that more follow.
package struct PlanFacts: Hashable, Sendable {
    var kind: String
    var isOfUnknownKind: Bool
    /// Marks and links of the message, which is Markdown, stand in what clients see, and not in these facts.
    var quotesMessage: Bool
    var trace: [UInt8]
    var pictures: [PixelSize]
    var bars: [[UInt8]]

    init(_ plan: borrowing Plan, of template: Template, isOfUnknownKind: Bool) {
        (kind, self.isOfUnknownKind, quotesMessage) = (template.kind, isOfUnknownKind, plan.quotesMessage)
        (trace, pictures, bars) = (plan.trace, plan.pictures, plan.bars)
    }
}

extension PlanFacts {
    private static let (unknownKind, quotes): (UInt8, UInt8) = (1, 2)

    func encode(into bytes: inout [UInt8]) {
        bytes.append((isOfUnknownKind ? Self.unknownKind : 0) | (quotesMessage ? Self.quotes : 0))
        bytes.append(UInt8(clamping: kind.utf8.count))
        bytes.append(contentsOf: kind.utf8)
        bytes.append(number: trace.count)
        bytes.append(contentsOf: trace)
        bytes.append(number: pictures.count)
        for picture in pictures {
            bytes.append(number: Int(UInt32(bitPattern: picture.width)))
            bytes.append(number: Int(UInt32(bitPattern: picture.height)))
        }
        bytes.append(number: bars.count)
        for list in bars {
            bytes.append(number: list.count)
            bytes.append(contentsOf: list)
        }
    }

    init(decoding bytes: ArraySlice<UInt8>) throws(MeasuredTextError) {
        var rest = bytes
        let flags = try rest.takeByte()
        (isOfUnknownKind, quotesMessage) = (flags & Self.unknownKind != 0, flags & Self.quotes != 0)
        kind = String(decoding: try rest.take(Int(try rest.takeByte())), as: UTF8.self)
        trace = Array(try rest.take(rest.takeNumber()))
        (pictures, bars) = ([], [])
        for _ in 0..<(try rest.takeNumber()) {
            let (width, height) = (UInt32(truncatingIfNeeded: try rest.takeNumber()), try rest.takeNumber())
            pictures.append(
                PixelSize(
                    width: Int32(bitPattern: width), height: Int32(bitPattern: UInt32(truncatingIfNeeded: height))))
        }
        for _ in 0..<(try rest.takeNumber()) { bars.append(Array(try rest.take(rest.takeNumber()))) }
        guard rest.isEmpty else { throw .trailingBytes }
    }
}

extension [UInt8] {
    fileprivate mutating func append(number: Int) {
        var rest = number
        while rest > 0x7f {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func takeByte() throws(MeasuredTextError) -> UInt8 {
        guard let byte = popFirst() else { throw .truncated }
        return byte
    }

    fileprivate mutating func take(_ count: Int) throws(MeasuredTextError) -> ArraySlice<UInt8> {
        guard count <= self.count else { throw .truncated }
        defer { removeFirst(count) }
        return prefix(count)
    }

    fileprivate mutating func takeNumber() throws(MeasuredTextError) -> Int {
        var (number, shift) = (0, 0)
        while true {
            let byte = try takeByte()
            number |= Int(byte & 0x7f) << shift
            if byte < 0x80 { return number }
            shift += 7
            guard shift < 35 else { throw .tooLarge }
        }
    }
}
