package import Bytes

/// A name that the chat backend gave to a `Subject`: opaque to us, bounded, and never mixed up with another sort of
/// name.
package struct Name<Subject>: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let text: String

    /// The most bytes of UTF-8 that a name may have.
    package static var mostBytes: Int { 255 }

    package init(_ text: String) throws(ByteError) {
        let length = text.utf8.count
        guard length > 0 else { throw .empty(ByteError.Field("", Subject.self)) }
        guard length <= Self.mostBytes else {
            throw .tooLong(length, limit: Self.mostBytes, of: ByteError.Field("", Subject.self))
        }
        self.text = text
    }

    package var description: String { text }

    /// Whether the text is this name, byte for byte: `café` in two spellings of Unicode is two names.
    package func isSpelled(_ text: String) -> Bool { self.text.utf8.elementsEqual(text.utf8) }

    /// Orders names by bytes, as the cache does. (`String` compares by canonical equivalence.)
    package static func < (a: Name, b: Name) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
    package static func == (a: Name, b: Name) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

package enum ConversationSubject {}
package enum Message {}
package enum Sender {}

package typealias ConversationID = Name<ConversationSubject>
package typealias MessageID = Name<Message>
package typealias SenderID = Name<Sender>
