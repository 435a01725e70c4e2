import Glibc

/// A file that decides on rights: it is believed only where nobody else could have written it or, for secrets, read
/// it.
enum TrustedFile {
    enum Kind {
        /// Mode 0600 or less.
        case secret
        /// Everybody may read it, and only its owner write.
        case list
        /// Anyone may own and write it: its decisions concern only the user who starts the service with it.
        case open
    }

    private static let limit = 1 << 20

    /// Reads a file. The check is made on the open file, so that nobody can exchange it between the check and the
    /// reading.
    static func read(_ path: String, _ kind: Kind) throws(SettingsError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, code: errno) }
        defer { close(descriptor) }
        var about = stat()
        guard unsafe fstat(descriptor, &about) == 0 else { throw .unreadable(path: path, code: errno) }
        guard about.st_mode & S_IFMT == S_IFREG else { throw .unreadable(path: path, code: EINVAL) }
        if kind == .open { return try bytes(descriptor, path) }
        guard about.st_mode & (kind == .secret ? 0o077 : 0o022) == 0 else {
            throw .tooOpen(path: path, mode: about.st_mode & 0o777)
        }
        guard about.st_uid == geteuid() || about.st_uid == 0 else { throw .foreignOwner(path: path) }
        return try bytes(descriptor, path)
    }

    private static func bytes(_ descriptor: Int32, _ path: String) throws(SettingsError) -> [UInt8] {
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe Glibc.read(descriptor, &part, part.count)
            guard count >= 0, all.count + count <= limit else {
                throw .unreadable(path: path, code: count < 0 ? errno : EFBIG)
            }
            guard count > 0 else { return all }
            all += part[..<count]
        }
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Puts a whole file in its place, or leaves the old one. Others see either of them.
    static func write(_ text: String, to path: String, _ kind: Kind, replacing: Bool) throws(SettingsError) {
        guard replacing || !exists(path) else { throw .exists(path: path) }
        let new = path + ".new"
        unsafe unlink(new)
        let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kind == .secret ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw .notWritable(path: path, code: errno) }
        let bytes = Array(text.utf8)
        let isWritten = unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isWritten else {
            unsafe unlink(new)
            throw .notWritable(path: path, code: code)
        }
        // A link refuses to take the place of a file that appeared meanwhile; a rename takes it.
        guard unsafe replacing ? rename(new, path) == 0 : link(new, path) == 0 else {
            let code = errno
            unsafe unlink(new)
            throw code == EEXIST ? .exists(path: path) : .notWritable(path: path, code: code)
        }
        if !replacing { unsafe unlink(new) }
    }

    static func remove(_ path: String) throws(SettingsError) {
        guard unsafe unlink(path) == 0 else { throw .notWritable(path: path, code: errno) }
    }

    static func makeFolder(_ path: String) throws(SettingsError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .notWritable(path: path, code: errno) }
    }
}
