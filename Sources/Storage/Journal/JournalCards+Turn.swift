import Names
import Pool
import Wire

// The changes of a turn in memory, and their undo where it comes to nothing.
extension JournalCards {
    /// - Returns: the card that stood there before.
    mutating func replace(
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
        // A card that begins here was looked for already.
        guard !card.entry.begins(at: place) else { return nil }
        let old = try findMerged(key)
        forget(key)
        return old
    }

    /// - Parameter next: the place of the first entry of the turn.
    mutating func takeBack(_ draft: JournalDraft, to next: LogPosition) {
        for key in draft.added { memory.cards[key] = nil }
        for (key, card) in draft.replaced.reversed() where memory.cards[key] != nil { memory.cards[key] = card }
        memory.notes.restore(draft.before)
        memory.jobs.removeLast(draft.jobs)
        memory.fresh.removeLast(draft.fresh)
        memory.entries -= draft.entries
        memory.through.number = next.number - 1
        frames = FrameCache()
    }

    mutating func remember(_ record: PoolRecord) { LogNote.note(record, in: &progress) }

    /// Freezes the memory for a merge; new entries go into another one.
    /// - Parameter spare: a memory that was merged, for its storage.
    mutating func freeze(
        spare: CardMemory?, _ forgotten: ForgottenContent, _ term: UInt64, wiping: [LogPosition]
    ) {
        let full = memory
        memory = spare ?? CardMemory(after: full.through)
        memory.begin(after: full.through)
        let done = doneEverywhere
        let end = CardMerge.End(
            place: LogPlace(log: log.id, cursor: log.end), latest: latest, progress: progress, forgotten: forgotten,
            term: term, wiping: wiping)
        merge = CardMerge(full, end: end) { job in job.number > done[Int(job.shard.number)] }
    }
}
