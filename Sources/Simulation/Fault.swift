/// The faults of a simulated world.
package enum Fault: String, CaseIterable, Sendable {
    // Faults of words on their way.
    case loss
    case duplication
    case reordering
    case delay
    case partition
    // Faults of processes.
    case workerCrash
    case coordinatorCrash
    case producerCrash
    case readerCrash
    /// A process is stopped, and goes on later: maybe inside a transaction, maybe after its lease has gone to
    /// another.
    case pause
    case clockJump
    // Faults of disks.
    case diskFull
    case slowDisk
    /// Every process ends, and what was not synced is gone.
    case powerLoss
    /// The file of a shard cannot be read any more, and a new one is begun.
    case lostFile
    /// The log of one shard, or of two, is deleted with commits in it: the rest of the file is not used any more.
    case lostLog
    // Faults of messages.
    /// Some messages bring down every worker that lays them out.
    case poison

    /// Whether it happens at one instant, and not to a share of all words or messages.
    var isEvent: Bool {
        switch self {
        case .loss, .duplication, .reordering, .delay, .poison: false
        case .partition, .workerCrash, .coordinatorCrash, .producerCrash, .readerCrash, .pause, .clockJump, .diskFull,
            .slowDisk, .powerLoss, .lostFile, .lostLog:
            true
        }
    }
}

/// A known bug, planted to see that it is found. Each lives in the simulated journal, shards or loops, and none can
/// be reached from the product.
package enum PlantedBug: String, CaseIterable, Sendable {
    /// Events are answered before they are in the journal.
    case ackBeforeCommit
    /// Shards do not check the epoch.
    case noEpochCheck
    /// Some commits have the stamp of the one before.
    case reusedStamp
    /// A sync reports success, and does nothing: jobs are retired before their rows are on the disk.
    case earlyRetirement
    /// A removed row leaves no trace for readers.
    case droppedTombstone
    /// The journal forgets the revisions of bodies.
    case staleRevisionWins
    /// Jobs that had not begun are charged with the loss of their worker.
    case strikeForInnocents
    /// A coordinator that starts does not ask for the jobs that are left.
    case lostOnRestart
    /// The term does not rise, so that two workers have a shard under one epoch.
    case doubleLease
    /// A message that moves has a row in its old place, too.
    case movedMessageLeavesRow
    /// A job that is done twice is written twice.
    case repeatedJobApplied
    /// Workers of the served edition leave, and nothing fills in the rows that it lacks.
    case unfilledEdition
    /// A gateway makes its answers of those contents that its cache still has.
    case pageLargerThanCache
    /// The word of a person is taken for that of the backend.
    case forgottenSubject
    /// A worker that opens a shard whose log is gone goes on with the rest of the file.
    case unnoticedLoss
    /// A gateway reports every message without a row as pending.
    case pendingForEver
    /// A worker that has neither the content nor the row of a message makes an empty row.
    case blankRow
    /// Content goes while the shard of its message is laid out again.
    case forgottenUnderWalk
    /// A coordinator that starts takes each shard of an edition to have a file of its own.
    case forgottenFiles
    /// A worker takes whatever file it finds for the one that a batch names.
    case unnamedFile
    /// The report that a row of another host is wrong gets lost.
    case unseenDifference
}
