import Bytes
import Names
package import Pool
package import Wire

extension SQLiteJournal: Pool.Journal {
    package func nextJob(in shard: Shard) -> JobNumber { JobNumber(latest[Int(shard.number)].number + 1) }

    package mutating func commit(_ turn: JournalTurn) throws(StorageError) {
        if let trouble, case .notSynced = trouble { throw trouble }
        // What is not merged has a limit, too.
        if merge != nil, memory.entries >= 4 * settings.mergeLength {
            throw trouble ?? .blocked(path: tables.database.path, by: nil)
        }
        let count = turn.entries.count + turn.notes.count
        var draft = JournalDraft(nextPosition, latest, entries: count)
        do throws(StorageError) {
            if !turn.record.shelved.isEmpty { hasShelf = true }
            try tables.enter()
            let entries = turn.entries.span
            for place in entries.indices { try append(entries[place], &draft) }
            for note in turn.notes { try append(note, &draft) }
            try tables.leave()
            try writeAtOnce(turn.record)
            LogNote.write(turn.record, to: &draft.frame.writer)
            if draft.frame.hasContents {
                identity.announce(draft.next)
                let frame = try log.append(&draft.frame)
                identity.note(draft.next)
                if frame.count > 0 { frames.put(frame) }
            }
        } catch {
            forget(draft)
            try tables.database.rollBack()
            throw error
        }
        forgottenContent.add(draft.forgotten)
        stale.insert(draft.stale)
        (nextPosition, latest) = (draft.next, draft.latest)
        remember(turn.record)
        take(draft.wipes)
        errands += draft.errands
        care.note(draft)
        follow()
    }

    /// Brings what is beside the log up to it. The entries are in the log, so what fails here is tried again.
    private mutating func follow() {
        do throws(StorageError) {
            try wipeWords()
            try tables.tidyShelf(errands, under: identity.lock)
            errands = []
            if trouble == nil { try doChores() }
        } catch {
            trouble = error
        }
    }

    /// All jobs up to this one are done in all editions that anything is known of.
    func doneEverywhere(in shard: Shard) -> JobNumber {
        progress.values.lazy.filter { $0.shard == shard }.map(\.through).min() ?? .zero
    }

    /// Whether no edition that anything is known of waits for the message as it is: neither for its job, nor, as a file is laid out again
    /// or the edition is new, for a walk to come to it.
    func isDone(_ message: MessageCard, _ job: JobNumber, in shard: Shard) -> Bool {
        var isKnown = false
        for (place, progress) in progress where place.shard == shard {
            guard progress.isDone(job), progress.hasWalked(to: message.number) else { return false }
            isKnown = true
        }
        return isKnown
    }
}

/// What a turn writes, and what it has changed in memory, so that it can be taken back when it does not reach the file.
struct JournalDraft {
    var frame: LogFrameDraft
    var next: LogPosition
    var latest: [JobNumber]
    var replaced: [(key: CardKey, card: StoredCard)] = []
    var added: [CardKey] = []
    var (jobs, fresh, entries) = (0, 0, 0)
    var isForgetting = false
    /// By shard, how many messages more have no content.
    var forgotten: [Int: Int] = [:]
    /// Bodies that nobody shows any more.
    var stale: [LogPosition] = []
    var before = ConversationNotes.Before()
    /// Entries of before whose words go.
    var wipes: [LogPosition] = []
    var errands: [ShelfErrand] = []

    init(_ next: LogPosition, _ latest: [JobNumber], entries: Int) {
        (self.next, self.latest) = (next, latest)
        frame = LogFrameDraft(first: next, count: entries)
    }
}

