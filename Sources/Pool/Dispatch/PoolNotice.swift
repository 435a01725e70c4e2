package import MessageLayout
package import Wire

/// A notice for an operator.
package enum PoolNotice: Equatable, Sendable {
    case workerJoined(Peer, WorkerHello)
    /// A worker was not let in, for this reason.
    case turnedAway(WorkerHello, Objection)
    /// A row that the worker made elsewhere was not what it is beside the folder: it is let in no more, and so many
    /// rows are made again.
    case dismissed(WorkerHello, Objection, rows: Int)
    /// A worker was lost, with so many jobs in hand.
    case workerLost(Peer, Loss, jobs: Int)
    case workerLeft(Peer)
    /// A job was alone in hand when a worker was lost: certainly, `strikes` times, and maybe, `doubts` times.
    case suspected(ShelfPlace, strikes: Int, doubts: Int)
    /// Nobody can write the shard; the worker that had it last may be the one that holds it up.
    case blocked(EditionID, Shard, Objection, by: WorkerHello?)
    case shelved(ShelvedJob)
    /// The shard's file was lost, and is laid out again from the journal.
    case rebuilding(EditionID, Shard)
    /// An edition is laid out to take the place of the one that is served.
    case rolling(EditionID)
    /// An edition was being laid out, and another was wanted before it was through.
    case dropped(EditionID)
    /// From now on readers are served another edition; nil before the first.
    case switched(from: EditionID?, to: EditionID)
    /// Nobody has laid out the served edition for a while: accepted messages are not shown.
    case unattended(EditionID)
    /// The served edition is laid out again.
    case attended(EditionID)
    case tooMany(Limit)
    /// A worker of an edition that nobody wants was turned away.
    case stranger(WorkerHello)
    /// The added screens are others than before.
    case targets(added: [Target], gone: [Target])

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
