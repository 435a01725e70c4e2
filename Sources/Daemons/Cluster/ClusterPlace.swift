package import Replication
package import Transport

/// Place of a coordinator in a cluster: which host it is, where the others are, and how its log is opened.
package struct ClusterPlace: Sendable {
    package var name: String
    package var host: HostID
    /// `tcp://HOST:PORT` of every host, this one among them, where hosts speak to each other.
    package var hosts: [HostID: String]
    /// Keys of sockets that call other hosts.
    package var calling: Access
    /// The log; called on a thread of its own.
    package var log: @Sendable () throws -> LogLane
    package var limits = ReplicationLimits()

    package init(
        name: String, host: HostID, hosts: [HostID: String], calling: Access = Access(),
        log: @escaping @Sendable () throws -> LogLane
    ) {
        (self.name, self.host, self.hosts) = (name, host, hosts)
        (self.calling, self.log) = (calling, log)
    }

    /// - Parameter shards: all of them are one partition.
    func plan(shards: Int) -> HostPlan {
        guard let map = PartitionMap(partitions: 1, shards: shards) else { preconditionFailure("no shards") }
        var plan = HostPlan(host: host, hosts: hosts.keys.sorted(), cluster: ClusterID(named: name), map: map)
        plan.limits = limits
        plan.endpoints = hosts[host].map { [$0] } ?? []
        return plan
    }
}
