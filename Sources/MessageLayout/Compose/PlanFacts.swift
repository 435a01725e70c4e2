import Bytes
import Typography

/// The inputs of a message's plan besides its texts, stored in front of these: a few bytes that hold no words.
///
/// | bytes | |
/// |---|---|
/// | 1 | 1 for a kind that the style does not know, 2 if the skeleton has marks and links of the message's Markdown |
/// | 1, rest | kind whose template it was put into |
/// | number, rest | answers that the planner got (`PlanTrace`) |
/// | number | pictures; of each width and height, numbers |
/// | number | lists of bars; of each a number, and so many bytes |
///
/// Numbers are seven bits in a byte, the lowest first; the highest bit says that more follow.
package struct PlanFacts: Hashable, Sendable {
    var kind: String
    var isOfUnknownKind: Bool
    /// Whether the skeleton has marks and links of the message's Markdown. They are not in these facts.
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

    func encode(into bytes: inout Buffer<UInt8>) {
        bytes.append((isOfUnknownKind ? Self.unknownKind : 0) | (quotesMessage ? Self.quotes : 0))
        bytes.append(UInt8(clamping: kind.utf8.count))
        for byte in kind.utf8 { bytes.append(byte) }
        bytes.number(trace.count)
        bytes.append(trace)
        bytes.number(pictures.count)
        for picture in pictures {
            bytes.number(picture.width)
            bytes.number(picture.height)
        }
        bytes.number(bars.count)
        for list in bars {
            bytes.number(list.count)
            bytes.append(list)
        }
    }

    init(decoding bytes: ArraySlice<UInt8>) throws(MeasuredTextError) {
        self = try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(MeasuredTextError) in
            var reader = unsafe NumberReader(bytes)
            let facts = PlanFacts(&reader)
            if let fault = reader.fault { throw MeasuredTextError(fault) }
            guard reader.left == 0 else { throw .trailingBytes }
            return facts
        }
    }

    private init(_ reader: inout NumberReader) {
        let flags = reader.byte()
        (isOfUnknownKind, quotesMessage) = (flags & Self.unknownKind != 0, flags & Self.quotes != 0)
        kind = String(decoding: reader.bytes(Int(reader.byte())), as: UTF8.self)
        trace = reader.bytes(Int(reader.number()))
        (pictures, bars) = ([], [])
        for _ in 0..<reader.items(Int(reader.number())) {
            pictures.append(PixelSize(width: reader.length(), height: reader.length()))
        }
        for _ in 0..<reader.items(Int(reader.number())) { bars.append(reader.bytes(Int(reader.number()))) }
    }
}
