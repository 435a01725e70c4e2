package import Bytes

/// What a client asks a gateway; answered by a `PageWord`.
package enum ReaderWord: Equatable, Sendable {
    case fetch(Query)
}

/// What a gateway answers.
package enum PageWord: Equatable, Sendable {
    case page(Page)
    case refused(Refusal)
}

/// Why a request was not done.
package enum Refusal: UInt8, CaseIterable, Error, Sendable {
    /// The frame could not be read, or says what this socket does not take.
    case malformed = 1
    /// The cache could not be read just now.
    case unavailable = 2
    /// Messages of the page are not laid out for the target and variant; the style says what is prepared.
    case unprepared = 3
}

extension ReaderWord: FramedWord {
    package static let family: UInt8 = 7

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .fetch(let query):
            writer.integer(1 as UInt8)
            writer.value(query)
        }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .fetch(try reader.value())
        case let code: throw .unknownKind(code)
        }
    }
}

extension PageWord: FramedWord {
    package static let family: UInt8 = 8

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .page(let page):
            writer.integer(1 as UInt8)
            writer.value(page)
        case .refused(let refusal):
            writer.integer(2 as UInt8)
            writer.value(refusal)
        }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .page(try reader.value())
        case 2: self = .refused(try reader.value())
        case let code: throw .unknownKind(code)
        }
    }
}

extension Refusal: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.integer(rawValue) }
    package init(from reader: inout ByteReader) throws(ByteError) {
        let code = try reader.integer(UInt8.self)
        guard let refusal = Refusal(rawValue: code) else { throw .unknownCase(code, of: "refusal") }
        self = refusal
    }
}
