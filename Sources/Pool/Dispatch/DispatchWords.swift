package import MessageLayout
package import Names
package import Wire

/// What a dispatcher hears.
package enum DispatchEvent: Equatable, Sendable {
    /// Jobs are committed in the journal.
    case accepted([DueJob])
    case heard(WorkerWord, from: Peer)
    /// A word could not be sent: nobody is there.
    case unreachable(Peer)
    /// What `fetchUnfinished` asked for.
    case unfinished(JobPage, EditionID, Shard)
    /// What `fetchMessages` asked for.
    case messages([LayoutJob], EditionID, Shard)
    /// What `fetchRecent` asked for.
    case recent(RecentPage, EditionID, Shard)
    /// What `fetchWished` asked for, as far as the journal has it.
    case wished([LayoutJob], of: [MessageNumber], EditionID, Shard)
    /// What `fetchDoubted` asked for, as far as the journal has it.
    case doubted([LayoutJob], EditionID, Shard)
    /// `record` is in the journal.
    case recorded
    case command(DispatchCommand)
    /// The end of a turn of the loop, and what time it is. What is due is done, and what waits is lent.
    case turn(Moment)
}

/// What an operator or a gateway has it do.
package enum DispatchCommand: Equatable, Sendable {
    case pause(Lane)
    case resume(Lane)
    /// Nothing more is accepted; tells when all is done.
    case drain
    case stopDraining
    /// The worker finishes what it holds, and ends.
    case dismiss(Peer)
    /// What was given up, as its message stands now, once more.
    case replay(LayoutJob, ShelfPlace)
    case drop([ShelfPlace])
    /// Readers wait for these messages: they go before what else waits.
    case urge(Shard, [MessageNumber])
    /// Lays out in this edition what the current one has, and serves it then. What was on its way to take that place is dropped.
    /// A new one has these files; where nothing is said, each shard has its own. One that is hurried is served as soon as it has what
    /// readers look at; the rest comes from the one before it until it is there.
    case roll(to: EditionID, name: String, files: FileMap? = nil, isHurried: Bool = false)
    /// Drops an edition that is not served, at once.
    case retire(EditionID)
    /// How often screens were asked for that no style prepares.
    case want([WantedTarget])
    /// Lays out for this screen, too.
    case prepare(Target)
    case forget(Target)
}

/// What is to be done.
package enum DispatchEffect: Equatable, Sendable {
    case say(CoordinatorWord, to: Peer)
    /// Readers see these rows.
    case ready([ReadyRow], EditionID)
    case fetchUnfinished(EditionID, Shard, after: JobNumber, limit: Int)
    case fetchMessages(EditionID, Shard, after: MessageNumber, limit: Int)
    case fetchRecent(EditionID, Shard, after: RecentWalk, limit: Int)
    case fetchWished(EditionID, Shard, [MessageNumber])
    /// Messages whose rows may be wrong.
    case fetchDoubted(EditionID, Shard, [MessageNumber])
    /// Somebody without the folder is to be told what there is of an edition, or is sent a piece of it.
    case offer(EditionID, to: Peer)
    case supply(EditionPart, to: Peer)
    /// The worker's leases have expired: if it is a child of ours, it is to be killed.
    case evict(process: Int32, machine: String)
    case serve(EditionView)
    /// Its files can go.
    case retire(EditionID)
    case report(PoolNotice)
    /// All that was accepted is done.
    case drained

    package typealias ReadyRow = ReadyWord.Row
}
