import CZMQ
import Glibc
import Synchronization

/// Wakes a loop from another thread. Many rings before it wakes are one.
package final class Bell: Sendable {
    /// Can be read while it rings, for those that wait otherwise than by `wait(for:atMost:)`; open for as long as the bell is there.
    package let descriptor: Int32

    package init() throws(TransportError) {
        descriptor = forme_eventfd()
        guard descriptor >= 0 else { throw .system(call: "eventfd", code: errno, endpoint: "") }
    }

    deinit { close(descriptor) }

    package var source: Source { Source(kind: .descriptor(descriptor, owner: self)) }

    /// Fails only when it already rings as loudly as it can.
    package func ring() { _ = eventfd_write(descriptor, 1) }

    package func silence() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(descriptor, &count)
    }
}

/// Values on their way from one thread to another, and the bell that says so.
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
