/// A test at memory speed for texts that hold no entity: sixteen characters at a step, and no branch within.
///
/// It answers "maybe" for some that hold none; never "no" for one that does. Everything beyond ASCII looks the same
/// to it, so UTF-16 is narrowed to bytes first.
enum EntityTriggers {
    private typealias Mask = SIMDMask<SIMD16<Int8>>
    private static let step = 16
    /// Shorter texts are walked as fast as they are tested; longer ones would overflow the counts of digits.
    private static let worthTesting = 17...4000
    private static let fewestPhoneDigits = 7

    static func mayBe(in utf16: UnsafeBufferPointer<UInt16>) -> Bool {
        guard worthTesting.contains(utf16.count) else { return !utf16.isEmpty }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: utf16.count) { bytes in
            for index in utf16.indices {
                unsafe bytes.initializeElement(at: index, to: UInt8(truncatingIfNeeded: min(utf16[index], 0xFF)))
            }
            return unsafe mayBe(in: UnsafeBufferPointer(bytes))
        }
    }

    static func mayBe(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard worthTesting.contains(bytes.count) else { return !bytes.isEmpty }
        guard unsafe bytes[0] != UInt8(ascii: "/") else { return true }
        let last = bytes.count - step - 1  // each step looks at sixteen characters and at the ones after them
        var found = Mask(repeating: false)
        var digits = SIMD16<UInt8>()
        var index = 0
        while true {
            let here = unsafe UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            let after = unsafe UnsafeRawBufferPointer(bytes)
                .loadUnaligned(fromByteOffset: index + 1, as: SIMD16<UInt8>.self)
            found = found .| isTrigger(here, before: after)
            // A true lane is all ones, which is minus one.
            let isDigit = here &- all("0") .<= all("\u{9}")
            digits = unsafe digits &- unsafeBitCast(isDigit, to: SIMD16<UInt8>.self)
            guard index < last else { break }
            index = min(index + step, last)  // the last step may count some digits again
        }
        let isFound = unsafe unsafeBitCast(found, to: SIMD2<UInt64>.self)
        // The very last character was not counted.
        return isFound[0] | isFound[1] != 0 || digits.sum >= fewestPhoneDigits - 1
    }

    /// A mask of the triggers: `.c` of a host, `@a`, `#1`, `://`, and a `/` after a space.
    @inline(__always)
    private static func isTrigger(_ here: SIMD16<UInt8>, before after: SIMD16<UInt8>) -> Mask {
        let name = (here .== all(".") .| here .== all("@")) .& after .>= all("A")
        let tag = here .== all("#") .& after .>= all("0")
        let space = here .<= all(" ") .| here .== all(":") .| here .>= all("\u{80}")
        return name .| tag .| (space .& after .== all("/"))
    }

    /// Only operators between vectors become single instructions; those with a scalar take lane after lane.
    @inline(__always)
    private static func all(_ character: Unicode.Scalar) -> SIMD16<UInt8> {
        SIMD16(repeating: UInt8(truncatingIfNeeded: character.value))
    }
}

extension SIMD16<UInt8> {
    /// The sum of all lanes, in the manner of a population count.
    fileprivate var sum: Int {
        let pairs: UInt64 = 0x00FF_00FF_00FF_00FF
        let words = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
        let sums = [words[0], words[0] >> 8, words[1], words[1] >> 8].reduce(0) { $0 &+ ($1 & pairs) }
        return Int((sums &* 0x0001_0001_0001_0001) >> 48)
    }
}
