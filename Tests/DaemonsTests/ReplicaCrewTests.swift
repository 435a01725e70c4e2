import Names
import Pool
import Replication
import Storage
import TestSupport
import Testing
import Wire

@testable import Daemons

private let partition = Partition(0)

/// The only host of a cluster, over a log in a file.
private struct Alone: ~Copyable {
    var crew: ReplicaCrew<LocalLog>
    var now = Moment.start
    private let files: TemporaryFolder

    /// - Parameter fill: fills its records before it starts.
    init(_ fill: (inout ReplicaRecords) throws -> Void = { _ in }) throws {
        let files = try TemporaryFolder()
        let host = try HostID("a")
        let map = try #require(PartitionMap(partitions: 1, shards: 2))
        let plan = HostPlan(host: host, hosts: [host], cluster: ClusterID(named: "test"), map: map)
        let log = try LocalLog.open(path: files.file("log.db"))
        var filled = try ReplicaRecords(path: files.file("replica.db"))
        try fill(&filled)
        _ = consume filled
        crew = try ReplicaCrew(
            plan, log, records: { _ in try ReplicaRecords(path: files.file("replica.db")) },
            ends: { _ in LogPosition(0) },
            at: .start)
        self.files = files
    }

    /// Lets a second pass, and returns the wishes of the crew; a commit is done at once.
    mutating func live() throws -> [ReplicaCrew<LocalLog>.Wish] {
        var wishes: [ReplicaCrew<LocalLog>.Wish] = []
        for _ in 0..<20 {
            now = now + .milliseconds(50)
            for event in try crew.log.takeEvents() { try crew.take(event) }
            try crew.tick(now)
            while let wish = crew.takeWish() {
                if case .commit(_, _, let sequence) = wish { try crew.committed(sequence, in: partition) }
                wishes.append(wish)
            }
            try crew.send()
        }
        return wishes
    }

    mutating func begin() throws {
        _ = try live()
        try crew.adopt(partition)
        while crew.replica(of: partition)?.standing != .owning {
            _ = try live()
            try #require(now < .start + .seconds(60))
        }
        while crew.replica(of: partition)?.door != .open {
            _ = try live()
            try #require(now < .start + .seconds(90))
        }
    }
}

private func turn(_ text: String, at place: Int64) throws -> TurnContent {
    let body = MessageBody(sender: try SenderID("ada"), time: Timestamp(milliseconds: 5), content: Array(text.utf8))
    let event = MessageEvent(
        conversation: try ConversationID("c"), message: try MessageID(text), revision: Revision(1), body: body, order: 1
    )
    return TurnContent(
        first: LogPosition(place), entries: [JournalEntry(event: event, lane: .live, cards: [], jobs: [])])
}

private func settled(_ wishes: [ReplicaCrew<LocalLog>.Wish]) -> [Bool] {
    wishes.compactMap { if case .settle(_, let isKept) = $0 { isKept } else { nil } }
}

private func committed(_ wishes: [ReplicaCrew<LocalLog>.Wish]) -> [TurnContent] {
    wishes.compactMap { if case .commit(_, let turn?, _) = $0 { turn.content } else { nil } }
}

@Test func `a turn is settled when the log has it and the journal, and not before`() throws {
    var host = try Alone()
    try host.begin()
    let content = try turn("m1", at: 0)
    try host.crew.propose(content, in: partition)
    let early = host.crew.takeWish()
    #expect(early == nil)
    let wishes = try host.live()
    #expect(committed(wishes) == [content] && settled(wishes) == [true])
    let order = wishes.compactMap { wish -> String? in
        switch wish {
        case .commit(_, _?, _): "commit"
        case .settle: "settle"
        default: nil
        }
    }
    #expect(order == ["commit", "settle"])
}

@Test func `a turn that was judged before another one came is not taken`() throws {
    var host = try Alone()
    try host.begin()
    try host.crew.propose(try turn("m1", at: 0), in: partition)
    _ = try host.live()
    // The journal goes on at 1 now.
    try host.crew.propose(try turn("m2", at: 0), in: partition)
    let wishes = try host.live()
    #expect(settled(wishes) == [false] && committed(wishes).isEmpty)
}

@Test func `a turn that no host could read is not kept, and the owner goes on`() throws {
    var host = try Alone()
    try host.begin()
    let long = MessageBody(
        sender: try SenderID("ada"), time: Timestamp(milliseconds: 5),
        content: [UInt8](repeating: 7, count: LogBounds.record))
    var content = try turn("m1", at: 0)
    content.entries[0].event.body = long
    try host.crew.propose(content, in: partition)
    let wishes = try host.live()
    let door = host.crew.replica(of: partition)?.door
    #expect(settled(wishes) == [false] && committed(wishes).isEmpty && door == .open)
    let next = try turn("m2", at: 0)
    try host.crew.propose(next, in: partition)
    let more = try host.live()
    #expect(settled(more) == [true] && committed(more) == [next])
}

@Test func `turns that the log may lack are salvaged page by page, the next one when those before are posted`() throws {
    let count = Int64(LogBounds.page + 6)
    var host = try Alone { records in
        for place in 0..<count {
            let anchor = LogAnchor(
                sequence: LogSequence(UInt64(place + 1)), link: ChainLink(UInt64(place + 1)), reign: Reign(1),
                owner: try HostID("a"), next: LogPosition(place + 1))
            try records.commit(ReplayedTurn(try turn("m\(place)", at: place), next: anchor.next), anchor)
        }
    }
    // No host can read the next record, so this one is lost.
    try host.crew.take(.entry(partition, LogSequence(UInt64(count + 1)), [1]))
    var pages: [[ReplayedTurn]] = []
    for _ in 0..<2 {
        let standing = host.crew.replica(of: partition)?.standing
        #expect(standing == .lost(.salvaging))
        for case .salvage(_, let turns) in try host.live() { pages.append(turns) }
        try host.crew.salvaged(partition)
    }
    let standing = host.crew.replica(of: partition)?.standing
    #expect(standing == .lost(.waiting) && pages.map(\.count) == [LogBounds.page, 6])
    #expect(pages.joined().map(\.content.first.number) == Array(0..<count))
}
