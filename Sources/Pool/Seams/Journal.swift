package import Names
package import Wire

/// What the coordinator needs of the source of truth: batches in, batches out, and nothing of SQL.
///
/// Implemented over SQLite by `Storage`, and over a disk that fails by `Simulation`. Whatever one turn of the coordinator's
/// loop brought is one `commit`; nobody is told "accepted" before it returned.
package protocol Journal: ~Copyable {
    associatedtype Failure: Error

    /// Rises with every opening.
    var term: UInt64 { get }
    /// What a coordinator starts with, besides pages.
    mutating func standing() throws(Failure) -> Standing

    /// The entry under a key, commits of this process included.
    mutating func card(_ key: MessageKey) throws(Failure) -> CardEntry?
    /// The body at a place that a card names; nil when its content was not retained.
    mutating func body(at place: LogPosition) throws(Failure) -> MessageBody?
    /// What is kept of a conversation itself, and how far somebody has read it, commits of this process included.
    mutating func conversation(_ id: ConversationID) throws(Failure) -> ConversationCard?
    mutating func readPlace(_ key: ReadingKey) throws(Failure) -> Int64?
    /// Where the next entry of the log will stand, and so the number of a message that begins with it. Every entry of a turn
    /// takes one place, in their order.
    var nextPosition: LogPosition { get }
    /// The number that the next job of the shard gets. Every job of a turn takes one, in their order.
    func nextJob(in shard: Shard) -> JobNumber

    /// Writes all of it, or nothing. When it returns, it survives what `durability` promises. Deleting a message takes what was
    /// given up of it off the shelf; an edit does not, until what was given up is tried once more or dropped.
    mutating func commit(_ turn: JournalTurn) throws(Failure)

    /// Jobs of a shard after the given number that are not done in the edition, as the registers stand now. A message that
    /// changed several times is there once, with its newest number.
    mutating func unfinished(
        in shard: Shard, of edition: EditionID, after: JobNumber, limit: Int
    ) throws(Failure) -> JobPage
    /// The newest jobs of all living messages of the shard, in the order of messages: what a new edition lays out. Fewer
    /// than the limit are the last.
    mutating func messages(
        in shard: Shard, after: MessageNumber, limit: Int
    ) throws(Failure) -> [LayoutJob]

    /// The newest jobs of the living messages that come last in each conversation of the shard, `RecentWalk.each` of each, or a few
    /// more: what is laid out first of a file that was lost. A page looks at a bounded number of messages, and may have none.
    mutating func recent(in shard: Shard, after walk: RecentWalk, limit: Int) throws(Failure) -> RecentPage

    /// Jobs that were given up, in the order of their places.
    mutating func shelved(after: ShelfPlace?, limit: Int) throws(Failure) -> [ShelvedJob]
    /// The job that was given up there, as the registers stand now; nil when it is not there.
    mutating func job(at place: ShelfPlace) throws(Failure) -> LayoutJob?
}

/// What one turn of the coordinator's loop writes.
package struct JournalTurn: Equatable, Sendable {
    package var entries: [JournalEntry] = []
    /// Of conversations themselves. Each is an entry of the log behind those of messages.
    package var notes: [ConversationNote] = []
    package var record = PoolRecord()

    package init(
        entries: [JournalEntry] = [], notes: [ConversationNote] = [], record: PoolRecord = PoolRecord()
    ) {
        (self.entries, self.notes, self.record) = (entries, notes, record)
    }
    package var isEmpty: Bool { entries.isEmpty && notes.isEmpty && record.isEmpty }
}

/// One accepted event: how it changes cards, and the jobs that it causes. More than one job only where two messages turned
/// out to be the same, and both had a row.
package struct JournalEntry: Equatable, Sendable {
    package var event: MessageEvent
    package var lane: Lane
    package var cards: [CardChange]
    package var jobs: [LayoutJob]
    /// When something was said in the conversation, where the event brings that; never later than the service took it.
    package var activity: Timestamp?

    package init(
        event: MessageEvent, lane: Lane, cards: [CardChange], jobs: [LayoutJob], activity: Timestamp? = nil
    ) {
        (self.event, self.lane, self.cards, self.jobs, self.activity) = (event, lane, cards, jobs, activity)
    }
}

/// What is remembered under a key from now on.
package struct CardChange: Equatable, Sendable {
    package var key: MessageKey
    package var entry: CardEntry

    package init(key: MessageKey, entry: CardEntry) {
        (self.key, self.entry) = (key, entry)
    }
}

/// Unfinished jobs, and how far the page reaches: every unfinished job up to `through` is in it, or in one before it.
package struct JobPage: Equatable, Sendable {
    package var jobs: [DueJob]
    package var through: JobNumber

    package init(jobs: [DueJob], through: JobNumber) {
        (self.jobs, self.through) = (jobs, through)
    }
}

/// A job, and how urgent it is.
package struct DueJob: Equatable, Sendable {
    package var job: LayoutJob
    package var lane: Lane

    package init(_ job: LayoutJob, lane: Lane) {
        (self.job, self.lane) = (job, lane)
    }

    /// Jobs of a turn that is written, in their order.
    package static func jobs(of turn: JournalTurn) -> [DueJob] {
        var jobs: [DueJob] = []
        let entries = turn.entries.span
        for place in entries.indices {
            for job in entries[place].jobs { jobs.append(DueJob(job, lane: entries[place].lane)) }
        }
        return jobs
    }
}
