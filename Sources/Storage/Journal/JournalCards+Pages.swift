import Bytes
import Names
import Pool
import Wire

extension JournalCards {
    mutating func unfinished(
        in shard: Shard, of edition: EditionID, after: JobNumber, limit: Int, atOnce most: Int
    ) throws(StorageError) -> JobPage {
        let done = progress[SQLiteJournal.ProgressPlace(edition: edition, shard: shard)]
        var page = JobPage(jobs: [], through: latest[Int(shard.number)])
        let candidates = try waiting(in: shard, after: max(after, done?.through ?? .zero), atMost: most)
        for candidate in candidates {
            guard page.jobs.count < limit else { return page }
            page.through = candidate.number
            if done?.isDone(candidate.number) == true { continue }
            if let job = try job(candidate) { page.jobs.append(DueJob(job, lane: candidate.lane)) }
        }
        // Behind as many as that there may be more, which a later page has.
        if candidates.count < most { page.through = latest[Int(shard.number)] }
        return page
    }

    /// Jobs of the shard in the order in which they were caused; those that are done in every edition may be missing.
    private mutating func waiting(
        in shard: Shard, after: JobNumber, atMost most: Int
    ) throws(StorageError) -> [CardMemory.Job] {
        var jobs: [CardMemory.Job] = []
        let path = tables.database.path
        try tables.database.prepare(
            "SELECT job, lane, key FROM jobs WHERE shard = ? AND job > ? ORDER BY job LIMIT ?"
        )
        .run(
            .integer(Int64(shard.number)), .integer(Int64(bitPattern: after.number)), .integer(Int64(most))
        ) {
            row throws(StorageError) in
            do throws(ByteError) {
                jobs.append(
                    CardMemory.Job(
                        shard: shard, number: JobNumber(UInt64(bitPattern: row.integer(0))),
                        lane: Lane(rawValue: UInt8(truncatingIfNeeded: row.integer(1))) ?? .live,
                        key: CardKey(try CardKey.message(row.blob(2)))))
            } catch {
                throw .damaged(path: path, error)
            }
        }
        let last = max(after, jobs.last?.number ?? .zero)
        for memory in [merge?.memory, memory] where jobs.count < most {
            jobs += (memory?.jobs ?? []).lazy.filter { $0.shard == shard && $0.number > last }.prefix(
                most - jobs.count)
        }
        return jobs
    }

    /// The job as the registers are now; nil where a newer job took its place.
    private mutating func job(_ candidate: CardMemory.Job) throws(StorageError) -> LayoutJob? {
        let name = try messageKey(candidate.key)
        if case .alias(_, let absorbed?) = try find(candidate.key)?.entry, absorbed.removal == candidate.number {
            return LayoutJob(
                number: candidate.number, message: absorbed.number, conversation: name.conversation,
                messageID: name.message, work: .remove)
        }
        guard let (key, card) = try message(name), card.lastJob == candidate.number else { return nil }
        return try job(candidate.number, of: card, key)
    }

    func messageKey(_ key: CardKey) throws(StorageError) -> MessageKey {
        do throws(ByteError) {
            return try CardKey.message(key.bytes)
        } catch {
            throw .damaged(path: tables.database.path, error)
        }
    }

    mutating func messages(
        in shard: Shard, after: MessageNumber, limit: Int
    ) throws(StorageError) -> [LayoutJob] {
        var jobs: [LayoutJob] = []
        var last = after
        while jobs.count < limit {
            let candidates = try begun(in: shard, after: last, limit: limit - jobs.count)
            guard !candidates.isEmpty else { break }
            for candidate in candidates where jobs.count < limit {
                last = candidate.number
                guard let (key, card) = try message(candidate.key), card.number == candidate.number,
                    card.deletion == nil, let newest = card.lastJob
                else { continue }
                if let job = try job(newest, of: card, key) { jobs.append(job) }
            }
        }
        return jobs
    }

    /// The next messages in the order of their numbers, gone ones among them; none when there are no more.
    /// - Parameter limit: the most that are taken from memory, where there may be very many.
    private func begun(
        in shard: Shard, after: MessageNumber, limit: Int
    ) throws(StorageError) -> [(number: MessageNumber, key: MessageKey)] {
        tables.nextMessages.bind(Int64(shard.number), at: 1)
        tables.nextMessages.bind(after.number, at: 2)
        let list = try tables.nextMessages.first { row in row.blob(0) }
        do throws(ByteError) {
            if let list { return try FreshList.messages(list).filter { $0.number > after } }
            for memory in [merge?.memory, memory] {
                var found: [(number: MessageNumber, key: MessageKey)] = []
                for one in memory?.fresh(after: after) ?? [] where one.shard == shard {
                    found.append((one.number, try CardKey.message(one.key.bytes)))
                    if found.count == limit { break }
                }
                if !found.isEmpty { return found }
            }
            return []
        } catch {
            throw .damaged(path: tables.database.path, error)
        }
    }

    mutating func shelved(after: ShelfPlace?, limit: Int) throws(StorageError) -> [ShelvedJob] {
        var jobs: [ShelvedJob] = []
        let path = tables.database.path
        try tables.database.prepare(
            """
            SELECT edition, shard, job, number, key, reason FROM shelf
            WHERE (edition, shard, job) > (?, ?, ?) ORDER BY edition, shard, job LIMIT ?
            """
        ).run(
            .blob(Array((after?.edition.text ?? "").utf8)), .integer(Int64(after?.shard.number ?? 0)),
            .integer(Int64(bitPattern: after?.job.number ?? 0)), .integer(Int64(limit))
        ) { row throws(StorageError) in
            do throws(ByteError) {
                jobs.append(try ShelvedJob(row))
            } catch {
                throw .damaged(path: path, error)
            }
        }
        return jobs
    }

    mutating func job(at place: ShelfPlace) throws(StorageError) -> LayoutJob? {
        let path = tables.database.path
        var found: ShelvedJob?
        try tables.database.prepare(
            "SELECT edition, shard, job, number, key, reason FROM shelf WHERE edition = ? AND shard = ? AND job = ?"
        ).run(
            .blob(Array(place.edition.text.utf8)), .integer(Int64(place.shard.number)),
            .integer(Int64(bitPattern: place.job.number))
        ) { row throws(StorageError) in
            do throws(ByteError) {
                found = try ShelvedJob(row)
            } catch {
                throw .damaged(path: path, error)
            }
        }
        guard let found, let (key, card) = try message(found.key), card.number == found.message,
            let newest = card.lastJob
        else { return nil }
        return try job(newest, of: card, key)
    }
}

extension ShelvedJob {
    fileprivate init(_ row: Statement.Row) throws(ByteError) {
        self.init(
            place: ShelfPlace(
                edition: try EditionID(row.text(0)), shard: Shard(UInt16(truncatingIfNeeded: row.integer(1))),
                job: JobNumber(UInt64(bitPattern: row.integer(2)))),
            message: MessageNumber(row.integer(3)), key: try CardKey.message(row.blob(4)),
            reason: Objection(row.text(5)))
    }
}
