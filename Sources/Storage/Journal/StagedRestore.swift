import Glibc

/// A restore whose files are all on the disk, but for their last names: this process moves them
/// into the folder, or the next start does.
///
/// ```text
/// restore.draft/   journal.db manifest.json … contents     being written: of no meaning, removed by the next process
/// restore.ready/   the same, whole and on the disk          moved into the folder by this process, or the next start
/// ```
enum StagedRestore {
    static let draft = "restore.draft"
    static let ready = "restore.ready"
    /// The list of the names beside it. By the list, a file that the backup lacks is removed, and
    /// is not mistaken for one that was moved already.
    static let contents = "contents"

    /// Whether a restore was interrupted that had everything but the last names.
    static func isUnfinished(in folder: DataFolder) -> Bool { FileFacts(folder.file(ready)) != nil }

    /// Finishes a restore that was interrupted, and removes one that never came so far; under the lock of the folder.
    /// - Returns: how many shards were put aside for it.
    static func finish(in folder: DataFolder) throws(StorageError) -> Int {
        try FileFacts.removeTree(folder.file(draft))
        guard isUnfinished(in: folder) else { return 0 }
        let ready = DataFolder(folder.file(Self.ready))
        guard let list = try FileFacts.contents(of: ready.file(contents)) else {
            // The list goes last.
            try FileFacts.removeTree(ready.path)
            return 0
        }
        for suffix in ["-wal", "-shm"] {
            try FileFacts.remove(folder.file(JournalOpening.file) + suffix)
            try FileFacts.remove(folder.file(DataFolder.hostRecords) + suffix)
        }
        let asides = try ShardPlace.putAsideAll(in: folder)
        let names = String(decoding: list, as: UTF8.self).split(separator: "\n").map(String.init)
        for name in [ServedEdition.name, EditionFolder.name, SegmentName.folder, DataFolder.hostRecords]
        where !names.contains(name) {
            try FileFacts.removeTree(folder.file(name))
        }
        for name in names where FileFacts(ready.file(name)) != nil {
            if FileFacts.kind(of: folder.file(name)) == S_IFDIR {
                try FileFacts.removeTree(folder.file(name))
            }
            guard unsafe rename(ready.file(name), folder.file(name)) == 0 else {
                throw .notAccessible(path: folder.file(name), code: errno)
            }
        }
        try FileFacts.sync(folder.path)
        try FileFacts.remove(ready.file(contents))
        try FileFacts.removeTree(ready.path)
        try FileFacts.sync(folder.path)
        return asides
    }
}
