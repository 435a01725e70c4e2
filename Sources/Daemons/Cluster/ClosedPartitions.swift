import Operations
import Pool
import Replication

private let log = Log("cluster")

/// The partitions of the log whose events no host takes, for the program log. A service takes events as long as it
/// takes those of any partition. Readiness names the others as long as they are closed; here a change of owner is no
/// news.
struct ClosedPartitions {
    private var since: [Partition: Moment] = [:]
    private var told: [Partition] = []

    /// The time that a change of owner takes at most.
    private static let patience = Duration.seconds(6)

    /// Notes the partitions that are closed now.
    /// - Returns: those that the operator is to be told of, none where all are open again; nil where that is as it was.
    mutating func note(_ closed: [Partition], at now: Moment) -> [Partition]? {
        since = Dictionary(uniqueKeysWithValues: closed.map { ($0, since[$0] ?? now) })
        let lasting = closed.filter { now - Self.patience >= since[$0] ?? now }
        guard lasting != told else { return nil }
        told = lasting
        return lasting
    }

    mutating func tell(_ closed: [Partition], at now: Moment) {
        guard let news = note(closed, at: now) else { return }
        if news.isEmpty {
            log.info("events of all partitions are taken again")
        } else {
            let numbers = news.map { "\($0.number)" }.joined(separator: ", ")
            log.warning("events of some partitions are busy, as no host owns them", ["partitions": "\(numbers)"])
        }
    }
}
