package import Pool

/// A change of a replica that its operator is told.
package enum ReplicaNotice: Equatable, Sendable {
    case claimed(Reign)
    case deposed
    case lost(ReplicaLoss)
    case stopped
}

/// The reason why a replica cannot go on by reading.
package enum ReplicaLoss: Equatable, Sendable {
    /// The log says something else than the journal.
    case diverged
    /// The log begins behind the journal.
    case behind
    /// Somebody else owns the partition, and the journal has what the log lacks.
    case surplus
    case unreadable(RecordFault)
}

/// The progress of a replica that cannot go on by reading.
package enum ReplicaRecovery: Equatable, Sendable {
    /// Records that were read are still on their way to the disk.
    case settling
    /// Its events since the trail began are posted again.
    case salvaging
    case waiting
    case copying(from: HostID, since: Moment)

    /// Whether nothing is left of the journal that another host would lack.
    var hasPosted: Bool {
        switch self {
        case .settling, .salvaging: false
        case .waiting, .copying: true
        }
    }
}
