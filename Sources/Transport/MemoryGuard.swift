import CZMQ

/// Keeps this process below a ceiling of memory, for what nothing else bounds: a message of endless parts, which libzmq (4.3.4) collects
/// before anybody sees it.
///
/// Above the ceiling the peer is cut off from which most came lately. Where that does not help within a second, the process is to end:
/// whoever started it starts it again, and its neighbours go on.
package struct MemoryGuard: Sendable {
    private let ceiling: Int
    /// Bytes that this process has for itself.
    private let memory: @Sendable () -> Int
    private var nextLook = ContinuousClock.now
    private var nextNote = ContinuousClock.now
    /// Since when there is more than there may be.
    private var since: ContinuousClock.Instant?

    /// Between two looks. A loop should not sleep for much longer.
    package static let pause: Duration = .milliseconds(100)
    private static let notePause: Duration = .seconds(1)
    private static let patience: Duration = .seconds(1)
    /// What came over a connection that is cut off, at least.
    private static let leastHarm = 1 << 20

    /// - Parameters:
    ///   - ceiling: in bytes of memory that is not shared and not on the disk.
    ///   - memory: how many of them this process has. It is asked ten times a second.
    package init(ceiling: Int, of memory: @escaping @Sendable () -> Int) {
        (self.ceiling, self.memory) = (ceiling, memory)
    }

    /// - Parameter cut: ends the connection over which most came since it was called last, if that was so many bytes.
    package mutating func look(at now: ContinuousClock.Instant = .now, cut: (Int) -> Void) throws(TransportError) {
        guard now >= nextLook else { return }
        nextLook = now + Self.pause
        let resident = memory()
        guard resident > ceiling else {
            since = nil
            guard now >= nextNote else { return }
            nextNote = now + Self.notePause
            return cut(.max)
        }
        let since = since ?? now
        self.since = since
        guard now - since < Self.patience else { throw .outOfMemory(bytes: resident, ceiling: ceiling) }
        cut(Self.leastHarm)
        forme_give_back_memory()
    }
}
