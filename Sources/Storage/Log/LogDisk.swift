import Glibc

/// A layer between the log and the disk, in tests alone. It may stop a write half-way, fill the
/// disk or fail a sync, and is told of each file that is on the disk for certain.
package struct LogDisk: Sendable {
    package enum Step: Sendable {
        case make(bytes: Int)
        case write(bytes: Int)
        case sync
        case rename
        case remove
    }

    package enum Fault: Equatable, Sendable {
        /// There is no room.
        case full
        /// The process ends here, after so many bytes of a write.
        case stopped(after: Int)
        /// The disk does not confirm that it has everything.
        case notSynced
    }

    /// Called before each step, with the file's path.
    package var fault: @Sendable (Step, String) -> Fault?
    /// Called with each file that was synced.
    package var isSynced: @Sendable (String) -> Void

    package init(
        fault: @escaping @Sendable (Step, String) -> Fault? = { _, _ in nil },
        isSynced: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.fault, self.isSynced) = (fault, isSynced)
    }
}

/// An open file of the log.
@safe struct SegmentFile: ~Copyable {
    let path: String
    private let descriptor: Int32
    private let disk: LogDisk?

    /// - Parameter disk: the layer between, in tests.
    static func open(_ path: String, forWriting: Bool = false, _ disk: LogDisk? = nil) throws(StorageError)
        -> SegmentFile
    {
        let descriptor = unsafe Glibc.open(path, (forWriting ? O_RDWR : O_RDONLY) | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .absent(path: path) : .notReadable(path: path, code: errno)
        }
        return SegmentFile(path: path, descriptor: descriptor, disk: disk)
    }

    /// Makes a new file, with all of its bytes allocated, so that nobody else can take the room.
    static func make(_ path: String, bytes: Int, _ disk: LogDisk?) throws(StorageError) -> SegmentFile {
        if let fault = disk?.fault(.make(bytes: bytes), path) { throw fault.error(path) }
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, DataFolder.fileMode)
        guard descriptor >= 0 else { throw .unwritten(path, errno) }
        let file = SegmentFile(path: path, descriptor: descriptor, disk: disk)
        do throws(StorageError) {
            try file.reserve(bytes)
        } catch {
            unsafe unlink(path)
            throw error
        }
        return file
    }

    private init(path: String, descriptor: Int32, disk: LogDisk?) {
        (self.path, self.descriptor, self.disk) = (path, descriptor, disk)
    }

    deinit { close(descriptor) }

    var facts: FileFacts? { FileFacts(descriptor) }

    /// Allocates so many bytes for the file; those that it did not have are zeros.
    func reserve(_ bytes: Int) throws(StorageError) {
        let code = posix_fallocate(descriptor, 0, off_t(bytes))
        guard code == 0 else { throw .unwritten(path, code) }
    }

    /// Reads as many bytes as there are, up to `count`.
    func bytes(upTo count: Int, at offset: Int) throws(StorageError) -> [UInt8] {
        var fault: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, count)) { buffer, done in
            done = 0
            while done < count {
                let read = unsafe pread(descriptor, buffer.baseAddress! + done, count - done, off_t(offset + done))
                if read < 0 && errno == EINTR { continue }
                if read < 0 { fault = errno }
                guard read > 0 else { return }
                done += read
            }
        }
        guard fault == 0 else { throw .notReadable(path: path, code: fault) }
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
        let fault = disk?.fault(.write(bytes: bytes.count), path)
        var limit = bytes.count
        switch fault {
        case nil: break
        case .stopped(let count)?: limit = min(limit, count)
        case let fault?: throw fault.error(path)
        }
        var done = 0
        while done < limit {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(descriptor, buffer.baseAddress! + done, limit - done, off_t(offset + done))
            }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw .unwritten(path, errno) }
            done += written
        }
        if let fault { throw fault.error(path) }
    }

    /// Syncs the file. Where that fails nobody knows what is on the disk: asked again, the kernel
    /// says that all is well.
    func sync() throws(StorageError) {
        if let fault = disk?.fault(.sync, path) { throw fault.error(path) }
        guard fdatasync(descriptor) == 0 else { throw .notSynced(path: path, code: errno) }
        disk?.isSynced(path)
    }

    /// Puts zeros behind a place; the file keeps its length.
    func cut(at offset: Int) throws(StorageError) {
        guard let size = facts?.size, size > Int64(offset) else { return }
        guard ftruncate(descriptor, off_t(offset)) == 0 else { throw .unwritten(path, errno) }
        try reserve(Int(size))
    }
}

extension LogDisk.Fault {
    fileprivate func error(_ path: String) -> StorageError {
        switch self {
        case .full: .full(path: path)
        case .stopped: .notAccessible(path: path, code: EINTR)
        case .notSynced: .notSynced(path: path, code: EIO)
        }
    }
}

extension LogDisk? {
    /// Renames a file, and replaces one that may be there.
    func rename(_ path: String, to other: String) throws(StorageError) {
        if let fault = self?.fault(.rename, path) { throw fault.error(path) }
        guard unsafe Glibc.rename(path, other) == 0 else { throw .unwritten(other, errno) }
    }

    func remove(_ path: String) throws(StorageError) {
        if let fault = self?.fault(.remove, path) { throw fault.error(path) }
        try FileFacts.remove(path)
    }
}
