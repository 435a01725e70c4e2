import Pool
package import Replication
package import Wire

/// Words between hosts.
package enum HostWord: Equatable, Sendable {
    case mark(Mark)
    case key(Partition, KeyNumber, RecordKey)
    /// The owner waits for the claim of the host that hears this, behind this record.
    case call(Partition, end: LogSequence)
    /// An operator wants that host to own the log.
    case move(Partition, to: HostID)
}

/// Letters that other threads leave for the driver of a host.
package enum HostLetter: Sendable {
    case word(HostWord)
    /// Events of one partition. The answer is called on the driver's thread, and must not wait.
    case post(IngestRequest, Partition, answer: @Sendable (HostAnswer) -> Void)
    /// An operator's order: where the log of the partition was never begun, it begins behind the journal of this
    /// host.
    case adopt(Partition)
    case move(Partition, to: HostID?)
    case look(Partition, answer: @Sendable (HostView) -> Void)
    case end
}

package enum HostAnswer: Equatable, Sendable {
    /// An answer to each event: in the log, and on the disk of this host.
    case answers([EventAnswer])
    /// Nothing was judged: another host owns the partition.
    case elsewhere(HostID)
}

/// The standing of a host in a partition.
package struct HostView: Equatable, Sendable {
    package var standing: Replica.Standing
    /// The place of the last record that its journal has.
    package var anchor: LogAnchor
    package var door: Replica.Door
}

/// News of a host for its operator.
package enum HostNews: Equatable, Sendable {
    case replica(Partition, ReplicaNotice)
    /// A complaint of the engine, in words.
    case engine(String)
}

/// The name of a host, and the hosts that share its partitions.
package struct HostPlan: Sendable {
    package var host: HostID
    /// All hosts, this one among them.
    package var hosts: [HostID]
    package var cluster: ClusterID
    package var map: PartitionMap
    package var limits = ReplicationLimits()
    /// The addresses that go to the others with a claim.
    package var endpoints: [String] = []
    /// The longest time between two ticks of the replicas.
    package var tick = Duration.milliseconds(20)

    package init(host: HostID, hosts: [HostID], cluster: ClusterID, map: PartitionMap) {
        (self.host, self.hosts, self.cluster, self.map) = (host, hosts, cluster, map)
    }
}

/// Callbacks through which a driver speaks to others. None of them may wait.
package struct HostVoice: Sendable {
    package var tell: @Sendable (HostWord, HostID) -> Void
    package var news: @Sendable (HostNews) -> Void

    package init(
        tell: @escaping @Sendable (HostWord, HostID) -> Void, news: @escaping @Sendable (HostNews) -> Void = { _ in }
    ) {
        (self.tell, self.news) = (tell, news)
    }
}
