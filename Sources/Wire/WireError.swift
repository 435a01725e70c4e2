/// What was wrong with bytes that somebody sent or stored. Cases carry facts; the shell makes sentences of them.
package enum WireError: Error, Equatable, Sendable {
    case truncated(needed: Int, left: Int)
    /// Bytes were left over after the last field: a newer sender, or a damaged frame.
    case trailing(count: Int)
    case notForme
    case unknownVersion(UInt8)
    case unknownKind(UInt8)
    case unknownFlags(UInt16)
    case unknownCase(UInt8, of: String)
    case notUTF8
    case tooLong(Int, limit: Int, of: String)
    case empty(String)
    case outOfRange(Int64, of: String)
}
