import Bytes
import Names
import Pool
import Wire

/// What a journal has to do besides being written.
struct JournalCare {
    /// Entries up to here were looked at once since they were merged: what is left of them is needed.
    var swept: LogPosition
    /// Bodies up to here are gone, as they are kept only for a time.
    var expired: LogPosition
    /// Whether another thread does a chore.
    private(set) var isChoreAway = false
    /// When content was deleted that is still in the log of SQLite.
    private var deletedAt: ContinuousClock.Instant?
    /// The same, while a chore is away that brings it out of there.
    private var leavingSince: ContinuousClock.Instant?
    /// How long the log was when a reader last stood in the way.
    private var stuckAt: Int64 = 0
    /// The chore that is away brings to the disk that all words are written over of which the tables note that they are to be.
    private var endsWiping = false
    /// It has done so.
    private(set) var isWiped = false
    /// The last day of which the tables know where it began.
    var day: Int?

    init(swept: LogPosition, expired: LogPosition) { (self.swept, self.expired) = (swept, expired) }

    mutating func note(_ draft: JournalDraft) { if draft.isForgetting { noteDeletion() } }
    mutating func noteDeletion() { if deletedAt == nil { deletedAt = .now } }
    /// The tables note other words than before, or none.
    mutating func noteWiping() { isWiped = false }

    func isEmptyingDue(idle: Bool) -> Bool {
        deletedAt.map { idle || .now - $0 >= ShardCare.purgeDelay } ?? false
    }

    func isTooLong(_ size: Int64, limit: Int64) -> Bool { size >= limit + stuckAt }

    mutating func begin(empties: Bool, endsWiping: Bool) {
        isChoreAway = true
        self.endsWiping = endsWiping
        if empties { (leavingSince, deletedAt) = (deletedAt, nil) }
    }

    mutating func end(_ chore: JournalChoreEnd) {
        isChoreAway = false
        if !chore.isEmptied, let leavingSince { deletedAt = leavingSince }
        if chore.trouble == nil && endsWiping { isWiped = true }
        (leavingSince, stuckAt, endsWiping) = (nil, chore.sizeLeft / 2, false)
    }
}

extension SQLiteJournal {
    /// Does a little of what is not urgent: merges, drops what nothing needs any more, gives space back. To be called about every
    /// second, and as often as there is time; true when more is to be done.
    ///
    /// - Parameters:
    ///   - steps: about how many rows to look at; a thousand take a millisecond or two.
    ///   - idle: nobody waits, so what was deleted leaves the log now.
    ///   - day: days since 1970.
    package mutating func maintain(
        steps: Int = 512, idle: Bool = false, day: Int? = nil
    ) throws(StorageError) -> Bool {
        if let trouble, case .notSynced = trouble { throw trouble }
        trouble = nil
        let day = day ?? WallClock.today
        try prepare(idle: idle, day: day)
        let (begun, hadMerge, before) = (mergedTo, merge != nil, (care.swept, care.expired))
        try wipeWords()
        try tables.leave()
        try tables.tidyShelf(errands, under: identity.lock)
        errands = []
        if merge == nil, !isChoreAway { try tidy(steps, day: day) }
        stale.forget(through: care.swept)
        try doChores(idle: idle)
        if let trouble { throw trouble }
        return hadMerge || mergedTo != begun || before != (care.swept, care.expired)
    }

    private mutating func prepare(idle: Bool, day: Int) throws(StorageError) {
        // A turn that needs the next segment says that there is no room for it; until then there may be.
        do throws(StorageError) { try log.prepare() } catch .full {}
        guard merge == nil, memory.entries > 0 else { return }
        // What is not merged is not forgotten either, however little it is.
        if let since = laterSince, idle || .now - since >= ShardCare.purgeDelay { return beginMerge() }
        guard idle else { return }
        let isTime = try forgettable(day: day) > merged
        if isTime || memory.entries >= settings.mergeLength / 2 { beginMerge() }
    }

