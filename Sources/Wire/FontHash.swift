import Bytes

/// The name of a font file, a face or a slice of one: the hash of its bytes, as the list of fonts has it.
package struct FontHash: Hashable, Sendable {
    package let bytes: [UInt8]

    static let count = 32

    /// - Parameter bytes: 32 of them.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The hash in a text of 64 lowercase hexadecimal digits; nil for any other text.
    package init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text), bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }

    package var text: String { Hexadecimal.text(bytes) }
}
