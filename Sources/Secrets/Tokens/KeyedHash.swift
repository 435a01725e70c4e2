import CSodium

private let isSodiumReady: Bool = sodium_init() >= 0

/// Initialises libsodium once, before anything that needs random numbers or locked memory.
func makeSodiumReady() { precondition(isSodiumReady, "libsodium finds no source of chance") }

/// A keyed hash of 16 bytes, for tables whose keys come from outside: without the key, no sender can choose collisions.
struct KeyedHash: Sendable {
    struct Value: Hashable, Sendable {
        let halves: (UInt64, UInt64)
        static func == (one: Value, other: Value) -> Bool { one.halves == other.halves }
        func hash(into hasher: inout Hasher) { hasher.combine(halves.0) }
    }

    private let key: [UInt8]

    init() {
        makeSodiumReady()
        var key = [UInt8](repeating: 0, count: 32)
        unsafe randombytes_buf(&key, key.count)
        self.key = key
    }

    func callAsFunction(_ text: Substring) -> Value {
        var text = text
        var halves: (UInt64, UInt64) = (0, 0)
        text.withUTF8 { text in
            unsafe withUnsafeMutableBytes(of: &halves) { target in
                _ = unsafe crypto_generichash(
                    target.baseAddress!.assumingMemoryBound(to: UInt8.self), target.count, text.baseAddress,
                    UInt64(text.count), key, key.count)
            }
        }
        return Value(halves: halves)
    }
}
