import Pool
import Wire

extension StorageCheck {
    static func shard(
        _ place: ShardPlace, in folder: DataFolder, _ done: [SQLiteJournal.ProgressPlace: ShardProgress]
    ) throws(StorageError) -> CheckedFile {
        var file = CheckedFile(path: place.path)
        do throws(StorageError) {
            let (jobs, evicted) = try rows(of: place, &file)
            if file.problemCount > 0 { place.suspect() }
            let known = done[SQLiteJournal.ProgressPlace(edition: place.edition, shard: place.shard)]
            try compare(jobs, with: JournalReader(in: folder), place.shard, known, evicted, &file)
        } catch .corrupt(_, let finding) {
            file.note(finding)
            place.suspect()
        } catch .absent {
            file.note("nobody has written it yet")
        } catch .foreignFormat(_, let found, _) {
            file.note("it has format \(found)")
        }
        return file
    }

    /// What is wrong first with a file by itself; nil where it is sound.
    static func damage(to place: ShardPlace) throws(StorageError) -> String? {
        var file = CheckedFile(path: place.path)
        do throws(StorageError) {
            _ = try rows(of: place, &file)
        } catch .corrupt(_, let finding) {
            return finding
        }
        return file.problems.first
    }

    /// The job of each row, and up to which number rows were given up; all checksums compared on the way.
    private static func rows(
        of place: ShardPlace, _ file: inout CheckedFile
    ) throws(StorageError) -> (jobs: [MessageNumber: JobNumber], evicted: Int64) {
        let tables = try ReadTables.open(place, cache: 2 << 20)
        try tables.database.execute("BEGIN")
        if let problem = try tables.database.quickCheck() { file.note(problem) }
        var jobs: [MessageNumber: JobNumber] = [:]
        let isPlaced = try tables.database.prepare(
            "SELECT number FROM places WHERE conversation = ? AND position = ? AND message = ?")
        try tables.database.prepare("SELECT number, job, head, layout, measured FROM rows").run {
            row throws(StorageError) in
            let number = MessageNumber(row.integer(0))
            let job = JobNumber(UInt64(bitPattern: row.integer(1)))
            jobs[number] = job
            do throws(WireError) {
                let head = try RowHead(row.blob(2), number, job)
                if Checksum.of(row.blob(3)) != head.layoutSum { file.note("row \(number.number): layout is damaged") }
                if Checksum.of(row.blob(4)) != head.measuredSum {
                    file.note("row \(number.number): measured texts are damaged")
                }
                isPlaced.bind(head.conversation, at: 1)
                isPlaced.bind(head.facts.order, at: 2)
                isPlaced.bind(utf8: head.message.text, at: 3)
            } catch {
                return file.note("row \(number.number): \(error)")
            }
            let placed = try isPlaced.first { row in row.integer(0) }
            if placed != number.number { file.note("row \(number.number) is not in its place") }
        }
        file.count = jobs.count
        let places = try tables.database.integer("SELECT count(*) FROM places")
        if places != Int64(jobs.count) { file.note("\(places) places for \(jobs.count) rows") }
        return (jobs, try tables.database.integer("SELECT evicted FROM meta"))
    }

    /// What is done has a row, and what has a row is a message.
    private static func compare(
        _ jobs: [MessageNumber: JobNumber], with journal: borrowing JournalReader, _ shard: Shard,
        _ done: ShardProgress?, _ evicted: Int64, _ file: inout CheckedFile
    ) throws(StorageError) {
        var unknown = jobs
        for (number, key) in try journal.messages(of: shard) {
            guard let card = try journal.message(key) else { continue }
            guard card.number == number else {
                // It was the same as another one, whose row took its place.
                unknown[number] = nil
                continue
            }
            let isRowDue = card.deletion == nil && card.lastJob.map { done?.isDone($0) ?? false } ?? false
            // A walk comes later to what was there before the edition.
            let isWalked = done?.walkedTo.map { number <= $0 } ?? true
            if isRowDue, isWalked, number.number > evicted, jobs[number] == nil, !isGivenUp(card, journal) {
                file.note("message \(number.number) is laid out and has no row")
            }
            unknown[number] = nil
        }
        for (number, _) in unknown { file.note("row \(number.number) is of no message") }
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
