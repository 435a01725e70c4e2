import Glibc

extension DataFolder {
    /// Throws where a coordinator could not begin here, as far as that is seen without opening a
    /// journal: a folder that cannot be made, entered or written, files in it of another user, versions
    /// of a newer release, and a journal that is missing or no database. Nothing is made or changed.
    package func refuseUnusable() throws(StorageError) {
        guard FileFacts(path) != nil else { return try refuseUnmakeable() }
        try refuseClosed()
        for name in [
            FolderFormats.name, FolderManifest.name, JournalOpening.lock, JournalOpening.file,
            JournalOpening.file + "-wal",
            JournalOpening.file + "-shm", JournalMark.file, SegmentName.folder, EditionFolder.name, "shards",
        ] {
            guard unsafe access(file(name), R_OK | W_OK) != 0, errno != ENOENT else { continue }
            throw .notAccessible(path: file(name), code: errno)
        }
        try FolderFormats.refuseNewer(in: self)
        let manifest = try FolderManifest.read(in: self)
        // An unfinished restore brings a journal, at the next start.
        if !StagedRestore.isUnfinished(in: self) { try JournalOpening.refuseLost(in: self, manifest) }
    }

    private func refuseUnmakeable() throws(StorageError) {
        let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard unsafe access(parent, W_OK | X_OK) == 0 else { throw .notAccessible(path: path, code: errno) }
    }
}

extension JournalOpening {
    /// Refuses a folder that had a journal and has none now, or a file that is no database. A file
    /// that begins as one is checked for everything else when it is opened.
    static func refuseLost(in folder: DataFolder, _ manifest: FolderManifest?) throws(StorageError) {
        let path = folder.file(file)
        guard let size = FileFacts(path)?.size, size > 0 else {
            if let manifest, manifest.term > 0 { throw .missingJournal(path: path) }
            return
        }
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notReadable(path: path, code: errno) }
        defer { close(descriptor) }
        let expected = Array("SQLite format 3\0".utf8)
        var found = [UInt8](repeating: 0, count: expected.count)
        let count = unsafe Glibc.read(descriptor, &found, found.count)
        guard count == expected.count, found == expected else {
            throw .corrupt(path: path, "it does not begin as a database does")
        }
    }
}
