import Names
import Pool
import Replication
import Storage
import Synchronization
import TestSupport
import Testing
import Transport
import Wire

@testable import Daemons

/// A log in a file that stops taking records when it is told to, as an engine without a leader does.
private struct FadingLog: AwaitedLog, ~Copyable {
    typealias Failure = StorageError

    final class Silence: Sendable {
        private let isOn = Mutex(false)
        var reigns: Bool { isOn.withLock { $0 } }
        func begin() { isOn.withLock { $0 = true } }
    }

    var log: LocalLog
    let silence: Silence

    mutating func append(_ records: [LogAppend]) throws(StorageError) -> AppendTicket {
        silence.reigns ? AppendTicket(.max) : try log.append(records)
    }
    mutating func read(_ partition: Partition, after: LogSequence, limit: Int) throws(StorageError) {
        if !silence.reigns { try log.read(partition, after: after, limit: limit) }
    }
    mutating func trim(_ partition: Partition, to place: LogSequence) throws(StorageError) {
        try log.trim(partition, to: place)
    }
    mutating func begin(
        _ partition: Partition, after place: LogSequence, inPlaceOf end: LogSequence?
    ) throws(StorageError) {
        try log.begin(partition, after: place, inPlaceOf: end)
    }
    mutating func takeEvents() throws(StorageError) -> [LogEvent] { try log.takeEvents() }
    mutating func takeWords() -> [String] { log.takeWords() }
    mutating func wait(atMost time: Duration, orFor descriptors: [Int32]) throws(StorageError) {
        try log.wait(atMost: time, orFor: descriptors)
    }
}

/// The seat of the only host of a cluster.
private struct Alone: ~Copyable {
    let silence = FadingLog.Silence()
    var seat: ClusterSeat
    var now = Moment.start
    private let files: TemporaryFolder

    init() throws {
        let (files, silence, host) = (try TemporaryFolder(), silence, try HostID("a"))
        let path = files.file("log.db")
        let port = try Ports.one()
        let place = ClusterPlace(name: "test", host: host, hosts: [host: "tcp://127.0.0.1:\(port)"]) {
            try LogLane { FadingLog(log: try LocalLog.open(path: path), silence: silence) }
        }
        seat = try ClusterSeat(
            place, OpenedRecords(of: ReplicaRecords(path: files.file("replica.db"))), in: DataFolder(files.path),
            shards: 4, access: Access(), at: .start)
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

    mutating func begin() throws {
        while seat.door(of: Partition(0)) != .open {
            try #require(now < .start + .seconds(600), "it does not own the log")
            try live()
            _ = try seat.obey(.adopt())
        }
    }
}

private func request() throws -> HeardRequest {
    let bytes = Array(#"{"events":[{"conversation":"c","message":"m","revision":1,"deleted":true}]}"#.utf8)
    return HeardRequest(request: try IngestRequest(parsing: bytes), envelope: [[1]], payer: nil, bytes: bytes)
}

private func turn() throws -> TurnContent {
    let event = MessageEvent(
        conversation: try ConversationID("c"), message: try MessageID("m"), revision: Revision(1), isDeleted: true)
    return TurnContent(first: LogPosition(0), entries: [JournalEntry(event: event, lane: .live, cards: [], jobs: [])])
}

@Test func `what is posted waits for the turn on its way, and is refused where the engine does not answer`() throws {
    var host = try Alone()
    try host.begin()
    let hears = host.seat.isHearing
    #expect(hears)
    let judged = try host.seat.sort([try request()], at: host.now)
    #expect(judged.own.count == 1 && judged.refused.isEmpty)

    host.silence.begin()
    try host.seat.propose(
        ProposedTurn(try turn(), ClusterSeat.Judged(answers: [], start: host.now)), to: Partition(0))
    let hearsOn = host.seat.isHearing
    #expect(!hearsOn)
    let start = host.now
    while !host.seat.isHearing {
        try #require(host.now < start + .seconds(3), "what is posted waits for ever")
        try host.live()
    }
    let refused = try host.seat.sort([try request()], at: host.now)
    #expect(refused.own.isEmpty && refused.refused.count == 1 && refused.forwarded == 0)
    let isOpen = host.seat.isOpen
    #expect(!isOpen)
}

@Test func `a log that was not read yet is not taken for one that was begun before`() throws {
    var host = try Alone()
    host.silence.begin()
    try host.live()
    guard case .error(let early)? = try host.seat.obey(.adopt()) else {
        Issue.record("it began a log")
        return
    }
    #expect(early.contains("has not read the log"))
    var other = try Alone()
    try other.begin()
    let late = try other.seat.obey(.adopt())
    #expect(late == .error("the log of this cluster was begun before"))
}

@Test func `producers of a turn on its way are answered once, where the engine does not answer`() throws {
    var host = try Alone()
    try host.begin()
    host.silence.begin()
    let waiting = PendingAnswer(envelope: [[1]], answers: [Judgement(.duplicate)])
    try host.seat.propose(
        ProposedTurn(try turn(), ClusterSeat.Judged(answers: [waiting], start: host.now)), to: Partition(0))
    let start = host.now
    var judged = host.seat.takeJudged()
    #expect(judged.isEmpty)
    while judged.isEmpty {
        try #require(host.now < start + .seconds(3), "they wait for ever")
        try host.live()
        judged = host.seat.takeJudged()
    }
    #expect(judged.map(\.start) == [start] && judged[0].answers.map(\.envelope) == [[[1]]])
    let busy = EventAnswer.busy(retryAfter: ClusterSeat.retryAfter, reason: .cluster)
    #expect(judged[0].answers[0].answers.map(\.answer) == [busy])
    // The turn may be kept all the same; then nobody waits for that.
    try host.seat.settle(Partition(0), isKept: true)
    judged = host.seat.takeJudged()
    let late = judged.flatMap(\.answers)
    #expect(late.isEmpty)
}
