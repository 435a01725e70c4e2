import Daemons
import Names
package import Replication
import Storage
import TestSupport
import Testing
import Wire

extension HostFleet {
    /// Posts to three hosts over one log, ends the one that owns it and starts it again: all accepted messages are in
    /// the journal of each of them, in order, once.
    package static func run<Log: AwaitedLog & SendableMetatype & ~Copyable>(
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
        // On a busy machine a host may be silent for so long that another one claims the log.
        var owner: HostID?
        let end = ContinuousClock.now + patience
        while owner == nil {
            try #require(.now < end, "nobody owns the log")
            owner = fleet.owner(of: Partition(0))
        }
        let killed = try #require(owner)
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
}
