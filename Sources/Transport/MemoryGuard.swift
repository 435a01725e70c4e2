import CZMQ
import Glibc

/// Keeps this process below a ceiling of memory, for what nothing else bounds: a message of endless parts, which libzmq (4.3.4) collects
/// before anybody sees it.
///
/// Above the ceiling the peer is cut off from which most came lately. Where that does not help within a second, the process is to end:
/// whoever started it starts it again, and its neighbours go on.
package struct MemoryGuard: Sendable {
    private let ceiling: Int
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

    /// - Parameter ceiling: in bytes of memory that is not shared and not on the disk.
    package init(ceiling: Int) { self.ceiling = ceiling }

    /// - Parameter cut: ends the connection over which most came since it was called last, if that was so many bytes.
    package mutating func look(at now: ContinuousClock.Instant = .now, cut: (Int) -> Void) throws(TransportError) {
        guard now >= nextLook else { return }
        nextLook = now + Self.pause
        let resident = Self.resident
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

    /// What this process takes for itself: pages of files that are mapped cost nobody anything.
    package static var resident: Int {
        let descriptor = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return 0 }
        let numbers = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ").map { Int($0) ?? 0 }
        return numbers.count > 2 ? max(0, numbers[1] - numbers[2]) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}
