import Bytes
package import Names
package import Pool
package import Wire

extension SQLiteJournal: Pool.Journal {
    package mutating func card(_ key: MessageKey) throws(StorageError) -> CardEntry? { try cards.card(key) }

    package mutating func message(_ key: MessageKey) throws(StorageError) -> (key: MessageKey, card: MessageCard)? {
        try cards.message(key)
    }

    package mutating func body(at place: LogPosition) throws(StorageError) -> MessageBody? { try cards.body(at: place) }

    package mutating func conversation(_ id: ConversationID) throws(StorageError) -> ConversationCard? {
        try cards.conversation(id)?.card
    }

    package mutating func readPlace(_ key: ReadingKey) throws(StorageError) -> Int64? { try cards.readPlace(key) }

    package mutating func unfinished(
        in shard: Shard, of edition: EditionID, after: JobNumber, limit: Int
    ) throws(StorageError) -> JobPage {
        try cards.unfinished(in: shard, of: edition, after: after, limit: limit, atOnce: settings.jobsAtOnce)
    }

    package mutating func messages(
        in shard: Shard, after: MessageNumber, limit: Int
    ) throws(StorageError) -> [LayoutJob] {
        try cards.messages(in: shard, after: after, limit: limit)
    }

    package mutating func recent(
        in shard: Shard, after walk: RecentWalk, limit: Int
    ) throws(StorageError) -> RecentPage {
        try cards.recent(in: shard, after: walk, limit: limit)
    }

    package mutating func shelved(after: ShelfPlace?, limit: Int) throws(StorageError) -> [ShelvedJob] {
        try cards.shelved(after: after, limit: limit)
    }

    package mutating func job(at place: ShelfPlace) throws(StorageError) -> LayoutJob? { try cards.job(at: place) }

    package mutating func standing() throws(StorageError) -> Standing { try cards.standing() }

    package func nextJob(in shard: Shard) -> JobNumber { JobNumber(cards.latest[Int(shard.number)].number + 1) }

    package mutating func commit(_ turn: JournalTurn) throws(StorageError) {
        try upkeep.requireSynced()
        // Entries that are not merged have a limit, too. A merge waits for words that cannot be overwritten.
        if cards.merge != nil || !upkeep.wiping.isEmpty, cards.memory.entries >= 4 * settings.mergeLength {
            throw upkeep.trouble ?? .blocked(path: cards.tables.database.path, by: nil)
        }
        let start = ContinuousClock.now
        let count = turn.entries.count + turn.notes.count
        var draft = JournalDraft(nextPosition, cards.latest, entries: count)
        do throws(StorageError) {
            if !turn.record.shelved.isEmpty { cards.hasShelf = true }
            try cards.tables.enter()
            let entries = turn.entries.span
            for place in entries.indices { try append(entries[place], &draft) }
            for note in turn.notes { try append(note, &draft) }
            try cards.tables.leave()
            try writeAtOnce(turn.record)
            LogNote.write(turn.record, to: &draft.frame.writer)
            if draft.frame.hasContents {
                identity.announce(draft.next)
                let frame = try cards.log.append(&draft.frame)
                identity.note(draft.next)
                if frame.count > 0 { cards.frames.put(frame) }
            }
        } catch {
            // The log refuses what follows a sync that failed by itself, and SQLite does not.
            if case .notSynced = error { upkeep.note(error) }
            cards.takeBack(draft, to: nextPosition)
            try cards.tables.database.rollBack()
            throw error
        }
        times.commits.record(.now - start)
        (nextPosition, cards.latest) = (draft.next, draft.latest)
        cards.remember(turn.record)
        upkeep.add(draft, merged: cards.merged)
        care.note(draft)
        follow()
    }

