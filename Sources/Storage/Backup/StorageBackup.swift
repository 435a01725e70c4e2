import Glibc
import Pool

/// A backup: everything in a folder that cannot be made again, in one file that is made while the
/// folder is in use. It has the journal as it was at one moment (with the shelf and added screens),
/// the manifest, the record of the served edition, and the editions that are kept.
package enum StorageBackup {
    /// The contents of a backup that was made or checked.
    package struct Contents: Equatable, Sendable {
        package var bytes: Int64
        /// Number of files in it, without the segments of the log.
        package var parts: Int
        /// Number of entries in its journal.
        package var entries: Int64
        package var term: UInt64
        /// Number of shards of the folder that a restore put aside.
        package var asides = 0
    }

    /// Writes a backup, and renames it into place when it is whole and on the disk.
    ///
    /// - Parameter progress: called now and then with the number of bytes that are done, and that of all.
    package static func make(
        of folder: DataFolder, into path: String, progress: (UInt64, UInt64) -> Void = { _, _ in }
    ) throws(StorageError) -> Contents {
        guard FileFacts(folder.path) != nil else { throw .absent(path: folder.path) }
        guard let manifest = try FolderManifest.read(in: folder) else {
            throw .absent(path: folder.file(FolderManifest.name))
        }
        try removeLeftovers(of: path)
        let draft = path + ".new-\(getpid())"
        do throws(StorageError) {
            let contents = try write(folder, manifest, to: draft, progress)
            guard unsafe rename(draft, path) == 0 else { throw .unwritten(path, errno) }
            try FileFacts.sync(parent(of: path))
            return contents
        } catch {
            try FileFacts.remove(draft)
            try FileFacts.removeTree(draft + ".log")
            try FileFacts.remove(draft + ".replica")
            throw error
        }
    }

    /// Refuses a target that cannot be meant: a file that is there and is no backup, and any path
    /// in the folder itself.
    ///
    /// A host of a cluster copies its journal into its own folder, without this check.
    package static func checkTarget(_ path: String, of folder: DataFolder) throws(StorageError) {
        if let whole = FileFacts.resolved(folder.path) {
            // A link is replaced itself; it may lie in the folder, or lead there.
            let ends = [parent(of: path), path].compactMap(FileFacts.resolved)
            guard !ends.contains(where: { $0 == whole || $0.hasPrefix(whole == "/" ? whole : whole + "/") }) else {
                throw .notReplaced(path: path, "it is in \(folder.path), of which the backup is to be made")
            }
        }
        guard FileFacts(path) != nil else { return }
        guard try BackupFile.mayReplace(path) else {
            throw .notReplaced(path: path, "it is there already, and is no backup")
        }
    }

    private static func write(
        _ folder: DataFolder, _ manifest: FolderManifest, to draft: String,
        _ progress: (UInt64, UInt64) -> Void
    ) throws(StorageError) -> Contents {
        // An edition may come or go meanwhile: those that the journal names are among the ones read
        // before and after it.
        var files = try keptFiles(in: folder)
        let log = try copyJournal(of: folder, to: draft, logTo: draft + ".log", progress)
        files.merge(try keptFiles(in: folder)) { $1 }
        // Copied after the journal, so that it has everything that the journal has.
        let records = try RecordsFile.copy(of: folder, by: draft + ".replica")
        files[ReplicaRecords.name] = records?.bytes
        let term = try term(ofJournal: draft)
        var file = try BackupDraft(of: draft, progress: progress)
        for name in log?.names ?? [] {
            try file.add("\(SegmentName.folder)/\(name.text)", from: draft + ".log/" + name.text)
        }
        try file.add(FolderManifest.name, manifest.bytes)
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) { try file.add(name, bytes) }
        let bytes = try file.finish()
        try FileFacts.removeTree(draft + ".log")
        let entries = try entries(in: BackupFile(reading: draft))
        if let records, records.first.number > entries {
            throw .brokenLog(
                path: folder.file(ReplicaRecords.name),
                "the log of the cluster moves on faster than the journal is copied; stop this host, and back it up then"
            )
        }
        return Contents(bytes: bytes, parts: files.count + 2, entries: entries, term: term)
    }

    /// Copies the journal into a new file without a write-ahead log; throws where SQLite finds the copy damaged.
    /// - Parameter logTo: the folder for copies of the segments.
    static func copyJournal(
        of folder: DataFolder, to path: String, logTo: String, _ progress: (UInt64, UInt64) -> Void = { _, _ in }
    ) throws(StorageError) -> LogCopy? {
        let source = try JournalReader.open(in: folder)
        try JournalReader.checkLink(of: source, in: folder)
        let acknowledged = try JournalMark.acknowledged(in: folder, of: source)
        for _ in 0..<5 {
            var log: LogCopy?
            var isWhole = true
            do {
                let copy = try Database.open(
                    path: path, .write, Database.Tuning(pageSize: source.pageSize, forgets: true, isScratch: true))
                try source.copy(to: copy) { () throws(StorageError) in
                    guard let place = try LogPlace.read(from: source) else { return }
                    log = try LogCopy(of: folder, log: place.log, to: logTo)
                    isWhole = try log?.copyEnd(from: place, acknowledged: acknowledged) ?? true
                } progress: {
                    progress(UInt64($0), UInt64($1))
                }
            }
            guard isWhole else {
                try FileFacts.remove(path)
                continue
            }
            try log?.copyRest()
            if let problem = try Database.openAlone(path: path).quickCheck() {
                throw .corrupt(path: source.path, problem)
            }
            return log
        }
        throw .brokenLog(
            path: folder.file(SegmentName.folder), "what journal.db does not have yet is not there, or is damaged")
    }

    /// Reads the term of a journal that stands alone: the least that must be in it.
    static func term(ofJournal path: String) throws(StorageError) -> UInt64 {
        UInt64(bitPattern: try Database.openAlone(path: path).integer("SELECT term FROM meta"))
    }

    /// The number of entries in a backup, by the last frame of its last segment.
    static func entries(in file: BackupFile) throws(StorageError) -> Int64 {
        var end = try JournalOpening.end(of: try Database.openAlone(path: file.path))
        let segments = file.parts.filter { $0.name.hasPrefix(SegmentName.folder + "/") }
        guard let last = segments.max(by: { $0.name < $1.name }) else { return end }
        let start = Int(file.start(of: last))
        var reader = FrameReader(
            try SegmentFile.open(file.path), from: start + SegmentHeader.length, to: start + Int(last.bytes))
        while case .frame(let frame) = try reader.next() { end = max(end, frame.next.number) }
        return end
    }

    /// The small files that belong to a journal, by their names in the folder.
    static func keptFiles(in folder: DataFolder) throws(StorageError) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        if let served = try FileFacts.contents(of: folder.file(ServedEdition.name)) {
            files[ServedEdition.name] = served
        }
        var waiting = [EditionFolder.name]
        while let name = waiting.popLast() {
            switch FileFacts.kind(of: folder.file(name)) {
            case S_IFDIR: waiting += try FileFacts.names(in: folder.file(name)).map { name + "/" + $0 }
            case S_IFREG: files[name] = try FileFacts.contents(of: folder.file(name))
            default: continue
            }
        }
        return files
    }

    /// Removes the drafts of backups that were killed.
    private static func removeLeftovers(of path: String) throws(StorageError) {
        let folder = parent(of: path)
        let prefix = String(path.split(separator: "/").last ?? "") + ".new-"
        for name in try FileFacts.names(in: folder) where name.hasPrefix(prefix) {
            guard let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "." }) else { continue }
            // In a container each backup may have the same id, and this one has not begun its draft yet.
            guard process == getpid() || kill(process, 0) != 0 && errno == ESRCH else { continue }
            try FileFacts.removeTree(folder + "/" + name)
        }
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
