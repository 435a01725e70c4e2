import CZMQ
import Glibc
import Synchronization

/// A bell that wakes a loop from another thread. Many rings before the loop wakes count as one.
package final class Bell: Sendable {
    /// A descriptor that can be read while the bell rings, for loops that wait otherwise than by `wait(for:atMost:)`.
    /// It is open for as long as the bell is there.
    package let descriptor: Int32

    package init() throws(TransportError) {
        descriptor = forme_eventfd()
        guard descriptor >= 0 else { throw .system(call: "eventfd", code: errno, endpoint: "") }
    }

    deinit { close(descriptor) }

    package var source: Source { Source(kind: .descriptor(descriptor, owner: self)) }

    /// Rings the bell. The write fails only where the counter is full, and then the bell rings already.
    package func ring() { _ = eventfd_write(descriptor, 1) }

    package func silence() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(descriptor, &count)
    }
}

/// Values on their way from one thread to another, and the bell that announces them.
package final class Mailbox<Letter: Sendable>: Sendable {
    private let letters = Mutex<[Letter]>([])
    private let bell: Bell

    package init() throws(TransportError) { bell = try Bell() }

    package var source: Source { bell.source }
    package var descriptor: Int32 { bell.descriptor }

    package func post(_ letter: Letter) {
        letters.withLock { $0.append(letter) }
        bell.ring()
    }

    /// Everything that came since the last time, in order.
    package func takeAll() -> [Letter] {
        bell.silence()
        return letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
    }
}
