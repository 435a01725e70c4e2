import Bytes

/// A version of rows. Each has all that the versions before it have; a client reads rows up to one of them.
package enum RowVersion: UInt8, CaseIterable, Sendable {
    case first = 1
    /// Has the data for drawing, too.
    case second

    package static let newest = RowVersion.second

    /// The first byte of a row. A reader of other versions knows neither this byte nor that of an excerpt.
    var whole: UInt8 { 2 * rawValue - 1 }
    /// The first byte of an excerpt of a row.
    var excerpt: UInt8 { 2 * rawValue }

    /// Nil for an excerpt, and for bytes that are no row.
    package init?(ofWhole row: [UInt8]) {
        guard let byte = row.first, let version = RowVersion(firstByte: byte), byte == version.whole else { return nil }
        self = version
    }

    /// Nil for a byte that begins no row and no excerpt.
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
