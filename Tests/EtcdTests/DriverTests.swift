import Daemons
import Etcd
import Names
import Replication
import Storage
import TestSupport
import Testing
import Wire

@Test(.enabled(if: EtcdNodes.isInstalled, Comment(rawValue: EtcdNodes.lack)), .waits)
func `what three hosts over etcd accepted is in the journal of each of them, in order, once, whoever was killed`()
    throws
{
    let nodes = try EtcdNodes()
    let urls = nodes.urls
    try run { host in
        try EtcdLog(of: "hosts", at: (0..<3).map { urls[($0 + host) % 3] })
    } whileFirstIsGone: {
        // The engine loses a node with it.
        nodes.kill(0)
    } after: {
        try nodes.start(0)
    }
}

@Test(.waits) func `the same over a log that processes of one machine share`() throws {
    let folder = try TemporaryFolder()
    try run { _ in try LocalLog.open(path: folder.file("log.db")) }
}

private func run<Log: AwaitedLog & SendableMetatype & ~Copyable>(
    over open: @escaping @Sendable (Int) throws -> Log, whileFirstIsGone: () throws -> Void = {},
    after: () throws -> Void = {}
) throws {
    let fleet = try HostFleet()
    func start(_ host: Int) throws { try fleet.start(fleet.hosts[host]) { try open(host) } }
    for host in 0..<3 { try start(host) }
    try fleet.settle()
    let conversations = try (0..<6).map { try ConversationID("c\($0)") }
    var posted: [[String]] = conversations.map { _ in [] }
    var number = 0
    func post(_ requests: Int) throws {
        for _ in 0..<requests {
            let place = number % conversations.count
            let texts = (0..<4).map { "m\(number * 4 + $0)" }
            try fleet.post(texts, to: conversations[place])
            posted[place] += texts
            number += 1
        }
    }
    try post(20)
    let killed = try #require(fleet.owner(of: Partition(0)))
    fleet.kill(killed)
    try whileFirstIsGone()
    try post(20)
    try after()
    try start(fleet.hosts.firstIndex(of: killed)!)
    try post(10)
    try fleet.level()
    for host in fleet.hosts { fleet.kill(host) }
    for partition in fleet.partitions {
        let journals = try fleet.hosts.map { try fleet.texts(of: $0, partition) }
        #expect(journals.allSatisfy { $0 == journals[0] })
        let own = conversations.indices.filter { fleet.map.partition(of: conversations[$0]) == partition }
        #expect(Set(journals[0]).count == journals[0].count)
        #expect(Set(journals[0]) == Set(own.flatMap { posted[$0] }))
        for place in own {
            let texts = Set(posted[place])
            #expect(journals[0].filter(texts.contains) == posted[place])
        }
    }
    let losses = fleet.news.filter { if case .replica(_, .lost) = $0 { true } else { false } }
    #expect(losses.isEmpty)
}
