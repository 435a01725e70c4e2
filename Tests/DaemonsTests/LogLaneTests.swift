import Replication
import Storage
import TestSupport
import Testing
import Transport

@testable import Daemons

private let partition = Partition(0)

extension LogLane {
    /// Waits for the events that the test wants, and returns all that came.
    fileprivate mutating func events(
        until isThere: ([LogEvent]) -> Bool
    ) throws -> [LogEvent] {
        var events: [LogEvent] = []
        let end = ContinuousClock.now + patience
        while !isThere(events) {
            try #require(.now < end, "\(events) is all that came")
            _ = try wait(for: [source], atMost: .seconds(1))
            events += try takeEvents()
        }
        return events
    }
}

@Test func `a log on a thread of its own answers under the tickets that it gave`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("log.db")
    var lane = try LogLane { try LocalLog.open(path: path) }
    try lane.begin(partition, after: .zero)
    var tickets: [AppendTicket] = []
    for place in 0..<3 as Range<UInt64> {
        let record = LogAppend(partition, behind: LogSequence(place), [UInt8(place)])
        tickets.append(try lane.append([record]))
    }
    let late = try lane.append([LogAppend(partition, behind: .zero, [9])])
    let events = try lane.events { events in events.contains(.overtaken(late, [partition])) }
    #expect(events.filter { tickets.map(LogEvent.appended).contains($0) }.count == 3)
    #expect(Set(tickets + [late]).count == 4)

    try lane.read(partition, after: LogSequence(1), limit: 9)
    let read = try lane.events { events in
        events.contains { if case .end = $0 { true } else { false } }
    }
    #expect(
        read == [
            .entry(partition, LogSequence(2), [1]), .entry(partition, LogSequence(3), [2]),
            .end(partition, LogExtent(last: LogSequence(3), trimmed: .zero)),
        ])
}

@Test func `an append has the ticket of the loop, whatever the log has counted before`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("log.db")
    var lane = try LogLane { () throws -> LocalLog in
        var log = try LocalLog.open(path: path)
        try log.begin(partition, after: .zero)
        for place in 0..<3 as Range<UInt64> {
            _ = try log.append([LogAppend(partition, behind: LogSequence(place), [UInt8(place)])])
        }
        _ = try log.takeEvents()
        return log
    }
    let next = try lane.append([LogAppend(partition, behind: LogSequence(3), [3])])
    let late = try lane.append([LogAppend(partition, behind: .zero, [9])])
    let events = try lane.events { $0.count == 2 }
    #expect(events == [.appended(next), .overtaken(late, [partition])])
}

@Test func `a log that cannot be opened is an error of the loop that asks it`() throws {
    struct Closed: Error {}
    var lane = try LogLane { () throws -> LocalLog in throw Closed() }
    #expect(throws: Closed.self) { _ = try lane.events { _ in false } }
}