    /// Brings everything beside the log up to it. The entries are in the log, so a step that fails
    /// here is tried again. No merge begins before the others are through: an opening would not repeat them.
    private mutating func follow() {
        // A chore that failed is done again by `maintain`, but for a merge that has not been tried yet.
        let isChoreOff = upkeep.trouble != nil && (cards.merge != nil || !isMergeDue)
        do throws(StorageError) {
            try upkeep.run(in: &cards, under: identity.lock)
            if !isChoreOff { try doChores() }
        } catch {
            upkeep.note(error)
        }
    }
}

/// The frame of a turn, and its changes in memory, so that these can be taken back when the frame
/// does not reach the file.
struct JournalDraft {
    var frame: LogFrameDraft
    var next: LogPosition
    var latest: [JobNumber]
    var replaced: [(key: CardKey, card: StoredCard)] = []
    var added: [CardKey] = []
    var (jobs, fresh, entries) = (0, 0, 0)
    var isForgetting = false
    /// The number of messages more that have no content, by shard.
    var forgotten: [Int: Int] = [:]
    /// Bodies that no message shows any more.
    var stale: [LogPosition] = []
    var before = ConversationNotes.Before()
    /// Earlier entries whose words are wiped.
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
            let old = try cards.replace(card, stored, shard, at: place, &draft)
            LogChange.card(&draft.frame.writer, card.key.message, old?.last, card.entry)
            if let body = old?.body { replaced.append(body) }
            draft.forgotten[Int(shard.number), default: 0] += try care.forgottenChange(
                old?.body, card.entry.body, in: &cards)
            if card.entry.isDeleted {
                gone.append(card.key)
                if let body = old?.body { try wipe(at: body, &draft) }
            }
            key = stored
        }
        for body in replaced where !entry.cards.contains(where: { $0.entry.body == body }) {
            draft.stale.append(body)
            // Also the body of a message that another one absorbs.
            if care.hasLookedAt(body, merged: cards.merged) { try wipe(at: body, &draft) }
        }
        draft.frame.writer.number(UInt64(entry.jobs.count))
        for job in entry.jobs {
            precondition(job.number.number == draft.latest[Int(shard.number)].number + 1, "a job was left out")
            draft.latest[Int(shard.number)] = job.number
            // An older job of the message that was given up is tried again with it.
            if cards.hasShelf { draft.errands.append(.unshelve(job.message, before: job.number)) }
            LogChange.job(&draft.frame.writer, job.number, job.messageID)
            let isOfLastCard = entry.cards.last.map { $0.key.message == job.messageID } ?? false
            let stored = isOfLastCard ? key! : CardKey(MessageKey(job.conversation, job.messageID))
            cards.memory.jobs.append(CardMemory.Job(shard: shard, number: job.number, lane: entry.lane, key: stored))
        }
        LogChange.activity(&draft.frame.writer, entry.activity?.milliseconds)
        if let activity = entry.activity {
            draft.before.note(conversation, in: cards.memory.notes)
            cards.memory.notes.note(activity: activity.milliseconds, in: conversation)
        }
        LogChange.end(&draft.frame.writer, from: start)
        draft.frame.endPart()
        draft.jobs += entry.jobs.count
        for key in gone {
            try forgetContent(of: key, from: place, &draft)
            draft.isForgetting = true
        }
        cards.memory.end(place)
        draft.entries += 1
        draft.next.number += 1
    }

    /// Appends a note as an entry of its own. The registers from before are wiped in the log.
    private mutating func append(_ note: ConversationNote, _ draft: inout JournalDraft) throws(StorageError) {
        let place = draft.next
        if case .card = note.said, let old = try cards.conversation(note.conversation)?.last {
            try wipe(at: old, &draft)
        }
        draft.frame.endPart()
        LogChange.write(note, Shard(of: note.conversation, among: shardCount), to: &draft.frame.writer)
        draft.frame.endPart()
        draft.before.note(note, in: cards.memory.notes)
        cards.memory.notes.take(note, at: place)
        cards.memory.end(place)
        draft.entries += 1
        draft.next.number += 1
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
