import CSodium

/// Bytes as base64url without padding, whose letters header fields and addresses accept.
enum Base64URL {
    static func text(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: bytes.count * 4 / 3 + 4)
        unsafe sodium_bin2base64(&text, text.count, bytes, bytes.count, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The bytes of such a text; nil for anything that `text` would not have written.
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
