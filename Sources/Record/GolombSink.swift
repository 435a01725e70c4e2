import Bytes

/// Bits, one behind another, the lowest of each byte first: the layouts of a record.
///
/// A number n of an `order` k is an exponential Golomb code: with z bits below the highest one of n / 2ᵏ + 1, it is z
/// zeros, a one, those z bits, and the k lowest bits of n. Small numbers of a low order take a bit, and none is too
/// large.
struct GolombSink: ~Copyable {
    /// Whole words, the lowest byte first.
    fileprivate var words = Buffer<UInt32>(capacity: 512)
    fileprivate var word: UInt64 = 0
    /// Bits in `word`: fewer than 32 when nothing is being written.
    private var used: UInt64 = 0

    /// The most bits that are written at once.
    static let most = 32

    /// The number of bits so far.
    var count: Int { 32 &* words.count &+ Int(truncatingIfNeeded: used) }

    mutating func removeAll() {
        words.removeAll()
        (word, used) = (0, 0)
    }

    /// Writes at most `most` bits.
    @inline(__always)
    mutating func bits(_ bits: UInt64, _ count: UInt64) {
        word |= bits &<< used
        used &+= count
        guard used >= 32 else { return }
        words.append(UInt32(truncatingIfNeeded: word).littleEndian)
        word &>>= 32
        used &-= 32
    }

    /// Writes at most 64 flags.
    mutating func flags(_ flags: UInt64, _ count: Int) {
        let low = UInt64(truncatingIfNeeded: min(count, 32))
        bits(flags & (1 &<< low &- 1), low)
        guard count > 32 else { return }
        let high = UInt64(truncatingIfNeeded: count &- 32)
        bits(flags &>> 32 & (1 &<< high &- 1), high)
    }

    @inline(__always)
    mutating func flag(_ isSet: Bool) { bits(isSet ? 1 : 0, 1) }

    @inline(__always)
    mutating func number(_ value: UInt32, _ order: Int) {
        let order = UInt64(truncatingIfNeeded: order)
        let high = UInt64(value &>> UInt32(truncatingIfNeeded: order)) &+ 1
        let zeros = UInt64(truncatingIfNeeded: 63 &- high.leadingZeroBitCount)
        let low = UInt64(value) & (1 &<< order &- 1)
        let rest = high ^ 1 &<< zeros
        let length = 2 &* zeros &+ 1 &+ order
        if length <= 32 {
            bits(((low &<< zeros | rest) &<< 1 | 1) &<< zeros, length)
        } else {
            bits(0, zeros)
            bits(1, 1)
            bits(rest, zeros)
            bits(low, order)
        }
    }

    @inline(__always)
    mutating func number(_ value: Int32, _ order: Int) { number(UInt32(bitPattern: value), order) }

    /// Writes 0, -1, 1, -2, … as 0, 1, 2, 3, …
    @inline(__always)
    mutating func signed(_ value: Int32, _ order: Int) { number(value.zigzag, order) }

    /// Appends the bits of another sink, and empties that.
    mutating func append(_ piece: inout GolombSink) {
        for i in 0..<piece.words.count { bits(UInt64(UInt32(littleEndian: piece.words[i])), 32) }
        bits(piece.word, piece.used)
        piece.removeAll()
    }

    /// Writes the number of bits that each part of another sink takes.
    mutating func lengths(_ ends: borrowing Buffer<Int>) {
        var last = 0
        for i in 0..<ends.count {
            number(UInt32(truncatingIfNeeded: ends[i] &- last), RecordForm.lengthOrder)
            last = ends[i]
        }
    }
}

extension Buffer<UInt8> {
    /// Appends bits, behind a number that says how many bytes they take; the last one is filled with zeros.
    mutating func append(_ bits: borrowing GolombSink) {
        let count = (bits.count + 7) / 8
        number(count)
        let end = self.count + count
        unsafe bits.words.elements.withMemoryRebound(to: UInt8.self) { bytes in unsafe append(bytes) }
        word(UInt32(truncatingIfNeeded: bits.word))
        shrink(to: end)
    }
}

extension Int32 {
    /// 0, -1, 1, -2, … as 0, 1, 2, 3, …
    @inline(__always)
    var zigzag: UInt32 { UInt32(bitPattern: self &<< 1 ^ self &>> 31) }

    @inline(__always)
    init(zigzag number: UInt32) { self = Int32(bitPattern: number &>> 1) ^ -Int32(bitPattern: number & 1) }
}
