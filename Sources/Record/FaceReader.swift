import Bytes
import Typography

/// The faces of a record: those of its stem, then its own.
struct FaceReader: ~Copyable {
    private var all = Buffer<Face>()
    private var stem = -1
    private var stemCount = 0
    /// One more than the highest number that was used so far.
    private var next: Int32 = 0

    mutating func turn(toStem stem: Int) {
        next = 0
        all.shrink(to: stemCount)
        guard stem != self.stem else { return }
        all.removeAll()
        self.stem = stem
        if stem > 0 { for face in Stem.all[stem - 1].faces { all.append(face) } }
        stemCount = all.count
    }

    /// Reads the face of a block: that of the block before, if there is one, or mostly the next.
    @inline(__always)
    mutating func read(_ before: Int32, _ bits: inout GolombReader) -> Int32 {
        if bits.flag() {
            if before >= 0 { return before }
            bits.fail(.outOfRange(-1, of: "face"))
        }
        let own = next &- bits.signed(0)
        if 0..<Int32(truncatingIfNeeded: all.count) ~= own {
            next = max(next, own &+ 1)
            return own
        }
        bits = new(own, bits)
        return next &- 1
    }

    /// Reads a new face. The reader is passed by value, so that in a loop it stands in registers.
    private mutating func new(_ own: Int32, _ bits: GolombReader) -> GolombReader {
        var reader = bits
        if own != Int32(truncatingIfNeeded: all.count) { reader.fail(.outOfRange(Int64(own), of: "face")) }
        all.append(reader.face())
        next = Int32(truncatingIfNeeded: all.count)
        return reader
    }

    /// A face in device pixels.
    @inline(__always)
    func face(_ number: Int32, at scale: Scale) -> Face { all[Int(number)].pixels(at: scale) }
}
