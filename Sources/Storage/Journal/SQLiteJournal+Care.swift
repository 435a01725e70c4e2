import Pool

extension SQLiteJournal {
    /// Does a little of the work that is not urgent: merges, drops content that nothing needs any more, gives
    /// space back. To be called about every second, and as often as there is time; true when more is to be done.
    ///
    /// - Parameters:
    ///   - steps: about how many rows to look at; a thousand take a millisecond or two.
    ///   - idle: whether nobody waits, so that deleted content leaves the log now.
    ///   - day: days since 1970.
    package mutating func maintain(
        steps: Int = 512, idle: Bool = false, day: Int? = nil
    ) throws(StorageError) -> Bool {
        try upkeep.requireSynced()
        upkeep.note(nil)
        let day = day ?? WallClock.today
        try prepare(idle: idle, day: day)
        let (begun, hadMerge, before) = (cards.mergedTo, cards.merge != nil, (care.swept, care.expired))
        try upkeep.run(in: &cards, under: identity.lock)
        if cards.merge == nil, !isChoreAway {
            let moment = JournalCare.Moment(day: day, next: nextPosition, term: term, retention: settings.retention)
            try care.tidy(&cards, steps, at: moment, under: identity.lock)
        }
        try doChores(idle: idle)
        if let trouble = upkeep.trouble { throw trouble }
        return hadMerge || cards.mergedTo != begun || before != (care.swept, care.expired)
    }

    private mutating func prepare(idle: Bool, day: Int) throws(StorageError) {
        // A turn that needs the next segment says that there is no room for it; until then there may be.
        do throws(StorageError) { try cards.log.prepare() } catch .full {}
        guard cards.merge == nil, cards.memory.entries > 0 else { return }
        // Entries that are not merged are not forgotten either, however few they are.
        if let since = upkeep.wiping.laterSince, idle || .now - since >= ShardCare.purgeDelay { return beginMerge() }
        guard idle else { return }
        let isTime = try cards.forgettable(settings.retention, day: day, next: nextPosition) > cards.merged
        if isTime || cards.memory.entries >= settings.mergeLength / 2 { beginMerge() }
    }
}
