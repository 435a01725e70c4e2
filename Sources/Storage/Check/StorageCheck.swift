import Bytes
import Names
import Pool
import Wire

/// The findings of a check in one file.
package struct CheckedFile: Equatable, Sendable {
    package var path: String
    package var bytes: Int64
    /// Number of messages in a journal, or of rows in a shard.
    package var count = 0
    /// The first few faults; `problemCount` is the number of all.
    package private(set) var problems: [String] = []
    package private(set) var problemCount = 0
    /// Messages whose rows in a shard are not what they should be, or are missing.
    private(set) var wrongRows: [MessageNumber] = []
    /// The first fault of the file as a whole.
    private(set) var damage: String?
    /// Number of messages in a shard that have no row and cannot get one again, as their content is no longer kept.
    package private(set) var unavailableCount = 0

    init(path: String) {
        self.path = path
        bytes = (FileFacts(path)?.size ?? 0) + (FileFacts(path + "-wal")?.size ?? 0)
    }

    mutating func noteUnavailable() { unavailableCount += 1 }

    /// - Parameter row: the row with the fault; nil where the file as a whole has it.
    mutating func note(_ problem: String, of row: MessageNumber? = nil) {
        problemCount += 1
        if problems.count < 5 { problems.append(problem) }
        if let row { wrongRows.append(row) } else if damage == nil { damage = problem }
    }
}

/// A check whether files are what SQLite wrote, values what was stored, and shards what the journal
/// says. The service may run meanwhile.
package enum StorageCheck {
    /// Checks the journal, then every shard of every edition.
    package static func files(in folder: DataFolder) throws(StorageError) -> [CheckedFile] {
        // Jobs that are done by now must be in the shards, which are read later; their rows must be
        // in the journal by then.
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

    /// Files of shards in which something was laid out, and which are gone.
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

    /// Faults of the journal by itself.
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
