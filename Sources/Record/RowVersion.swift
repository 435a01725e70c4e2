import Bytes

/// A form of rows. Each says all that those before it say; a client reads them up to one of them.
package enum RowVersion: UInt8, CaseIterable, Sendable {
    case first = 1
    /// Says in addition what drawing needs.
    case second

    package static let newest = RowVersion.second

    /// The first byte of a row. A reader of other versions knows neither this byte nor that of an excerpt.
    var whole: UInt8 { 2 * rawValue - 1 }
    /// The first byte of an excerpt of a row.
    var excerpt: UInt8 { 2 * rawValue }

    /// Nil for an excerpt, and for what is no row.
    package init?(ofWhole row: [UInt8]) {
        guard let byte = row.first, let version = RowVersion(firstByte: byte), byte == version.whole else { return nil }
        self = version
    }

    /// Nil for what begins like no row and no excerpt.
    init?(firstByte: UInt8) { self.init(rawValue: firstByte / 2 + firstByte % 2) }
}

extension NumberReader {
    /// The version of a row, and whether this is an excerpt of one; nil and a fault where it is not known.
    mutating func rowVersion() -> (version: RowVersion, isExcerpt: Bool)? {
        let byte = byte()
        guard let version = RowVersion(firstByte: byte) else {
            fail(.unknownVersion(byte))
            return nil
        }
        return (version, byte == version.excerpt)
    }
}
