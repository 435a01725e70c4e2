import Glibc
import Wire

/// The lock of one shard: held for one transaction or one checkpoint, never for a lease.
///
/// The kernel releases it when its holder ends, but not when that is stopped. So a process waits for
/// a bounded time, and is then told which one blocks the shard: each holder leaves its process id in
/// the file. The second line has the stamp up to which the log was synced: where less is found than
/// that, the disk lost what it had promised to keep. Where a sync has failed it says so instead, and
/// the files of that origin are not to be trusted. The third is the mark of what the files held after
/// the last commit (``ShardMark``), of which `NN.mark` has a copy, as any file may be removed.
///
/// ```text
/// process 0000001234
/// synced 8c1f00a97be23d10 00000000000004d2
/// marked …
/// ```
@safe struct ShardLock: ~Copyable {
    let path: String
    private let copyPath: String
    private var file: OpenFile
    private var copy: OpenFile
    private let own: [UInt8]
    /// The mark as it was when the lock was taken, or as it was written since; nil where nothing is noted.
    var mark: ShardMark? { newest.flatMap { $0.origin == Self.noOrigin ? nil : $0 } }
    private var newest: ShardMark?
    /// Whether the second line said that a sync has failed, when the lock was taken.
    private(set) var tellsFailure = false

    /// The origin in a mark that says that nothing is known.
    private static let noOrigin = ShardOrigin(0)
    private static let syncedOffset: Int64 = 19
    /// The words with which the second line begins, of equal lengths.
    private static let (syncedWord, failedWord) = ("synced", "failed")
    private static let markOffset: Int64 = 60

    init(_ place: ShardPlace) throws(StorageError) {
        let file = try OpenFile(place.lockPath)
        let copy = try OpenFile(place.markPath)
        (path, copyPath) = (place.lockPath, place.markPath)
        (self.file, self.copy) = (file, copy)
        let digits = String(getpid())
        own = Array("process \(String(repeating: "0", count: 10 - digits.count))\(digits)\n".utf8)
    }

