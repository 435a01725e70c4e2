import Bytes
import Names
import Pool
import Wire

extension SQLiteJournal {
    /// Takes up the entries that are in the log and not in the tables, and repeats what they had to do elsewhere.
    mutating func replay(_ frames: [LogFrame]) throws(StorageError) {
        care.forgotten = try forgottenAtLastMerge()
        try upkeep.takeUp(from: cards.tables)
        if !upkeep.wiping.isEmpty { care.noteDeletion() }
        for frame in frames {
            for place in frame.places { try replay(place, in: frame) }
            do throws(ByteError) { try LogNote.apply(frame, to: &cards.progress) } catch {
                throw .damaged(path: cards.log.folder, error)
            }
        }
        nextPosition = cards.log.end.next
        try upkeep.run(in: &cards, under: identity.lock)
        try identity.lock.transaction(cards.tables.database) { () throws(StorageError) in
            try care.forgotten.write(term, next: nextPosition, to: cards.tables.database)
        }
    }

    private mutating func forgottenAtLastMerge() throws(StorageError) -> ForgottenContent {
        var log = LogIndex(in: cards.log.folder)
        try log.refresh()
        return try ForgottenContent.opened(
            term, shards: shardCount, merged: cards.memory.through, expired: care.expired, in: cards.tables
        ) { (body) throws(StorageError) in try log.find(body).map { !$0.frame.body(at: body).isEmpty } ?? false }
    }

    private mutating func replay(_ place: LogPosition, in frame: LogFrame) throws(StorageError) {
        guard let change = try cards.change(at: place, in: frame) else {
            throw .brokenLog(
                path: cards.log.folder, "entry \(place.number) was dropped, and journal.db does not have it yet")
        }
        guard change.shard.number < shardCount else {
            throw .damaged(path: cards.log.folder, .outOfRange(Int64(change.shard.number), of: "shard"))
        }
        var draft = JournalDraft(LogPosition(place.number + 1), cards.latest, entries: 0)
        for card in change.cards {
            // A wiped card is of a message that a later entry deletes.
            guard let entry = card.entry else { continue }
            let old = card.previous == nil ? nil : try cards.find(CardKey(card.key))?.body
            if let old, !change.cards.contains(where: { $0.entry?.body == old }),
                entry.isDeleted || care.hasLookedAt(old, merged: cards.merged)
            {
                draft.wipes.append(old)
            }
            if place >= care.forgotten.next {
                draft.forgotten[Int(change.shard.number), default: 0] += try care.forgottenChange(
                    old, entry.body, in: &cards)
            }
        }
        if let note = change.note, case .card = note.said, let old = try cards.conversation(note.conversation)?.last {
            draft.wipes.append(old)
        }
        for card in change.cards { cards.forget(CardKey(card.key)) }
        cards.memory.take(change, at: place)
        for job in change.jobs {
            let known = cards.latest[Int(change.shard.number)]
            cards.latest[Int(change.shard.number)] = max(known, job.number)
            guard cards.hasShelf,
                let number = try number(of: job.number, of: MessageKey(change.conversation, job.message))
            else {
                continue
            }
            draft.errands.append(.unshelve(number, before: job.number))
        }
        for card in change.cards where card.entry?.isDeleted == true {
            try forgetContent(of: card.key, from: place, &draft)
            care.noteDeletion()
        }
        care.forgotten.add(draft.forgotten)
        upkeep.add(draft, merged: cards.merged)
    }

    /// The message that a job was caused for, which may be one that another has absorbed.
    private mutating func number(of job: JobNumber, of key: MessageKey) throws(StorageError) -> MessageNumber? {
        switch try cards.find(CardKey(key))?.entry {
        case .message(let card): card.number
        case .alias(_, let absorbed?) where absorbed.removal == job: absorbed.number
        default: nil
        }
    }
}
