package import Bytes

/// The answer of the fetch socket to a frame that holds no word of a client.
package enum FrameRefusal: UInt8, CaseIterable, Sendable {
    /// The frame could not be read, or holds a word that this socket does not take.
    case malformed = 1
    /// Too many are asking; try again soon.
    case busy = 2
    /// The frame asks for a page of stored rows, which only earlier releases answered: open a window.
    case gone = 4
}

extension FrameRefusal {
    /// The answer to a frame that is no client's word, under the number of its request where it has one.
    package static func answer(to frame: [UInt8]) -> Framed<FrameRefusal> {
        guard let request = Framed<PageQuestion>.request(of: frame) else { return Framed(.malformed) }
        return Framed(.gone, request: request)
    }

    /// The question of earlier releases, which is no longer read.
    private struct PageQuestion: FramedWord {
        static let family: UInt8 = 7
        init(from reader: inout ByteReader) throws(ByteError) {}
        func write(to writer: inout ByteWriter) {}
    }
}

extension FrameRefusal: FramedWord {
    package static let family: UInt8 = 8
    /// The only kind of word that is left of this family.
    private static let refused: UInt8 = 2

    package func write(to writer: inout ByteWriter) {
        writer.integer(Self.refused)
        writer.integer(rawValue)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        let kind = try reader.integer(UInt8.self)
        guard kind == Self.refused else { throw .unknownKind(kind) }
        let code = try reader.integer(UInt8.self)
        guard let refusal = Self(rawValue: code) else { throw .unknownCase(code, of: "refusal") }
        self = refusal
    }
}
