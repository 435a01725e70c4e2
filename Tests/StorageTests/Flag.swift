import Synchronization

/// Something that a test says to what runs in a closure.
final class Flag: Sendable {
    private let flag = Mutex(false)

    var value: Bool {
        get { flag.withLock { $0 } }
        set { flag.withLock { $0 = newValue } }
    }
}
