package import Glibc
import Synchronization

/// The folder that holds everything a Forme keeps, and the names in it.
package struct DataFolder: Sendable {
    /// Name of the file that has what a host of a cluster knows of its log (`ReplicaRecords`).
    package static let hostRecords = "replica.db"

    package let path: String
    /// Reports of damage that cannot be left in the folder; nil where nobody passes them on.
    let suspicions: Suspicions?

    package init(_ path: String, suspicions: Suspicions? = nil) { (self.path, self.suspicions) = (path, suspicions) }

    package func file(_ name: String) -> String { path + "/" + name }

    /// Whether the group of a folder may read what this process makes in it.
    private static let letsGroupRead = Atomic(false)

    /// Lets the group read what this process makes from now on. SQLite's files have the mode that
    /// the umask leaves them.
    package static func letGroupRead() {
        letsGroupRead.store(true, ordering: .relaxed)
        umask(0o027)
    }

    static var folderMode: mode_t { letsGroupRead.load(ordering: .relaxed) ? 0o750 : 0o700 }
    static var fileMode: mode_t { letsGroupRead.load(ordering: .relaxed) ? 0o640 : 0o600 }
    /// The mode of the index of a log, which every reader of the log writes, too.
    static let indexMode: mode_t = 0o660

    /// Creates the folder where it is missing, for its owner and a group that may read, as it holds what people
    /// write to each other. A folder that others can enter is closed to them, with all that is in it, if it is
    /// this user's, and refused if it is another's. A folder of something else than Forme is refused, too.
    ///
    /// Returns whether it had to be closed.
    @discardableResult
    package func create() throws(StorageError) -> Bool {
        try refuseForeign()
        return try enclose()
    }

    /// Creates a folder within the data folder, or closes it to others, in the same way.
    @discardableResult
    func enclose() throws(StorageError) -> Bool {
        guard unsafe mkdir(path, Self.folderMode) == 0 || errno == EEXIST else {
            throw .notAccessible(path: path, code: errno)
        }
        let (mode, others) = try refuseClosed()
        guard mode & others != 0 else { return false }
        try Self.close(path, to: others, mode)
        return true
    }

    /// Throws where this user may not use the folder, which is there. Returns its mode, and the
    /// bits of a mode that let others in.
    @discardableResult
    func refuseClosed() throws(StorageError) -> (mode: mode_t, others: mode_t) {
        guard unsafe access(path, R_OK | W_OK | X_OK) == 0 else {
            throw .notAccessible(path: path, code: errno)
        }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .notAccessible(path: path, code: errno) }
        let others = 0o077 & ~Self.folderMode
        guard status.st_mode & others == 0 || status.st_uid == geteuid() else {
            throw .tooOpen(path: path, mode: status.st_mode & 0o7777)
        }
        return (status.st_mode, others)
    }

    /// The user whose folder it is; nil where it is not there.
    package var owner: uid_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_uid : nil
    }

    /// Whether the folder belongs to another user, and this process may read it.
    package var isForeign: Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_uid != geteuid() else { return false }
        return unsafe access(path, R_OK | X_OK) == 0
    }

    /// Lets a group read what a gateway of another user needs: the files of the folder itself, shards,
    /// editions, log and fonts. Of these the gateway writes only the indexes of write-ahead logs (`-shm`),
    /// in which SQLite's readers say how far they read. Files that are made later are the group's, too.
    package func share(with group: gid_t) throws(StorageError) {
        try Self.share(path, with: group, among: ["shards", "editions", "log", WebfontFolder.name])
    }

    private static func share(
        _ path: String, with group: gid_t, among folders: [String]? = nil
    ) throws(StorageError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        guard isFolder || status.st_mode & S_IFMT == S_IFREG else { return }
        // Where the group is the process's own, all that it makes is the group's.
        let inherited: mode_t = getegid() == group ? 0 : S_ISGID
        let mode = isFolder ? inherited | folderMode : path.hasSuffix("-shm") ? indexMode : fileMode
        guard
            unsafe (status.st_gid == group || lchown(path, .max, group) == 0)
                && (status.st_mode & 0o7777 == mode || chmod(path, mode) == 0)
        else {
            if errno == ENOENT { return }
            throw .notAccessible(path: path, code: errno)
        }
        guard isFolder else { return }
        for name in try FileFacts.names(in: path) {
            let inner = path + "/" + name
            if let folders, FileFacts.kind(of: inner) == S_IFDIR, !folders.contains(name) { continue }
            try share(inner, with: group)
        }
    }

    /// Closes a file or folder to others, from the outside to the inside, so that nobody comes in
    /// meanwhile. Links are left alone, as they lead out.
    private static func close(_ path: String, to others: mode_t, _ mode: mode_t) throws(StorageError) {
        guard unsafe chmod(path, mode & 0o7777 & ~others) == 0 || errno == ENOENT else {
            throw .notAccessible(path: path, code: errno)
        }
        guard mode & S_IFMT == S_IFDIR else { return }
        for name in try FileFacts.names(in: path) {
            var status = stat()
            guard unsafe lstat(path + "/" + name, &status) == 0, status.st_mode & others != 0,
                [S_IFDIR, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT), status.st_uid == geteuid()
            else { continue }
            try close(path + "/" + name, to: others, status.st_mode)
        }
    }
}
