import Etcd
import Replication
import TestSupport
import Testing

/// The suite on clients of these nodes; each run of it has a cluster of its own in them.
func suite(_ name: String, on nodes: EtcdNodes) -> TurnLogSuite<EtcdLog> {
    TurnLogSuite {
        var log = try EtcdLog(of: name, at: nodes.urls)
        try log.waitUntilItAnswers()
        return log
    } pass: {
        try $0.settle()
    }
}

extension EtcdLog {
    /// Waits until all questions are answered.
    mutating func settle() throws {
        while !isIdle { try wait(atMost: .seconds(1)) }
    }

    /// Waits for nodes that start, or have lost their leader: they answer when they have one.
    mutating func waitUntilItAnswers() throws {
        let end = ContinuousClock.now + patience
        while try tail(of: Partition(9)) == nil { try #require(.now < end, "etcd does not answer") }
        _ = takeComplaints()
    }

    /// The extent of a log, where it is answered; `.zero` for one that was never begun.
    mutating func tail(of partition: Partition) throws -> LogExtent? {
        try read(partition, after: LogSequence(.max), limit: 1)
        try settle()
        for event in try takeEvents() {
            switch event {
            case .end(partition, let extent): return extent
            case .reset(partition): return LogExtent(last: .zero, trimmed: .zero)
            default: Issue.record("\(event) was not asked for")
            }
        }
        return nil
    }
}

@Test(.enabled(if: EtcdNodes.isInstalled, Comment(rawValue: EtcdNodes.lack)), .waits)
func `etcd does what every log of turns must`() throws {
    let nodes = try EtcdNodes()
    try TurnLogSuite.run(rounds: 400) { suite($0, on: nodes) }
}

@Test(.enabled(if: EtcdNodes.isInstalled, Comment(rawValue: EtcdNodes.lack)), .waits)
func `an etcd whose quota is reached says so, and goes on when its log is trimmed`() throws {
    let nodes = try EtcdNodes(quota: 6 << 20)
    try suite("full", on: nodes).saysThatItIsFull(records: 400_000, most: 40)
}
