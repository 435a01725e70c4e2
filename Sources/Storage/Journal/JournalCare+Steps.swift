import Pool
import Wire

// Care, step by step.
extension JournalCare {
    /// The moment of a step, with the facts that hold then.
    struct Moment {
        /// Days since 1970.
        var day: Int
        /// The place of the next entry.
        var next: LogPosition
        var term: UInt64
        var retention: JournalSettings.Retention
    }

    /// Looks at merged entries, and writes the findings in one transaction.
    mutating func tidy(
        _ cards: inout JournalCards, _ steps: Int, at moment: Moment, under lock: JournalLock
    ) throws(StorageError) {
        var notes = CareNotes()
        let before = (swept, expired, forgotten)
        do throws(StorageError) {
            if day != moment.day { notes.day = (moment.day, moment.next) }
            notes.endsWiping = isWiped
            try sweep(&cards, steps, moment.retention, &notes)
            try expire(&cards, steps, at: moment, &notes)
            cards.giveBackWithoutEntries()
            if swept != before.0 || expired != before.1 || forgotten != before.2 {
                notes.standing = CareNotes.Standing(
                    swept: swept, expired: expired, forgotten: forgotten, next: moment.next)
            }
            try cards.tables.leave()
            try cards.tables.write(notes, moment.term, moment.retention, under: lock)
        } catch {
            (swept, expired, forgotten) = before
            try cards.tables.database.rollBack()
            throw error
        }
        day = moment.day
        noteWiping()
        stale.forget(through: swept)
    }

    /// Looks once at every merged entry. An entry with no body, or with one that is not shown any
    /// more, is needed no longer: its words go at once, and its room with its segment.
    ///
    /// The words go although the room may follow: a packed segment has lost its links of the chain by which a deletion
    /// finds what was said before them. Behind the sweep only entries have words whose body is shown, and cards name these.
    private mutating func sweep(
        _ cards: inout JournalCards, _ steps: Int, _ retention: JournalSettings.Retention, _ notes: inout CareNotes
    ) throws(StorageError) {
        let end = cards.merged
        guard swept < end,
            let (segment, frames) = try cards.log.frames(after: swept, through: end, atMost: steps)
        else { return }
        if passing?.segment != segment {
            passing = swept.number < segment.first.number ? SegmentRemains(segment: segment) : nil
        }
        for found in frames {
            for place in found.frame.places {
                let isWiped = try isWiped(place, in: found.frame, retention, &cards)
                if isWiped { try cards.wipe(at: place, in: found) }
                passing?.note(found.frame, at: place, isLeft: !isWiped)
            }
            swept = found.frame.last
        }
        let isGivenBack = pass(
            &cards, segment, &swept, through: end, isAtEnd: frames.isEmpty, isFull: passing?.isMost ?? false)
        // The segment is looked at once more when it is packed, also by a process that finds it as it is now.
        if !isGivenBack { swept.number -= 1 }
        notes.done = cards.doneEverywhere
    }

    /// Whether the words of an entry go.
    private func isWiped(
        _ place: LogPosition, in frame: LogFrame, _ retention: JournalSettings.Retention, _ cards: inout JournalCards
    ) throws(StorageError) -> Bool {
        if frame.isHalfWiped(at: place) { return true }
        guard !frame.body(at: place).isEmpty else { return frame.holdsWords(at: place) }
        if let known = stale.isStale(place) { return known }
        return try cards.need(of: place, in: frame, retention) == .none
    }

    /// Goes on to the next segment when one has no more entries to look at, and gives back the free room in that.
    /// - Parameter isFull: whether it is known without another look that most of the segment is needed.
    /// - Returns: false where it is still to be given back.
    private func pass(
        _ cards: inout JournalCards, _ segment: SegmentName, _ place: inout LogPosition, through end: LogPosition,
        isAtEnd: Bool, isFull: Bool = false
    ) -> Bool {
        let next = cards.log.segment(behind: segment)
        if isAtEnd { place = next.map { min(end, max(place, LogPosition($0.first.number - 1))) } ?? end }
        guard let next, !isFull, place.number >= next.first.number - 1 else { return true }
        return cards.giveBack(segment)
    }

    /// Drops bodies that are kept only for a time, once they are laid out.
    private mutating func expire(
        _ cards: inout JournalCards, _ steps: Int, at moment: Moment, _ notes: inout CareNotes
    ) throws(StorageError) {
        guard moment.retention != .forever else { return }
        let end = min(swept, try cards.forgettable(moment.retention, day: moment.day, next: moment.next))
        try dropLingering(&cards, steps, moment.retention, &notes)
        guard expired < end,
            let (segment, frames) = try cards.log.frames(after: expired, through: end, atMost: steps)
        else { return }
        var isWaiting = false
        for found in frames {
            let standing = try cards.standing(of: found.frame, moment.retention)
            isWaiting = standing.isWaiting
            if isWaiting { break }
            let incomplete = standing.incomplete
            forgotten.add(standing.laidOut)
            try cards.clear(found, but: incomplete)
            if !incomplete.isEmpty { notes.lingering.append(found.frame.first) }
            noteDeletion()
            expired = found.frame.last
        }
        guard !isWaiting else { return }
        if !pass(&cards, segment, &expired, through: end, isAtEnd: frames.isEmpty) {
            notes.lingering.append(expired)
        }
    }

    /// Drops bodies of messages that were not complete when their time came.
    private mutating func dropLingering(
        _ cards: inout JournalCards, _ steps: Int, _ retention: JournalSettings.Retention, _ notes: inout CareNotes
    ) throws(StorageError) {
        var firsts: [LogPosition] = []
        try cards.tables.database.prepare("SELECT first FROM lingering ORDER BY random() LIMIT ?")
            .run(.integer(Int64(max(1, steps / 64)))) { row in firsts.append(LogPosition(row.integer(0))) }
        for first in firsts {
            if let found = try cards.find(first) {
                let standing = try cards.standing(of: found.frame, retention)
                guard !standing.isWaiting, standing.incomplete.isEmpty else { continue }
                forgotten.add(standing.laidOut)
                try cards.clear(found, but: [])
                noteDeletion()
                guard cards.giveBack(found.segment) else { continue }
            }
            notes.gone.append(first)
        }
    }
}
