import Foundation
import Synchronization

/// A proxy between clients and a server of this machine, on a thread of its own. It does to their connections what
/// networks do.
package final class TCPProxy: Sendable {
    package enum Mode: Equatable, Sendable {
        case open
        /// Bytes in these directions are held back, and go on when the proxy is open again.
        case held(requests: Bool, answers: Bool)
        /// The rate of each connection, in each direction.
        case slow(bytesPerSecond: Int)
        /// Connections are reset: those that are there, and those that come.
        case reset
        /// Connections end behind so many bytes of answers.
        case cut(after: Int)
    }

    /// The port on 127.0.0.1 where it listens.
    package let port: UInt16
    private let current = Mutex(Mode.open)
    private let wake = Pipe()

    package init(to server: UInt16) throws {
        let listener = try LoopbackSocket.listening()
        port = listener.port
        let (read, wake) = (wake.fileHandleForReading.fileDescriptor, wake)
        Thread.detachNewThread { [weak self] in
            var traffic = ProxyTraffic(listener: listener, server: server, wake: read)
            while let mode = self?.mode { traffic.turn(mode) }
            traffic.end()
            _ = wake
        }
    }

    package var mode: Mode {
        get { current.withLock { $0 } }
        set {
            current.withLock { $0 = newValue }
            ring()
        }
    }

    deinit { ring() }

    private func ring() { wake.fileHandleForWriting.write(Data([1])) }
}
