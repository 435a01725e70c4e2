import TestSupport
import Testing
import Wire

@testable import Flood

private func traffic(_ busyRule: FloodPlan.BusyRule = .drop, batch: Int = 10, inFlight: Int = 4) -> Traffic {
    var shares = Workload.Shares()
    (shares.edits, shares.deletes, shares.statuses, shares.reactions, shares.moves, shares.duplicates) = (
        0, 0, 0, 0, 0, 0
    )
    let workload = Workload(run: "t", conversations: 3, mix: .texts, shares: shares, vocabulary: 300, seed: 1)
    return Traffic(workload, rules: Traffic.Rules(batch: batch, requestsInFlight: inFlight, busyRule: busyRule))
}

private func seconds(_ seconds: Double) -> RunTime { RunTime(seconds: seconds) }

@Test func `what is due goes out in requests of at most a batch, and no more than may be in flight`() {
    var traffic = traffic()
    traffic.begin(Arrivals(.constant, rate: 10), until: seconds(10))
    #expect(traffic.request(at: seconds(0))?.events.count == 1)
    #expect(traffic.request(at: seconds(0.05)) == nil && traffic.nextDue == seconds(0.1))
    let sizes = (0..<3).map { _ in traffic.request(at: seconds(2.45))?.events.count }
    #expect(sizes == [10, 10, 4])
    #expect(traffic.request(at: seconds(5)) == nil && traffic.requestsInFlight == 4)
    traffic.answered(1, { Array(repeating: .accepted, count: $0) }, at: seconds(5))
    #expect(traffic.request(at: seconds(5))?.events.count == 10)
}

@Test func `nothing is due while as many requests are in flight as may be: the next thing to happen is an answer`() {
    var traffic = traffic(inFlight: 1)
    traffic.begin(Arrivals(.constant, rate: 10), until: seconds(1))
    _ = traffic.request(at: seconds(0))
    #expect(traffic.nextDue == nil)
    traffic.answered(1, { _ in [.accepted] }, at: seconds(0.05))
    #expect(traffic.nextDue == seconds(0.1))
}

@Test func `an event that waited for a slow service is late by its whole wait`() {
    var traffic = traffic(inFlight: 1)
    traffic.begin(Arrivals(.constant, rate: 10), until: seconds(2))
    _ = traffic.request(at: seconds(0))
    // The service says nothing for a second; ten events have become due in the meantime.
    traffic.answered(1, { _ in [.accepted] }, at: seconds(1))
    _ = traffic.request(at: seconds(1))
    traffic.answered(2, { Array(repeating: .accepted, count: $0) }, at: seconds(1.1))
    #expect(traffic.measures.acknowledged.count == 11)
    #expect(abs(Double(traffic.measures.acknowledged.percentile(50)) / 1e9 - 0.6) < 0.01)
    #expect(abs(Double(traffic.measures.acknowledged.percentile(100)) / 1e9 - 1.0) < 0.01)
}

@Test func `a request that nobody answers is sent again as it was, and answered once`() throws {
    var traffic = traffic()
    traffic.begin(Arrivals(.constant, rate: 10), until: seconds(0.5))
    let firstSent = traffic.request(at: seconds(0.5))
    let first = try #require(firstSent)
    #expect(traffic.overdue(at: seconds(4)).isEmpty)
    let again = traffic.overdue(at: seconds(6))
    #expect(again.map(\.json) == [first.json] && again.map(\.number) == [first.number])
    #expect(traffic.overdue(at: seconds(7)).isEmpty)
    traffic.answered(1, { Array(repeating: .duplicate, count: $0) }, at: seconds(7))
    traffic.answered(1, { Array(repeating: .accepted, count: $0) }, at: seconds(8))
    #expect(traffic.ledger.counts.total == 6 && traffic.ledger.counts.duplicate == 6 && traffic.isQuiet)
}

@Test func `what is busy waits as long as it was told to, and keeps the time at which it was due`() throws {
    var traffic = traffic(.retry)
    traffic.begin(Arrivals(.constant, rate: 10), until: seconds(0.1))
    let firstSent = traffic.request(at: seconds(0.1))
    let first = try #require(firstSent)
    traffic.answered(1, { _ in [.accepted, .busy(retryAfter: 400)] }, at: seconds(0.2))
    #expect(!traffic.isQuiet && traffic.nextDue == seconds(0.6) && traffic.request(at: seconds(0.5)) == nil)
    let secondSent = traffic.request(at: seconds(0.7))
    let second = try #require(secondSent)
    #expect(second.events.map(\.event) == [first.events[1].event])
    #expect(second.json.count < first.json.count && second.json.last == UInt8(ascii: "}"))
    traffic.answered(2, { _ in [.accepted] }, at: seconds(0.8))
    #expect(traffic.isQuiet && traffic.measures.acknowledged.percentile(100) == 700_000_000)
}

