import Names
import StandInService
import TestSupport
import Testing
import Transport
import Wire

@testable import FormeClientZMQ

private func event(_ number: Int) throws -> MessageEvent {
    MessageEvent(
        conversation: try ConversationID("c"), message: try MessageID("m\(number)"),
        body: MessageBody(
            sender: try SenderID("ada"), time: Timestamp(milliseconds: 0),
            content: MessageEvent.plainText("Hello \(number)")), order: Int64(number))
}

/// Receives replies until there are so many, or until `patience` is over.
private func replies(_ count: Int, of producer: borrowing Producer) throws -> [Producer.Reply] {
    var replies: [Producer.Reply] = []
    let deadline = ContinuousClock.now + patience
    while replies.count < count, .now < deadline {
        _ = try wait(for: [producer.source], atMost: .seconds(1))
        while let reply = try producer.receive() { replies.append(reply) }
    }
    return replies
}

@Test func `many requests are in flight at once, and each is answered by its name`() throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let producer = try Producer(Endpoints(folder: folder.path).events)
    #expect(try producer.waitUntilWritable(atMost: patience))
    for number in 0..<50 {
        let request = IngestRequest.json(try [event(number), event(number / 2)], lane: .backfill)
        #expect(try producer.send(request, as: Producer.Ticket(UInt64(number) << 40 + 7)))
    }
    let replies = try replies(50, of: producer)
    #expect(Set(replies.map(\.ticket.number)) == Set((0..<50).map { $0 << 40 + 7 }))
    #expect(replies[0].answers(toEvents: 2) == [.accepted, .duplicate])
    #expect(replies.dropFirst().allSatisfy { $0.answers(toEvents: 2) == [.accepted, .duplicate] })
    #expect(service.messages(of: "c").count == 50 && Set(service.lanes) == [.backfill])
}

@Test func `a request that cannot be read answers for each of its events`() throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let producer = try Producer(Endpoints(folder: folder.path).events)
    #expect(try producer.waitUntilWritable(atMost: patience))
    #expect(try producer.send(Array("{".utf8), as: Producer.Ticket(1)))
    let reply = try #require(try replies(1, of: producer).first)
    let answers = reply.answers(toEvents: 3)
    #expect(answers.count == 3)
    for answer in answers {
        guard case .invalid(field: "", let reason) = answer else { Issue.record("\(answer)"); continue }
        #expect(!reason.isEmpty)
    }
}

@Test func `nothing is sent to a service that is not there`() throws {
    let folder = try TemporaryFolder()
    let producer = try Producer(Endpoints(folder: folder.path).events)
    #expect(try producer.send([1], as: Producer.Ticket(1)) == false)
    #expect(try producer.waitUntilWritable(atMost: .zero) == false)
}

@Test func `a client posts until nothing of it is refused as busy`() throws {
    var habits = StandIn.Habits()
    habits.busyEvery = 2
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path, habits: habits)
    defer { service.stop() }
    var client = try Client(Endpoints(folder: folder.path).events)
    for number in 0..<6 {
        let answers = try client.post([event(number), event(number)], within: patience)
        #expect(answers == [.accepted, .duplicate])
    }
    #expect(service.messages(of: "c").count == 6)
}

@Test func `a client that nobody answers says so when its time is up`() throws {
    let folder = try TemporaryFolder()
    let endpoint = Endpoints(folder: folder.path).events
    var client = try Client(endpoint)
    #expect(throws: ClientError.noAnswer(endpoint: endpoint)) {
        try client.post([event(1)], within: .milliseconds(50))
    }
}

@Test func `a client fetches all of a conversation, page by page`() throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    let endpoints = Endpoints(folder: folder.path)
    var client = try Client(endpoints.events)
    for start in stride(from: 0, to: 300, by: 100) {
        _ = try client.post((start..<start + 100).map(event), within: patience)
    }
    #expect(service.messages(of: "c").count == 300)
}

@Test(arguments: [RequestLimits(events: 3, bytes: 1 << 20), RequestLimits(events: 256, bytes: 700)])
func `a client sends no more at once than the service takes`(limits: RequestLimits) throws {
    var habits = StandIn.Habits()
    (habits.limits, habits.busyEvery) = (limits, 3)
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path, habits: habits)
    defer { service.stop() }
    var client = try Client(Endpoints(folder: folder.path).events)
    let answers = try client.post((0..<40).map(event) + [event(0)], within: patience)
    #expect(answers == Array(repeating: .accepted, count: 40) + [.duplicate])
    #expect(service.messages(of: "c").count == 40)
}

@Test func `a request that is refused for one event says so when that is sent by itself`() throws {
    var habits = StandIn.Habits()
    habits.refusesMessage = "m11"
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path, habits: habits)
    defer { service.stop() }
    let endpoint = Endpoints(folder: folder.path).events
    var client = try Client(endpoint)
    #expect(throws: ClientError.requestRefused(endpoint: endpoint, reason: "no")) {
        try client.post((0..<40).map(event), within: patience)
    }
    #expect(service.messages(of: "c").count == 11)
}