extension SQLiteJournal {
    private mutating func append(_ entry: JournalEntry, _ draft: inout JournalDraft) throws(StorageError) {
        let place = draft.next
        let conversation = entry.event.conversation
        let shard = Shard(of: conversation, among: shardCount)
        let isDeletion = entry.cards.contains { $0.entry.isDeleted }
        var replaced: [LogPosition] = []
        if let body = entry.event.body, !isDeletion {
            LogBody.write(body, to: &draft.frame.writer)
            replaced = [place]
        }
        draft.frame.endPart()
        let start = draft.frame.writer.count
        LogChange.begin(&draft.frame.writer, entry.lane, shard, conversation, cards: entry.cards.count)
        var gone: [MessageKey] = []
        var key: CardKey?
        for card in entry.cards {
            let stored = CardKey(card.key)
            let old = try replace(card, stored, shard, at: place, &draft)
            LogChange.card(&draft.frame.writer, card.key.message, old?.last, card.entry)
            if let body = old?.body { replaced.append(body) }
            draft.forgotten[Int(shard.number), default: 0] += try forgottenChange(old?.body, card.entry.body)
            if card.entry.isDeleted {
                gone.append(card.key)
                if let body = old?.body { try wipe(at: body, &draft) }
            } else if let body = old?.body, let new = card.entry.body, body != new, body <= care.swept {
                try wipe(at: body, &draft)
            }
            key = stored
        }
        for body in replaced where !entry.cards.contains(where: { $0.entry.body == body }) { draft.stale.append(body) }
        draft.frame.writer.number(UInt64(entry.jobs.count))
        for job in entry.jobs {
            precondition(job.number.number == draft.latest[Int(shard.number)].number + 1, "a job was left out")
            draft.latest[Int(shard.number)] = job.number
            // What was given up of the message is tried again with it.
            if hasShelf { draft.errands.append(.unshelve(job.message, before: job.number)) }
            LogChange.job(&draft.frame.writer, job.number, job.messageID)
            let isOfLastCard = entry.cards.last.map { $0.key.message == job.messageID } ?? false
            let stored = isOfLastCard ? key! : CardKey(MessageKey(job.conversation, job.messageID))
            memory.jobs.append(CardMemory.Job(shard: shard, number: job.number, lane: entry.lane, key: stored))
        }
        LogChange.activity(&draft.frame.writer, entry.activity?.milliseconds)
        if let activity = entry.activity {
            draft.before.note(conversation, in: memory.notes)
            memory.notes.note(activity: activity.milliseconds, in: conversation)
        }
        LogChange.end(&draft.frame.writer, from: start)
        draft.frame.endPart()
        draft.jobs += entry.jobs.count
        for key in gone {
            try forgetContent(of: key, from: place, &draft)
            draft.isForgetting = true
        }
        memory.end(place)
        draft.entries += 1
        draft.next.number += 1
    }

    /// The card that stood there before.
    private mutating func replace(
        _ card: CardChange, _ key: CardKey, _ shard: Shard, at place: LogPosition, _ draft: inout JournalDraft
    ) throws(StorageError) -> StoredCard? {
        let stored = StoredCard(entry: card.entry, last: place)
        if let old = memory.cards.updateValue(stored, forKey: key) {
            draft.replaced.append((key, old))
            return old
        }
        draft.added.append(key)
        let fresh = memory.fresh.count
        memory.note(card.entry, key, shard, place)
        draft.fresh += memory.fresh.count - fresh
        // One that begins here was looked for already.
        guard !card.entry.begins(at: place) else { return nil }
        let old = try findMerged(key)
        cache.remove(key)
        return old
    }

    private mutating func forget(_ draft: JournalDraft) {
        for key in draft.added { memory.cards[key] = nil }
        for (key, card) in draft.replaced.reversed() where memory.cards[key] != nil { memory.cards[key] = card }
        memory.notes.restore(draft.before)
        memory.jobs.removeLast(draft.jobs)
        memory.fresh.removeLast(draft.fresh)
        memory.entries -= draft.entries
        memory.through.number = nextPosition.number - 1
        frames = FrameCache()
    }
}

extension CardEntry {
    var isDeleted: Bool { if case .message(let card) = self { card.deletion != nil } else { false } }
    var body: LogPosition? { if case .message(let card) = self { card.body?.value.at } else { nil } }

    func begins(at place: LogPosition) -> Bool {
        if case .message(let card) = self { card.number.number == place.number } else { false }
    }

    func isAlias(of message: MessageID) -> Bool {
        if case .alias(message, _) = self { true } else { false }
    }
}

extension StoredCard {
    var body: LogPosition? { entry.body }
}
