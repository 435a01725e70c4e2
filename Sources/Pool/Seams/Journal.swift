package import Names
package import Wire

/// The source of truth as the coordinator needs it: batches in, batches out, and nothing of SQL.
///
/// `Storage` implements it over SQLite, and `Simulation` over a disk that fails. One turn of the coordinator's loop
/// is one `commit`; nobody is told "accepted" before it returned.
package protocol Journal: ~Copyable {
    associatedtype Failure: Error

    /// The term, which rises with every opening.
    var term: UInt64 { get }
    /// Returns the state that a coordinator starts with, besides pages.
    mutating func standing() throws(Failure) -> Standing

    /// Returns the entry under a key, commits of this process included.
    mutating func card(_ key: MessageKey) throws(Failure) -> CardEntry?
    /// Returns the body at a place that a card names; nil when its content was not retained.
    mutating func body(at place: LogPosition) throws(Failure) -> MessageBody?
    /// Returns the card of a conversation, commits of this process included; `readPlace` returns how far a reader has
    /// read it.
    mutating func conversation(_ id: ConversationID) throws(Failure) -> ConversationCard?
    mutating func readPlace(_ key: ReadingKey) throws(Failure) -> Int64?
    /// The place of the next entry of the log, and so the number of a message that begins with it. Every entry of a
    /// turn takes one place, in their order.
    var nextPosition: LogPosition { get }
    /// Returns the number that the next job of the shard gets. Every job of a turn takes one, in their order.
    func nextJob(in shard: Shard) -> JobNumber

    /// Writes all of a turn, or nothing. When it returns, the turn survives what `durability` promises. Each job takes
    /// the earlier jobs of its message off the shelf, as the message is tried again with it; a deletion takes them all.
    mutating func commit(_ turn: JournalTurn) throws(Failure)

    /// Returns the jobs of a shard after the given number that are not done in the edition, as the registers stand
    /// now. A message that changed several times is there once, with its newest number.
    mutating func unfinished(
        in shard: Shard, of edition: EditionID, after: JobNumber, limit: Int
    ) throws(Failure) -> JobPage
    /// Returns the newest jobs of all living messages of the shard, in the order of messages: a new edition lays
    /// these out. Fewer than the limit are the last.
    mutating func messages(
        in shard: Shard, after: MessageNumber, limit: Int
    ) throws(Failure) -> [LayoutJob]

    /// Returns the newest jobs of the living messages that come last in each conversation of the shard,
    /// `RecentWalk.each` of each, or a few more: they are laid out first of a file that was lost. A page looks at a
    /// bounded number of messages, and may have none.
    mutating func recent(in shard: Shard, after walk: RecentWalk, limit: Int) throws(Failure) -> RecentPage

    /// Returns the jobs that were given up, in the order of their places.
    mutating func shelved(after: ShelfPlace?, limit: Int) throws(Failure) -> [ShelvedJob]
    /// Returns the job that was given up there, as the registers stand now; nil when it is not there.
    mutating func job(at place: ShelfPlace) throws(Failure) -> LayoutJob?
}

/// All that one turn of the coordinator's loop writes.
package struct JournalTurn: Equatable, Sendable {
    package var entries: [JournalEntry] = []
    /// The notes on conversations themselves. Each is an entry of the log behind those of messages.
    package var notes: [ConversationNote] = []
    package var record = PoolRecord()

    package init(
        entries: [JournalEntry] = [], notes: [ConversationNote] = [], record: PoolRecord = PoolRecord()
    ) {
        (self.entries, self.notes, self.record) = (entries, notes, record)
    }
    package var isEmpty: Bool { entries.isEmpty && notes.isEmpty && record.isEmpty }
}

/// One accepted event, with its changes to cards, and the jobs that it causes. There is more than one job only where
/// two messages turned out to be the same, and both had a row.
package struct JournalEntry: Equatable, Sendable {
    package var event: MessageEvent
    package var lane: Lane
    package var cards: [CardChange]
    package var jobs: [LayoutJob]
    /// The time at which something was said in the conversation, where the event brings it; never later than the
    /// service took it.
    package var activity: Timestamp?

    package init(
        event: MessageEvent, lane: Lane, cards: [CardChange], jobs: [LayoutJob], activity: Timestamp? = nil
    ) {
        (self.event, self.lane, self.cards, self.jobs, self.activity) = (event, lane, cards, jobs, activity)
    }
}

/// The entry that is remembered under a key from now on.
package struct CardChange: Equatable, Sendable {
    package var key: MessageKey
    package var entry: CardEntry

    package init(key: MessageKey, entry: CardEntry) {
        (self.key, self.entry) = (key, entry)
    }
}

/// A page of unfinished jobs: every unfinished job up to `through` is in it, or in one before it.
package struct JobPage: Equatable, Sendable {
    package var jobs: [DueJob]
    package var through: JobNumber

    package init(jobs: [DueJob], through: JobNumber) {
        (self.jobs, self.through) = (jobs, through)
    }
}

/// A job, and its lane.
package struct DueJob: Equatable, Sendable {
    package var job: LayoutJob
    package var lane: Lane

    package init(_ job: LayoutJob, lane: Lane) {
        (self.job, self.lane) = (job, lane)
    }

    /// Returns the jobs of a turn that is written, in their order.
    package static func jobs(of turn: JournalTurn) -> [DueJob] {
        var jobs: [DueJob] = []
        let entries = turn.entries.span
        for place in entries.indices {
            for job in entries[place].jobs { jobs.append(DueJob(job, lane: entries[place].lane)) }
        }
        return jobs
    }
}