    /// Looks at what was merged, and writes in one transaction what has come of it.
    private mutating func tidy(_ steps: Int, day: Int) throws(StorageError) {
        var notes = CareNotes()
        let before = (care.swept, care.expired, forgottenContent)
        do throws(StorageError) {
            if care.day != day { notes.day = (day, nextPosition) }
            notes.endsWiping = care.isWiped
            try sweep(steps, &notes)
            try expire(steps, day: day, &notes)
            if care.swept != before.0 || care.expired != before.1 || forgottenContent != before.2 {
                notes.standing = CareNotes.Standing(
                    swept: care.swept, expired: care.expired, forgotten: forgottenContent, next: nextPosition)
            }
            try tables.leave()
            try tables.write(notes, term, settings.retention, under: identity.lock)
        } catch {
            (care.swept, care.expired, forgottenContent) = before
            try tables.database.rollBack()
            throw error
        }
        care.day = day
        care.noteWiping()
    }

    /// Looks the whole file over, which takes about a second for each gigabyte; to be called once a day. Nil when it is sound, else
    /// what was found first: to be restored from a backup.
    package func verify() throws(StorageError) -> String? { try tables.database.quickCheck() }

    /// What the table of cards is up to.
    var merged: LogPosition {
        let first = merge?.memory ?? memory
        return LogPosition(first.through.number - Int64(first.entries))
    }

    /// Looks once at every entry that was merged. What brought no body, or one that is not shown any more, is needed no longer:
    /// its words go at once, and its room with its segment.
    private mutating func sweep(_ steps: Int, _ notes: inout CareNotes) throws(StorageError) {
        let end = merged
        guard care.swept < end,
            let (segment, frames) = try log.frames(after: care.swept, through: end, atMost: steps)
        else { return }
        for found in frames {
            for place in found.frame.places where try isWiped(place, in: found.frame) {
                try wipe(at: place, in: found)
            }
            care.swept = found.frame.last
        }
        care.swept = try pass(segment, care.swept, through: end, isAtEnd: frames.isEmpty)
        notes.done = latest.indices.map { doneEverywhere(in: Shard(UInt16($0))) }
    }

    /// Whether the words of an entry go.
    private mutating func isWiped(_ place: LogPosition, in frame: LogFrame) throws(StorageError) -> Bool {
        if frame.isHalfWiped(at: place) { return true }
        guard !frame.body(at: place).isEmpty else { return false }
        if let known = stale.isStale(place) { return known }
        return try need(of: place, in: frame) == .none
    }

    /// Goes on to the next segment when one has no more entries to look at, and gives back what room there is in it.
    private mutating func pass(
        _ segment: SegmentName, _ place: LogPosition, through end: LogPosition, isAtEnd: Bool
    ) throws(StorageError) -> LogPosition {
        let next = log.segment(behind: segment)
        let reached = isAtEnd ? next.map { min(end, max(place, LogPosition($0.first.number - 1))) } ?? end : place
        if let next, reached.number >= next.first.number - 1 { try giveBack(segment) }
        return reached
    }

    /// A segment of which less than half is left is written anew, and one of which nothing is left goes; if it is not read at an opening.
    private mutating func giveBack(_ segment: SegmentName) throws(StorageError) {
        guard segment < mergedTo.segment else { return }
        let (kept, whole) = try log.kept(in: segment)
        if kept == 0 { try log.drop(segment) } else if kept < whole / 2 { try log.pack(segment) }
    }

    /// Drops bodies that are kept only for a time, once they are laid out.
    private mutating func expire(_ steps: Int, day: Int, _ notes: inout CareNotes) throws(StorageError) {
        guard settings.retention != .forever else { return }
        let end = min(care.swept, try forgettable(day: day))
        try dropLingering(steps, &notes)
        guard care.expired < end,
            let (segment, frames) = try log.frames(after: care.expired, through: end, atMost: steps)
        else { return }
        var isWaiting = false
        for found in frames {
            let standing = try standing(of: found.frame)
            isWaiting = standing.isWaiting
            if isWaiting { break }
            let incomplete = standing.incomplete
            forgottenContent.add(standing.laidOut)
            try clear(found, but: incomplete)
            if !incomplete.isEmpty { notes.lingering.append(found.frame.first) }
            care.noteDeletion()
            care.expired = found.frame.last
        }
        if !isWaiting { care.expired = try pass(segment, care.expired, through: end, isAtEnd: frames.isEmpty) }
    }

