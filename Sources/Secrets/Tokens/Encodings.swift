import CSodium

/// Bytes as small hexadecimal digits.
enum Hexadecimal {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// Nil for anything that `text` would not have written.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0 != nil }) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0]! << 4 | digits[$0 + 1]! }
    }
}

/// Bytes as letters that fields and addresses take, without padding.
enum Base64 {
    static func text(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: bytes.count * 4 / 3 + 4)
        unsafe sodium_bin2base64(&text, text.count, bytes, bytes.count, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Nil for anything that `text` would not have written.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        var bytes = [UInt8](repeating: 0, count: characters.count * 3 / 4 + 1)
        var count = 0
        let status = unsafe characters.withUnsafeBytes { characters in
            unsafe sodium_base642bin(
                &bytes, bytes.count, characters.baseAddress?.assumingMemoryBound(to: CChar.self), characters.count, nil,
                &count, nil, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
        }
        return status == 0 ? Array(bytes.prefix(count)) : nil
    }
}
