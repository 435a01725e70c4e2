import Pool
import TestSupport
import Testing
import Transport
import Wire

@testable import Daemons

/// The next message to a caller, while the desk answers.
private func heard(by caller: borrowing Socket, from desk: WaitingDesk) throws -> [[UInt8]] {
    let deadline = ContinuousClock.now + patience
    while .now < deadline {
        _ = try wait(for: desk.sources + [caller.source], atMost: .milliseconds(20))
        try desk.answer()
        if let parts = try caller.receive() { return parts }
    }
    return []
}

@Test func `a coordinator that waits for room tells producers to come back, and operators the reason`() throws {
    let folder = try TemporaryFolder()
    let (endpoints, limits) = (Endpoints(folder: folder.path), RequestLimits())
    let desk = try WaitingDesk(at: endpoints, access: Access(), limits: limits, reason: "there is no room")
    let producer = try Socket(.steadyDealer, in: try Context())
    try producer.connect(endpoints.events)
    #expect(try producer.waitUntilWritable(atMost: patience))
    let event = #"{"conversation":"c","message":"m","revision":1,"deleted":true}"#
    #expect(try producer.send([7], Array("{\"events\":[\(event),\(event)]}".utf8)) == .done)
    let told = try heard(by: producer, from: desk)
    let busy = EventAnswer.busy(retryAfter: 1000, reason: .disk)
    #expect(told == [[7], EventAnswer.json([busy, busy], limits: limits)])
    // A request that cannot be read is refused, as at any other time.
    #expect(try producer.send([8], [1]) == .done)
    let refused = try heard(by: producer, from: desk)
    guard refused.count == 2, refused[0] == [8], case .refused = try IngestReply(parsing: refused[1]) else {
        Issue.record("\(refused)")
        return
    }
    let person = try Socket(.dealer, in: try Context())
    try person.connect(endpoints.operators)
    #expect(try person.waitUntilWritable(atMost: patience))
    #expect(try person.send(OperatorRequest.status.json) == .done)
    let reason = try heard(by: person, from: desk)
    #expect(reason == [OperatorAnswer.error("there is no room").json])
}
