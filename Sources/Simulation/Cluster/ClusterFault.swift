/// The faults of a simulated cluster.
package enum ClusterFault: String, CaseIterable, Sendable {
    // Faults of the engine.
    /// The engine has no leader for 4 to 20 s: nothing is answered, and some requests are done afterwards.
    case leaderless
    /// Some appends are done, but not answered.
    case unanswered
    /// Some appends are neither done nor answered.
    case unheard
    /// Some appends are done long after their clients have given up.
    case belated
    /// Some reads get the answer of a while ago.
    case staleRead
    /// Some entries of a read come twice.
    case repeatedEntry
    /// The engine comes back from a power loss without the newest records.
    case lostTail
    /// A partition's log is gone.
    case reset
    // Faults of hosts.
    case crash
    /// All hosts and the engine lose power.
    case powerLoss
    case lostDisk
    case cutFromEngine
    case cutFromHosts
    case slow
    case pause
    /// An owner is told to hand its log over.
    case handOver

    /// Whether it happens at one instant, and not to a share of all requests.
    var isEvent: Bool {
        switch self {
        case .unanswered, .unheard, .belated, .staleRead, .repeatedEntry, .lostTail: false
        case .leaderless, .reset, .crash, .powerLoss, .lostDisk, .cutFromEngine, .cutFromHosts, .slow, .pause,
            .handOver:
            true
        }
    }
}

/// A known bug of a cluster, planted to see that it is found. Each lives in the simulated hosts or engine, and none
/// can be reached from the product.
package enum PlantedClusterBug: String, CaseIterable, Sendable {
    /// Events are answered when their turn is sent.
    case answeredBeforeQuorum
    /// A host that starts claims behind the end of the log, and reads only then.
    case claimedUnread
    /// The engine appends every record, wherever it expects to stand.
    case appendedWithoutExpectation
    /// A record of unknown outcome is written once more, behind whatever the log has.
    case unknownTakenForFailed
    /// A record of unknown outcome is taken to be written.
    case unknownTakenForDone
    /// A deposed owner answers as if it were one still.
    case deposedAndAnswering
    /// A host whose journal is longer than the log throws the excess away.
    case longerJournalIgnored
    /// A host that cannot go on by reading takes another's journal, and does not report the events that only its own
    /// had.
    case salvageDropped
    /// An owner trims the log up to what it has itself.
    case trimmedBeforeAllHaveIt
    /// A copy has the journal, and no rows.
    case snapshotWithoutFiles
    /// Records are sealed with a key that no other host has.
    case keyUsedBeforeShared
    /// An owner that reads another host's claim behind its record takes that host for itself, and goes on.
    case overtakenAndOwning
    /// Each host numbers jobs by itself, and leaves out those that the same turn makes anew.
    case jobsNumberedLocally
    // Bugs that only a journal with several logs can have.
    /// A turn of one log moves the places where the others go on, as if the journal had one log.
    case turnMovesOtherLogs
    /// A request is answered as soon as one of its partitions has its part.
    case answeredByOnePart
    /// A copy replaces the journal with all logs, and the anchors of the one log for which it was asked.
    case copiedForOneLog
    /// A host that starts brings its journal up to the records of its first log, and forgets those of the others.
    case caughtUpForOneLog
    /// A copy is asked of the host that has most of a lost log, and given, whatever other logs that host has lost.
    /// Some records come damaged to a host.
    case worseJournalCopied

    var isOfSeveralLogs: Bool {
        switch self {
        case .answeredBeforeQuorum, .claimedUnread, .appendedWithoutExpectation, .unknownTakenForFailed,
            .unknownTakenForDone, .deposedAndAnswering, .longerJournalIgnored, .salvageDropped,
            .trimmedBeforeAllHaveIt, .snapshotWithoutFiles, .keyUsedBeforeShared, .overtakenAndOwning,
            .jobsNumberedLocally:
            false
        case .turnMovesOtherLogs, .answeredByOnePart, .copiedForOneLog, .caughtUpForOneLog, .worseJournalCopied: true
        }
    }
}
