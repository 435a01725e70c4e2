import Bytes
import Names
import Pool
import Wire

extension StorageCheck {
    /// Checks the file of a shard. With a fault it is marked as suspect (`NN.suspect`), so that its
    /// worker lays it out again.
    static func shard(
        _ place: ShardPlace, in folder: DataFolder, _ done: [SQLiteJournal.ProgressPlace: ShardProgress]
    ) throws(StorageError) -> CheckedFile {
        let file = try look(at: place, in: folder, done)
        if file.problemCount > 0 { place.suspect() }
        return file
    }

    private static func look(
        at place: ShardPlace, in folder: DataFolder, _ done: [SQLiteJournal.ProgressPlace: ShardProgress]
    ) throws(StorageError) -> CheckedFile {
        var file = CheckedFile(path: place.path)
        do throws(StorageError) {
            let (jobs, given, origin) = try rows(of: place, &file)
            let map = try EditionFolder(folder).files(of: place.edition)
            let shards = map.map { Array($0.shards(of: FileNumber(place.shard.number))) } ?? [place.shard]
            let known = shards.map { ($0, done[SQLiteJournal.ProgressPlace(edition: place.edition, shard: $0)]) }
            // With another origin the jobs were done in another file: all is laid out again, or
            // will be once the coordinator knows.
            guard known.allSatisfy({ $0.1?.origin == origin }) else { return file }
            try compare(jobs, with: JournalReader(in: folder), known, given, &file)
        } catch .corrupt(_, let finding) {
            file.note(finding)
        } catch .absent {
            file.note("nobody has written it yet")
        } catch .foreignFormat(_, let found, _) {
            file.note("it has format \(found)")
        }
        return file
    }

    /// Faults of a file, by itself and against the journal.
    static func trouble(with place: ShardPlace, in folder: DataFolder) throws(StorageError) -> CheckedFile {
        guard FileFacts(folder.file(JournalOpening.file)) != nil else { return try damage(to: place) }
        // Jobs that are done by now must be in the file, which is read later; its rows must be in the journal by then.
        let done = try JournalReader(in: folder).progress
        return try look(at: place, in: folder, done)
    }

    /// Faults of a file by itself.
    private static func damage(to place: ShardPlace) throws(StorageError) -> CheckedFile {
        var file = CheckedFile(path: place.path)
        do throws(StorageError) {
            _ = try rows(of: place, &file)
        } catch .corrupt(_, let finding) {
            file.note(finding)
        }
        return file
    }

    /// Messages whose rows were given up.
    private struct GivenUp {
        /// The number up to which all were.
        var all: Int64
        /// Others, among messages that get no row for whatever reason.
        var others: Set<MessageNumber> = []

        init(_ database: borrowing Database) throws(StorageError) {
            all = try database.integer("SELECT evicted FROM meta")
            // A file of an earlier build has none until a worker opens it.
            guard try database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'lost'") > 0 else { return }
            try database.prepare("SELECT number FROM lost").run { row throws(StorageError) in
                others.insert(MessageNumber(row.integer(0)))
            }
        }
    }