    /// Takes the lock, or throws with the process that blocks it.
    mutating func take(waiting wait: Duration) throws(StorageError) {
        let start = ContinuousClock.now
        while true {
            if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 {
                // The lock of a file that nobody else finds is worth nothing.
                if file.isInPlace { break }
                file = try OpenFile(path)
                continue
            }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .notAccessible(path: path, code: errno) }
            let waited = ContinuousClock.now - start
            guard waited < wait else { throw .blocked(path: path, by: holder) }
            // `flock` has no timeout, and most locks are held for some milliseconds: each pause is
            // a sixteenth of the time that was waited anyway.
            poll(nil, 0, Int32(min(max(waited / .milliseconds(16), 1), 16)))
        }
        do throws(StorageError) { try begin() } catch {
            release()
            throw error
        }
    }

    /// Notes this process as the holder, and reads the newest mark, whichever process wrote it.
    private mutating func begin() throws(StorageError) {
        if !copy.isInPlace { copy = try OpenFile(copyPath) }
        let bytes = file.read(Int(Self.markOffset) + ShardMark.length, at: 0)
        tellsFailure = bytes.dropFirst(Int(Self.syncedOffset)).starts(with: Self.failedWord.utf8)
        if !bytes.starts(with: own) { try file.write(own, at: 0) }
        let first = ShardMark(line: bytes.dropFirst(Int(Self.markOffset)))
        // The usual case: no newer mark is remembered, so that the copy is not needed.
        if let first, let known = newest, known.serial <= first.serial { return newest = first }
        // The remembered mark counts where both copies are gone or older.
        let noted = [first, ShardMark(line: copy.read(ShardMark.length, at: 0)[...]), newest]
        newest = noted.compactMap(\.self).max { $0.serial < $1.serial }
        // Readers look at the files alone.
        if let newest, noted.prefix(2).contains(where: { $0?.serial != newest.serial }) { try write(newest) }
    }

    /// Holds the lock for the time of `body`.
    mutating func during<Result: ~Copyable>(
        waiting wait: Duration, _ body: (inout ShardLock) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try take(waiting: wait)
        defer { release() }
        return try body(&self)
    }

    func release() { flock(file.descriptor, LOCK_UN) }

    /// Whether both files are those that others find.
    var isInPlace: Bool { file.isInPlace && copy.isInPlace }

    /// The process that had the lock last.
    private var holder: Int32? {
        let digits = file.read(own.count, at: 0).dropFirst(8).dropLast()
        return Int32(String(decoding: digits, as: UTF8.self))
    }

    /// Notes what the files hold from now on.
    mutating func note(_ mark: ShardMark) throws(StorageError) {
        var mark = mark
        mark.serial = (newest?.serial ?? 0) + 1
        try write(mark)
        newest = mark
    }

    private func write(_ mark: ShardMark) throws(StorageError) {
        let line = mark.line
        try file.write(line, at: Self.markOffset)
        try copy.write(line, at: 0)
    }

    /// Notes that the first commit of an empty log is about to be made.
    mutating func beginLog() throws(StorageError) {
        guard var mark, mark.frames == 0, mark.phase == .steady else { return }
        mark.phase = .beginning
        try note(mark)
    }

    /// Notes what the connection has committed.
    mutating func noteCommit(
        _ database: borrowing Database, _ origin: ShardOrigin, _ stamp: Stamp
    ) throws(StorageError) {
        guard var mark, database.logFrames > 0 else { return }
        (mark.origin, mark.stamp, mark.phase) = (origin, stamp, .steady)
        mark.frames = database.logFrames
        mark.sum = try database.frameSum(mark.frames)
        if mark != newest { try note(mark) }
    }

    /// Empties the log into the file, which gets another number with it. False where a reader
    /// stands in the way, which is waited for so many milliseconds.
    mutating func emptyLog(of database: borrowing Database, patience: Int32 = 10) throws(StorageError) -> Bool {
        guard database.logSize > 0 else { return true }
        // Nothing was ever noted of the files, so nothing is to be noted now.
        guard var mark else { return try database.emptyLog(patience: patience) }
        // A next number that was set before, and did not get into the file, still may.
        if mark.next == mark.number { mark.next = Database.number(after: mark.number) }
        try note(mark)
        try database.setNumber(mark.next)
        (mark.frames, mark.sum) = (database.logFrames, try database.frameSum(database.logFrames))
        mark.phase = .emptying
        try note(mark)
        let isEmpty = try database.emptyLog(patience: patience)
        if isEmpty { (mark.number, mark.frames, mark.sum) = (mark.next, 0, 0) }
        mark.phase = .steady
        try note(mark)
        return isEmpty
    }

    /// Notes that nothing is known of the files, as they are about to be begun anew.
    mutating func forgetMark() throws(StorageError) {
        if mark != nil { try note(ShardMark(boot: "", origin: Self.noOrigin, stamp: .zero, number: 0)) }
    }

    /// The mark that was noted last, for readers; nil where nothing is noted.
    static func mark(of place: ShardPlace) -> ShardMark? {
        newest(of: place).flatMap { $0.origin == noOrigin ? nil : $0 }
    }

    /// Whether there ever were files, though they may be about to be begun anew.
    static func isKnown(_ place: ShardPlace) -> Bool { newest(of: place) != nil }

    private static func newest(of place: ShardPlace) -> ShardMark? {
        let noted = [(place.lockPath, markOffset), (place.markPath, 0)].compactMap { path, offset in
            OpenFile(reading: path).flatMap { ShardMark(line: $0.read(ShardMark.length, at: offset)[...]) }
        }
        return noted.max { $0.serial < $1.serial }
    }

    /// The origin and stamp up to which the log was synced last, by any process.
    var synced: (origin: ShardOrigin, stamp: Stamp)? {
        noted(Self.syncedWord).map { (origin: ShardOrigin($0.0), stamp: Stamp($0.1)) }
    }

    /// The kernel's number for a sync that has failed of the files of this origin, in any process; nil where none has.
    func failure(of origin: ShardOrigin) -> Int32? {
        guard let (failed, code) = noted(Self.failedWord), failed == origin.number else { return nil }
        return Int32(truncatingIfNeeded: code)
    }

    private func noted(_ word: String) -> (UInt64, UInt64)? {
        let bytes = file.read(41, at: Self.syncedOffset)
        guard bytes.starts(with: word.utf8) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count >= 3, let first = UInt64(words[1], radix: 16), let second = UInt64(words[2], radix: 16) else {
            return nil
        }
        return (first, second)
    }

    /// Notes the stamp up to which the log is synced. It needs no lock, as it says nothing of what is written now.
    mutating func noteSynced(_ origin: ShardOrigin, _ stamp: Stamp) throws(StorageError) {
        try note(Self.syncedWord, origin.number, stamp.number)
    }

    /// Notes in the same place that a sync of the files has failed. The kernel says so once: to another process, or to
    /// this one when it asks again, they would be whole.
    mutating func noteFailure(of origin: ShardOrigin, _ code: Int32) throws(StorageError) {
        try note(Self.failedWord, origin.number, UInt64(max(0, code)))
    }

    private mutating func note(_ word: String, _ first: UInt64, _ second: UInt64) throws(StorageError) {
        if !file.isInPlace { file = try OpenFile(path) }
        let line = "\(word) \(hexadecimal(first)) \(hexadecimal(second))\n"
        try file.write(Array(line.utf8), at: Self.syncedOffset)
    }
}

/// A small file that is read and written in place, and closed with its last reference.
private final class OpenFile {
    private let path: String
    let descriptor: Int32
    private let facts: FileFacts?

    init(_ path: String) throws(StorageError) {
        descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, DataFolder.fileMode)
        guard descriptor >= 0 else { throw .notAccessible(path: path, code: errno) }
        self.path = path
        facts = FileFacts(descriptor)
    }

    /// Nil where it is not there, or not to be read.
    init?(reading path: String) {
        descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.path = path
        facts = FileFacts(descriptor)
    }

    deinit { close(descriptor) }

    /// Whether it is the one that others find under its name.
    var isInPlace: Bool {
        guard let facts, let found = FileFacts(path) else { return false }
        return found.isSameFile(as: facts)
    }

    func read(_ count: Int, at offset: Int64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe pread(descriptor, &bytes, count, off_t(offset))
        return Array(bytes.prefix(max(0, read)))
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(StorageError) {
        guard unsafe pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count else {
            throw .unwritten(path, errno)
        }
    }
}

/// A number in sixteen digits.
private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
