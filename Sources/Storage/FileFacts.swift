import Glibc

/// The facts that the kernel has of a file without opening it.
package struct FileFacts: Equatable {
    let inode: UInt64
    let device: UInt64
    let size: Int64
    /// The time of the last change of its content, in seconds since 1970.
    let changed: Int

    /// Nil where there is no such file.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The facts of an open file.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        (inode, device, size) = (UInt64(status.st_ino), UInt64(status.st_dev), Int64(status.st_size))
        changed = status.st_mtim.tv_sec
    }

    func isSameFile(as other: FileFacts) -> Bool { inode == other.inode && device == other.device }

    /// Syncs a file, or the names in a folder.
    static func sync(_ path: String) throws(StorageError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notAccessible(path: path, code: errno) }
        defer { close(descriptor) }
        guard fdatasync(descriptor) == 0 else { throw .notSynced(path: path, code: errno) }
    }

    /// The id of this start of the machine; data that was not synced before another start may be lost.
    package static func bootID() throws(StorageError) -> String {
        let path = "/proc/sys/kernel/random/boot_id"
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notReadable(path: path, code: errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 36)
        guard unsafe read(descriptor, &bytes, 36) == 36 else {
            throw .notReadable(path: path, code: errno)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension FileFacts {
    /// The names in a folder, sorted.
    static func names(in folder: String) throws(StorageError) -> [String] {
        guard let stream = unsafe opendir(folder) else { throw .notReadable(path: folder, code: errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

extension FileFacts {
    /// Nil where there is no such file.
    static func contents(of path: String) throws(StorageError) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .notReadable(path: path, code: errno)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(descriptor, &part, part.count)
            guard count >= 0 else { throw .notReadable(path: path, code: errno) }
            if count == 0 { return bytes }
            bytes += part.prefix(count)
        }
    }

    /// Replaces a file atomically: a reader sees the old bytes or the new ones, and the power may fail at
    /// any time. Several processes may do it at once, each with a draft of its own: the last one wins.
    static func replace(_ path: String, with bytes: [UInt8]) throws(StorageError) {
        let draft = "\(path).new-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, DataFolder.fileMode)
        guard descriptor >= 0 else { throw .unwritten(path, errno) }
        let isWritten = writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
        var code = errno
        close(descriptor)
        if isWritten {
            guard unsafe rename(draft, path) != 0 else { return }
            code = errno
        }
        unsafe unlink(draft)
        throw .unwritten(path, code)
    }

    /// True where all bytes were written; else `errno` has the reason. A disk that is nearly full takes a part of them,
    /// and says why no more only when it is asked for the rest.
    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(descriptor, buffer.baseAddress! + done, bytes.count - done)
            }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return false }
            done += written
        }
        return true
    }
}

extension FileFacts {
    /// Sets the time of the last change of its content to now.
    static func touch(_ path: String) throws(StorageError) {
        guard unsafe utimensat(AT_FDCWD, path, nil, 0) == 0 else { throw .notAccessible(path: path, code: errno) }
    }

    static func remove(_ path: String) throws(StorageError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .notAccessible(path: path, code: errno) }
    }
}

extension FileFacts {
    /// The kind of a name itself, without following a link: `S_IFREG`, `S_IFDIR` and so on; nil
    /// where there is nothing.
    static func kind(of path: String) -> mode_t? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT
    }

    /// Whether a name is that of a file, or of a link to one.
    static func isFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// A path without links in it; nil where nothing is there.
    static func resolved(_ path: String) -> String? {
        guard let whole = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(whole) }
        return unsafe String(cString: whole)
    }

    /// Removes a file, or a folder with all that is in it; links are not followed.
    static func removeTree(_ path: String) throws(StorageError) {
        guard let kind = kind(of: path) else { return }
        guard kind == S_IFDIR else { return try remove(path) }
        for name in try names(in: path) { try removeTree(path + "/" + name) }
        guard unsafe rmdir(path) == 0 || errno == ENOENT else {
            throw .notAccessible(path: path, code: errno)
        }
    }

    /// Syncs a folder and all that is in it.
    static func syncTree(_ path: String) throws(StorageError) {
        if kind(of: path) == S_IFDIR {
            for name in try names(in: path) { try syncTree(path + "/" + name) }
        }
        try sync(path)
    }
}
