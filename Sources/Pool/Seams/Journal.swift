package import Wire

/// What the coordinator needs of the source of truth: batches in, batches out, and nothing of SQL.
///
/// Implemented over SQLite by `Storage`, and over a disk that fails by `Simulation`. Whatever one turn of the coordinator's
/// loop brought is one `commit`; nobody is told "accepted" before it returned.
package protocol Journal: ~Copyable {
    associatedtype Failure: Error

    /// Rises with every opening.
    var term: UInt64 { get }

    /// The card under a key, commits of this process included.
    mutating func card(_ key: MessageKey) throws(Failure) -> CardEntry?
    /// The body at a place that a card names; nil when its content was not retained.
    mutating func body(at place: LogPosition) throws(Failure) -> MessageBody?
    /// Where the next entry of the log will stand, and so the number of a message that begins with it.
    var nextPosition: LogPosition { get }
    /// The number that the next job of the shard gets.
    func nextJob(in shard: Shard) -> JobNumber

    /// Writes all of it, or nothing. When it returns, it survives what `durability` promises.
    mutating func commit(_ turn: JournalTurn) throws(Failure)

    /// Jobs of a shard that are not done in the edition, in order, as the registers stand now, after the given one:
    /// what a coordinator starts with.
    mutating func unfinished(
        in shard: Shard, of edition: EditionID, after: JobNumber, limit: Int
    ) throws(Failure) -> [LayoutJob]
    /// The newest jobs of all living messages of the shard, in the order of messages: what a new edition lays out.
    mutating func messages(
        in shard: Shard, after: MessageNumber, limit: Int
    ) throws(Failure) -> [LayoutJob]
}

/// What one turn of the coordinator's loop writes.
package struct JournalTurn: Equatable, Sendable {
    package var entries: [JournalEntry] = []
    /// Of each shard and edition whose jobs were retired in this turn, how things stand after it.
    package var progress: [ShardProgress] = []
    /// Jobs that are given up, and jobs that are no longer.
    package var shelved: [ShelvedJob] = []
    package var unshelved: [JobNumber: Shard] = [:]

    package init() {}
    package var isEmpty: Bool {
        entries.isEmpty && progress.isEmpty && shelved.isEmpty && unshelved.isEmpty
    }
}

/// One accepted event: how it changes cards, and the job that it causes, if any.
package struct JournalEntry: Equatable, Sendable {
    package var event: MessageEvent
    package var lane: Lane
    package var cards: [(key: MessageKey, entry: CardEntry)]
    package var job: LayoutJob?

    package init(
        event: MessageEvent, lane: Lane, cards: [(key: MessageKey, entry: CardEntry)], job: LayoutJob?
    ) {
        (self.event, self.lane, self.cards, self.job) = (event, lane, cards, job)
    }

    package static func == (a: JournalEntry, b: JournalEntry) -> Bool {
        a.event == b.event && a.lane == b.lane && a.job == b.job
            && a.cards.elementsEqual(b.cards) { $0.key == $1.key && $0.entry == $1.entry }
    }
}

/// Which jobs of a shard are done in an edition: all up to `through`, and some beyond it.
package struct ShardProgress: Equatable, Sendable {
    package var edition: EditionID
    package var shard: Shard
    package var through: JobNumber
    /// Done jobs after `through`, in order; few, as jobs of a shard end nearly in order.
    package var beyond: [JobNumber]

    package init(edition: EditionID, shard: Shard, through: JobNumber = .zero, beyond: [JobNumber] = []) {
        (self.edition, self.shard, self.through, self.beyond) = (edition, shard, through, beyond)
    }

    package mutating func finish(_ job: JobNumber) {
        guard job > through, !beyond.contains(job) else { return }
        let place = beyond.firstIndex { $0 > job } ?? beyond.endIndex
        beyond.insert(job, at: place)
        while let first = beyond.first, first.number == through.number + 1 {
            through = first
            beyond.removeFirst()
        }
    }
}

/// A job that is given up: nobody lays it out until someone says so.
package struct ShelvedJob: Equatable, Sendable {
    package var shard: Shard
    package var edition: EditionID
    package var job: JobNumber
    package var key: MessageKey
    /// Why, in words.
    package var reason: Objection

    package init(shard: Shard, edition: EditionID, job: JobNumber, key: MessageKey, reason: Objection) {
        (self.shard, self.edition, self.job, self.key, self.reason) = (shard, edition, job, key, reason)
    }
}
