import Pool
package import Replication
package import Wire

/// Letters between hosts.
package enum HostWord: Equatable, Sendable {
    case mark(Mark)
    case key(Partition, KeyNumber, RecordKey)
    /// The owner waits for the claim of whoever hears this, behind this record.
    case call(Partition, end: LogSequence)
    /// An operator wants that host to own the log.
    case move(Partition, to: HostID)
}

/// Notes that other threads leave for the driver of a host.
package enum HostLetter: Sendable {
    case word(HostWord)
    /// Events of one partition. The answer is called on the driver's thread, and must not wait.
    case post(IngestRequest, Partition, answer: @Sendable (HostAnswer) -> Void)
    /// An operator's word: where the log of the partition was never begun, it begins behind the journal of this host.
    case adopt(Partition)
    case move(Partition, to: HostID?)
    case look(Partition, answer: @Sendable (HostView) -> Void)
    case end
}

package enum HostAnswer: Equatable, Sendable {
    /// One of each event: in the log, and on the disk of this host.
    case answers([EventAnswer])
    /// Nothing was looked at: another host owns the partition.
    case elsewhere(HostID)
}

/// Standing of a host in a partition.
package struct HostView: Equatable, Sendable {
    package var standing: Replica.Standing
    /// Place of the last record that its journal has.
    package var anchor: LogAnchor
    package var door: Replica.Door
}

/// News of a host for its operator.
package enum HostNews: Equatable, Sendable {
    case replica(Partition, Replica.Notice)
    /// Complaint of the engine, in words.
    case engine(String)
}

/// Name of a host, and those with whom it has partitions.
package struct HostPlan: Sendable {
    package var host: HostID
    /// All of them, this one among them.
    package var hosts: [HostID]
    package var cluster: ClusterID
    package var map: PartitionMap
    package var limits = ReplicationLimits()
    /// Facts that go to the others with a claim.
    package var endpoints: [String] = []
    /// The longest that replicas hear nothing of the time.
    package var tick = Duration.milliseconds(20)

    package init(host: HostID, hosts: [HostID], cluster: ClusterID, map: PartitionMap) {
        (self.host, self.hosts, self.cluster, self.map) = (host, hosts, cluster, map)
    }
}

/// Doors through which a driver speaks to others. None of them may wait.
package struct HostVoice: Sendable {
    package var tell: @Sendable (HostWord, HostID) -> Void
    package var news: @Sendable (HostNews) -> Void

    package init(
        tell: @escaping @Sendable (HostWord, HostID) -> Void, news: @escaping @Sendable (HostNews) -> Void = { _ in }
    ) {
        (self.tell, self.news) = (tell, news)
    }
}
