/// The name of a file that texts are drawn with, a face or a slice of one: the hash of its bytes, as the list of fonts has it.
package struct FontHash: Hashable, Sendable {
    package let bytes: [UInt8]

    static let count = 32

    /// - Parameter bytes: 32 of them.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Nil for anything but 64 small hexadecimal digits.
    package init?(_ text: String) {
        let digits = text.utf8.map { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        guard digits.count == 2 * Self.count, digits.allSatisfy({ $0 != nil }) else { return nil }
        let known = digits.compactMap(\.self)
        bytes = (0..<Self.count).map { known[2 * $0] << 4 | known[2 * $0 + 1] }
    }

    package var text: String {
        String(decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
