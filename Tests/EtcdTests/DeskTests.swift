import Bytes
import JSON
import Pool
import Replication
import TestSupport
import Testing

@testable import Etcd

/// A desk whose calls are answered by hand.
private struct Counter {
    static let keys = EtcdKeys(cluster: "chat")!
    static let urls = ["http://a:1", "http://b:1", "http://c:1"]
    var desk = EtcdDesk(EtcdRequests(keys: keys), nodes: urls)
    var now = Moment.start
    let partition = Partition(3)

    mutating func append(_ bytes: [UInt8] = [7], behind place: UInt64 = 4) -> AppendTicket {
        desk.append([LogAppend(partition, behind: LogSequence(place), bytes)], at: now)
    }

    mutating func read(after place: UInt64 = 0, limit: Int = 8) {
        desk.read(ReadWish(partition: partition, after: LogSequence(place), limit: limit))
    }

    /// The one call that goes out now.
    mutating func call(at location: SourceLocation = #_sourceLocation) throws -> EtcdCall {
        let calls = desk.calls(at: now)
        try #require(calls.count == 1, sourceLocation: location)
        return calls[0]
    }

    mutating func answer(_ call: EtcdCall, _ body: String) { answer(call, 200, body) }

    mutating func answer(_ call: EtcdCall, _ status: Int, _ body: String) {
        desk.take(.answered(status: status, Array(body.utf8)), of: call.number, at: now)
    }

    mutating func complaints() -> [String] { desk.takeComplaints().map(\.description) }

    static func head(_ revision: Int = 9, of cluster: String = "77") -> String {
        #""header":{"cluster_id":"\#(cluster)","member_id":"5","revision":"\#(revision)","raft_term":"2"}"#
    }
    static let appended = "{\(head()),\"succeeded\":true,\"responses\":[{\"response_put\":{\(head())}}]}"

    /// The answer to a range: keys of places, and the number of all that are there.
    static func range(_ places: [UInt64], of count: Int? = nil, value: String? = nil) -> String {
        let found = places.map { place in
            let value = value.map { ",\"value\":\"\($0)\"" } ?? ""
            return
                "{\"key\":\"\(base64(keys.key(Partition(3), LogSequence(place))))\",\"create_revision\":\"2\"\(value)}"
        }
        let kvs = found.isEmpty ? "" : ",\"kvs\":[\(found.joined(separator: ","))]"
        return "{\"response_range\":{\(head())\(kvs),\"count\":\"\(count ?? places.count)\"}}"
    }
    static func found(_ ranges: String...) -> String {
        "{\(head()),\"responses\":[\(ranges.joined(separator: ","))]}"
    }
    static func failure(_ code: Int, _ words: String) -> String {
        "{\"error\":\"\(words)\",\"message\":\"\(words)\",\"code\":\(code)}"
    }
    static let noRoom = failure(8, "etcdserver: mvcc: database space exceeded")
}

private func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    Base64.append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
}

@Test func `an append that was taken is told, and one whose place is taken or has nothing before it`() throws {
    var counter = Counter()
    let first = counter.append()
    counter.answer(try counter.call(), Counter.appended)
    #expect(counter.desk.takeEvents() == [.appended(first)])
    for ranges in [(Counter.range([4]), Counter.range([5])), (Counter.range([]), Counter.range([]))] {
        let next = counter.append()
        counter.answer(try counter.call(), Counter.found(ranges.0, ranges.1))
        #expect(counter.desk.takeEvents() == [.overtaken(next, [counter.partition])])
    }
    #expect(counter.desk.isIdle && counter.complaints().isEmpty)
}

/// Answers after which nobody knows whether the record is there, and the complaint about each.
@Test(arguments: [
    (200, "", "it says"), (200, "{", "it says"), (200, "[1]", "it says"),
    (200, "{\"succeeded\":true}", "'header' is missing"),
    (200, "<html>nonsense</html>", "it says"), (200, Counter.found(), "does not fit"),
    (200, Counter.found(Counter.range([4]), Counter.range([])), "does not fit"),
    (200, "{\"header\":{\"cluster_id\":\"x\",\"revision\":\"1\"},\"succeeded\":true}", "digits of a number"),
    (200, "{\"header\":{\"revision\":\"1\"},\"succeeded\":true}", "cluster and revision"),
    (200, "{\"header\":{\"cluster_id\":\"1\",\"revision\":\"9223372036854775808\"}}", "cluster and revision"),
    (500, "no", "500: nothing that etcd says"), (404, "404 page not found", "404"),
    (301, "", "sends elsewhere"), (307, Counter.appended, "sends elsewhere"),
    (503, Counter.failure(14, "etcdserver: request timed out"), "request timed out"),
    (500, Counter.failure(13, "etcdserver: corrupt cluster"), "corrupt cluster"),
])
func `an answer that is none leaves an append unknown, and an operator is told in words`(
    status: Int, body: String, words: String
) throws {
    var counter = Counter()
    let ticket = counter.append()
    let call = try counter.call()
    counter.answer(call, status, body)
    #expect(counter.desk.takeEvents() == [.unknown(ticket)])
    let complaints = counter.complaints()
    #expect(complaints.count == 1 && complaints[0].contains(words == "it says" ? "what etcd does not say" : words))
    #expect(complaints.allSatisfy { $0.hasPrefix("http://a:1 ") })
    // The next one goes to another node, and the same is not said again.
    _ = counter.append()
    #expect(try counter.call().node == 1)
}

