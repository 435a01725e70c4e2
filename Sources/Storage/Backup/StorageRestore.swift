import Glibc
import Pool
import Wire

/// A restore, which replaces the contents of a folder with a backup. All of the backup is checked
/// and staged beside the old contents before anything is touched; then one rename makes the folder
/// the restored one. `StagedRestore` does the rest.
///
/// The restored journal begins a new era, and all shards are put aside: they may have rows of messages
/// that it does not know. The log of the journal that was there goes before the new one comes.
package enum StorageRestore {
    /// Restores the folder, or throws and leaves it as it was.
    ///
    /// - Parameters:
    ///   - source: a file that `StorageBackup` made; or a folder with `journal.db` and `manifest.json`, as older
    ///     builds made it: without segments of a log.
    ///   - progress: called now and then with the number of bytes that are checked, and that of all.
    package static func restore(
        _ source: String, to folder: DataFolder, progress: (UInt64, UInt64) -> Void = { _, _ in }
    ) throws(StorageError) -> StorageBackup.Contents {
        try refuseItself(source, folder)
        let backup = try Source(source, progress)
        let wasThere = FileFacts(folder.path) != nil
        try folder.create()
        do throws(StorageError) {
            return try restore(backup, to: folder)
        } catch {
            if !wasThere { try FileFacts.removeTree(folder.path) }
            throw error
        }
    }

    private static func restore(_ backup: Source, to folder: DataFolder) throws(StorageError)
        -> StorageBackup.Contents
    {
        let lock = try FileLock.open(path: folder.file(JournalOpening.lock))
        try lock.keep()
        var asides = try StagedRestore.finish(in: folder)
        var found: StorageBackup.Contents
        do throws(StorageError) {
            found = try stage(backup, in: folder)
        } catch {
            try FileFacts.removeTree(folder.file(StagedRestore.draft))
            throw error
        }
        guard unsafe rename(folder.file(StagedRestore.draft), folder.file(StagedRestore.ready)) == 0 else {
            throw .unwritten(folder.file(StagedRestore.ready), errno)
        }
        try FileFacts.sync(folder.path)
        asides += try StagedRestore.finish(in: folder)
        found.asides = asides
        return found
    }

    /// Refuses to restore a folder from itself: parts that such a source lacks as a backup, such as
    /// editions, would be lost.
    private static func refuseItself(_ source: String, _ folder: DataFolder) throws(StorageError) {
        guard let one = FileFacts(source), let other = FileFacts(folder.path), one.isSameFile(as: other) else { return }
        throw .notABackup(path: source, "it is what is to be restored")
    }

    /// Writes everything that the folder is to have into a draft beside it, and syncs it.
    private static func stage(
        _ backup: Source, in folder: DataFolder
    ) throws(StorageError) -> StorageBackup.Contents {
        let draft = DataFolder(folder.file(StagedRestore.draft))
        try draft.enclose()
        var names = try backup.copy(to: draft)
        guard var manifest = try FolderManifest.read(in: draft) else {
            throw .notABackup(path: backup.path, "it has no \(FolderManifest.name)")
        }
        if let problem = try problem(in: draft) { throw .notABackup(path: backup.path, problem) }
        // The term never goes back, so that nothing that was given out under one is given out again.
        manifest.term = max(manifest.term, termBefore(in: folder))
        manifest.era = .random(in: 1 ... .max)
        let found = try begin(manifest, in: draft)
        try manifest.write(in: draft)
        for suffix in ["-wal", "-shm"] {
            try FileFacts.remove(draft.file(JournalOpening.file) + suffix)
        }
        names.append(JournalMark.file)
        let file = try PlainFile.create(draft.file(StagedRestore.contents))
        try file.append(Array(names.joined(separator: "\n").utf8))
        try file.sync()
        try FileFacts.syncTree(draft.path)
        return StorageBackup.Contents(
            bytes: backup.bytes, parts: backup.parts, entries: found.entries, term: found.term)
    }

    /// The term of the folder as it is; 0 where its manifest is missing or cannot be read, which is
    /// what a restore is for.
    private static func termBefore(in folder: DataFolder) -> UInt64 {
        do throws(StorageError) { return try FolderManifest.read(in: folder)?.term ?? 0 } catch {
            return 0
        }
    }

    /// The first fault that `forme check` would find in the journal; nil where there is none.
    private static func problem(in draft: DataFolder) throws(StorageError) -> String? {
        let alone = try Database.openAlone(path: draft.file(JournalOpening.file))
        try JournalReader.checkFormat(of: alone)
        return try StorageCheck.problems(inJournalOf: draft).first
    }

    /// Gives the journal a lineage of its own, so that neither log nor mark nor shards of another
    /// journal are taken for its own.
    private static func begin(
        _ manifest: FolderManifest, in draft: DataFolder
    ) throws(StorageError) -> (entries: Int64, term: UInt64) {
        let path = draft.file(JournalOpening.file)
        let database = try Database.open(path: path, .write, Database.Tuning(forgets: true))
        let entries = try JournalReader(in: draft).next.number
        let term = UInt64(bitPattern: try database.integer("SELECT term FROM meta"))
        if try JournalLink.read(from: database) == nil {
            _ = try JournalLink.create(shards: manifest.shards, in: database)
        }
        try database.transaction { () throws(StorageError) in
            try JournalLink.tie(in: database)
            _ = try JournalLink.beginLineage(in: database)
            try database.prepare("UPDATE meta SET term = ?, boot = ''")
                .run(.integer(Int64(bitPattern: manifest.term)))
        }
        guard try database.emptyLog(patience: 5000), let link = try JournalLink.read(from: database)
        else {
            throw .blocked(path: path, by: nil)
        }
        var mark = try JournalMark.open(path: draft.file(JournalMark.file))
        mark.put(JournalMark.Value(link, next: entries, boot: ""))
        var identity = JournalIdentity(mark, isTied: false)
        identity.close()
        return (entries, term)
    }

    /// The source of a restore.
    private enum Source {
        case file(BackupFile)
        case folder(DataFolder)

        /// Opens a source, and compares all of a file with its checksums.
        init(_ path: String, _ progress: (UInt64, UInt64) -> Void) throws(StorageError) {
            if FileFacts.kind(of: path) == S_IFDIR {
                let folder = DataFolder(path)
                for name in [JournalOpening.file, FolderManifest.name]
                where FileFacts(folder.file(name)) == nil {
                    throw .notABackup(path: path, "it has no \(name)")
                }
                // Folders that were backups are older than segments. A folder that is served has
                // editions, too, which would be left out.
                guard FileFacts(folder.file(SegmentName.folder)) == nil else {
                    throw .notABackup(
                        path: path, "it is the folder of a service, and not a file that forme backup made of one")
                }
                self = .folder(folder)
            } else {
                let file = try BackupFile(reading: path)
                try file.verify(progress: progress)
                // The journal is first in the file, so SQLite reads it in place.
                let alone = try Database.openAlone(path: path)
                try JournalReader.checkFormat(of: alone)
                if let problem = try alone.quickCheck() { throw .notABackup(path: path, problem) }
                self = .file(file)
            }
        }

        var path: String {
            switch self {
            case .file(let file): file.path
            case .folder(let folder): folder.path
            }
        }

        var bytes: Int64 {
            switch self {
            case .file(let file): file.bytes
            case .folder(let folder): FileFacts(folder.file(JournalOpening.file))?.size ?? 0
            }
        }

        var parts: Int {
            switch self {
            case .file(let file): file.parts.count { !$0.name.hasPrefix(SegmentName.folder + "/") }
            case .folder: 2
            }
        }

        /// Copies its files into `draft`. Returns the names that are there then.
        func copy(to draft: DataFolder) throws(StorageError) -> [String] {
            switch self {
            case .folder(let folder):
                let log = try StorageBackup.copyJournal(
                    of: folder, to: draft.file(JournalOpening.file), logTo: draft.file(SegmentName.folder))
                if let manifest = try FolderManifest.read(in: folder) { try manifest.write(in: draft) }
                return [JournalOpening.file, FolderManifest.name] + (log == nil ? [] : [SegmentName.folder])
            case .file(let file):
                var names: [String] = []
                for part in file.parts {
                    let steps = part.name.split(separator: "/")
                    for end in 1..<max(1, steps.count) {
                        try DataFolder(draft.file(steps[..<end].joined(separator: "/"))).enclose()
                    }
                    try file.extract(part, to: draft.file(part.name))
                    if !names.contains(String(steps[0])) { names.append(String(steps[0])) }
                }
                return names
            }
        }
    }
}

extension StorageBackup {
    /// Checks every byte of a backup, and changes nothing.
    package static func check(
        _ path: String, progress: (UInt64, UInt64) -> Void = { _, _ in }
    ) throws(StorageError) -> Contents {
        let file = try BackupFile(reading: path)
        try file.verify(progress: progress)
        if let problem = try Database.openAlone(path: path).quickCheck() {
            throw .notABackup(path: path, problem)
        }
        return Contents(
            bytes: file.bytes, parts: file.parts.count { !$0.name.hasPrefix(SegmentName.folder + "/") },
            entries: try entries(in: file), term: try term(ofJournal: path))
    }
}
