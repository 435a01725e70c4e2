import Bytes
import Names
import Pool
import Wire

/// The upkeep of a journal besides its writing: the sweep of merged entries, the expiry of bodies, and chores.
struct JournalCare {
    /// The entry up to which all were looked at since they were merged: the rest of them is needed.
    var swept: LogPosition
    /// The entry up to which bodies are gone, as they are kept only for a time.
    var expired: LogPosition
    /// The remains of the segment that is being looked at, where it was looked at from its beginning.
    var passing: SegmentRemains?
    /// The counts of messages whose content went with its time.
    var forgotten: ForgottenContent
    var stale: StaleBodies
    /// Whether another thread does a chore.
    private(set) var isChoreAway = false
    /// The time at which content was deleted that is still in the log of SQLite.
    private var deletedAt: ContinuousClock.Instant?
    /// The same time, while a chore is away that empties that log.
    private var leavingSince: ContinuousClock.Instant?
    /// Bytes by which the log may grow past its limit before it is emptied, as a reader stood in the way last.
    private var stuckAt: Int64 = 0
    /// Whether the chore that is away brings the wiping of all words in the table `wiping` to the disk.
    private var endsWiping = false
    /// Whether it has done so.
    private(set) var isWiped = false
    /// The last day whose beginning the tables know.
    var day: Int?

    /// - Parameter next: the first entry that has not come yet.
    init(_ state: JournalOpening.State, shards: Int, next: LogPosition) {
        (swept, expired) = (state.swept, state.expired)
        (forgotten, stale) = (ForgottenContent(shards: shards), StaleBodies(knownFrom: next))
    }

    /// Notes a turn that was written.
    mutating func note(_ draft: JournalDraft) {
        forgotten.add(draft.forgotten)
        stale.insert(draft.stale)
        if draft.isForgetting { noteDeletion() }
    }

    mutating func noteDeletion() { if deletedAt == nil { deletedAt = .now } }
    /// Notes that the tables list other words than before, or none.
    mutating func noteWiping() { isWiped = false }

    /// Whether the sweep has looked at an entry, and may not come to it again. While a segment waits to be packed,
    /// `swept` is one less than the last entry that was looked at.
    func hasLookedAt(_ place: LogPosition, merged: LogPosition) -> Bool {
        place <= merged && place.number <= swept.number + 1
    }

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

    /// Whether a body that a message shows is gone, as its time was over.
    private func isForgotten(_ body: LogPosition, in cards: inout JournalCards) throws(StorageError) -> Bool {
        guard body <= expired else { return false }
        return try cards.frame(with: body).map { $0.body(at: body).isEmpty } ?? true
    }

    /// The change of the count where a card shows another body from now on, or none.
    func forgottenChange(
        _ old: LogPosition?, _ new: LogPosition?, in cards: inout JournalCards
    ) throws(StorageError) -> Int {
        guard old != new else { return 0 }
        var change = 0
        if let old, try isForgotten(old, in: &cards) { change -= 1 }
        if let new, try isForgotten(new, in: &cards) { change += 1 }
        return change
    }
}
