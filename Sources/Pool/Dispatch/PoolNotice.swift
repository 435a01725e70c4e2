package import MessageLayout
package import Wire

/// What an operator should know.
package enum PoolNotice: Equatable, Sendable {
    case workerJoined(Peer, WorkerHello)
    /// It is not let in, and why.
    case turnedAway(WorkerHello, Objection)
    /// A row that it made elsewhere was not what it is beside the folder: it is let in no more, and so many rows are made again.
    case dismissed(WorkerHello, Objection, rows: Int)
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
