/// The state of a replica: the picture at `Replica` has the ways from one to another.
package enum ReplicaStanding: Equatable, Sendable {
    case joining
    case following
    case claiming
    case owning
    case lost(ReplicaRecovery)
    case stopped
}
