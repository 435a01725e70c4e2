import Bytes
import Wire

/// Cuts a stream of bytes into frames: each comes behind its length, a big-endian u32. A length of 0 is a sign of
/// life.
struct FrameSplitter {
    private var bytes: [UInt8] = []

    mutating func add(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// The next frame that is complete.
    mutating func next() throws(ByteError) -> [UInt8]? {
        guard bytes.count >= 4 else { return nil }
        let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Limits.frame else { throw .tooLong(length, limit: Limits.frame, of: "frame") }
        guard bytes.count >= 4 + length else { return nil }
        let frame = Array(bytes[4..<4 + length])
        bytes.removeFirst(4 + length)
        return frame
    }
}
