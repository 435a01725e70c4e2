import Bytes

/// Stretches of numbers, each there once. A chunk is written at the end, then closed: if it was there before, it is taken
/// back and the older one's number is the answer.
///
/// Places are found by a hash, made while numbers are written: bytes just written are slow to read again as words. A stamp
/// in each place says whether it is of this message, so that nothing has to be cleared.
@safe struct ChunkTable: ~Copyable {
    private(set) var bytes = Buffer<UInt8>(capacity: 512)
    /// Where each chunk ends.
    private var ends = Buffer<Int32>()
    private var hashes = Buffer<UInt32>()
    /// The message's stamp above, the chunk's number below; as many as a power of two.
    private var places = Buffer<UInt64>(capacity: 64)
    private var stamp: UInt64 = 1
    /// Of the open chunk.
    private var hash: UInt64 = 0

    init() { places.append(repeating: 0, count: 64) }

    var count: Int { ends.count }

    mutating func removeAll() {
        bytes.removeAll()
        ends.removeAll()
        hashes.removeAll()
        hash = 0
        stamp += 1
    }

    @inline(__always)
    mutating func number(_ value: UInt32) {
        hash = (hash ^ UInt64(value) &+ 1) &* 0x9e37_79b9_7f4a_7c15
        bytes.number(value)
    }

    @inline(__always)
    mutating func number(_ value: Int32) { number(UInt32(bitPattern: value)) }

    @inline(__always)
    mutating func signed(_ value: Int32) { number(ChunkTable.zigzag(value)) }

    /// 0, -1, 1, -2, … as 0, 1, 2, 3, …
    @inline(__always)
    static func zigzag(_ value: Int32) -> UInt32 { UInt32(bitPattern: value << 1 ^ value >> 31) }

    /// The number, from 0, of the chunk that ends here.
    mutating func close() -> Int32 {
        let own = UInt32(truncatingIfNeeded: hash >> 32)
        hash = 0
        let start = ends.count == 0 ? 0 : Int(ends[ends.count - 1])
        let mask = places.count - 1
        var place = Int(own) & mask
        while places[place] >> 32 == stamp {
            let number = Int(places[place] & 0xffff_ffff)
            if hashes[number] == own && isEqual(number, to: start..<bytes.count) {
                bytes.shrink(to: start)
                return Int32(number)
            }
            place = (place + 1) & mask
        }
        places[place] = stamp << 32 | UInt64(ends.count)
        ends.append(Int32(bytes.count))
        hashes.append(own)
        if 2 * ends.count > places.count { spread() }
        return Int32(ends.count - 1)
    }

    func append(_ number: Int, to others: inout Buffer<UInt8>) {
        let start = number == 0 ? 0 : Int(ends[number - 1])
        unsafe others.append(UnsafeBufferPointer(rebasing: bytes.elements[start..<Int(ends[number])]))
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
        let all = unsafe bytes.elements
        for i in 0..<range.count where unsafe all[start + i] != all[range.lowerBound + i] { return false }
        return true
    }
}
