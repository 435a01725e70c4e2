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
        let start = start(of: ends.count)
        let count = bytes.count - start
        // Whole words can be read up to the end then: most chunks are one or two.
        bytes.append(repeating: 0, count: 8)
        let hash = hash(start, count)
        let mask = places.count - 1
        var place = Int(hash) & mask
        while places[place] >> 32 == stamp {
            let number = Int(places[place] & 0xffff_ffff)
            if hashes[number] == hash && isEqual(number, start, count) {
                bytes.shrink(to: start)
                return Int32(number)
            }
            place = (place + 1) & mask
        }
        bytes.shrink(to: start + count)
        places[place] = stamp << 32 | UInt64(ends.count)
        ends.append(Int32(bytes.count))
        hashes.append(hash)
        if 2 * ends.count > places.count { spread() }
        return Int32(ends.count - 1)
    }

    @inline(__always)
    private func start(of number: Int) -> Int { number == 0 ? 0 : Int(ends[number - 1]) }

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

    @inline(__always)
    private func isEqual(_ number: Int, _ start: Int, _ count: Int) -> Bool {
        let old = self.start(of: number)
        guard Int(ends[number]) - old == count else { return false }
        for at in stride(from: 0, to: count, by: 8) {
            if word(old + at, count - at) != word(start + at, count - at) { return false }
        }
        return true
    }

    @inline(__always)
    private func hash(_ start: Int, _ count: Int) -> UInt32 {
        var hash = UInt64(count)
        for at in stride(from: 0, to: count, by: 8) {
            hash = (hash ^ word(start + at, count - at)) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 29
        }
        return UInt32(truncatingIfNeeded: hash >> 16)
    }

    /// Eight bytes, of which those behind the end of the chunk count as 0.
    @inline(__always)
    private func word(_ place: Int, _ left: Int) -> UInt64 {
        let all = unsafe UnsafeRawBufferPointer(bytes.elements)
        let word = UInt64(littleEndian: unsafe all.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        return left < 8 ? word & (1 << (8 * UInt64(left)) - 1) : word
    }
}
