import Names
import Pool
import Replication
import Storage
import TestSupport
import Testing
import Transport
import Wire

@testable import Daemons

private let map = PartitionMap(partitions: 3, shards: 6)!

/// The seat of the only host of a cluster whose log has three partitions.
private struct Lone: ~Copyable {
    var seat: ClusterSeat
    var now = Moment.start
    private let files: TemporaryFolder

    init() throws {
        let (files, host, port) = (try TemporaryFolder(), try HostID("a"), try Ports.one())
        let (path, folder) = (files.file("log.db"), DataFolder(files.file("data")))
        var place = ClusterPlace(name: "test", host: host, hosts: [host: "tcp://127.0.0.1:\(port)"]) {
            try LogLane { try LocalLog.open(path: path) }
        }
        place.partitions = map.partitions
        var journal = try SQLiteJournal(in: folder, settings: JournalSettings(durability: .full, shards: map.shards))
        let records = try OpenedRecords(in: folder, partitions: map.partitions, &journal)
        seat = try ClusterSeat(place, records, in: folder, shards: map.shards, access: Access(), at: .start)
        self.files = files
    }

    /// Does all that is to be done in a twentieth of a second.
    mutating func live() throws {
        now = now + .milliseconds(50)
        try seat.hear(nil, nil, at: now)
        while let wish = seat.takeWish() {
            if case .commit(let partition, _, let sequence) = wish { try seat.committed(sequence, in: partition) }
        }
        try seat.send()
        _ = try wait(for: seat.sources, atMost: .milliseconds(5))
    }

    /// Lets the host own the logs of some partitions.
    mutating func begin(_ partitions: [Int]) throws {
        while !partitions.allSatisfy({ seat.door(of: Partition(UInt16($0))) == .open }) {
            try #require(now < .start + .seconds(600), "it does not own the logs")
            try live()
            for number in partitions { _ = try seat.obey(.adopt(partition: number)) }
        }
    }
}

private func conversation(of partition: Int) throws -> ConversationID {
    let all = try (0..<200).map { try ConversationID("c\($0)") }
    let own = all.first { Int(map.partition(of: $0).number) == partition }
    return try #require(own)
}

private func event(of partition: Int) throws -> MessageEvent {
    MessageEvent(conversation: try conversation(of: partition), message: try MessageID("m"), isDeleted: true)
}

/// A request with an event of each of these partitions.
private func heard(_ partitions: [Int], by route: [UInt8] = [0, 1]) throws -> HeardRequest {
    let events: [Result<ChatEvent, EventFault>] = try partitions.map { .success(.message(try event(of: $0))) }
    return HeardRequest(request: IngestRequest(events: events), envelope: [route], payer: nil, bytes: [])
}

private let busy = EventAnswer.busy(retryAfter: ClusterSeat.retryAfter, reason: .cluster)

@Test func `events of a partition without an owner are busy, and the others of their request are kept`() throws {
    var host = try Lone()
    try host.begin([0, 2])
    let sorted = try host.seat.sort([try heard([2, 1, 0])], at: host.now)
    #expect(sorted.own.map(\.partition) == [Partition(0), Partition(2)] && sorted.forwarded == 0)
    #expect(sorted.refused.map(\.partition) == [Partition(1)])
    let lines = (sorted.refused + sorted.own).compactMap { PartLine($0.envelope) }
    try #require(lines.count == 3)
    let limits = RequestLimits()
    let refused = EventAnswer.json([busy], limits: limits)
    let kept = [EventAnswer.json([.accepted], limits: limits), EventAnswer.json([.duplicate], limits: limits)]
    let early = [
        host.seat.splits.take(refused, to: lines[0], limits: limits),
        host.seat.splits.take(kept[0], to: lines[1], limits: limits),
    ]
    #expect(early.allSatisfy { $0 == nil })
    let last = host.seat.splits.take(kept[1], to: lines[2], limits: limits)
    let whole = try #require(last)
    #expect(whole.envelope == [[0, 1]])
    #expect(try IngestReply(parsing: whole.json) == .answered([.duplicate, busy, .accepted]))
}

@Test func `a host takes events as long as any partition has an owner, and knows those that have none`() throws {
    var host = try Lone()
    try host.live()
    let (wasOpen, all) = (host.seat.isOpen, host.seat.closed)
    #expect(!wasOpen && all == map.all)
    try host.begin([1])
    let (isOpen, closed, isHearing) = (host.seat.isOpen, host.seat.closed, host.seat.isHearing)
    #expect(isOpen && closed == [Partition(0), Partition(2)] && isHearing)
}

@Test func `a request waits for the turn of its partition that is on its way, and the next turn has it`() throws {
    var host = try Lone()
    try host.begin([0, 2])
    let turn = TurnContent(
        first: LogPosition(0), entries: [JournalEntry(event: try event(of: 0), lane: .live, cards: [], jobs: [])])
    try host.seat.propose(
        ProposedTurn(turn, ClusterSeat.Judged(answers: [], start: host.now)), to: Partition(0))
    let first = try host.seat.sort([try heard([0]), try heard([2])], at: host.now)
    #expect(first.own.map(\.partition) == [Partition(2)] && first.refused.isEmpty)
    try host.seat.settle(Partition(0), isKept: false)
    while host.seat.door(of: Partition(0)) != .open {
        try #require(host.now < .start + .seconds(600), "the turn does not end")
        try host.live()
    }
    let second = try host.seat.sort([], at: host.now)
    #expect(second.own.map(\.partition) == [Partition(0)] && second.refused.isEmpty)
}

