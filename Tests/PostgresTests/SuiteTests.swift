import Dispatch
import Pool
import Replication
import Synchronization
import TestSupport
import Testing

@testable import Postgres

/// The suite on clients of this server; each run of it has a cluster of its own there.
private func suite(_ name: String, on node: PostgresNode, quota: Int64? = nil) -> TurnLogSuite<PostgresLog> {
    TurnLogSuite {
        var log = try PostgresLog(of: name, at: node.url)
        if let quota { log.quota = quota }
        try log.waitUntilItAnswers()
        return log
    }
}

extension PostgresLog {
    /// Waits for a server that starts: it answers when its start is over.
    mutating func waitUntilItAnswers() throws {
        let end = ContinuousClock.now + patience
        while true {
            try read(Partition(9), after: .zero, limit: 1)
            if try !takeEvents().isEmpty { break }
            try #require(.now < end, "PostgreSQL does not answer: \(takeWords())")
            try wait(atMost: .milliseconds(50), orFor: [])
        }
        _ = takeWords()
    }
}

@Test(.enabled(if: PostgresNode.isInstalled, Comment(rawValue: PostgresNode.lack)), .waits)
func `PostgreSQL does what every log of turns must`() throws {
    let node = try PostgresNode()
    try TurnLogSuite.run(rounds: 400) { suite($0, on: node) }
    try suite("full", on: node, quota: 2 << 20).saysThatItIsFull(records: 400_000, most: 40)
}

@Test(.enabled(if: PostgresNode.isInstalled, Comment(rawValue: PostgresNode.lack)), .waits)
func `hosts that come to a new database at once make one log of it`() throws {
    let node = try PostgresNode()
    let url = node.url
    DispatchQueue.concurrentPerform(iterations: 4) { number in
        do {
            var log = try PostgresLog(of: "c", at: url)
            try log.waitUntilItAnswers()
            try log.begin(Partition(0), after: .zero)
            try log.read(Partition(0), after: .zero, limit: 1)
            let events = try log.takeEvents()
            #expect(events == [.end(Partition(0), LogExtent(last: .zero, trimmed: .zero))], "\(number)")
        } catch { Issue.record("\(number): \(error)") }
    }
}