@Test func `an append that was cut off is unknown and not sent again; one that never left goes to the next node`()
    throws
{
    var counter = Counter()
    let cut = counter.append()
    counter.desk.take(.cut("timed out"), of: try counter.call().number, at: counter.now)
    #expect(counter.desk.takeEvents() == [.unknown(cut)])
    #expect(counter.desk.calls(at: counter.now).isEmpty)
    let unsent = counter.append()
    let second = try counter.call()
    counter.desk.take(.unsent("refused"), of: second.number, at: counter.now)
    let third = try counter.call()
    #expect((second.node, third.node) == (1, 2) && second.body == third.body)
    counter.answer(third, Counter.appended)
    #expect(counter.desk.takeEvents() == [.appended(unsent)])
    // A late answer to a call that was given up changes nothing.
    counter.answer(second, Counter.appended)
    #expect(counter.desk.takeEvents().isEmpty)
}

@Test func `where no node takes a connection, none is asked without end, and the outcome is unknown in the end`() throws
{
    var counter = Counter()
    let ticket = counter.append()
    var calls = 0
    while counter.desk.takeEvents() != [.unknown(ticket)] {
        for call in counter.desk.calls(at: counter.now) {
            calls += 1
            counter.desk.take(.unsent("refused"), of: call.number, at: counter.now)
        }
        counter.now = counter.now + .milliseconds(10)
        try #require(counter.now.sinceStart < .seconds(5))
    }
    #expect((3...40).contains(calls))
    #expect(counter.complaints().count == 3)
}

@Test func `no room may still have been room: it is read back before anything is said`() throws {
    for (ranges, event) in [
        (Counter.range([]), nil), (Counter.range([5], value: "Bw=="), true), (Counter.range([5], value: "CA=="), false),
    ] as [(String, Bool?)] {
        var counter = Counter()
        let ticket = counter.append()
        counter.answer(try counter.call(), 429, Counter.noRoom)
        #expect(counter.desk.takeEvents().isEmpty)
        let calls = counter.desk.calls(at: counter.now)
        let back = try #require(calls.first { $0.path == "/v3/kv/txn" })
        counter.answer(back, Counter.found(ranges))
        let told = event.map { $0 ? LogEvent.appended(ticket) : .overtaken(ticket, [counter.partition]) }
        #expect(counter.desk.takeEvents() == [told ?? .full(ticket)])
        #expect(counter.complaints().count == 1)
    }
}

@Test func `where the quota was reached, room is made on every node before the alarm is put off`() throws {
    var counter = Counter()
    _ = counter.append()
    counter.answer(try counter.call(), 429, Counter.noRoom)
    var paths: [String] = []
    while let call = counter.desk.calls(at: counter.now).first(where: { $0.path != "/v3/kv/txn" }) {
        paths.append("\(call.path.dropFirst(4)) \(call.node)")
        switch call.path {
        case "/v3/maintenance/defragment" where call.node == 1:
            counter.desk.take(.unsent("it is down"), of: call.number, at: counter.now)
        case "/v3/maintenance/defragment": counter.answer(call, "{}")
        case "/v3/maintenance/alarm" where paths.count == 5:
            let alarm = #""alarms":[{"memberID":"12","alarm":"NOSPACE"}]"#
            counter.answer(call, "{\(alarm)}")
        case "/v3/maintenance/alarm": counter.answer(call, "{}")
        default: counter.answer(call, "{\(Counter.head())}")
        }
    }
    let node = "maintenance/defragment"
    #expect(
        paths == [
            "kv/compaction 0", "\(node) 0", "\(node) 1", "\(node) 2", "maintenance/alarm 0", "maintenance/alarm 0",
            "maintenance/alarm 0",
        ])
}

@Test(arguments: [
    (8, "etcdserver: too many requests", nil), (3, "etcdserver: request is too large", "--max-request-bytes"),
])
func `what was refused before it was looked at was not written`(code: Int, words: String, told: String?) throws {
    var counter = Counter()
    let ticket = counter.append()
    counter.answer(try counter.call(), 400, Counter.failure(code, words))
    #expect(counter.desk.takeEvents() == [.full(ticket)])
    let complaints = counter.complaints()
    #expect(told.map { complaints.first?.contains($0) == true } ?? complaints.isEmpty)
}

