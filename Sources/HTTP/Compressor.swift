import CZlib

/// Compresses bodies with gzip, one after another, in memory that is taken once (some 260 KB).
///
/// The level is 1 by default, as a gateway compresses while other clients wait: 30 KB of JSON take 150 µs and become
/// 7.0 KB. Level 6 takes 460 µs for 5.7 KB, level 9 takes 1,400 µs for 5.5 KB.
@safe package struct Compressor: ~Copyable {
    /// The least bytes that are worth compressing: a smaller answer and its head fit into one packet, compressed or
    /// not.
    package static let least = 1024

    private let stream: UnsafeMutablePointer<z_stream>

    package init(level: Int32 = 1) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe forme_gzip_init(stream, level)
        precondition(status == Z_OK, "zlib refuses only levels above 9, and when there is no memory")
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    package func gzip(_ bytes: [UInt8]) -> [UInt8] {
        unsafe deflateReset(stream)
        let room = Int(unsafe deflateBound(stream, UInt(bytes.count)))
        return unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
            unsafe bytes.withUnsafeBufferPointer { source in
                // zlib reads from it only; its interface is older than `const`.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(source.count)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(room)
                let status = unsafe deflate(stream, Z_FINISH)
                precondition(status == Z_STREAM_END, "deflateBound promises that it fits")
            }
            count = room - Int(unsafe stream.pointee.avail_out)
        }
    }
}
