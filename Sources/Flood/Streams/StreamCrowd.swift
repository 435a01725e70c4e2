import Glibc

/// Many listeners in one loop, and how late they hear what.
package struct StreamCrowd: ~Copyable {
    package private(set) var latencies = Histogram()
    private var listeners: [StreamListener] = []
    private var descriptors: [pollfd] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var dues: [UInt64] = []
    private let port: UInt16
    /// Where the stream of a conversation is found.
    private let path: (Int) -> String
    private let start: ContinuousClock.Instant

    /// - Parameter start: of the microseconds in which dues are told.
    package init(at port: UInt16, since start: ContinuousClock.Instant, path: @escaping (Int) -> String) {
        (self.port, self.start, self.path) = (port, start, path)
    }

    package var count: Int { listeners.count }
    /// Messages that all listeners together have heard of.
    package var heard: Int { listeners.reduce(0) { $0 + $1.heard } }
    /// The number of streams that have ended.
    package var overCount: Int { listeners.count { $0.isOver } }
    /// The number of listeners that have heard of a message that was due then.
    package func countWhoHeard(of due: UInt64) -> Int { listeners.count { ($0.newest ?? 0) >= due } }

    /// Opens streams, some at a time, each when those before it have their windows.
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

    /// Those whose streams have ended go on where they were.
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

    /// Waits until something comes, and takes all of it.
    package mutating func listen(atMost time: Duration) {
        let milliseconds = Int32(clamping: max(0, Int((time / .milliseconds(1)).rounded(.up))))
        guard unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return }
        for i in descriptors.indices where descriptors[i].revents != 0 {
            listeners[i].listen(&buffer, &dues)
            let now = ContinuousClock.now - start
            for due in dues { latencies.record(UInt64(max(0, (now - .microseconds(Int64(due))) / .nanoseconds(1)))) }
            dues.removeAll(keepingCapacity: true)
            // Who is over is not waited for any more.
            if listeners[i].isOver { descriptors[i].fd = -1 }
        }
    }
}
