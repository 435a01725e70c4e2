/// What may go wrong in a simulated cluster.
package enum ClusterFault: String, CaseIterable, Sendable {
    // Of the engine.
    /// It has no leader for 4 to 20 s: nothing is answered, and some of what was asked is done afterwards.
    case leaderless
    /// Some appends are done and not answered.
    case unanswered
    /// Some are neither.
    case unheard
    /// Some are done long after nobody waits for them any more.
    case belated
    /// Some reads are answered as they would have been a while ago.
    case staleRead
    /// Some of what was read comes twice.
    case repeatedEntry
    /// When power goes everywhere, the engine comes back without the newest records.
    case lostTail
    /// A partition's log is gone.
    case reset
    // Of hosts.
    case crash
    /// All hosts, and the engine.
    case powerLoss
    case lostDisk
    case cutFromEngine
    case cutFromHosts
    case slow
    case pause
    /// An owner is to hand its log over.
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

/// A known bug of a cluster, planted to see that it is found. Each lives in the simulated hosts or engine, and none can be reached from the
/// product.
package enum PlantedClusterBug: String, CaseIterable, Sendable {
    /// Events are answered when their turn is sent.
    case answeredBeforeQuorum
    /// A host that starts claims behind the end of the log, and reads later.
    case claimedUnread
    /// The engine takes whatever comes.
    case appendedWithoutExpectation
    /// What has no known outcome is written once more, behind whatever is there.
    case unknownTakenForFailed
    /// What has no known outcome is taken to be written.
    case unknownTakenForDone
    /// Who is no owner any more answers as if it were.
    case deposedAndAnswering
    /// A host that has more than the log throws that away.
    case longerJournalIgnored
    /// A host that cannot go on by reading takes another's journal, and says nothing of what only its own had.
    case salvageDropped
    /// An owner trims what it has itself.
    case trimmedBeforeAllHaveIt
    /// A copy has the journal, and no rows.
    case snapshotWithoutFiles
    /// Records are sealed with a key that nobody else has.
    case keyUsedBeforeShared
    /// An owner that reads who claimed behind its record takes that host for itself, and goes on.
    case overtakenAndOwning
    /// Each host numbers jobs by itself, and leaves out what the same turn makes anew.
    case jobsNumberedLocally
}