    /// The job of each row, the messages whose rows were given up, and the origin. Compares all checksums on the way.
    private static func rows(
        of place: ShardPlace, _ file: inout CheckedFile
    ) throws(StorageError) -> (jobs: [MessageNumber: JobNumber], given: GivenUp, origin: ShardOrigin) {
        var tables = try ReadTables.open(place, cache: 2 << 20)
        try tables.database.beginToRead()
        let standing = try tables.standing()
        try tables.followPlaces(standing)
        if let problem = try tables.database.quickCheck() { file.note(problem) }
        var jobs: [MessageNumber: JobNumber] = [:]
        let recent = tables.recent.list
        let isPlaced = try tables.database.prepare(
            "SELECT number FROM places WHERE conversation = ?1 AND position = ?2 AND message = ?3")
        var heights = HeightCheck()
        try tables.database.prepare("SELECT number, job, head, layout, measured FROM rows").run {
            row throws(StorageError) in
            let number = MessageNumber(row.integer(0))
            let job = JobNumber(UInt64(bitPattern: row.integer(1)))
            jobs[number] = job
            var placed: MessageNumber?
            do throws(ByteError) {
                let head = try RowHead(row.blob(2), number, job)
                let layout = row.blob(3)
                if Checksum.of(layout) != head.layoutSum {
                    file.note("row \(number.number): layout is damaged", of: number)
                } else if !head.heights.isEmpty, !heights.isRight(head.heights, of: layout) {
                    file.note("row \(number.number): its heights are not those of its layout", of: number)
                }
                if Checksum.of(row.blob(4)) != head.measuredSum {
                    file.note("row \(number.number): measured texts are damaged", of: number)
                }
                isPlaced.bind(head.conversation, head.position, at: 1)
                placed = recent.number(of: head.conversation, at: head.position)
            } catch {
                return file.note("row \(number.number): \(error)")
            }
            placed = try isPlaced.first { row in MessageNumber(row.integer(0)) } ?? placed
            if placed != number { file.note("row \(number.number) is not in its place") }
        }
        file.count = jobs.count
        let places = Int(try tables.database.integer("SELECT count(*) FROM places")) + recent.count
        if places != jobs.count { file.note("\(places) places for \(jobs.count) rows") }
        return (jobs, try GivenUp(tables.database), standing.origin)
    }

    /// Checks that each message whose job is done has a row, and that each row is of a message.
    private static func compare(
        _ jobs: [MessageNumber: JobNumber], with journal: borrowing JournalReader,
        _ shards: [(Shard, done: ShardProgress?)], _ given: GivenUp, _ file: inout CheckedFile
    ) throws(StorageError) {
        var unknown = jobs
        for (shard, done) in shards {
            try compare(jobs, with: journal, shard, done, given, &unknown, &file)
        }
        for (number, _) in unknown { file.note("row \(number.number) is of no message", of: number) }
    }

    private static func compare(
        _ jobs: [MessageNumber: JobNumber], with journal: borrowing JournalReader, _ shard: Shard,
        _ done: ShardProgress?, _ given: GivenUp, _ unknown: inout [MessageNumber: JobNumber], _ file: inout CheckedFile
    ) throws(StorageError) {
        for (number, key) in try journal.messages(of: shard) {
            guard let card = try journal.message(key) else { continue }
            guard card.number == number else {
                // The message turned out to be the same as another one, whose row took its place.
                unknown[number] = nil
                continue
            }
            let isDone = card.lastJob.map { done?.isDone($0) ?? false } ?? false
            // A walk comes later to messages that are older than the edition.
            let isWalked = done?.walkedTo.map { number <= $0 } ?? true
            if isDone, isWalked, number.number > given.all,
                let difference = difference(between: card, and: jobs[number]), !isGivenUp(card, journal)
            {
                // A row that nobody can lay out again is counted, and the file is not thrown away for it.
                if jobs[number] == nil, try !journal.isBodyKept(card) {
                    file.noteUnavailable()
                } else if jobs[number] != nil || !given.others.contains(number) {
                    file.note("message \(number.number) \(difference)", of: number)
                }
            }
            unknown[number] = nil
        }
    }

    /// The fault of a row whose message's newest job is done; nil where there is none.
    private static func difference(between card: MessageCard, and row: JobNumber?) -> String? {
        guard let row else { return card.deletion == nil ? "is laid out and has no row" : nil }
        if card.deletion != nil { return "is deleted and has a row" }
        return card.lastJob.map { row < $0 } ?? false ? "is laid out and has an older row" : nil
    }

    private static func isGivenUp(_ card: MessageCard, _ journal: borrowing JournalReader) -> Bool {
        // Jobs on the shelf count as done. Where the shelf cannot be read, the journal's own check says so.
        do throws(StorageError) {
            let count = try journal.tables.database.integer(
                "SELECT count(*) FROM shelf WHERE number = \(card.number.number)")
            return count > 0
        } catch {
            return false
        }
    }
}
