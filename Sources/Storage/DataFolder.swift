import Glibc

/// The folder that holds everything a Forme keeps, and the names in it.
package struct DataFolder: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package func file(_ name: String) -> String { path + "/" + name }

    /// Makes the folder where it is missing, for its owner only: it holds what people write to each other. One of our own that others
    /// can enter is closed to them, with all that is in it; one of somebody else's is refused.
    ///
    /// Answers whether it had to be closed.
    @discardableResult
    package func create() throws(StorageError) -> Bool {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .notAccessible(path: path, code: errno)
        }
        guard unsafe access(path, R_OK | W_OK | X_OK) == 0 else {
            throw .notAccessible(path: path, code: errno)
        }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .notAccessible(path: path, code: errno) }
        guard status.st_mode & 0o077 != 0 else { return false }
        guard status.st_uid == geteuid() else {
            throw .tooOpen(path: path, mode: status.st_mode & 0o7777)
        }
        try Self.close(path, toAllButOwner: status.st_mode)
        return true
    }

    /// From the outside to the inside, so that nobody comes in meanwhile. Links are left, and lead out.
    private static func close(_ path: String, toAllButOwner mode: mode_t) throws(StorageError) {
        guard unsafe chmod(path, mode & 0o700) == 0 || errno == ENOENT else {
            throw .notAccessible(path: path, code: errno)
        }
        guard mode & S_IFMT == S_IFDIR else { return }
        for name in try FileFacts.names(in: path) {
            var status = stat()
            guard unsafe lstat(path + "/" + name, &status) == 0, status.st_mode & 0o077 != 0,
                [S_IFDIR, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT), status.st_uid == geteuid()
            else { continue }
            try close(path + "/" + name, toAllButOwner: status.st_mode)
        }
    }
}