    /// Up to where the time of content is over.
    private func forgettable(day: Int) throws(StorageError) -> LogPosition {
        switch settings.retention {
        case .forever: return LogPosition(-1)
        case .untilLaidOut: return LogPosition(nextPosition.number - 1)
        case .days(let days):
            let first = try tables.database.prepare("SELECT max(position) FROM days WHERE day < ?1 - ?2")
            var place: Int64 = 0
            try first.run(.integer(Int64(day)), .integer(Int64(days))) { row throws(StorageError) in
                place = row.integer(0)
            }
            return LogPosition(place - 1)
        }
    }

    /// Bodies of messages that were not complete when their time came.
    private mutating func dropLingering(_ steps: Int, _ notes: inout CareNotes) throws(StorageError) {
        var firsts: [LogPosition] = []
        try tables.database.prepare("SELECT first FROM lingering ORDER BY random() LIMIT ?")
            .run(.integer(Int64(max(1, steps / 64)))) { row in firsts.append(LogPosition(row.integer(0))) }
        for first in firsts {
            if let found = try log.find(first) {
                let standing = try standing(of: found.frame)
                guard !standing.isWaiting, standing.incomplete.isEmpty else { continue }
                forgottenContent.add(standing.laidOut)
                try clear(found, but: [])
                try giveBack(found.segment)
                care.noteDeletion()
            }
            notes.gone.append(first)
        }
    }

    /// What the bodies of a frame are needed for.
    private struct FrameStanding {
        /// Some message of it is being laid out.
        var isWaiting = false
        var incomplete: Set<LogPosition> = []
        /// By shard, how many messages show a body of it.
        var laidOut: [Int: Int] = [:]
    }

    private mutating func standing(of frame: LogFrame) throws(StorageError) -> FrameStanding {
        var standing = FrameStanding()
        for place in frame.places where !frame.body(at: place).isEmpty {
            switch try need(of: place, in: frame) {
            case .none: continue
            case .incomplete: standing.incomplete.insert(place)
            case .waiting: return FrameStanding(isWaiting: true)
            case .laidOut(let shard): standing.laidOut[Int(shard.number), default: 0] += 1
            }
        }
        return standing
    }

    private enum Need: Equatable {
        /// Of an older body, or a deleted message.
        case none
        /// Its message has no row yet, and may get one.
        case incomplete
        /// It is being laid out.
        case waiting
        case laidOut(Shard)
    }

    private mutating func need(of place: LogPosition, in frame: LogFrame) throws(StorageError) -> Need {
        guard let change = try changeKept(at: place, in: frame) else { return .none }
        for card in change.cards {
            guard let message = try message(card.key)?.card, message.body?.value.at == place else { continue }
            guard let job = message.lastJob, try !isGivenUp(message) else { return .incomplete }
            return isDone(message, job, in: change.shard) ? .laidOut(change.shard) : .waiting
        }
        return .none
    }

    /// An end in the midst of wiping may leave both body and change as neither one thing nor the other.
    private func changeKept(at place: LogPosition, in frame: LogFrame) throws(StorageError) -> LogChange? {
        do throws(StorageError) { return try change(at: place, in: frame) } catch {
            do throws(ByteError) { _ = try LogBody.body(frame.bytes[frame.body(at: place)]) } catch { return nil }
            throw error
        }
    }

    /// Nothing was laid out of it: it waits on the shelf for somebody who mends that, unless its days are over.
    private func isGivenUp(_ message: MessageCard) throws(StorageError) -> Bool {
        guard hasShelf, settings.retention == .untilLaidOut else { return false }
        let query = try tables.database.prepare("SELECT 1 FROM shelf WHERE number = ? LIMIT 1")
        query.bind(message.number.number, at: 1)
        return try query.first { _ in true } ?? false
    }
}
