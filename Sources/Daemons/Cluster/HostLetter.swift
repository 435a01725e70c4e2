import Pool
package import Replication
package import Wire

/// What hosts say to each other.
package enum HostWord: Sendable {
    case mark(Mark)
    case key(Partition, KeyNumber, RecordKey)
}

/// What comes to the driver of a host from other threads.
package enum HostLetter: Sendable {
    case word(HostWord)
    /// Events of one partition. The answer is called on the driver's thread, and must not wait.
    case post(IngestRequest, Partition, answer: @Sendable (HostAnswer) -> Void)
    /// An operator's word: where the log of the partition was never begun, it begins behind the journal of this host.
    case adopt(Partition)
    case look(Partition, answer: @Sendable (HostView) -> Void)
    case end
}

package enum HostAnswer: Equatable, Sendable {
    /// One of each event: in the log, and on the disk of this host.
    case answers([EventAnswer])
    /// Nothing was looked at: another host owns the partition.
    case elsewhere(HostID)
}

/// How a host stands in a partition.
package struct HostView: Equatable, Sendable {
    package var standing: Replica.Standing
    /// Of the last record that its journal has.
    package var anchor: LogAnchor
    package var door: Replica.Door
}

/// What an operator should hear of a host.
package enum HostNews: Equatable, Sendable {
    case replica(Partition, Replica.Notice)
    /// Of the engine, in words.
    case engine(String)
}

/// Who a host is, and with whom it has partitions.
package struct HostPlan: Sendable {
    package var host: HostID
    /// All of them, this one among them.
    package var hosts: [HostID]
    package var cluster: ClusterID
    package var map: PartitionMap
    package var limits = ReplicationLimits()
    /// What is told to the others with a claim.
    package var endpoints: [String] = []
    /// The longest that replicas hear nothing of the time.
    package var tick = Duration.milliseconds(20)

    package init(host: HostID, hosts: [HostID], cluster: ClusterID, map: PartitionMap) {
        (self.host, self.hosts, self.cluster, self.map) = (host, hosts, cluster, map)
    }
}

/// What a driver says to others. None of it may wait.
package struct HostVoice: Sendable {
    package var tell: @Sendable (HostWord, HostID) -> Void
    package var news: @Sendable (HostNews) -> Void

    package init(
        tell: @escaping @Sendable (HostWord, HostID) -> Void, news: @escaping @Sendable (HostNews) -> Void = { _ in }
    ) {
        (self.tell, self.news) = (tell, news)
    }
}
