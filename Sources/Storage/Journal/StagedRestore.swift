import Glibc

/// A restore that has all in its place but the last names: this process moves it into the folder, or the next start does.
///
/// ```text
/// restore.draft/   journal.db manifest.json … contents     being written: of no meaning, removed by whoever comes next
/// restore.ready/   the same, whole and on the disk          moved into the folder by this process, or by the next start
/// ```
enum StagedRestore {
    static let draft = "restore.draft"
    static let ready = "restore.ready"
    /// Names what is in the folder beside it, so that what the backup lacks goes, and is not mistaken for what was moved already.
    static let contents = "contents"

    /// Whether somebody was interrupted who had all in its place but the last names.
    static func isUnfinished(in folder: DataFolder) -> Bool { FileFacts(folder.file(ready)) != nil }

    /// Ends what a restore began, and removes what one left that never came so far; under the lock of the folder.
    /// - Returns: how many shards were put aside for it.
    static func finish(in folder: DataFolder) throws(StorageError) -> Int {
        try FileFacts.removeTree(folder.file(draft))
        guard isUnfinished(in: folder) else { return 0 }
        let ready = DataFolder(folder.file(Self.ready))
        guard let list = try FileFacts.contents(of: ready.file(contents)) else {
            // It goes last.
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
