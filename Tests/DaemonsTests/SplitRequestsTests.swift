import Names
import Pool
import Replication
import TestSupport
import Testing
import Wire

@testable import Daemons

private let map = PartitionMap(partitions: 3, shards: 6)!

private func conversation(of partition: Int, _ number: Int = 0) throws -> ConversationID {
    let all = try (0..<200).map { try ConversationID("c\($0)") }
    return all.filter { Int(map.partition(of: $0).number) == partition }[number]
}

private func event(of partition: Int, _ message: String) throws -> Result<ChatEvent, EventFault> {
    .success(
        .message(
            MessageEvent(
                conversation: try conversation(of: partition), message: try MessageID(message), isDeleted: true)
        ))
}

private let fault = Result<ChatEvent, EventFault>.failure(EventFault(field: "body", reason: "is missing"))

private func heard(_ events: [Result<ChatEvent, EventFault>]) -> HeardRequest {
    HeardRequest(request: IngestRequest(events: events), envelope: [[0, 1], []], payer: nil, bytes: [7])
}

private func json(_ answers: EventAnswer...) -> [UInt8] { EventAnswer.json(answers, limits: RequestLimits()) }

extension SplitRequests {
    /// The parts of a request for which there is room.
    fileprivate mutating func split(_ heard: HeardRequest) throws -> [HeardRequest] {
        let all = parts(of: heard)
        return try #require(all)
    }
}

@Test func `a request of one partition stays whole, whatever faults it has`() throws {
    var splits = SplitRequests(map)
    let parts = try splits.split(heard([try event(of: 1, "m1"), fault, try event(of: 1, "m2")]))
    #expect(parts.map(\.partition) == [Partition(1)] && parts.map(\.bytes) == [[7]])
    #expect(parts.map(\.envelope) == [[[0, 1], []]] && parts[0].request.events.count == 3)
    let again = try splits.split(parts[0])
    #expect(again.map(\.partition) == [Partition(1)])
    let faults = try splits.split(heard([fault]))
    #expect(faults.map(\.partition) == [nil] && faults[0].envelope == [[0, 1], []])
}

@Test func `answers to the parts of a request come together in the order of its events`() throws {
    var splits = SplitRequests(map)
    let events = try [
        event(of: 2, "m0"), fault, event(of: 0, "m1"), event(of: 2, "m2"), event(of: 1, "m3"), event(of: 0, "m4"),
    ]
    let parts = try splits.split(heard(events))
    #expect(parts.map(\.partition) == [Partition(0), Partition(1), Partition(2), nil])
    #expect(parts.map(\.request.events.count) == [2, 1, 2, 1])
    let lines = parts.compactMap { PartLine($0.envelope) }
    #expect(lines.count == 4 && parts.allSatisfy { PartLine.whole($0.envelope) == [[0, 1], []] })
    #expect(parts.allSatisfy { Peer(ofProducer: $0.envelope) == Peer(route: [0, 1]) })

    let limits = RequestLimits()
    let early = [
        splits.take(json(.duplicate, .accepted), to: lines[2], limits: limits),
        splits.take(json(.invalid(field: "body", reason: "is missing")), to: lines[3], limits: limits),
        splits.take(json(.superseded), to: lines[1], limits: limits),
    ]
    #expect(early.allSatisfy { $0 == nil })
    let last = splits.take(json(.accepted, .duplicate), to: lines[0], limits: limits)
    let whole = try #require(last)
    #expect(whole.envelope == [[0, 1], []])
    let expected: [EventAnswer] = [
        .duplicate, .invalid(field: "body", reason: "is missing"), .accepted, .accepted, .superseded, .duplicate,
    ]
    #expect(try IngestReply(parsing: whole.json) == .answered(expected))
    // An answer that comes twice changes nothing.
    let late = splits.take(json(.accepted, .accepted), to: lines[0], limits: limits)
    #expect(late == nil)
}

@Test func `events of a part without an answer to each are to be posted again`() throws {
    var splits = SplitRequests(map)
    let parts = try splits.split(heard([try event(of: 0, "m1"), try event(of: 1, "m2")]))
    let lines = parts.compactMap { PartLine($0.envelope) }
    _ = splits.take(json(.accepted, .accepted), to: lines[0], limits: RequestLimits())
    let last = splits.take([1, 2, 3], to: lines[1], limits: RequestLimits())
    let whole = try #require(last)
    let busy = EventAnswer.busy(retryAfter: ClusterSeat.retryAfter, reason: .cluster)
    #expect(try IngestReply(parsing: whole.json) == .answered([busy, busy]))
}

