/// Bytes as text, as RFC 4648 has it, with padding: in etcd's JSON, and in data URLs.
package enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()
    private static let padding = UInt8(ascii: "=")

    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
        let letters = letters
        var place = 0
        while place < bytes.count {
            let left = bytes.count - place
            let second = left > 1 ? bytes[place + 1] : 0
            let third = left > 2 ? bytes[place + 2] : 0
            let three = Int(bytes[place]) << 16 | Int(second) << 8 | Int(third)
            text.append(letters[three >> 18])
            text.append(letters[three >> 12 & 63])
            text.append(left > 1 ? letters[three >> 6 & 63] : padding)
            text.append(left > 2 ? letters[three & 63] : padding)
            place += 3
        }
    }

    /// Returns the bytes of a text; nil for anything that `append` would not have written.
    package static func bytes(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { unsafe bytes(Array($0)) }
    }

    private static func bytes(_ text: [UInt8]) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let end = text.count - (text.suffix(2).count { $0 == padding })
        let values = values
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (four, count) = (0, 0)
        for letter in text[..<end] {
            let value = values[Int(letter)]
            guard value != 0xFF else { return nil }
            (four, count) = (four << 6 | Int(value), count + 1)
            guard count == 4 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: four >> 16))
            bytes.append(UInt8(truncatingIfNeeded: four >> 8))
            bytes.append(UInt8(truncatingIfNeeded: four))
            (four, count) = (0, 0)
        }
        switch count {
        case 0: break
        case 2 where four & 0xF == 0: bytes.append(UInt8(four >> 4))
        case 3 where four & 0x3 == 0:
            bytes.append(UInt8(four >> 10))
            bytes.append(UInt8(truncatingIfNeeded: four >> 2))
        default: return nil
        }
        return bytes
    }
}
