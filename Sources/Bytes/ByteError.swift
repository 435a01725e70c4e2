/// A fault in bytes that somebody sent or stored. Cases carry facts; the shell makes sentences of them.
///
/// The error is trivial: a reader carries one along without counting references, and throwing one allocates nothing.
public enum ByteError: Error, Equatable, Sendable {
    case truncated(needed: Int, left: Int)
    /// Bytes were left over after the last field: a newer sender, or a damaged frame.
    case trailing(count: Int)
    case notForme
    case unknownVersion(UInt8)
    case unknownKind(UInt8)
    case unknownFlags(UInt16)
    case unknownCase(UInt8, of: Field)
    case notUTF8
    case tooLong(Int, limit: Int, of: Field)
    case empty(Field)
    case outOfRange(Int64, of: Field)
    /// `outOfRange` of a number whose bounds its sender is told.
    case outOfBounds(Int64, ClosedRange<Int64>, of: Field)

    /// The name of the field that is at fault: a literal, a type, or both. It is spelled out only when somebody reads
    /// it.
    public struct Field: Equatable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
        @usableFromInline let text: StaticString
        @usableFromInline let type: Any.Type?

        @inlinable
        public init(stringLiteral text: StaticString) { (self.text, type) = (text, nil) }

        @inlinable
        public init(_ text: StaticString = "", _ type: Any.Type) { (self.text, self.type) = (text, type) }

        public var description: String { type.map { "\(text)\($0)" } ?? "\(text)" }

        public static func == (a: Field, b: Field) -> Bool { a.description == b.description }
    }
}
