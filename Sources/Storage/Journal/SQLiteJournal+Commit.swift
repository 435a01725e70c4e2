package import Pool
package import Wire

extension SQLiteJournal: Pool.Journal {
    package func nextJob(in shard: Shard) -> JobNumber { JobNumber(latest[Int(shard.number)].number + 1) }

    package mutating func commit(_ turn: JournalTurn) throws(StorageError) {
        var draft = JournalDraft(nextPosition, latest)
        let steps = max(64, 2 * turn.entries.count)
        do throws(StorageError) {
            try tables.database.begin()
            for entry in turn.entries { try append(entry, &draft) }
            try write(turn.record)
            if let merge { try merge.write(steps, into: tables) }
            try tables.database.commit()
        } catch {
            forget(draft)
            try tables.database.rollBack()
            throw error
        }
        (nextPosition, latest) = (draft.next, draft.latest)
        remember(turn.record)
        care.note(draft)
        merge?.advance(steps)
        if merge?.isDone == true { merge = nil }
        if merge == nil, memory.entries >= settings.mergeLength { beginMerge() }
        care.checkpointIfDue(tables.database, past: settings.checkpoint)
    }

    mutating func beginMerge() {
        let full = memory
        memory = CardMemory(after: full.through)
        merge = CardMerge(full, latest: latest) { job in !isDone(job.number, in: job.shard) }
    }

    /// Whether no edition that anything is known of waits for the job.
    func isDone(_ job: JobNumber, in shard: Shard) -> Bool {
        var isKnown = false
        for (place, progress) in progress where place.shard == shard {
            guard progress.isDone(job) else { return false }
            isKnown = true
        }
        return isKnown
    }
}

extension ShardProgress {
    func isDone(_ job: JobNumber) -> Bool { job <= through || beyond.contains { $0.contains(job) } }
}

/// What a turn has changed in memory, so that it can be taken back when it does not reach the file.
struct JournalDraft {
    var next: LogPosition
    var latest: [JobNumber]
    var replaced: [(key: MessageKey, card: StoredCard?)] = []
    var jobs = 0
    var fresh = 0
    var entries = 0
    var isForgetting = false

    init(_ next: LogPosition, _ latest: [JobNumber]) { (self.next, self.latest) = (next, latest) }
}

extension SQLiteJournal {
    private mutating func append(_ entry: JournalEntry, _ draft: inout JournalDraft) throws(StorageError) {
        let place = draft.next
        let shard = Shard(of: entry.event.conversation, among: shardCount)
        var change = LogChange(
            lane: entry.lane, shard: shard, conversation: entry.event.conversation, cards: [], jobs: [])
        var gone: [MessageKey] = []
        for card in entry.cards {
            let old = try replace(card, shard, at: place, &draft)
            change.cards.append(LogChange.Card(key: card.key, entry: card.entry, previous: old?.last))
            if card.entry.isDeleted {
                gone.append(card.key)
                if let body = old?.body { try tables.wipeBody(at: body) }
            } else if let body = old?.body, let new = card.entry.body, body != new, body <= care.swept {
                try tables.drop.run(.integer(body.number))
            }
        }
        for job in entry.jobs {
            precondition(job.number.number == draft.latest[Int(shard.number)].number + 1, "a job was left out")
            draft.latest[Int(shard.number)] = job.number
            change.jobs.append((job.number, job.messageID))
            memory.jobs.append(
                CardMemory.Job(
                    shard: shard, number: job.number, lane: entry.lane, key: MessageKey(job.conversation, job.messageID)
                ))
        }
        draft.jobs += entry.jobs.count
        try write(change, gone.isEmpty ? entry.event.body : nil, at: place)
        for key in gone {
            try forgetContent(of: key, from: place)
            draft.isForgetting = true
        }
        memory.end(place)
        draft.entries += 1
        draft.next.number += 1
    }

    /// The card that stood there before.
    private mutating func replace(
        _ card: CardChange, _ shard: Shard, at place: LogPosition, _ draft: inout JournalDraft
    ) throws(StorageError) -> StoredCard? {
        let stored = StoredCard(entry: card.entry, last: place)
        var old: StoredCard?
        if let known = memory.cards[card.key] {
            old = known
            draft.replaced.append((card.key, known))
        } else {
            if !card.entry.begins(at: place) { old = try find(card.key) }
            draft.replaced.append((card.key, nil))
        }
        let fresh = memory.fresh.count
        memory.note(card.entry, card.key, shard, place)
        draft.fresh += memory.fresh.count - fresh
        memory.cards[card.key] = stored
        cache.put(card.key, stored)
        return old
    }

    private mutating func write(
        _ change: LogChange, _ body: MessageBody?, at place: LogPosition
    ) throws(StorageError) {
        tables.append.bind(place.number, at: 1)
        if let body {
            bodyBytes.removeAll()
            LogBody.write(body, to: &bodyBytes)
            tables.append.bind(bodyBytes.bytes, at: 2)
        } else {
            tables.append.bindNothing(at: 2)
        }
        changeBytes.removeAll()
        change.write(to: &changeBytes)
        tables.append.bind(changeBytes.bytes, at: 3)
        try tables.append.run()
    }

    /// Wipes everything that was said of a message, also under other ids that it had, from one entry to the one before it.
    private func forgetContent(of key: MessageKey, from place: LogPosition) throws(StorageError) {
        var waiting = [(key: key, place: place)]
        while let next = waiting.popLast() {
            try tables.forgetShelved.run(.blob(next.key.stored))
            guard let found = try tables.change(at: next.place) else { continue }
            for card in found.change.cards {
                guard card.key == next.key || card.entry?.isAlias(of: next.key.message) == true else { continue }
                if let previous = card.previous { waiting.append((card.key, previous)) }
            }
            guard next.place != place else { continue }
            try tables.wipe(found, at: next.place)
        }
    }

    private mutating func forget(_ draft: JournalDraft) {
        for (key, card) in draft.replaced.reversed() { memory.cards[key] = card }
        memory.jobs.removeLast(draft.jobs)
        memory.fresh.removeLast(draft.fresh)
        memory.entries -= draft.entries
        memory.through.number = nextPosition.number - 1
        cache = CardCache(limit: 16_384)
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

extension JournalTables {
    /// In place: as long as before, so that nothing moves in the page.
    func wipe(
        _ found: (change: LogChange, length: Int, body: Int), at place: LogPosition
    ) throws(StorageError) {
        wipe.bind(place.number, at: 1)
        if found.body > 0 {
            wipe.bind([UInt8](repeating: 0, count: found.body), at: 2)
        } else {
            wipe.bindNothing(at: 2)
        }
        wipe.bind(found.change.wiped(to: found.length), at: 3)
        try wipe.run()
    }

    func wipeBody(at place: LogPosition) throws(StorageError) {
        if let found = try change(at: place) { try wipe(found, at: place) }
    }
}
