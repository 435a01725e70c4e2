import Glibc

/// Many listeners in one loop, and the delays with which they hear of messages.
package struct StreamCrowd: ~Copyable {
    package private(set) var latencies = Histogram()
    private var listeners: [StreamListener] = []
    private var descriptors: [pollfd] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var dues: [UInt64] = []
    private let port: UInt16
    /// The path of the stream of a conversation.
    private let path: (Int) -> String
    private let start: ContinuousClock.Instant

    /// - Parameter start: the origin of the microseconds in names of messages.
    package init(at port: UInt16, since start: ContinuousClock.Instant, path: @escaping (Int) -> String) {
        (self.port, self.start, self.path) = (port, start, path)
    }

    package var count: Int { listeners.count }
    /// Messages that all listeners together have heard of.
    package var heard: Int { listeners.reduce(0) { $0 + $1.heard } }
    /// The number of streams that have ended.
    package var overCount: Int { listeners.count { $0.isOver } }
    /// The number of listeners that have heard of a message that was due at this time or later.
    package func countWhoHeard(of due: UInt64) -> Int { listeners.count { ($0.newest ?? 0) >= due } }

    /// Opens streams in batches, each when the batch before it has its windows.
    /// - Parameter room: see `StreamListener.call`.
    /// - Returns: false where one does not open.
    package mutating func open(_ conversations: [Int], room: Int32 = 0, within time: Duration) -> Bool {
        let deadline = ContinuousClock.now + time
        for batch in stride(from: 0, to: conversations.count, by: Self.batch) {
            let first = listeners.count
            for conversation in conversations[batch..<min(batch + Self.batch, conversations.count)] {
                let listener = StreamListener(of: conversation)
                guard listener.call(port, path(conversation), room: room) else { return false }
                add(listener)
            }
            while listeners[first...].contains(where: { $0.newest == nil }) {
                guard .now < deadline, !listeners[first...].contains(where: { $0.isOver }) else { return false }
                listen(atMost: .milliseconds(5))
            }
        }
        return true
    }

    private static let batch = 64

    /// Reopens streams that have ended, from the events that they heard last.
    package mutating func resume() -> Bool {
        for i in listeners.indices where listeners[i].isOver {
            guard listeners[i].call(port, path(listeners[i].conversation)) else { return false }
            descriptors[i].fd = listeners[i].descriptor
        }
        return true
    }

    private mutating func add(_ listener: StreamListener) {
        listeners.append(listener)
        descriptors.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0))
    }

    package mutating func forgetLatencies() { latencies = Histogram() }

    /// Waits until something comes, and takes all that came.
    package mutating func listen(atMost time: Duration) {
        let milliseconds = Int32(clamping: max(0, Int((time / .milliseconds(1)).rounded(.up))))
        guard unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return }
        for i in descriptors.indices where descriptors[i].revents != 0 {
            listeners[i].listen(&buffer, &dues)
            let now = ContinuousClock.now - start
            for due in dues { latencies.record(UInt64(max(0, (now - .microseconds(Int64(due))) / .nanoseconds(1)))) }
            dues.removeAll(keepingCapacity: true)
            // A stream that is over is not waited for any more.
            if listeners[i].isOver { descriptors[i].fd = -1 }
        }
    }
}
