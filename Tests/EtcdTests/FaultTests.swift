import Etcd
import Replication
import TestSupport
import Testing

/// Two contenders for each of two logs, over proxies, while things happen to etcd and to the way there.
private struct Battle: ~Copyable {
    let nodes: EtcdNodes
    let proxies: [TCPProxy]
    private let name: String
    private var a: Contender
    private var b: Contender
    private var c: Contender
    private var d: Contender

    static let partitions = [Partition(0), Partition(1)]

    init(_ name: String, on nodes: EtcdNodes) throws {
        let proxies = try nodes.ports.map { try TCPProxy(to: $0) }
        var log = try EtcdLog(of: name, at: nodes.urls)
        try log.waitUntilItAnswers()
        for partition in Self.partitions { try log.begin(partition, after: .zero) }
        try log.settle()
        // Each begins at another node.
        func contender(_ number: Int) throws -> Contender {
            let urls = proxies.map { "http://127.0.0.1:\($0.port)" }
            let turned = (0..<urls.count).map { urls[($0 + number) % urls.count] }
            return Contender(UInt8(number), of: Self.partitions[number % 2], try EtcdLog(of: name, at: turned))
        }
        let first = try contender(0)
        let second = try contender(1)
        let third = try contender(2)
        let fourth = try contender(3)
        (self.name, self.nodes, self.proxies) = (name, nodes, proxies)
        a = first
        b = second
        c = third
        d = fourth
    }

    var acknowledged: [[UInt32]] { [a.acknowledged, b.acknowledged, c.acknowledged, d.acknowledged] }
    private var surrendered: [[UInt32]] { [a.surrendered, b.surrendered, c.surrendered, d.surrendered] }
    var count: Int { acknowledged.reduce(0) { $0 + $1.count } }
    var unknown: Int { a.unknown + b.unknown + c.unknown + d.unknown }

    mutating func go(on time: Duration) throws {
        let end = ContinuousClock.now + time
        while .now < end { try turn() }
    }

    /// Goes on until so many more are acknowledged.
    mutating func go(until more: Int) throws {
        let (wanted, end) = (count + more, ContinuousClock.now + patience)
        while count < wanted {
            try #require(.now < end, "nothing is acknowledged any more")
            try turn()
        }
    }

    private mutating func turn() throws {
        try a.turn()
        try b.turn()
        try c.turn()
        try d.turn()
    }

    /// Expects all acknowledged records in the log, once and in their order, and none that was said to be not written.
    func check() throws {
        var log = try EtcdLog(of: name, at: nodes.urls)
        try log.waitUntilItAnswers()
        for (place, acknowledged) in acknowledged.enumerated() {
            let found = try records(of: Self.partitions[place % 2], in: &log).compactMap { record in
                Contender.number(record, of: UInt8(place))
            }
            #expect(Set(found).isDisjoint(with: surrendered[place]))
            // One more may have landed that nobody was told of.
            #expect(found.prefix(acknowledged.count) == acknowledged[...] && found.count <= acknowledged.count + 1)
        }
    }

    private func records(of partition: Partition, in log: inout EtcdLog) throws -> [[UInt8]] {
        var records: [[UInt8]] = []
        let end = ContinuousClock.now + patience
        while true {
            try #require(.now < end, "the log is not read to its end")
            try log.read(partition, after: LogSequence(UInt64(records.count)), limit: LogBounds.page)
            try log.settle()
            for event in try log.takeEvents() {
                switch event {
                case .entry(_, let sequence, let bytes):
                    #expect(sequence.number == UInt64(records.count + 1))
                    records.append(bytes)
                case .end(_, let extent): if extent.last.number == UInt64(records.count) { return records }
                default: Issue.record("\(event)")
                }
            }
        }
    }
}

@Test(.enabled(if: EtcdNodes.isInstalled, Comment(rawValue: EtcdNodes.lack)), .waits)
func `what etcd acknowledged is there after kills, stops and cuts`() throws {
    let nodes = try EtcdNodes()
    var battle = try Battle("faults", on: nodes)
    try battle.go(until: 40)
    // One node after the other, so that one of them is the leader.
    for node in 0..<3 {
        nodes.kill(node)
        try battle.go(until: 10)
        try nodes.start(node)
        try battle.go(until: 10)
    }
    // Without a quorum nothing is acknowledged, except by answers that were on their way already.
    nodes.kill(0)
    nodes.kill(1)
    try battle.go(on: .milliseconds(300))
    let before = battle.count
    try battle.go(on: .milliseconds(700))
    #expect(battle.count == before)
    try nodes.start(0)
    try nodes.start(1)
    try battle.go(until: 20)
    for node in 0..<3 {
        nodes.pause(node)
        try battle.go(until: 5)
        nodes.goOn(node)
        try battle.go(until: 5)
    }
    let modes: [TCPProxy.Mode] = [
        .held(requests: false, answers: true), .held(requests: true, answers: true), .slow(bytesPerSecond: 3000),
        .cut(after: 300), .cut(after: 1), .reset,
    ]
    for mode in modes {
        // Two of three nodes: a client that flees from the first may come to the second.
        for proxy in battle.proxies.dropLast() { proxy.mode = mode }
        try battle.go(until: 5)
        for proxy in battle.proxies { proxy.mode = .open }
        try battle.go(until: 5)
    }
    #expect(battle.unknown > 0)
    try battle.check()
}

@Test(.enabled(if: EtcdNodes.isInstalled, Comment(rawValue: EtcdNodes.lack)), .waits)
func `what etcd acknowledged is gone with the disks of all nodes, and that is noticed`() throws {
    let nodes = try EtcdNodes()
    var log = try EtcdLog(of: "gone", at: nodes.urls)
    try log.waitUntilItAnswers()
    try log.begin(Partition(0), after: .zero)
    try log.settle()
    for place in 0..<3 as Range<UInt64> {
        let ticket = try log.append([LogAppend(Partition(0), behind: LogSequence(place), [1])])
        try log.settle()
        let events = try log.takeEvents()
        #expect(events == [.appended(ticket)])
    }
    for node in 0..<3 { nodes.kill(node) }
    for node in 0..<3 { try nodes.start(node) }
    try log.waitUntilItAnswers()
    let tail = try log.tail(of: Partition(0))
    #expect(tail == LogExtent(last: LogSequence(3), trimmed: .zero))
    #expect(log.takeComplaints().isEmpty)
    for node in 0..<3 { nodes.kill(node) }
    for node in 0..<3 {
        try nodes.wipe(node)
        try nodes.start(node)
    }
    var events: [LogEvent] = []
    let end = ContinuousClock.now + patience
    while events.isEmpty {
        try #require(.now < end, "etcd does not answer")
        try log.read(Partition(0), after: .zero, limit: 8)
        try log.settle()
        events = try log.takeEvents()
    }
    #expect(events == [.reset(Partition(0))])
    #expect(log.takeComplaints().contains { if case .forgot = $0 { true } else { false } })
}
