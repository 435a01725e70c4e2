package import MessageLayout
package import Names
package import Wire

/// An event that a dispatcher hears.
package enum DispatchEvent: Equatable, Sendable {
    /// Jobs are committed in the journal.
    case accepted([DueJob])
    case heard(WorkerWord, from: Peer)
    /// A word could not be sent: nobody is there.
    case unreachable(Peer)
    /// The answer to `fetchUnfinished`.
    case unfinished(JobPage, EditionID, Shard)
    /// The answer to `fetchRemovals`: a page like that, of which removals alone are taken.
    case removals(JobPage, EditionID, Shard)
    /// The answer to `fetchMessages`.
    case messages([LayoutJob], EditionID, Shard)
    /// The answer to `fetchRecent`.
    case recent(RecentPage, EditionID, Shard)
    /// The answer to `fetchWished`, as far as the journal has it.
    case wished([LayoutJob], of: [MessageNumber], EditionID, Shard)
    /// The answer to `fetchDoubted`, as far as the journal has it.
    case doubted([LayoutJob], EditionID, Shard)
    /// `record` is in the journal.
    case recorded
    case command(DispatchCommand)
    /// The end of a turn of the loop, with the time. Work that is due is done, and jobs that wait are lent.
    case turn(Moment)
}

/// A command of an operator or a gateway.
package enum DispatchCommand: Equatable, Sendable {
    case pause(Lane)
    case resume(Lane)
    /// Nothing more is accepted; tells when all is done.
    case drain
    case stopDraining
    /// The worker finishes its batches, and ends.
    case dismiss(Peer)
    /// Lays a job that was given up out once more, as its message stands now.
    case replay(LayoutJob, ShelfPlace)
    case drop([ShelfPlace])
    /// Readers wait for these messages: they go before all others that wait.
    case urge(Shard, [MessageNumber])
    /// Lays out in this edition all that the current one has, and serves it then. Another that was to take that place
    /// is dropped. A new edition has these files; without a map, each shard has its own. A hurried one is served as
    /// soon as it has the messages that readers look at; the rest comes from the one before it until it is there.
    case roll(to: EditionID, name: String, files: FileMap? = nil, isHurried: Bool = false)
    /// Drops an edition that is not served, at once.
    case retire(EditionID)
    /// Counts of the screens that were asked for and that no style prepares.
    case want([WantedTarget])
    /// Lays out for this screen, too.
    case prepare(Target)
    case forget(Target)
}

/// An effect that is to be performed.
package enum DispatchEffect: Equatable, Sendable {
    case say(CoordinatorWord, to: Peer)
    /// Readers see these rows.
    case ready([ReadyRow], EditionID)
    case fetchUnfinished(EditionID, Shard, after: JobNumber, limit: Int)
    /// Fetches unfinished jobs for the removals among them, past jobs for which there is no room.
    case fetchRemovals(EditionID, Shard, after: JobNumber, limit: Int)
    case fetchMessages(EditionID, Shard, after: MessageNumber, limit: Int)
    case fetchRecent(EditionID, Shard, after: RecentWalk, limit: Int)
    case fetchWished(EditionID, Shard, [MessageNumber])
    /// Fetches messages whose rows may be wrong.
    case fetchDoubted(EditionID, Shard, [MessageNumber])
    /// Tells a worker without the folder the files of an edition; `supply` sends it a piece of one.
    case offer(EditionID, to: Peer)
    case supply(EditionPart, to: Peer)
    /// Ends a worker whose leases have expired: if it is a child of ours, it is killed.
    case evict(process: Int32, machine: String)
    case serve(EditionView)
    /// Retires an edition: its files can go.
    case retire(EditionID)
    case report(PoolNotice)
    /// All that was accepted is done.
    case drained

    package typealias ReadyRow = ReadyWord.Row
}
