import Glibc
import Wire

/// The lock of one shard: held for one transaction or one checkpoint, never for a lease.
///
/// The kernel gives it back when its holder ends, but not when it is stopped. So who waits does so for a bounded time, and is
/// then told by whom the shard is blocked: each holder leaves its process id in the file. Beside it stands up to which stamp
/// the log was synced: where less is found than that, the disk lost what it had promised to keep.
///
/// ```text
/// process 0000001234
/// synced 8c1f00a97be23d10 00000000000004d2
/// ```
@safe struct ShardLock: ~Copyable {
    let path: String
    private let descriptor: Int32
    private let own: [UInt8]

    private static let syncedOffset: Int64 = 19

    static func open(path: String) throws(StorageError) -> ShardLock {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .notAccessible(path: path, code: errno) }
        return ShardLock(path: path, descriptor: descriptor)
    }

    private init(path: String, descriptor: Int32) {
        (self.path, self.descriptor) = (path, descriptor)
        let digits = String(getpid())
        own = Array("process \(String(repeating: "0", count: 10 - digits.count))\(digits)\n".utf8)
    }

    deinit { close(descriptor) }

    /// Takes the lock, or says by whom it is blocked.
    func take(waiting wait: Duration) throws(StorageError) {
        let start = ContinuousClock.now
        var pause: Int32 = 1
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .notAccessible(path: path, code: errno) }
            guard ContinuousClock.now - start < wait else { throw .blocked(path: path, by: holder) }
            // There is no lock with a limit of time: look again soon, and then less soon.
            poll(nil, 0, pause)
            pause = min(pause * 2, 16)
        }
        if read(own.count, at: 0) != own { try write(own, at: 0) }
    }

    /// Holds the lock for the time of `body`.
    func during<Result: ~Copyable>(
        waiting wait: Duration, _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try take(waiting: wait)
        defer { release() }
        return try body()
    }

    func release() { flock(descriptor, LOCK_UN) }

    /// Who had the lock last.
    private var holder: Int32? {
        let digits = read(own.count, at: 0).dropFirst(8).dropLast()
        return Int32(String(decoding: digits, as: UTF8.self))
    }

    /// What the log of a file was synced up to when somebody last did so.
    var synced: (origin: ShardOrigin, stamp: Stamp)? {
        let line = String(decoding: read(41, at: Self.syncedOffset), as: UTF8.self)
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[0] == "synced", let origin = UInt64(words[1], radix: 16),
            let stamp = UInt64(words[2], radix: 16)
        else { return nil }
        return (ShardOrigin(origin), Stamp(stamp))
    }

    func noteSynced(_ origin: ShardOrigin, _ stamp: Stamp) throws(StorageError) {
        let line = "synced \(hexadecimal(origin.number)) \(hexadecimal(stamp.number))\n"
        try write(Array(line.utf8), at: Self.syncedOffset)
    }

    private func read(_ count: Int, at offset: Int64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe pread(descriptor, &bytes, count, off_t(offset))
        return Array(bytes.prefix(max(0, read)))
    }

    private func write(_ bytes: [UInt8], at offset: Int64) throws(StorageError) {
        guard unsafe pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count else {
            throw errno == ENOSPC ? .full(path: path) : .notAccessible(path: path, code: errno)
        }
    }
}

/// Sixteen digits.
private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
