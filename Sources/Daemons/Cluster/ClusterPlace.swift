package import Replication
package import Transport

/// The place of a coordinator in a cluster: its host, the addresses of the others, and the way to its log.
package struct ClusterPlace: Sendable {
    package var name: String
    package var host: HostID
    /// The address of every host, this one among them, where hosts speak to each other: `tcp://HOST:PORT`.
    package var hosts: [HostID: String]
    /// The keys of sockets that call other hosts.
    package var calling: Access
    /// Opens the log; called on a thread of its own.
    package var log: @Sendable () throws -> LogLane
    package var limits = ReplicationLimits()

    package init(
        name: String, host: HostID, hosts: [HostID: String], calling: Access = Access(),
        log: @escaping @Sendable () throws -> LogLane
    ) {
        (self.name, self.host, self.hosts) = (name, host, hosts)
        (self.calling, self.log) = (calling, log)
    }

    /// - Parameter shards: the number of shards, all of one partition.
    func plan(shards: Int) -> HostPlan {
        guard let map = PartitionMap(partitions: 1, shards: shards) else { preconditionFailure("no shards") }
        var plan = HostPlan(host: host, hosts: hosts.keys.sorted(), cluster: ClusterID(named: name), map: map)
        plan.limits = limits
        plan.endpoints = hosts[host].map { [$0] } ?? []
        return plan
    }
}
