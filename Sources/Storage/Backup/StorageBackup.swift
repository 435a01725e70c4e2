import Glibc
import Pool

/// A copy of all that a folder has and that cannot be made again, in one file, while the folder is in use: the journal as it was at
/// one moment (the shelf and added screens are in it), the manifest, which edition is served, and the editions that are kept.
package enum StorageBackup {
    /// What is in a file that was made, or looked at.
    package struct Contents: Equatable, Sendable {
        package var bytes: Int64
        /// Files in it.
        package var parts: Int
        /// Entries that its journal had.
        package var entries: Int64
        package var term: UInt64
        /// Shards of the folder that were put aside by a restore.
        package var asides = 0
    }

    /// Writes a file, and puts it in the place of the one before when it is whole and on the disk.
    ///
    /// - Parameter progress: told now and then how many bytes of how many are done.
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

    /// Refuses a target that a person did not mean: what is there and is no backup, and whatever is in the folder itself.
    ///
    /// A host of a cluster copies its journal into its own folder, and asks nobody.
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
        // An edition may come or go meanwhile: what the journal names at its moment is among what was there before or after.
        var files = try keptFiles(in: folder)
        let log = try copyJournal(of: folder, to: draft, logTo: draft + ".log", progress)
        files.merge(try keptFiles(in: folder)) { $1 }
        // Behind the journal: so it has all that the journal has.
        let records = try ReplicaRecords.copy(of: folder, by: draft + ".replica")
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

    /// Into a file that is not there yet, without a log of SQLite's; sound, or nothing.
    /// - Parameter logTo: where copies of the segments go.
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

    /// The least that must be in a journal that stands alone.
    static func term(ofJournal path: String) throws(StorageError) -> UInt64 {
        UInt64(bitPattern: try Database.openAlone(path: path).integer("SELECT term FROM meta"))
    }

    /// How many entries a backup has: the last frame of its last segment says it.
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

    /// What a backup that was killed left behind.
    private static func removeLeftovers(of path: String) throws(StorageError) {
        let folder = parent(of: path)
        let prefix = String(path.split(separator: "/").last ?? "") + ".new-"
        for name in try FileFacts.names(in: folder) where name.hasPrefix(prefix) {
            guard let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "." }), kill(process, 0) != 0,
                errno == ESRCH
            else {
                continue
            }
            try FileFacts.removeTree(folder + "/" + name)
        }
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
