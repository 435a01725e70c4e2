package import Bytes

package struct RequestID: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    /// The id of a word that answers no question and expects no answer.
    package static let none = RequestID(0)
}

/// Words of one family, said in one direction between two kinds of process.
package protocol FramedWord: ByteCoded {
    /// The number of the family. A word that reaches the wrong socket is refused by it, and not mistaken for another.
    static var family: UInt8 { get }
}

/// One word in one frame.
///
/// ```text
///  0       4         5        6       8                16
///  ┌───────┬─────────┬────────┬───────┬────────────────┬──────
///  │ FRME  │ version │ family │ zero  │ request id     │ word…
///  └───────┴─────────┴────────┴───────┴────────────────┴──────
/// ```
///
/// An answer carries the request id of its question.
package struct Framed<Word: FramedWord> {
    package var request: RequestID
    package var word: Word

    /// The offset of the family in a frame: one socket may hear several families.
    package static var familyPlace: Int { 5 }
    /// The offsets of the request id and of the word.
    package static var requestPlace: Int { 8 }
    package static var wordPlace: Int { 16 }

    package init(_ word: Word, request: RequestID = .none) {
        (self.request, self.word) = (request, word)
    }
}

extension Framed: Equatable where Word: Equatable {}
extension Framed: Sendable where Word: Sendable {}

/// The version of everything that is framed; processes of different versions do not understand each other.
package let framedVersion: UInt8 = 5
private let magic: [UInt8] = Array("FRME".utf8)

extension Framed: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.append(magic)
        writer.integer(framedVersion)
        writer.integer(Word.family)
        writer.integer(0 as UInt16)
        writer.integer(request.number)
        writer.value(word)
    }

    package init(from reader: inout ByteReader) throws(ByteError) {
        guard try reader.bytes(4).elementsEqual(magic) else { throw .notForme }
        let version = try reader.integer(UInt8.self)
        guard version == framedVersion else { throw .unknownVersion(version) }
        let family = try reader.integer(UInt8.self)
        guard family == Word.family else { throw .unknownKind(family) }
        let flags = try reader.integer(UInt16.self)
        guard flags == 0 else { throw .unknownFlags(flags) }
        request = RequestID(try reader.integer())
        word = try Word(from: &reader)
    }

    /// Writes another request id into a frame.
    package static func address(_ frame: inout [UInt8], to request: RequestID) {
        for (i, place) in (requestPlace..<wordPlace).enumerated() {
            frame[place] = UInt8(truncatingIfNeeded: request.number >> (56 - 8 * UInt64(i)))
        }
    }

    /// The request id of a frame with a valid head, whether or not its word can be read.
    package static func request(of frame: [UInt8]) -> RequestID? {
        guard frame.count >= wordPlace, frame.starts(with: magic), frame[4] == framedVersion,
            frame[familyPlace] == Word.family, frame[6] == 0, frame[7] == 0
        else { return nil }
        return RequestID(frame[requestPlace..<wordPlace].reduce(0) { $0 << 8 | UInt64($1) })
    }
}
