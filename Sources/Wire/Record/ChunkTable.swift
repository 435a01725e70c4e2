/// Stretches of bytes, each there once. A chunk is written at the end, then closed: if it was there before, it is taken back
/// and the older one's number is the answer.
///
/// Places are found by a hash; a stamp in each says whether it is of this message, so that nothing has to be cleared.
@safe struct ChunkTable: ~Copyable {
    var bytes = Column<UInt8>(capacity: 512)
    /// Where each chunk ends.
    private var ends = Column<Int32>()
    private var hashes = Column<UInt32>()
    /// The message's stamp above, the chunk's number below; as many as a power of two.
    private var places = Column<UInt64>(capacity: 64)
    private var stamp: UInt64 = 1

    init() { places.append(repeating: 0, count: 64) }

    var count: Int { ends.count }

    mutating func removeAll() {
        bytes.removeAll()
        ends.removeAll()
        hashes.removeAll()
        stamp += 1
    }

    /// The number, from 0, of the chunk that ends here.
    mutating func close() -> Int32 {
        let start = ends.count == 0 ? 0 : Int(ends[ends.count - 1])
        let hash = hash(of: start..<bytes.count)
        let mask = places.count - 1
        var place = Int(hash) & mask
        while places[place] >> 32 == stamp {
            let number = Int(places[place] & 0xffff_ffff)
            if hashes[number] == hash && isEqual(number, to: start..<bytes.count) {
                bytes.shrink(to: start)
                return Int32(number)
            }
            place = (place + 1) & mask
        }
        places[place] = stamp << 32 | UInt64(ends.count)
        ends.append(Int32(bytes.count))
        hashes.append(hash)
        if 2 * ends.count > places.count { spread() }
        return Int32(ends.count - 1)
    }

    private mutating func spread() {
        places.append(repeating: 0, count: places.count)
        stamp += 1
        let mask = places.count - 1
        for number in 0..<ends.count {
            var place = Int(hashes[number]) & mask
            while places[place] >> 32 == stamp { place = (place + 1) & mask }
            places[place] = stamp << 32 | UInt64(number)
        }
    }

    private func isEqual(_ number: Int, to range: Range<Int>) -> Bool {
        let start = number == 0 ? 0 : Int(ends[number - 1])
        guard Int(ends[number]) - start == range.count else { return false }
        let all = unsafe UnsafeRawBufferPointer(bytes.elements)
        var at = 0
        while at + 8 <= range.count {
            let old = unsafe all.loadUnaligned(fromByteOffset: start + at, as: UInt64.self)
            let new = unsafe all.loadUnaligned(fromByteOffset: range.lowerBound + at, as: UInt64.self)
            if old != new { return false }
            at += 8
        }
        while at < range.count {
            if unsafe all[start + at] != all[range.lowerBound + at] { return false }
            at += 1
        }
        return true
    }

    private func hash(of range: Range<Int>) -> UInt32 {
        let all = unsafe UnsafeRawBufferPointer(bytes.elements)
        var hash = UInt64(range.count) &* 0x9e37_79b9_7f4a_7c15
        var at = range.lowerBound
        while at + 8 <= range.upperBound {
            let word = unsafe all.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 29
            at += 8
        }
        var tail: UInt64 = 0
        while at < range.upperBound {
            tail = tail << 8 | UInt64(unsafe all[at])
            at += 1
        }
        hash = (hash ^ tail) &* 0x9e37_79b9_7f4a_7c15
        return UInt32(truncatingIfNeeded: hash >> 32)
    }
}
