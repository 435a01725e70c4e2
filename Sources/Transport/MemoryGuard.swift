import CZMQ

/// A guard that keeps this process below a ceiling of memory, against input that nothing else bounds: a message of
/// endless parts, which libzmq (4.3.4) collects before any of it can be seen.
///
/// Above the ceiling, the peer that sent most lately is cut off. Where that does not help within a second, the
/// process must end: its supervisor starts it again, and its neighbours go on.
package struct MemoryGuard: Sendable {
    private let ceiling: Int
    /// The bytes of memory that this process has for itself.
    private let memory: @Sendable () -> Int
    private var nextLook = ContinuousClock.now
    private var nextNote = ContinuousClock.now
    /// The time since which the process is above the ceiling.
    private var since: ContinuousClock.Instant?

    /// The time between two looks. A loop should not sleep for much longer.
    package static let pause: Duration = .milliseconds(100)
    private static let notePause: Duration = .seconds(1)
    private static let patience: Duration = .seconds(1)
    /// The least number of bytes for which a connection is cut off.
    private static let leastHarm = 1 << 20

    /// - Parameters:
    ///   - ceiling: in bytes of memory that is not shared and not on the disk.
    ///   - memory: the number of those bytes that this process has. It is asked ten times a second.
    package init(ceiling: Int, of memory: @escaping @Sendable () -> Int) {
        (self.ceiling, self.memory) = (ceiling, memory)
    }

    /// - Parameter cut: ends the connection over which most came since the last call, if that was at least so many
    ///   bytes.
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