@Test(.enabled(if: PostgresNode.isInstalled, Comment(rawValue: PostgresNode.lack)), .waits)
func `an append waits for one behind the same place that is not committed yet, and is overtaken by it`() throws {
    let node = try PostgresNode()
    let url = node.url
    var log = try PostgresLog(of: "c", at: url)
    try log.waitUntilItAnswers()
    try log.begin(Partition(0), after: .zero)
    let first = try PostgresLink(to: url)
    func rows(_ outcome: PostgresLink.Outcome) throws -> [PostgresLink.Row] {
        guard case .rows(let rows) = outcome else { throw PostgresError.noConnection("\(outcome)") }
        return rows
    }
    _ = try rows(first.run(#"BEGIN; SELECT forme_append_1('c', '{0}', '{0}', ARRAY['\x01'::bytea], 1000)"#))
    let told = Mutex<[LogEvent]>([])
    let second = DispatchGroup()
    DispatchQueue.global().async(group: second) {
        do {
            var log = try PostgresLog(of: "c", at: url)
            try log.waitUntilItAnswers()
            _ = try log.append([LogAppend(Partition(0), behind: .zero, [2])])
            let events = try log.takeEvents()
            told.withLock { $0 = events }
        } catch { Issue.record("\(error)") }
    }
    let end = ContinuousClock.now + patience
    while try rows(first.run("SELECT 1 FROM pg_locks WHERE NOT granted", [])).isEmpty { try #require(.now < end) }
    _ = try rows(first.run("COMMIT"))
    second.wait()
    #expect(told.withLock(\.self) == [.overtaken(AppendTicket(1), [Partition(0)])])
}

@Test(.enabled(if: PostgresNode.isInstalled, Comment(rawValue: PostgresNode.lack)), .waits)
func `an append that a server did not answer is of unknown outcome, and the next server is asked again`() throws {
    let node = try PostgresNode()
    var log = try PostgresLog(of: "c", at: node.url)
    try log.waitUntilItAnswers()
    try log.begin(Partition(0), after: .zero)
    func append(_ byte: UInt8, behind place: UInt64) throws -> [LogEvent] {
        let ticket = try log.append([LogAppend(Partition(0), behind: LogSequence(place), [byte])])
        let events = try log.takeEvents()
        #expect(events.count == 1)
        return events.map {
            $0 == .appended(ticket)
                ? .appended(AppendTicket(0)) : $0 == .unknown(ticket) ? .unknown(AppendTicket(0)) : $0
        }
    }
    let (appended, unknown) = ([LogEvent.appended(AppendTicket(0))], [LogEvent.unknown(AppendTicket(0))])
    let first = try append(1, behind: 0)
    #expect(first == appended)
    node.pause()
    let start = ContinuousClock.now
    let second = try append(2, behind: 1)
    #expect(second == unknown && .now - start < .seconds(4))
    node.goOn()
    node.kill()
    let third = try append(2, behind: 1)
    #expect(third == unknown)
    try node.start()
    try log.waitUntilItAnswers()
    // The paused server may have done the append when it went on.
    try log.read(Partition(0), after: LogSequence(1), limit: 8)
    let landed = try log.takeEvents().contains(.entry(Partition(0), LogSequence(2), [2]))
    let last = try append(3, behind: landed ? 2 : 1)
    #expect(last == appended)
}

@Test(.enabled(if: PostgresNode.isInstalled, Comment(rawValue: PostgresNode.lack)), .waits)
func `records that do not come in time are asked for again in smaller numbers`() throws {
    let node = try PostgresNode()
    let proxy = try TCPProxy(to: node.port)
    var log = try PostgresLog(of: "c", at: "postgresql://forme@127.0.0.1:\(proxy.port)/postgres")
    try log.waitUntilItAnswers()
    try log.begin(Partition(0), after: .zero)
    let record = [UInt8](repeating: 7, count: 256 << 10)
    for place in 0..<UInt64(4) { _ = try log.append([LogAppend(Partition(0), behind: LogSequence(place), record)]) }
    _ = try log.takeEvents()
    // All of them take 2.6 seconds, and an answer is waited for two.
    proxy.mode = .slow(bytesPerSecond: 400_000)
    var events: [LogEvent] = []
    for _ in 0..<3 where events.isEmpty {
        try log.read(Partition(0), after: .zero, limit: 4)
        events = try log.takeEvents()
    }
    #expect(events.first == .entry(Partition(0), LogSequence(1), record))
    proxy.mode = .open
}

@Test(
    .enabled(if: PostgresNode.isInstalled, Comment(rawValue: PostgresNode.lack)), .waits,
    arguments: [("off", "on"), ("local", "on"), ("remote_write", "on"), ("remote_apply", "remote_apply")])
func `what is answered is on the disks, whatever the server's other users are content with`(
    theirs: String, ours: String
) throws {
    let node = try PostgresNode(settings: ["synchronous_commit=\(theirs)"])
    var log = try PostgresLog(of: "c", at: node.url)
    try log.waitUntilItAnswers()
    let link = try PostgresLink(to: node.url)
    func setting() -> String? {
        guard case .rows(let rows) = link.run("SELECT current_setting('synchronous_commit')", []) else { return nil }
        return rows.first?.first?.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(setting() == theirs)
    guard case .rows = link.run(PostgresSchema.statements) else {
        Issue.record("the statements are refused")
        return
    }
    #expect(setting() == ours)
}

@Test(arguments: ["http://127.0.0.1:2379", "127.0.0.1:5432", ""])
func `an address of something else is refused`(url: String) {
    #expect(throws: PostgresError.address(url)) { _ = try PostgresLog(of: "c", at: url) }
}

@Test func `a server that takes no connection is tried at most each quarter of a second, however often is appended`()
    throws
{
    // Nobody listens at this port.
    var log = try PostgresLog(of: "c", at: "postgresql://127.0.0.1:1/none")
    let start = ContinuousClock.now
    for number in 1...3 as ClosedRange<UInt64> {
        let ticket = try log.append([LogAppend(Partition(0), behind: .zero, [1])])
        let events = try log.takeEvents()
        #expect(events == [.unknown(AppendTicket(number))] && ticket == AppendTicket(number))
    }
    #expect(.now - start >= .milliseconds(500))
    let words = log.takeWords()
    #expect(words.count == 1)
}

@Test(.enabled(if: PostgresNode.isInstalled, Comment(rawValue: PostgresNode.lack)), .waits)
func `an append that a server refuses for a reason of its own is told a quarter of a second later`() throws {
    let node = try PostgresNode()
    var log = try PostgresLog(of: "c", at: node.url)
    try log.waitUntilItAnswers()
    let link = try PostgresLink(to: node.url)
    guard case .rows = link.run("DROP FUNCTION forme_append_1") else {
        Issue.record("the function is not dropped")
        return
    }
    let start = ContinuousClock.now
    let ticket = try log.append([LogAppend(Partition(0), behind: .zero, [1])])
    let events = try log.takeEvents()
    #expect(events == [.unknown(ticket)] && .now - start >= .milliseconds(250))
}
