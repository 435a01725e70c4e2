import Names
import Pool
import Replication
import Testing
import Wire

@testable import Daemons

private func moment(_ milliseconds: Int64) -> Moment { Moment(sinceStart: .milliseconds(milliseconds)) }

private func isProducer(_ asker: Forwarding.Asker?, _ name: UInt8) -> Bool {
    if case .producer(let envelope, _) = asker { envelope == [[name]] } else { false }
}

@Test func `a producer is answered once, by the owner or after three seconds`() throws {
    let a = try HostID("a")
    var forwarding = Forwarding()
    let first = forwarding.begin(.producer(envelope: [[1]], events: 3), 9, of: a, at: moment(0))
    let second = forwarding.begin(.producer(envelope: [[2]], events: 4), 9, of: a, at: moment(1000))
    let early = forwarding.takeOverdue(at: moment(2999), owner: { _ in a })
    #expect(first != second && early.isEmpty)
    let (answered, again) = (forwarding.end(first), forwarding.end(first))
    #expect(isProducer(answered, 1) && again == nil)
    let overdue = forwarding.takeOverdue(at: moment(4500), owner: { _ in a })
    #expect(overdue.count == 1 && isProducer(overdue.first, 2))
    // The answer that comes late is nobody's any more.
    let (late, more) = (forwarding.end(second), forwarding.takeOverdue(at: moment(9000), owner: { _ in a }))
    #expect(late == nil && more.isEmpty)
}

@Test func `no more events wait for an owner than there is room for`() throws {
    let a = try HostID("a")
    var forwarding = Forwarding()
    #expect(forwarding.hasRoom(for: 8192, 9) && !forwarding.hasRoom(for: 8193, 9))
    let serial = forwarding.begin(.producer(envelope: [[1]], events: 8000), 9, of: a, at: moment(0))
    _ = forwarding.begin(.salvage(Partition(0)), 9, of: a, at: moment(0))
    #expect(forwarding.hasRoom(for: 192, 9) && !forwarding.hasRoom(for: 193, 9))
    _ = forwarding.end(serial)
    #expect(forwarding.hasRoom(for: 8192, 9))
}

@Test func `a request of another host waits with the way back and the name of who pays for it`() throws {
    var forwarding = Forwarding()
    let event = #"{"conversation":"c","message":"m","revision":1,"deleted":true}"#
    let line = AnswerLine(route: [0, 1], serial: 5)
    let refused = [
        forwarding.take(Array("{\"events\":[\(event)]}".utf8), of: "backend", on: line),
        forwarding.take(Array("no request".utf8), of: "", on: line),
    ]
    #expect(refused == [nil, nil])
    let waiting = forwarding.takeWaiting()
    #expect(waiting.count == 1 && waiting[0].request.events.count == 1)
    #expect(AnswerLine(waiting[0].envelope) == line && waiting[0].payer == .key("backend"))
    let more = forwarding.takeWaiting()
    #expect(more.isEmpty)
}

@Test func `requests that a host forwards are of one connection to the fair shares, and of none that is remembered`() {
    var forwarding = Forwarding()
    let request = Array(#"{"events":[{"conversation":"c","message":"m","revision":1,"deleted":true}]}"#.utf8)
    for (route, serial) in [([0, 1], 5), ([0, 1], 6), ([0, 2], 7)] as [([UInt8], UInt64)] {
        _ = forwarding.take(request, of: "", on: AnswerLine(route: route, serial: serial))
    }
    let waiting = forwarding.takeWaiting()
    let payers = waiting.map(\.payer)
    #expect(payers.count == 3 && !payers.contains(nil))
    #expect(payers[0] == payers[1] && payers[0] != payers[2])
    #expect(waiting.allSatisfy { Peer(ofProducer: $0.envelope) == nil })
    #expect(Peer(ofProducer: [[0, 1], [7]]) == Peer(route: [0, 1]))
}

@Test func `a producer whose owner is another now is told to try again at once`() throws {
    let (a, b) = (try HostID("a"), try HostID("b"))
    var forwarding = Forwarding()
    _ = forwarding.begin(.producer(envelope: [[1]], events: 3), 9, of: a, at: moment(0))
    // While nobody is known to own the log, it may still be the one that was asked.
    let unknown = forwarding.takeOverdue(at: moment(1), owner: { _ in nil })
    let other = forwarding.takeOverdue(at: moment(2), owner: { _ in b })
    #expect(unknown.isEmpty && other.count == 1 && isProducer(other.first, 1))
}

@Test func `no more events and bytes of other hosts wait than there is room for, and the others are refused at once`() {
    let event = #"{"conversation":"c","message":"m","revision":1,"deleted":true}"#
    func request(_ events: Int, bytes: Int = 0) -> [UInt8] {
        let json = Array("{\"events\":[\(Array(repeating: event, count: events).joined(separator: ","))]}".utf8)
        return json + [UInt8](repeating: 0x20, count: max(0, bytes - json.count))
    }
    func refused(_ requests: [[UInt8]]) -> [Int?] {
        var forwarding = Forwarding()
        return requests.map { forwarding.take($0, of: "", on: AnswerLine(route: [0, 1], serial: 5)) }
    }
    let many = Array(repeating: request(1024), count: 7) + [request(1022)]
    #expect(refused(many + [request(3), request(2), request(1)]).suffix(4) == [nil, 3, nil, 1])
    let quarter = request(1, bytes: Forwarding.mostBytes / 4)
    #expect(refused([quarter, quarter, quarter, quarter, request(2)]) == [nil, nil, nil, nil, 2])
}

@Test func `no more bytes wait for an owner than there is room for`() throws {
    let a = try HostID("a")
    var forwarding = Forwarding()
    _ = forwarding.begin(.producer(envelope: [[1]], events: 1), Forwarding.mostBytes - 9, of: a, at: moment(0))
    #expect(forwarding.hasRoom(for: 1, 9) && !forwarding.hasRoom(for: 1, 10))
}
