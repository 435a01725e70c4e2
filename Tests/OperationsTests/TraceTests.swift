import Glibc
import Testing

@testable import Operations

@Test func `a queue of spans has its limit, and counts what it drops`() {
    var queue = SpanQueue(limit: 3)
    let message = TracedMessage(conversation: "c", message: "m", revision: 1)
    for number in 0..<5 {
        queue.add(TraceSpan(name: "told", message: message, id: UInt64(number), isRoot: false, start: 1, end: 2))
    }
    #expect(queue.takeAll().map(\.id) == [0, 1, 2] && queue.dropped == 2)
    queue.add(TraceSpan(name: "told", message: message, id: 9, isRoot: false, start: 1, end: 2))
    #expect(queue.takeAll().map(\.id) == [9] && queue.takeAll().isEmpty && queue.dropped == 2)
}

@Test func `a trace is named by what all processes know of a message, and one of so many is followed`() {
    let trace = TraceID(conversation: "c", message: "m", revision: 1)
    #expect(trace == TraceID(conversation: "c", message: "m", revision: 1) && trace.text.count == 32)
    // Lengths count: nothing is another message because of where its names are parted.
    let others = [("c", "m", 2), ("cm", "", 1), ("", "cm", 1), ("c", "m1", 1)].map {
        TraceID(conversation: $0, message: $1, revision: UInt64($2))
    }
    #expect(Set(others + [trace]).count == 5)
    let followed = (0..<20_000).filter {
        TraceID(conversation: "c", message: "m\($0)", revision: 1).isOne(in: 100)
    }
    #expect((140...260).contains(followed.count))
    #expect(trace.isOne(in: 1))
}

@Test(arguments: [
    ("/tmp/spans.jsonl", TraceTarget.file("/tmp/spans.jsonl")),
    ("http://127.0.0.1:4318", .collector(host: "127.0.0.1", port: 4318, path: "/v1/traces")),
    ("http://localhost:9/other", .collector(host: "localhost", port: 9, path: "/other")),
    ("https://127.0.0.1:4318", nil), ("http://127.0.0.1", nil), ("http://:4318", nil), ("http://127.0.0.1:0", nil),
    ("http://127.0.0.1:1/a b", nil),
])
func `spans go to a file, or to a collector`(text: String, target: TraceTarget?) {
    #expect(TraceTarget(text) == target)
}

/// Nanoseconds for which this thread had a processor.
private var processorTime: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

@Test
func `where nobody follows messages, a message costs two looks at a number: no name is made, and no clock is read`() {
    var names = 0
    func name() -> String {
        names += 1
        return "c"
    }
    let start = processorTime
    var followed = 0
    for revision in 0..<100_000 as Range<UInt64>
    where Traces.start != 0 || Traces.message(name(), name(), revision) != nil {
        followed += 1
    }
    #expect(names == 0 && followed == 0)
    // Without optimization: a name and its hash take ten times as long.
    #expect(processorTime - start < 100_000 * 1000)
}

@Test func `nothing is followed where nobody wants it`() {
    #expect(!Traces.areOn && Traces.message("c", "m", 1) == nil)
}
