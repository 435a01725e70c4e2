import Foundation
import Synchronization

/// Follows single messages through the processes of a service: the steps of each, their times and their lengths, as
/// spans of OpenTelemetry.
///
///     if let followed = Traces.message(conversation, message, revision) {
///         Traces.note("laid out", of: followed, from: start)
///     }
///
/// While this is off, it costs a look at one number. While it is on, one message of so many is followed; a span is
/// put into a queue of limited length, and a thread of its own writes the queue every half second. Where the queue is
/// full, or the target takes no spans, they are dropped and counted.
package enum Traces {
    /// One message of so many is followed; 0 where none is.
    private static let share = Atomic<Int>(0)
    private static let recorder = Mutex<TraceRecorder?>(nil)

    package static var areOn: Bool { share.load(ordering: .relaxed) > 0 }

    /// Nanoseconds since 1970.
    package static var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The start of a step that a span may be about; 0 where no message is followed.
    package static var start: UInt64 { areOn ? now : 0 }

    /// Follows messages in this process, from now until its end.
    ///
    /// - Parameters:
    ///   - daemon: the name of this process.
    ///   - count: one message of so many.
    package static func begin(_ daemon: String, to target: TraceTarget, oneIn count: Int) {
        recorder.withLock { $0 = TraceRecorder(daemon: daemon, target: target) }
        share.store(max(1, count), ordering: .relaxed)
        Thread.detachNewThread {
            while true {
                // Nobody waits for it.
                _ = poll(nil, 0, 500)
                write()
            }
        }
    }

    /// Writes the spans that are left, before the process ends.
    package static func end() {
        guard areOn else { return }
        write()
    }

    /// The message as one to be followed; nil where this one is not, or none is.
    package static func message(
        _ conversation: @autoclosure () -> String, _ message: @autoclosure () -> String, _ revision: UInt64
    ) -> TracedMessage? {
        let count = share.load(ordering: .relaxed)
        guard count > 0 else { return nil }
        let traced = TracedMessage(conversation: conversation(), message: message(), revision: revision)
        return traced.trace.isOne(in: count) ? traced : nil
    }

    /// - Parameters:
    ///   - start: a moment of `now`; `end` is the present where nothing else is said.
    ///   - isRoot: whether all other spans of the message are below this one.
    package static func note(
        _ name: StaticString, of message: TracedMessage, from start: UInt64, to end: UInt64 = now, isRoot: Bool = false
    ) {
        let span = TraceSpan(
            name: name, message: message, id: isRoot ? message.trace.root : .random(in: 1 ... .max), isRoot: isRoot,
            start: start, end: max(start, end))
        recorder.withLock { $0?.queue.add(span) }
    }

    /// Takes the queue, and writes it while others go on.
    private static func write() {
        guard let (writer, spans, dropped) = recorder.withLock({ $0?.take() }) else { return }
        guard let reason = writer.write(spans, dropped: dropped) else { return }
        recorder.withLock { $0?.queue.drop(spans.count) }
        Log("traces").warning("spans could not be written", ["spans": .number(spans.count), "reason": "\(reason)"])
    }
}

/// Something that was done with a message.
struct TraceSpan: Sendable {
    let name: StaticString
    let message: TracedMessage
    let id: UInt64
    let isRoot: Bool
    let start: UInt64
    let end: UInt64
}

/// Spans that wait to be written, `limit` of them at most.
struct SpanQueue {
    private(set) var spans: [TraceSpan] = []
    /// Spans that were dropped since the process began.
    private(set) var dropped = 0
    let limit: Int

    init(limit: Int = 8192) { self.limit = limit }

    mutating func add(_ span: TraceSpan) {
        guard spans.count < limit else { return drop(1) }
        spans.append(span)
    }

    mutating func drop(_ count: Int) { dropped += count }

    mutating func takeAll() -> [TraceSpan] {
        defer { spans.removeAll(keepingCapacity: true) }
        return spans
    }
}

private struct TraceRecorder {
    let writer: TraceWriter
    var queue = SpanQueue()
    private var told = 0

    init(daemon: String, target: TraceTarget) { writer = TraceWriter(daemon: daemon, target: target) }

    /// Nil where there is nothing to write.
    mutating func take() -> (TraceWriter, [TraceSpan], dropped: Int)? {
        let spans = queue.takeAll()
        guard !spans.isEmpty || told != queue.dropped else { return nil }
        if told != queue.dropped {
            Log("traces").warning(
                "spans were dropped, as more came than are written", ["spans": .number(queue.dropped - told)])
        }
        told = queue.dropped
        return spans.isEmpty ? nil : (writer, spans, queue.dropped)
    }
}
