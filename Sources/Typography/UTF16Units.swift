extension [UInt16] {
    /// Reads `text` into the memory that is there. A string's own view in UTF-16 would count the units before it
    /// writes them.
    package mutating func read(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            // No character has more units than bytes.
            setCount(bytes.count, to: 0)
            var units = mutableSpan
            var i = 0
            var end = 0
            while i < bytes.count {
                let (scalar, length) = unsafe bytes.scalar(at: i)
                if scalar > 0xffff {
                    units[end] = UInt16(0xd7c0 + scalar >> 10)
                    units[end + 1] = UInt16(0xdc00 | scalar & 0x3ff)
                    end += 2
                } else {
                    units[end] = UInt16(scalar)
                    end += 1
                }
                i += length
            }
            setCount(end, to: 0)
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The scalar at byte `i` of a string, whose UTF-8 is always whole, and the number of its bytes.
    @inline(__always)
    fileprivate func scalar(at i: Int) -> (scalar: UInt32, length: Int) {
        func low(_ n: Int) -> UInt32 { unsafe UInt32(self[i + n] & 0x3f) }
        let first = unsafe UInt32(self[i])
        if first < 0x80 { return (first, 1) }
        if first < 0xe0 { return ((first & 0x1f) << 6 | low(1), 2) }
        if first < 0xf0 { return ((first & 0xf) << 12 | low(1) << 6 | low(2), 3) }
        return ((first & 7) << 18 | low(1) << 12 | low(2) << 6 | low(3), 4)
    }
}
