import Names

/// The answer of a replica to its shell, which has events of producers.
package enum ReplicaDoor: Equatable, Sendable {
    /// A turn may be judged now, against the own journal, and proposed.
    case open
    /// A turn is on its way.
    case wait
    /// There is no owner, or none that can append: try again.
    case busy
    /// Somebody else owns the partition.
    case elsewhere(HostID)
}
