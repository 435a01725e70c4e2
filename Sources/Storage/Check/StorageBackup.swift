/// A copy of a journal, made while it is written.
package enum StorageBackup {
    /// Into another folder, as a folder of data by itself: the journal as it was at one moment, and a manifest of a new era, as
    /// shards that were laid out since hold what the copy does not know. Answers how many bytes it has.
    package static func copy(_ folder: DataFolder, to target: DataFolder) throws(StorageError) -> Int64 {
        guard var manifest = try FolderManifest.read(in: folder) else {
            throw .absent(path: folder.file(FolderManifest.name))
        }
        try target.create()
        let path = target.file(JournalOpening.file)
        guard FileFacts(path) == nil else { throw .inUse(path: path) }
        let source = try Database.open(path: folder.file(JournalOpening.file), .read)
        let format = try source.integer("PRAGMA user_version")
        guard format == JournalTables.format else {
            throw .foreignFormat(path: source.path, found: format, expected: JournalTables.format)
        }
        do throws(StorageError) {
            let copy = try Database.open(path: path, .write, Database.Tuning(forgets: true))
            try source.copy(to: copy)
            try copy.execute("UPDATE meta SET boot = ''")
            _ = try copy.emptyLog()
        } catch {
            try FileFacts.remove(path)
            throw error
        }
        manifest.era = .random(in: 1 ... .max)
        try manifest.write(in: target)
        return FileFacts(path)?.size ?? 0
    }
}
