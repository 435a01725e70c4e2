import Bytes
import Names
import Pool
import Wire

extension SQLiteJournal {
    /// Takes up what is in the log and not in the tables, and does once more what those entries had to do elsewhere.
    mutating func replay(_ frames: [LogFrame]) throws(StorageError) {
        forgottenContent = try forgottenAtLastMerge()
        try tables.database.prepare("SELECT place FROM wiping").run { row in wipes.append(LogPosition(row.integer(0))) }
        if !wipes.isEmpty { care.noteDeletion() }
        for frame in frames {
            for place in frame.places { try replay(place, in: frame) }
            do throws(ByteError) { try LogNote.apply(frame, to: &progress) } catch {
                throw .damaged(path: log.folder, error)
            }
        }
        nextPosition = log.end.next
        try wipeWords()
        try tables.leave()
        try tables.tidyShelf(errands, under: identity.lock)
        try identity.lock.transaction(tables.database) { () throws(StorageError) in
            try forgottenContent.write(term, next: nextPosition, to: tables.database)
        }
        errands = []
    }

    private mutating func forgottenAtLastMerge() throws(StorageError) -> ForgottenContent {
        var log = LogIndex(in: log.folder)
        try log.refresh()
        return try ForgottenContent.opened(
            term, shards: shardCount, merged: memory.through, expired: care.expired, in: tables
        ) { (body) throws(StorageError) in try log.find(body).map { !$0.frame.body(at: body).isEmpty } ?? false }
    }

    private mutating func replay(_ place: LogPosition, in frame: LogFrame) throws(StorageError) {
        guard let change = try change(at: place, in: frame) else {
            throw .brokenLog(path: log.folder, "entry \(place.number) was dropped, and journal.db does not have it yet")
        }
        guard change.shard.number < shardCount else {
            throw .damaged(path: log.folder, .outOfRange(Int64(change.shard.number), of: "shard"))
        }
        var draft = JournalDraft(LogPosition(place.number + 1), latest, entries: 0)
        for card in change.cards {
            // What is wiped was said of a message that a later entry deletes.
            guard let entry = card.entry else { continue }
            let old = card.previous == nil ? nil : try find(CardKey(card.key))?.body
            if let old, old != entry.body, entry.isDeleted || (entry.body != nil && old <= care.swept) {
                draft.wipes.append(old)
            }
            if place >= forgottenContent.next {
                draft.forgotten[Int(change.shard.number), default: 0] += try forgottenChange(old, entry.body)
            }
        }
        if let note = change.note, case .card = note.said, let old = try found(note.conversation)?.last {
            draft.wipes.append(old)
        }
        memory.take(change, at: place)
        for job in change.jobs {
            let known = latest[Int(change.shard.number)]
            latest[Int(change.shard.number)] = max(known, job.number)
            guard hasShelf, let number = try number(of: job.number, of: MessageKey(change.conversation, job.message))
            else {
                continue
            }
            draft.errands.append(.unshelve(number, before: job.number))
        }
        for card in change.cards where card.entry?.isDeleted == true {
            try forgetContent(of: card.key, from: place, &draft)
            care.noteDeletion()
        }
        forgottenContent.add(draft.forgotten)
        take(draft.wipes)
        errands += draft.errands
    }

    /// The message that a job was caused for: it may be a row that another took the place of.
    private mutating func number(of job: JobNumber, of key: MessageKey) throws(StorageError) -> MessageNumber? {
        switch try find(CardKey(key))?.entry {
        case .message(let card): card.number
        case .alias(_, let absorbed?) where absorbed.removal == job: absorbed.number
        default: nil
        }
    }
}