@Test func `a read says what is there, and how far the log reaches`() throws {
    var counter = Counter()
    counter.read(after: 3)
    let call = try counter.call()
    counter.answer(call, Counter.found(Counter.range([3], of: 3), Counter.range([4, 5], value: "Bw==")))
    let entries = [4, 5].map { LogEvent.entry(counter.partition, LogSequence($0), [7]) }
    let end = LogEvent.end(counter.partition, LogExtent(last: LogSequence(5), trimmed: LogSequence(3)))
    #expect(counter.desk.takeEvents() == entries + [end])
    // Nothing at all: it was never begun.
    counter.read()
    counter.answer(try counter.call(), Counter.found(Counter.range([]), Counter.range([])))
    #expect(counter.desk.takeEvents() == [.reset(counter.partition)])
}

@Test(arguments: [
    // A gap, another order, one too few, a place past all numbers.
    Counter.found(Counter.range([3], of: 4), Counter.range([4, 6], value: "Bw==")),
    Counter.found(Counter.range([3], of: 3), Counter.range([5, 4], value: "Bw==")),
    Counter.found(Counter.range([3], of: 3), Counter.range([4], value: "Bw==")),
    Counter.found(Counter.range([UInt64.max], of: 2), Counter.range([])),
])
func `a log with gaps is not told`(body: String) throws {
    var counter = Counter()
    counter.read(after: 3)
    let call = try counter.call()
    counter.answer(call, body)
    #expect(counter.desk.takeEvents().isEmpty && counter.desk.isIdle)
    #expect(counter.complaints().map { $0.contains("with gaps") } == [true])
    // Another node may have all of it.
    counter.read(after: 3)
    let next = try counter.call()
    #expect(next.node != call.node)
}

@Test func `one read is away at a time; the newest wish of a log is the next`() throws {
    var counter = Counter()
    counter.read(after: 0)
    let first = try counter.call()
    counter.read(after: 1)
    counter.read(after: 2)
    #expect(counter.desk.calls(at: counter.now).isEmpty)
    counter.answer(first, Counter.found(Counter.range([0]), Counter.range([])))
    let second = try counter.call()
    #expect(
        second.body
            == EtcdRequests(keys: Counter.keys).read([
                ReadWish(partition: Partition(3), after: LogSequence(2), limit: 8)
            ]))
}

@Test
func `a read whose answer is cut off is asked of the next node, for half as many records, and given up in the end`()
    throws
{
    var counter = Counter()
    counter.read(limit: 64)
    var limits: [String] = []
    while let call = counter.desk.calls(at: counter.now).first {
        let body = try JSONReader(JSONValue.parse(call.body)).value
        limits.append(try #require(body["success"]?.array?[1]["request_range"]?["limit"]?.string))
        counter.desk.take(.cut("timed out"), of: call.number, at: counter.now + .seconds(1))
        counter.now = counter.now + .seconds(1)
    }
    #expect(limits == ["65", "33", "17"])
    #expect(counter.desk.isIdle && counter.desk.takeEvents().isEmpty)
}

@Test func `another cluster behind one of the addresses is not used, and an engine that forgot is noticed once`() throws
{
    var counter = Counter()
    for (revision, cluster) in [(20, "77"), (30, "78")] {
        let ticket = counter.append()
        let call = try counter.call()
        counter.answer(call, "{\(Counter.head(revision, of: cluster)),\"succeeded\":true}")
        #expect(counter.desk.takeEvents() == [cluster == "77" ? .appended(ticket) : .unknown(ticket)])
    }
    #expect(counter.complaints().map { $0.contains("is of another cluster (4e)") } == [true])
    for _ in 0..<3 {
        let ticket = counter.append()
        let call = try counter.call()
        #expect(call.node == 1)
        counter.answer(call, "{\(Counter.head(4)),\"succeeded\":true}")
        #expect(counter.desk.takeEvents() == [.appended(ticket)])
    }
    #expect(
        counter.complaints() == [
            "http://b:1 is at revision 4, and was at 20: etcd has forgotten what it had; hosts bring back what their journals have"
        ])
}

@Test func `a trim ends where the log ends, and what was removed is compacted`() throws {
    var counter = Counter()
    counter.desk.ask(.trim(counter.partition, to: LogSequence(9)), at: counter.now)
    counter.answer(try counter.call(), Counter.found(Counter.range([2], of: 4)))
    let again = try counter.call()
    #expect(again.body == EtcdRequests(keys: Counter.keys).trim(counter.partition, to: LogSequence(5)))
    counter.answer(
        again,
        "{\(Counter.head(40)),\"succeeded\":true,\"responses\":[{\"response_delete_range\":{\"deleted\":\"3\"}}]}")
    let compaction = try counter.call()
    #expect(compaction.path == "/v3/kv/compaction")
    #expect(compaction.body == EtcdRequests.compact(through: 40))
    // Somebody else was first.
    counter.answer(compaction, 400, Counter.failure(11, "etcdserver: mvcc: required revision has been compacted"))
    #expect(counter.desk.isIdle && counter.complaints().isEmpty)
}