@Test func `all who wait for a log or for another host are told to post again when their process ends`() throws {
    var host = try Lone()
    try host.begin([0])
    let turn = TurnContent(
        first: LogPosition(0), entries: [JournalEntry(event: try event(of: 0), lane: .live, cards: [], jobs: [])])
    let judgements = [Judgement(.accepted), Judgement(.invalid(field: "body", reason: "is missing"))]
    let judged = PendingAnswer(envelope: [[0, 2]], answers: judgements, partition: Partition(0))
    try host.seat.propose(
        ProposedTurn(turn, ClusterSeat.Judged(answers: [judged], start: host.now)), to: Partition(0))
    let sorted = try host.seat.sort([try heard([0, 0], by: [0, 3])], at: host.now)
    #expect(sorted.own.isEmpty && sorted.refused.isEmpty)
    _ = host.seat.forwarding.begin(
        .producer(envelope: [[0, 4]], events: 3), 9, of: try HostID("b"), in: Partition(1), at: host.now)
    let line = AnswerLine(route: [0, 5], serial: 6)
    let bytes = IngestRequest.json([try event(of: 0)])
    let full = host.seat.forwarding.take(bytes, of: "", on: line)
    #expect(full == nil)

    host.seat.giveUp()
    var unanswered: [[[UInt8]]: Int] = [:]
    for case (.none, .producer(let envelope, let events)) in host.seat.takeAnswers() { unanswered[envelope] = events }
    let expected: [[[UInt8]]: Int] = [[[0, 3]]: 2, [[0, 4]]: 3, [line.frame]: 1]
    #expect(unanswered == expected)
    let over = host.seat.takeJudged().flatMap(\.answers)
    try #require(over.map(\.envelope) == [[[0, 2]]])
    #expect(over[0].answers.map(\.answer) == [busy, .invalid(field: "body", reason: "is missing")])
    host.seat.giveUp()
    let (answers, more) = (host.seat.takeAnswers(), host.seat.takeJudged())
    #expect(answers.isEmpty && more.isEmpty)
}

/// The next message to a producer; nil where none comes.
private func told(_ producer: borrowing Socket) throws -> [[UInt8]]? {
    let end = ContinuousClock.now + patience
    while .now < end {
        _ = try wait(for: [producer.source], atMost: .milliseconds(20))
        if let parts = try producer.receive() { return parts }
    }
    return nil
}

@Test func `answers that wait for no log are given with their turn, though the turn of a log ends meanwhile`() throws {
    let files = try TemporaryFolder()
    let (host, path, port) = (try HostID("a"), files.file("log.db"), try Ports.one())
    var place = ClusterPlace(name: "test", host: host, hosts: [host: "tcp://127.0.0.1:\(port)"]) {
        try LogLane { try LocalLog.open(path: path) }
    }
    place.partitions = map.partitions
    var settings = CoordinatorSettings(journal: JournalSettings(shards: map.shards))
    settings.cluster = place
    let endpoints = Endpoints(folder: files.path)
    var loop = try CoordinatorLoop(
        in: DataFolder(files.file("data")), at: endpoints, settings: settings, changes: try Mailbox())
    let producer = try Socket(.steadyDealer, in: try Context())
    try producer.connect(endpoints.events)
    #expect(try producer.waitUntilWritable(atMost: patience))
    let request = IngestRequest.json([try event(of: 0)])
    for mark in [7, 8] as [UInt8] { #expect(try producer.send([mark], request) == .done) }
    var heard: [HeardRequest] = []
    let end = ContinuousClock.now + patience
    while heard.count < 2 {
        try #require(.now < end, "nothing is heard")
        _ = try wait(for: [loop.sockets.events.source], atMost: .milliseconds(20))
        heard += try loop.sockets.readRequests(within: RequestLimits())
    }

    loop.answers = [
        PendingAnswer(envelope: heard[0].envelope, answers: [Judgement(.accepted)], partition: Partition(0)),
        PendingAnswer(envelope: heard[1].envelope, answers: [Judgement(.duplicate)], partition: Partition(1)),
    ]
    let entry = JournalEntry(event: try event(of: 0), lane: .live, cards: [], jobs: [])
    let now = loop.clock.now
    // No host owns the log, so that this turn is over when it is proposed.
    try loop.propose(JournalTurn(entries: [entry]), from: now)
    let left = loop.answers
    #expect(left.map(\.envelope) == [heard[1].envelope])
    try loop.send(left, since: now)
    for (mark, answer) in [(7, busy), (8, .duplicate)] as [(UInt8, EventAnswer)] {
        let parts = try told(producer)
        #expect(parts?.first == [mark])
        #expect(try IngestReply(parsing: parts?.last ?? []) == .answered([answer]))
    }
}
