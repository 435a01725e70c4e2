import Wire

/// The number of a key of a partition. It rises with every key: keys of a later reign are above those of all before.
/// Each host has numbers of its own, as two that are about to claim both make a key.
package struct KeyNumber: Hashable, Comparable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
    package static func < (a: KeyNumber, b: KeyNumber) -> Bool { a.number < b.number }
    package static let zero = KeyNumber(0)

    private static let hosts: UInt64 = 256

    static func first(of reign: Reign) -> KeyNumber { KeyNumber(reign.number << 32) }

    /// - Parameter place: the place of the host among those that have the partition.
    static func next(after number: KeyNumber, of place: Int) -> KeyNumber {
        KeyNumber((number.number / hosts + 1) * hosts + UInt64(place) % hosts)
    }
}

/// The key that records are sealed with. Only replicas hold it; when they wipe it, these records are noise.
package struct RecordKey: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    package let bytes: [UInt8]

    package static let length = 32

    package init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.length)
        self.bytes = bytes
    }

    package var description: String { "(a key)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A cipher that seals and opens: XChaCha20-Poly1305 in the product, which no module of the core may know.
package protocol RecordCipher: Sendable {
    /// Seals bytes under a nonce of its own, which is part of the answer. The `bound` bytes are not in the answer,
    /// and must be given to open it.
    func seal(_ plain: [UInt8], under key: RecordKey, bound: [UInt8]) -> [UInt8]
    /// Opens sealed bytes; nil where they, the key or the bound bytes differ in anything.
    func open(_ sealed: ArraySlice<UInt8>, under key: RecordKey, bound: [UInt8]) -> [UInt8]?
}
