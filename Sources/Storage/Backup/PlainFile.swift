import Glibc

/// A file that is read and written by pieces.
@safe struct PlainFile: ~Copyable {
    private let path: String
    private let descriptor: Int32

    static func read(_ path: String) throws(StorageError) -> PlainFile {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .absent(path: path) : .notReadable(path: path, code: errno)
        }
        return PlainFile(path: path, descriptor: descriptor)
    }

    /// Makes a file that is not there yet, for its owner only.
    static func create(_ path: String) throws(StorageError) -> PlainFile {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritten(path, errno) }
        return PlainFile(path: path, descriptor: descriptor)
    }

    /// Opens a file that is there, to append to it.
    static func extend(_ path: String) throws(StorageError) -> PlainFile {
        let descriptor = unsafe open(path, O_RDWR | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unwritten(path, errno) }
        return PlainFile(path: path, descriptor: descriptor)
    }

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    var size: Int64 {
        get throws(StorageError) {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else {
                throw .notReadable(path: path, code: errno)
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw .notABackup(path: path, "it is no file")
            }
            return Int64(status.st_size)
        }
    }

    /// Reads exactly `count` bytes; throws where the file ends before, as it was cut meanwhile.
    func bytes(_ count: Int, at offset: Int64) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor, buffer.baseAddress! + done, count - done, off_t(offset + Int64(done)))
            }
            if read < 0 && errno == EINTR { continue }
            guard read >= 0 else { throw .notReadable(path: path, code: errno) }
            guard read > 0 else { throw .notABackup(path: path, "it was cut while it was read") }
            done += read
        }
        return bytes
    }

    func append(_ bytes: [UInt8]) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(descriptor, buffer.baseAddress! + done, bytes.count - done)
            }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw .unwritten(path, errno) }
            done += written
        }
    }

    func sync() throws(StorageError) {
        guard fsync(descriptor) == 0 else { throw .unwritten(path, errno) }
    }
}

extension StorageError {
    /// The error of a failed write; a full disk has a case of its own.
    static func unwritten(_ path: String, _ code: Int32) -> StorageError {
        [ENOSPC, EDQUOT, EFBIG].contains(code)
            ? .full(path: path) : .notAccessible(path: path, code: code)
    }
}
