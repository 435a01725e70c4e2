extension [UInt16] {
    /// The scalar at unit `i`, and the number of its units. A lone surrogate is U+FFFD.
    @inline(__always)
    func scalar(at i: Int) -> (scalar: UInt32, length: Int) {
        let unit = self[i]
        guard unit & 0xf800 == 0xd800 else { return (UInt32(unit), 1) }
        guard unit < 0xdc00, i + 1 < count, self[i + 1] & 0xfc00 == 0xdc00 else { return (0xfffd, 1) }
        return (0x10000 + (UInt32(unit & 0x3ff) << 10 | UInt32(self[i + 1] & 0x3ff)), 2)
    }
}
