package import MessageLayout
package import Names
package import Wire

extension Dispatcher {
    package enum Event: Equatable, Sendable {
        /// Jobs are committed in the journal.
        case accepted([DueJob])
        case heard(WorkerWord, from: Peer)
        /// A word could not be sent: nobody is there.
        case unreachable(Peer)
        /// What `fetchUnfinished` asked for.
        case unfinished(JobPage, EditionID, Shard)
        /// What `fetchMessages` asked for.
        case messages([LayoutJob], EditionID, Shard)
        /// `record` is in the journal.
        case recorded
        case command(Command)
        /// The end of a turn of the loop, and what time it is. What is due is done, and what waits is lent.
        case turn(Moment)
    }

    package enum Command: Equatable, Sendable {
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
        case roll(to: EditionID, name: String)
        /// Drops an edition that is not served, at once.
        case retire(EditionID)
        /// How often screens were asked for that no style prepares.
        case want([WantedTarget])
        /// Lays out for this screen, too.
        case prepare(Target)
        case forget(Target)
    }

    package enum Effect: Equatable, Sendable {
        case say(CoordinatorWord, to: Peer)
        /// Readers see these rows.
        case ready([ReadyRow], EditionID)
        case fetchUnfinished(EditionID, Shard, after: JobNumber, limit: Int)
        case fetchMessages(EditionID, Shard, after: MessageNumber, limit: Int)
        /// The worker's leases have expired: if it is a child of ours, it is to be killed.
        case evict(process: Int32, machine: String)
        case serve(EditionView)
        /// Its files can go.
        case retire(EditionID)
        case report(Notice)
        /// All that was accepted is done.
        case drained
    }

    package typealias ReadyRow = ReadyWord.Row

    /// What an operator should know.
    package enum Notice: Equatable, Sendable {
        case workerJoined(Peer, WorkerHello)
        /// It is not let in, and why.
        case turnedAway(WorkerHello, Objection)
        /// With what it had in hand, in jobs.
        case workerLost(Peer, Loss, jobs: Int)
        case workerLeft(Peer)
        /// A job was alone in hand when a worker was lost: how often it certainly was, and how often it may have been.
        case suspected(ShelfPlace, strikes: Int, doubts: Int)
        /// Nobody can write the shard; the worker that had it last may be the one that holds it up.
        case blocked(EditionID, Shard, Objection, by: WorkerHello?)
        case shelved(ShelvedJob)
        /// The shard's file was lost, and is laid out again from what the journal has.
        case rebuilding(EditionID, Shard)
        /// It is laid out to take the place of the one that is served.
        case rolling(EditionID)
        /// It was being laid out, and another was wanted before it was through.
        case dropped(EditionID)
        /// From now on readers are served another edition; nil before the first.
        case switched(from: EditionID?, to: EditionID)
        /// Nobody has laid out the served edition for a while: what is accepted is not shown.
        case unattended(EditionID)
        /// Somebody does again.
        case attended(EditionID)
        case tooMany(Limit)
        /// A worker of an edition that nobody wants was turned away.
        case stranger(WorkerHello)
        /// Others are laid out for than before.
        case targets(added: [Target], gone: [Target])
    }

    package enum Loss: Equatable, Sendable {
        case silent
        case stuck
        case unreachable
    }

    package enum Limit: Equatable, Sendable {
        case workers
        case editions
    }
}
