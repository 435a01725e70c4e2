import Pool
import Wire

// Work beside turns.
extension SQLiteJournal {
    /// Whether a chore is with another thread, and has not come back.
    package var isChoreAway: Bool { care.isChoreAway }

    /// Ends the read transaction, so that later writes need not be kept apart for it.
    package func rest() throws(StorageError) { try cards.tables.leave() }

    /// Takes the damage of the log that was found since this was last asked, once for each segment, which stays as it
    /// is.
    package mutating func takeDamage() -> [StorageError] { cards.log.takeDamage() }

    /// Takes the outcome of a chore.
    /// - Returns: the error for which a part of it is to be done once more; nil where all of it is done.
    @discardableResult
    package mutating func take(_ end: JournalChoreEnd) throws(StorageError) -> StorageError? {
        care.end(end)
        if let time = end.emptying { times.checkpoints.record(time) }
        var trouble = end.trouble
        do throws(StorageError) { try cards.log.endPacking(end.pack) } catch { trouble = error }
        upkeep.note(trouble)
        if trouble != nil { cards.log.putBack(end.segments) }
        try upkeep.requireSynced()
        // A merge is through also where a later step failed: else one segment that cannot be packed would keep all
        // merges from ending, and at last refuse turns. Reads from now on see what has been merged.
        try cards.tables.leave()
        guard end.isMerged, let ended = cards.merge.take() else { return trouble }
        cards.mergedTo = ended.end.place.cursor
        spare = ended.memory
        upkeep.end(mergedThrough: ended.through)
        // The tables list its words from now on: a chore that was away before says nothing of these.
        care.noteWiping()
        if !upkeep.wiping.isEmpty { care.noteDeletion() }
        return trouble
    }

    /// Gives away the chore that is due, if none is away.
    mutating func doChores(idle: Bool = false) throws(StorageError) {
        if cards.merge == nil, isMergeDue { beginMerge() }
        guard !care.isChoreAway else { return }
        let empties = care.isEmptyingDue(idle: idle)
        let isTooLong = care.isTooLong(cards.tables.database.logSize, limit: settings.checkpoint)
        guard cards.merge != nil || empties || isTooLong || cards.log.isPackingDue else { return }
        try cards.tables.leave()
        let pack = try cards.log.beginPacking()
        care.begin(empties: empties, endsWiping: upkeep.wiping.isEmpty && cards.merge == nil)
        let chore = JournalChore(
            segments: cards.log.takeUnsynced(), merge: cards.merge, empties: empties, limit: settings.checkpoint,
            pack: pack, folder: cards.log.folder, disk: settings.disk, lock: identity.lock)
        if let givesAway { givesAway(chore) } else { try take(chore.perform(over: cards.tables)) }
    }

    /// Whether there is enough to merge, or enough to read at an opening.
    var isMergeDue: Bool {
        cards.memory.entries >= settings.mergeLength || cards.log.end.segment.number > cards.mergedTo.segment.number + 1
    }

    mutating func beginMerge() {
        if !upkeep.wiping.later.isEmpty { care.noteWiping() }
        cards.freeze(spare: spare.take(), care.forgotten, term, wiping: upkeep.wiping.later)
    }
}
