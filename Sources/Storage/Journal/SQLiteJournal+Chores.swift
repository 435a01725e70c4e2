import Pool
import Wire

// What is done beside turns.
extension SQLiteJournal {
    /// Whether a chore is with another thread, and has not come back.
    package var isChoreAway: Bool { care.isChoreAway }

    /// Looks at nothing any more as it was a moment ago: what is written meanwhile need not be kept apart for that.
    package func rest() throws(StorageError) { try tables.leave() }

    /// What came of a chore.
    package mutating func take(_ end: JournalChoreEnd) throws(StorageError) {
        care.end(end)
        trouble = end.trouble
        guard end.trouble == nil else {
            log.putBack(end.segments)
            if let trouble, case .notSynced = trouble { throw trouble }
            return
        }
        // What is read from now on is what has been merged.
        try tables.leave()
        guard end.isMerged, let ended = merge.take() else { return }
        mergedTo = ended.end.place.cursor
        spare = ended.memory
        // Oldest last, as they are taken from the end.
        wipes += laterWipes.filter { $0 <= ended.through }.sorted(by: >)
        laterWipes.removeAll { $0 <= ended.through }
        laterSince = laterWipes.isEmpty ? nil : .now
        if !wipes.isEmpty { care.noteDeletion() }
    }

    /// Gives away what is due, if nothing is away.
    mutating func doChores(idle: Bool = false) throws(StorageError) {
        if merge == nil, isMergeDue { beginMerge() }
        guard !care.isChoreAway else { return }
        let empties = care.isEmptyingDue(idle: idle)
        guard merge != nil || empties || care.isTooLong(tables.database.logSize, limit: settings.checkpoint) else {
            return
        }
        try tables.leave()
        care.begin(empties: empties, endsWiping: wipes.isEmpty && merge == nil)
        let chore = JournalChore(
            segments: log.takeUnsynced(), merge: merge, empties: empties, limit: settings.checkpoint,
            folder: log.folder, disk: settings.disk, lock: identity.lock)
        guard let givesAway else { return try take(chore.perform(over: tables)) }
        givesAway(chore)
    }

    /// Whether there is enough to merge, or enough to read at an opening.
    private var isMergeDue: Bool {
        memory.entries >= settings.mergeLength || log.end.segment.number > mergedTo.segment.number + 1
    }

    /// Freezes what is in memory.
    mutating func beginMerge() {
        let full = memory
        memory = spare.take() ?? CardMemory(after: full.through)
        memory.begin(after: full.through)
        let done = latest.indices.map { doneEverywhere(in: Shard(UInt16($0))) }
        if !laterWipes.isEmpty { care.noteWiping() }
        let end = CardMerge.End(
            place: LogPlace(log: log.id, cursor: log.end), latest: latest, progress: progress,
            forgotten: forgottenContent, term: term, wiping: laterWipes)
        merge = CardMerge(full, end: end) { job in job.number > done[Int(job.shard.number)] }
    }
}