@Test func `what may come soon is not held up by what was told to wait longer before it`() throws {
    var traffic = traffic(.retry)
    traffic.begin(Arrivals(.constant, rate: 10), until: seconds(0.1))
    let firstSent = traffic.request(at: seconds(0.1))
    let first = try #require(firstSent)
    traffic.answered(1, { _ in [.busy(retryAfter: 9000), .busy(retryAfter: 100)] }, at: seconds(0.2))
    let soonSent = traffic.request(at: seconds(0.4))
    #expect(try #require(soonSent).events.map(\.event) == [first.events[1].event])
    #expect(traffic.nextDue == seconds(9.2))
}

@Test func `a layout is ready when its revision or a later one is, and is asked for when no hint comes`() throws {
    var traffic = traffic()
    traffic.begin(Arrivals(.constant, rate: 10), until: seconds(0.1))
    _ = traffic.request(at: seconds(0.1))
    traffic.answered(1, { _ in [.accepted, .accepted] }, at: seconds(0.2))
    traffic.ready(0, revision: 1, at: seconds(0.3))
    traffic.ready(0, revision: 1, at: seconds(0.4))
    #expect(traffic.measures.ready.count == 1 && traffic.awaited.count == 1)
    #expect(traffic.unheard(at: seconds(1), atMost: 9).isEmpty)
    let unheard = traffic.unheard(at: seconds(1.2), atMost: 9)
    #expect(unheard.map(\.0.message) == [1] && unheard[0].order > 0)
    #expect(traffic.unheard(at: seconds(1.3), atMost: 9).isEmpty)
    traffic.found(1, revision: 1, at: seconds(1.5))
    #expect(traffic.awaited.count == 0 && traffic.measures.readByProbe == 1)
}

@Test func `a hint is late by the time since its event was kept, however long that was refused`() {
    var traffic = traffic(.retry)
    traffic.begin(Arrivals(.constant, rate: 10), until: seconds(0))
    _ = traffic.request(at: seconds(0))
    traffic.answered(1, { _ in [.busy(retryAfter: 4000)] }, at: seconds(0.1))
    _ = traffic.request(at: seconds(4.2))
    traffic.answered(2, { _ in [.accepted] }, at: seconds(4.3))
    let (early, late) = (traffic.unheard(at: seconds(5), atMost: 9), traffic.unheard(at: seconds(5.4), atMost: 9))
    #expect(early.isEmpty && late.map(\.0.message) == [0])
}

@Test func `layouts of what was refused, or deleted, are not waited for`() {
    var traffic = traffic()
    traffic.begin(Arrivals(.constant, rate: 10), until: seconds(0.1))
    _ = traffic.request(at: seconds(0.1))
    traffic.answered(1, { _ in [.busy(retryAfter: 1), .invalid(field: "a", reason: "b")] }, at: seconds(0.2))
    #expect(traffic.awaited.count == 0)
}

@Test func `newer revisions answer for older ones, and older ones not for newer`() {
    var awaited = AwaitedLayouts()
    func event(_ revision: UInt32) -> PlannedEvent {
        PlannedEvent(conversation: 0, message: 5, revision: revision, registers: .body)
    }
    for (revision, due) in [(2, 0.2), (1, 0.1), (4, 0.4), (3, 0.3)] {
        awaited.add(event(UInt32(revision)), due: seconds(due))
    }
    #expect(Set(awaited.take(5, upTo: 2)) == [seconds(0.1), seconds(0.2)])
    awaited.forget(event(4))
    #expect(awaited.take(5, upTo: 2).isEmpty && awaited.take(5, upTo: 9) == [seconds(0.3)])
    #expect(awaited.count == 0 && awaited.take(5, upTo: 9).isEmpty)
}

@Test func `edits of messages that were never kept are not asked for, and forgotten when all is answered`() {
    var shares = Workload.Shares()
    shares.edits = 50
    let workload = Workload(run: "t", conversations: 3, mix: .texts, shares: shares, vocabulary: 300, seed: 1)
    var traffic = Traffic(workload, rules: Traffic.Rules(batch: 100, requestsInFlight: 9, busyRule: .drop))
    traffic.begin(Arrivals(.constant, rate: 100), until: seconds(0.99))
    let sent = traffic.request(at: seconds(1))?.events.map(\.event) ?? []
    // Posts find no room, edits do.
    traffic.answered(1, { _ in sent.map { $0.registers == .body ? .accepted : .busy(retryAfter: 1) } }, at: seconds(1))
    #expect(traffic.awaited.count > 10)
    #expect(traffic.unheard(at: seconds(5), atMost: 99).isEmpty && traffic.awaited.count == 0)
}

@Test func `what nobody answered at first may have been kept, though it is busy later`() {
    for isAsked in [false, true] {
        var traffic = traffic()
        traffic.begin(Arrivals(.constant, rate: 10), until: seconds(0))
        _ = traffic.request(at: seconds(0))
        if isAsked { #expect(traffic.overdue(at: seconds(6)).count == 1) }
        traffic.answered(1, { _ in [.busy(retryAfter: 1)] }, at: seconds(7))
        #expect(traffic.ledger.counts.busy == (isAsked ? 0 : 1))
        #expect(traffic.ledger.counts.unanswered == (isAsked ? 1 : 0))
    }
}