@Test func `a part that is answered twice is answered once, and the others are waited for`() throws {
    var splits = SplitRequests(map)
    let parts = try splits.split(heard([try event(of: 0, "m1"), try event(of: 1, "m2"), try event(of: 2, "m3")]))
    let lines = parts.compactMap { PartLine($0.envelope) }
    let first = splits.take(json(.accepted), to: lines[0], limits: RequestLimits())
    let again = splits.take(json(.duplicate), to: lines[0], limits: RequestLimits())
    let second = splits.take(json(.superseded), to: lines[1], limits: RequestLimits())
    #expect(first == nil && again == nil && second == nil)
    let last = splits.take(json(.accepted), to: lines[2], limits: RequestLimits())
    let whole = try #require(last)
    #expect(try IngestReply(parsing: whole.json) == .answered([.accepted, .superseded, .accepted]))
}

@Test func `no more events and bytes wait for answers to other parts than there is room for`() throws {
    func isTaken(_ requests: [HeardRequest]) -> [Bool] {
        var splits = SplitRequests(map)
        return requests.map { splits.parts(of: $0) != nil }
    }
    let two = [try event(of: 0, "m1"), try event(of: 1, "m2")]
    let many = heard(Array(repeating: two, count: 512).flatMap(\.self))
    #expect(isTaken(Array(repeating: many, count: 9)) == Array(repeating: true, count: 8) + [false])
    // A request of one partition has no parts that wait for others.
    #expect(isTaken(Array(repeating: many, count: 8) + [heard([two[0]])]).last == true)
    var long = heard(two)
    long.bytes = [UInt8](repeating: 0x20, count: Forwarding.mostBytes / 2)
    #expect(isTaken([long, long]) == [true, false])

    // There is room again when a request is answered.
    var splits = SplitRequests(map)
    let lines = try splits.split(long).compactMap { PartLine($0.envelope) }
    for line in lines { _ = splits.take(json(.accepted), to: line, limits: RequestLimits()) }
    let (first, second) = (splits.parts(of: long), splits.parts(of: long))
    #expect(first != nil && second == nil)
}

@Test func `a cluster with one partition splits nothing`() throws {
    var splits = SplitRequests(PartitionMap(partitions: 1, shards: 6)!)
    let parts = try splits.split(heard([try event(of: 0, "m1"), try event(of: 1, "m2")]))
    #expect(parts.count == 1 && parts[0].envelope == [[0, 1], []] && parts[0].bytes == [7])
}

@Test func `requests wait for the turn before them as long as there is room`() throws {
    var held = HeldRequests()
    let events = try (0..<4096).map { try event(of: 0, "m\($0)") }
    let (first, second, third) = (held.hold(heard(events)), held.hold(heard(events)), held.hold(heard([fault])))
    #expect(first && second && !third)
    let all = held.takeAll()
    let again = held.hold(heard(events))
    #expect(all.count == 2 && again)
}

@Test func `no more bytes wait for the turn before them than there is room for, those of parts among them`() throws {
    func isHeld(_ requests: [HeardRequest]) -> [Bool] {
        var held = HeldRequests()
        return requests.map { held.hold($0) }
    }
    var long = heard([fault])
    long.bytes = [UInt8](repeating: 0x20, count: Forwarding.mostBytes / 2)
    #expect(isHeld([long, long, heard([fault])]) == [true, false, true])
    let content = [UInt8](repeating: 0x20, count: Limits.body)
    let body = MessageBody(sender: try SenderID("ada"), time: Timestamp(milliseconds: 5), content: content)
    let event = MessageEvent(conversation: try conversation(of: 0), message: try MessageID("m"), body: body)
    var part = heard(Array(repeating: .success(.message(event)), count: 1024))
    part.bytes = []
    let most = Forwarding.mostBytes / (1024 * Limits.body)
    #expect(isHeld(Array(repeating: part, count: most)) == Array(repeating: true, count: most - 1) + [false])
}
