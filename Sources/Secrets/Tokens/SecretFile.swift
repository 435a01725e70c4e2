import Glibc

/// Small files that are secret, or that decide about access. They are read with a check of their mode, and written
/// whole.
enum SecretFile {
    /// The kind of a file's content: the first line names it, and the second is the content.
    enum Kind: String {
        case publicKey = "forme token key, public"
        case signingKey = "forme token key, secret"

        func text(_ bytes: [UInt8]) -> [UInt8] { Array("\(rawValue)\n\(Base64URL.text(bytes))\n".utf8) }
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    static func names(in folder: String) throws(SecretsError) -> [String] {
        guard let stream = unsafe opendir(folder) else { throw .unreadable(path: folder, code: errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                    unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                })
        }
        return names.sorted()
    }

    static func read(_ path: String, as kind: Kind) throws(SecretsError) -> [UInt8] {
        let lines = try text(path, onlyOwner: kind == .signingKey).split(separator: "\n")
        guard lines.count == 2, lines[0] == kind.rawValue, let content = Base64URL.bytes(lines[1]) else {
            throw .damaged(path: path)
        }
        return content
    }

    static func text(_ path: String, onlyOwner: Bool = false) throws(SecretsError) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path, code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, code: errno) }
        if onlyOwner, status.st_mode & 0o077 != 0 { throw .exposed(path: path) }
        guard 0...16 << 20 ~= status.st_size else { throw .damaged(path: path) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var length = 0
        while length < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress! + length, $0.count - length)
            }
            guard count > 0 else { throw .unreadable(path: path, code: count < 0 ? errno : EIO) }
            length += count
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .damaged(path: path) }
        return text
    }

    /// Changes the files of a folder, one process and one thread after the other, and returns when the disk has what
    /// was done, also where the rest of it failed. Readers do not wait.
    static func change<Value>(
        _ folder: String, _ body: () throws(SecretsError) -> Value
    ) throws(SecretsError) -> Value {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unwritable(path: folder, code: errno) }
        // The kernel releases the lock, too.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .unwritable(path: folder, code: errno) }
        }
        let result = Result { () throws(SecretsError) in try body() }
        let isKept = fsync(descriptor) == 0
        let code = errno
        let value = try result.get()
        guard isKept else { throw .unwritable(path: folder, code: code) }
        return value
    }

    /// Writes a file under another name first, so that no reader sees half of it; to be called within `change`. The
    /// file has this mode, regardless of the umask. A file that root writes belongs to the owner of the folder, as
    /// otherwise the service, which is not root, could not read it.
    static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws(SecretsError) {
        let draft = path + ".new"
        // A draft that is there was left by a process that ended while it wrote.
        unsafe unlink(draft)
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .unwritable(path: path, code: errno) }
        let isKept =
            writeAll(bytes, to: descriptor) && giveToOwner(descriptor, of: path) && fchmod(descriptor, mode) == 0
            && fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isKept, unsafe rename(draft, path) == 0 else {
            let code = isKept ? errno : code
            unsafe unlink(draft)
            throw .unwritable(path: path, code: code)
        }
    }

    /// True where all bytes were written; else `errno` has the reason. A disk that is nearly full takes a part of them,
    /// and says why no more only when it is asked for the rest.
    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress! + done, bytes.count - done)
            }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return false }
            done += written
        }
        return true
    }

    private static func giveToOwner(_ descriptor: Int32, of path: String) -> Bool {
        guard geteuid() == 0 else { return true }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var facts = stat()
        guard unsafe stat(folder, &facts) == 0 else { return false }
        return fchown(descriptor, facts.st_uid, facts.st_gid) == 0
    }

    static func remove(_ path: String) throws(SecretsError) {
        guard unsafe unlink(path) == 0 else { throw .unwritable(path: path, code: errno) }
    }

    static func makeFolder(_ path: String) throws(SecretsError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .unwritable(path: path, code: errno) }
    }
}
