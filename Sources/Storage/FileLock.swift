import Glibc

/// A lock file. The kernel releases the lock when its holder ends, however it ends.
@safe struct FileLock: ~Copyable {
    let path: String
    private let descriptor: Int32

    static func open(path: String) throws(StorageError) -> FileLock {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .notAccessible(path: path, code: errno) }
        return FileLock(path: path, descriptor: descriptor)
    }

    /// Opens a folder as its own lock file.
    static func open(folder path: String) throws(StorageError) -> FileLock {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notAccessible(path: path, code: errno) }
        return FileLock(path: path, descriptor: descriptor)
    }

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Takes the lock for as long as this value lives, or throws where another process has it.
    ///
    /// Tries for a fifth of a second: a process that is being started may still hold a lock that
    /// its parent has released.
    func keep() throws(StorageError) {
        for _ in 0..<40 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK else { throw .notAccessible(path: path, code: errno) }
            _ = poll(nil, 0, 5)
        }
        throw .inUse(path: path)
    }

    /// Takes the lock of an existing file; nil where there is no file, or another process has the lock.
    static func take(_ path: String) throws(StorageError) -> FileLock? {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .notAccessible(path: path, code: errno)
        }
        let file = FileLock(path: path, descriptor: descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return file }
        guard errno == EWOULDBLOCK else { throw .notAccessible(path: path, code: errno) }
        return nil
    }

    /// Runs `body`, and keeps others from taking the lock meanwhile. Where a process has the lock,
    /// or the file cannot be opened, `body` is left out; a file that is missing counts as free.
    static func whileFree(_ path: String, _ body: () throws(StorageError) -> Void)
        throws(StorageError)
    {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 {
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return }
            return try body()
        }
        if errno == ENOENT { try body() }
    }

    /// Waits for the lock, and holds it for the time of `body`.
    func during<Result: ~Copyable>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .notAccessible(path: path, code: errno) }
        }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }
}

extension FileLock {
    /// Throws where another process holds a lock. Nothing is made or held.
    static func refuseUse(of path: String) throws(StorageError) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { throw .inUse(path: path) }
    }
}
