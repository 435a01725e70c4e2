import CZMQ
import Glibc

/// The half of a key pair that everyone may see: 32 bytes, written as 40 characters (Z85).
package struct PublicKey: Hashable, Sendable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The key in a text; nil for a text that is not 40 characters of Z85.
    package init?(_ text: String) {
        guard let bytes = decodedKey(text) else { return nil }
        self.bytes = bytes
    }
}

extension PublicKey: CustomStringConvertible {
    package var description: String { encodedKey(bytes) }
}

/// The half of a key pair that proves the identity of its owner. `revealed()` gives it for one file, and nothing else
/// shows it: not `print`, not `dump`, not an error that it is part of.
package struct SecretKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The key in a text; nil for a text that is not 40 characters of Z85.
    package init?(_ text: String) {
        guard let bytes = decodedKey(text) else { return nil }
        self.bytes = bytes
    }

    package func revealed() -> String { encodedKey(bytes) }

    package var description: String { "(a secret key)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The identity of a process, to others.
package struct KeyPair: Sendable {
    package let publicKey: PublicKey
    package let secretKey: SecretKey

    /// Makes a new pair from the kernel's random numbers.
    package init() throws(TransportError) {
        var (publicText, secretText) = ([UInt8](repeating: 0, count: 41), [UInt8](repeating: 0, count: 41))
        guard
            unsafe publicText.withUnsafeMutableBytes({ open in
                unsafe secretText.withUnsafeMutableBytes { secret in
                    unsafe zmq_curve_keypair(
                        open.baseAddress?.assumingMemoryBound(to: CChar.self),
                        secret.baseAddress?.assumingMemoryBound(to: CChar.self))
                }
            }) == 0, let publicKey = PublicKey(keyText(publicText)), let secretKey = SecretKey(keyText(secretText))
        else { throw .system(call: "zmq_curve_keypair", code: zmq_errno(), endpoint: "") }
        (self.publicKey, self.secretKey) = (publicKey, secretKey)
    }

    /// The pair that a secret key is half of.
    package init?(_ secretKey: SecretKey) {
        var text = [UInt8](repeating: 0, count: 41)
        guard
            unsafe text.withUnsafeMutableBytes({ open in
                unsafe zmq_curve_public(
                    open.baseAddress?.assumingMemoryBound(to: CChar.self), secretKey.revealed())
            }) == 0, let publicKey = PublicKey(keyText(text))
        else { return nil }
        (self.publicKey, self.secretKey) = (publicKey, secretKey)
    }
}

private func keyText(_ bytes: [UInt8]) -> String { String(decoding: bytes.prefix(40), as: UTF8.self) }

/// Digits of Z85, four bytes to five of them.
private let digits = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#".utf8)

private func encodedKey(_ bytes: [UInt8]) -> String {
    let words = stride(from: 0, to: bytes.count, by: 4).map { start in
        bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    let text = words.flatMap { word in
        [52_200_625, 614_125, 7225, 85, 1].map { digits[Int(word / $0 % 85)] }
    }
    return String(decoding: text, as: UTF8.self)
}

private func decodedKey(_ text: String) -> [UInt8]? {
    let letters = Array(text.utf8)
    guard letters.count == 40 else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: 40, by: 5) {
        var word: UInt64 = 0
        for letter in letters[start..<start + 5] {
            guard let digit = digits.firstIndex(of: letter) else { return nil }
            word = word * 85 + UInt64(digit)
        }
        guard let whole = UInt32(exactly: word) else { return nil }
        bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: whole >> $0) }
    }
    return bytes
}
