/// SHA-256, as FIPS 180-4 has it. The core imports no library, and a key must be a hash for which nobody finds two inputs.
package enum SHA256 {
    /// 32 bytes.
    package static func hash(of bytes: [UInt8]) -> [UInt8] {
        let words = words(of: bytes)
        return (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 4] &>> UInt32(24 - $0 % 4 * 8)) }
    }

    /// The same as eight words, the first four bytes in the first.
    static func words(of bytes: [UInt8]) -> InlineArray<8, UInt32> {
        var state = initial
        let whole = bytes.count - bytes.count % 64
        let span = bytes.span
        for start in stride(from: 0, to: whole, by: 64) {
            unsafe mix(span.extracting(start..<start + 64).bytes, into: &state)
        }
        let end = padded(bytes[whole...], of: bytes.count)
        unsafe mix(end.span.extracting(0..<64).bytes, into: &state)
        if bytes.count - whole >= 56 { unsafe mix(end.span.extracting(64..<128).bytes, into: &state) }
        return state
    }

    /// What is left of a text, a single bit, zeros, and how many bits the whole has: at the end of the first block, or of the
    /// second where the first has no room for it.
    private static func padded(_ rest: ArraySlice<UInt8>, of count: Int) -> InlineArray<128, UInt8> {
        var end = InlineArray<128, UInt8>(repeating: 0)
        for (place, byte) in rest.enumerated() { end[place] = byte }
        end[rest.count] = 0x80
        let last = rest.count < 56 ? 63 : 127
        for place in 0..<8 { end[last - place] = UInt8(truncatingIfNeeded: (count * 8) >> (8 * place)) }
        return end
    }

    private typealias State = InlineArray<8, UInt32>

    /// The message schedule is made as it is used, sixteen words at a time.
    private static func mix(_ block: RawSpan, into state: inout State) {
        var words = InlineArray<16, UInt32>(repeating: 0)
        for i in 0..<16 {
            words[i] = unsafe UInt32(bigEndian: block.unsafeLoadUnaligned(fromByteOffset: 4 * i, as: UInt32.self))
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for i in 0..<64 {
            if i >= 16 {
                let (early, late) = (words[(i + 1) & 15], words[(i + 14) & 15])
                let small = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
                let large = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
                words[i & 15] &+= small &+ words[(i + 9) & 15] &+ large
            }
            let choice = (e & f) ^ (~e & g)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let first =
                h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ constants[i] &+ words[i & 15]
            let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }

    private static let initial: State = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// The first bits of the fractional parts of the cube roots of the first primes.
    private static let constants: InlineArray<64, UInt32> = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
