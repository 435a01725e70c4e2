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
    /// The number of partitions of the log, each with a range of shards.
    package var partitions = 1
    package var limits = ReplicationLimits()

    package init(
        name: String, host: HostID, hosts: [HostID: String], calling: Access = Access(),
        log: @escaping @Sendable () throws -> LogLane
    ) {
        (self.name, self.host, self.hosts) = (name, host, hosts)
        (self.calling, self.log) = (calling, log)
    }

    /// - Parameter shards: the number of shards, which each partition has as many of.
    func plan(shards: Int) throws(UnevenPartitions) -> HostPlan {
        guard let map = PartitionMap(partitions: partitions, shards: shards) else {
            throw UnevenPartitions(partitions: partitions, shards: shards)
        }
        let cluster = ClusterID(named: name, partitions: partitions)
        var plan = HostPlan(host: host, hosts: hosts.keys.sorted(), cluster: cluster, map: map)
        plan.limits = limits
        plan.endpoints = hosts[host].map { [$0] } ?? []
        return plan
    }
}

/// Shards that cannot be divided evenly among partitions.
package struct UnevenPartitions: Error, Equatable, CustomStringConvertible {
    package var partitions: Int
    package var shards: Int

    package var description: String {
        "\(partitions) partitions cannot each have as many of \(shards) shards, which this folder has and keeps; a cluster that "
            + "begins with a folder that is in use takes a number of partitions that divides its shards"
    }
}
