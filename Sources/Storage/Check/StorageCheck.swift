import Bytes
import Names
import Pool
import Wire

/// What was found in one file.
package struct CheckedFile: Equatable, Sendable {
    package var path: String
    package var bytes: Int64
    /// Messages of a journal, rows of a shard.
    package var count = 0
    /// The first few of what is wrong, and how many there are.
    package private(set) var problems: [String] = []
    package private(set) var problemCount = 0
    /// Messages whose rows in a shard are not what they should be, or are missing.
    private(set) var wrongRows: [MessageNumber] = []
    /// The first fault of the file as a whole.
    private(set) var damage: String?
    /// Messages of a shard that have no row, and cannot have one again, as their content is no longer kept.
    package private(set) var unavailableCount = 0

    init(path: String) {
        self.path = path
        bytes = (FileFacts(path)?.size ?? 0) + (FileFacts(path + "-wal")?.size ?? 0)
    }

    mutating func noteUnavailable() { unavailableCount += 1 }

    /// - Parameter row: the one that it is about; nil where it is the file.
    mutating func note(_ problem: String, of row: MessageNumber? = nil) {
        problemCount += 1
        if problems.count < 5 { problems.append(problem) }
        if let row { wrongRows.append(row) } else if damage == nil { damage = problem }
    }
}

/// Whether files are what SQLite wrote, values what was stored, and shards what the journal says; while the service runs or not.
package enum StorageCheck {
    /// The journal, then every shard of every edition.
    package static func files(in folder: DataFolder) throws(StorageError) -> [CheckedFile] {
        // What is done by now must be in the shards, which are looked at later; what is in them must be in the journal then.
        let done = try JournalReader(in: folder).progress
        var files = [try journal(in: folder)]
        for edition in try ShardPlace.editions(in: folder) {
            for place in try ShardPlace.all(of: edition, in: folder) {
                files.append(try shard(place, in: folder, done))
            }
            files += try missing(of: edition, in: folder, done)
        }
        return files
    }

    /// Shards that something was laid out in, and that are gone.
    private static func missing(
        of edition: EditionID, in folder: DataFolder, _ done: [SQLiteJournal.ProgressPlace: ShardProgress]
    ) throws(StorageError) -> [CheckedFile] {
        let known = done.values.filter { $0.edition == edition && $0.origin != nil }.map(\.shard).sorted()
        let map = try EditionFolder(folder).files(of: edition)
        let numbers = Set(known.map { map?.file(of: $0).number ?? $0.number }).sorted()
        return numbers.compactMap { number in
            let place = ShardPlace(Shard(number), of: edition, in: folder)
            guard FileFacts(place.path) == nil else { return nil }
            var file = CheckedFile(path: place.path)
            file.note("it is gone")
            place.suspect()
            return file
        }
    }

    /// What is wrong with the journal by itself.
    package static func problems(inJournalOf folder: DataFolder) throws(StorageError) -> [String] {
        try journal(in: folder).problems
    }

    private static func journal(in folder: DataFolder) throws(StorageError) -> CheckedFile {
        var file = CheckedFile(path: folder.file(JournalOpening.file))
        do throws(StorageError) {
            let reader = try JournalReader(in: folder)
            if let problem = try reader.tables.database.quickCheck() { file.note(problem) }
            if let place = try LogPlace.read(from: reader.tables.database) {
                try LogCheck.run(in: folder, of: place.log) { file.note($0) }
            } else {
                try OldLog.each(of: reader.tables.database) { (draft) throws(StorageError) in check(draft, &file) }
            }
            for shard in 0..<reader.manifest.shards {
                for (number, key) in try reader.messages(of: Shard(UInt16(shard))) {
                    file.count += 1
                    if try reader.card(key) == nil { file.note("message \(number.number) has no card") }
                }
            }
        } catch .corrupt(_, let finding) {
            file.note(finding)
        } catch .damaged(_, let error) {
            file.note("\(error)")
        }
        return file
    }

    private static func check(_ draft: LogFrameDraft, _ file: inout CheckedFile) {
        var draft = draft
        do throws(ByteError) {
            LogCheck.check(try LogFrame(draft.ended(after: 0))) { file.note($0) }
        } catch {
            file.note("segment \(draft.first.number): \(error)")
        }
    }
}
