import Names
import Pool
import Replication
import Storage
import TestSupport
import Testing
import Wire

@testable import Daemons

private let map = PartitionMap(partitions: 3, shards: 6)!
private let hosts = ["a", "b"].map { try! HostID($0) }

/// A host with one journal for the logs of three partitions, over a log in a file.
private final class Host {
    let name: HostID
    private let folder: DataFolder
    private let log: String
    private var crew: ReplicaCrew<LocalLog>
    private var journal: SQLiteJournal
    private var turns: [Partition: ProposedTurn<Int>] = [:]
    /// The words that it says to others.
    var words: [HostWord] = []
    var (kept, lost) = (0, 0)

    init(_ name: HostID, in folder: DataFolder, log: String, at now: Moment) throws {
        var journal = try SQLiteJournal(in: folder, settings: JournalSettings(durability: .full, shards: map.shards))
        let records = try OpenedRecords(in: folder, partitions: map.partitions, &journal)
        var plan = HostPlan(host: name, hosts: hosts, cluster: ClusterID(named: "test", partitions: 3), map: map)
        plan.limits.keyAge = .seconds(5)
        plan.limits.trim = .seconds(4)
        crew = try ReplicaCrew(
            plan, LocalLog.open(path: log), records: { records.take($0) }, ends: { records.end(of: $0) },
            place: records.place, at: now)
        (self.name, self.folder, self.log) = (name, folder, log)
        self.journal = journal
    }

    func live(_ heard: [HostWord], at now: Moment) throws {
        for event in try crew.log.takeEvents() { try crew.take(event) }
        for word in heard { try crew.take(word) }
        try crew.tick(now)
        try fulfil()
        try crew.send()
    }

    private func fulfil() throws {
        while let wish = crew.takeWish() {
            switch wish {
            case .commit(let partition, let turn, let sequence):
                if let turn { try journal.replayAtEnd(turn.content) }
                try crew.committed(sequence, in: partition)
            case .settle(let partition, let isKept):
                if let next = turns[partition]?.settle(isKept: isKept) {
                    try crew.propose(next, in: partition)
                } else if let over = turns.removeValue(forKey: partition) {
                    if isKept { kept += over.waiting } else { lost += over.waiting }
                }
            case .tell(let word, _): words.append(word)
            case .salvage, .copy: Issue.record("\(name) cannot go on: \(wish)")
            case .news: break
            }
        }
    }

    func door(of partition: Partition) -> Replica.Door { crew.replica(of: partition)!.door }
    var open: [Partition] { map.all.filter { door(of: $0) == .open && turns[$0] == nil } }

    func adopt() throws { for partition in map.all { try crew.adopt(partition) } }
    func move(_ partition: Partition, to heir: HostID) throws { try crew.move(partition, to: heir) }

    /// Judges events of partitions that this host owns.
    func post(_ events: [MessageEvent]) throws {
        var keeper = Bookkeeper(shards: map.shards)
        keeper.open(room: IngestRoom(live: 99, backfill: 99, retryAfter: 1))
        _ = try keeper.take(
            IngestRequest(events: events.map { .success(.message($0)) } as [Result<ChatEvent, EventFault>]),
            from: Peer(route: []), in: &journal)
        let places = Dictionary(uniqueKeysWithValues: map.all.map { ($0, crew.replica(of: $0)!.applied.next) })
        let turn = keeper.close()
        for (partition, pieces) in try turn.pieces(among: map, atMost: 200, in: &journal, next: { places[$0]! }) {
            let proposed = ProposedTurn(pieces, pieces.reduce(0) { $0 + $1.entries.count })
            turns[partition] = proposed
            try crew.propose(proposed.first!, in: partition)
        }
    }

    func text(of key: MessageKey) throws -> String? {
        guard let card = try journal.message(key)?.card, let at = card.body?.value.at else { return nil }
        return try journal.body(at: at).map { String(decoding: $0.content, as: UTF8.self) }
    }

    var isIdle: Bool { turns.isEmpty }
    var end: Int64 { journal.nextPosition.number }
    var places: [LogSequence] { map.all.map { crew.replica(of: $0)!.applied.sequence } }
    var isTrimmed: Bool { map.all.allSatisfy { crew.replica(of: $0)!.trail.first.sequence > .zero } }
}

/// Two hosts that hear each other.
private final class Pair {
    private(set) var all: [Host] = []
    private(set) var now = Moment.start
    private let files: TemporaryFolder

    init() throws {
        files = try TemporaryFolder()
        for name in hosts { all.append(try start(name)) }
    }

    private func start(_ name: HostID) throws -> Host {
        try Host(name, in: DataFolder(files.file(name.text)), log: files.file("log.db"), at: now)
    }

    func live() throws {
        now = now + .milliseconds(50)
        let words = all.map(\.words)
        for host in all { host.words = [] }
        for (place, host) in all.enumerated() { try host.live(words[1 - place], at: now) }
    }

    func restart(_ place: Int) throws {
        let name = all[place].name
        // Its lock goes with it.
        let other = all[1 - place]
        all = []
        let again = try start(name)
        all = place == 0 ? [again, other] : [other, again]
    }

    func until(_ seconds: Int = 120, _ condition: () throws -> Bool) throws {
        let end = now + .seconds(seconds)
        while try !condition() {
            try #require(now < end, "it does not come to that")
            try live()
        }
    }
}

private func event(_ number: Int, using random: inout SplitMix64) throws -> MessageEvent {
    let body = MessageBody(
        sender: try SenderID("ada"), time: Timestamp(milliseconds: 5), content: Array("text \(number)".utf8))
    return MessageEvent(
        conversation: try ConversationID("c\(Int.random(in: 0..<12, using: &random))"),
        message: try MessageID("m\(Int.random(in: 0..<30, using: &random))"), revision: Revision(UInt64(number + 1)),
        body: body, order: Int64(number))
}

@Test func `two hosts with the logs of three partitions come to the same, also when one starts again`() throws {
    let pair = try Pair()
    var random = SplitMix64(seed: 3)
    try pair.until {
        try pair.all[0].adopt()
        return pair.all.reduce(0) { $0 + $1.open.count } == 3
    }
    // Each owns one at least.
    try pair.all[0].move(Partition(0), to: hosts[1])
    try pair.all[1].move(Partition(1), to: hosts[0])
    try pair.until { pair.all[1].open.contains(Partition(0)) && pair.all[0].open.contains(Partition(1)) }
    var newest: [MessageKey: String] = [:]
    var number = 0
    for round in 0..<60 {
        for host in pair.all {
            var events: [MessageEvent] = []
            for _ in 0..<40 where events.count < 8 {
                let event = try event(number, using: &random)
                guard host.open.contains(map.partition(of: event.conversation)) else { continue }
                events.append(event)
                newest[MessageKey(event.conversation, event.message)] = "text \(number)"
                number += 1
            }
            if !events.isEmpty { try host.post(events) }
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) { try pair.live() }
        if round % 20 == 10 {
            // A turn that its process did not see in the log may be there or not.
            try pair.until { pair.all.allSatisfy(\.isIdle) }
            try pair.restart(round % 40 == 10 ? 0 : 1)
        }
    }
    for _ in 0..<400 { try pair.live() }
    try pair.until { pair.all[0].places == pair.all[1].places }
    #expect(pair.all.allSatisfy { $0.lost == 0 && $0.kept > 0 && $0.isTrimmed })
    #expect(pair.all[0].end == Int64(number) && pair.all[1].end == Int64(number))
    for (key, text) in newest {
        for host in pair.all { #expect(try host.text(of: key) == text) }
    }
}
