public import FormeClient
import Foundation
package import Transport
import Wire

/// A gateway over ZeroMQ. Each window has a socket, on a thread of its own; no other thread waits for it.
public struct ZMQTransport: GatewayTransport {
    private let endpoint: String
    private let access: Access

    /// libzmq reconnects by itself, and does not report it. A gateway that was away does not know the window any
    /// more.
    public let silence: Duration

    /// - Parameter endpoint: such as `ipc:///var/lib/forme/fetch.ipc`, which only its owner can open.
    public init(_ endpoint: String) { self.init(endpoint, access: Access()) }

    package init(_ endpoint: String, access: Access, silence: Duration = .seconds(2)) {
        (self.endpoint, self.access, self.silence) = (endpoint, access, silence)
    }

    public func connect(_ call: GatewayCall) async throws -> GatewayLine {
        let mailbox = try Mailbox<SocketLetter>()
        let (frames, told) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        told.onTermination = { _ in mailbox.post(.end) }
        // A line that broke has another name at the gateway, so the window is opened anew.
        mailbox.post(.say(call.frame))
        Thread.detachNewThread { [endpoint, access] in
            do {
                let socket = try Socket(
                    .dealer, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoint))
                try socket.connect(endpoint)
                try SocketThread(socket: socket, mailbox: mailbox).run { told.yield($0) }
                told.finish()
            } catch TransportError.notAdmitted {
                told.finish(throwing: WindowError.forbidden)
            } catch {
                told.finish(throwing: error)
            }
        }
        return GatewayLine(
            frames: frames, send: { mailbox.post(.say($0)) }, close: { mailbox.post(.end) })
    }
}

/// A letter to the thread that has the socket.
enum SocketLetter: Sendable {
    case say([UInt8])
    case end
}

/// Carries frames between a socket and other threads, in order.
struct SocketThread: ~Copyable {
    private let socket: Socket
    private let mailbox: Mailbox<SocketLetter>
    /// Frames that the socket has no room for yet.
    private var unsent: [[UInt8]] = []
    private var isEnding = false

    private static let pause = Duration.milliseconds(20)
    private static let rest = Duration.seconds(60)

    init(socket: consuming Socket, mailbox: Mailbox<SocketLetter>) {
        self.socket = socket
        self.mailbox = mailbox
    }

    /// Runs until it is told to end.
    consuming func run(_ hear: ([UInt8]) -> Void) throws {
        while !isEnding {
            _ = try wait(for: [socket.source, mailbox.source], atMost: unsent.isEmpty ? Self.rest : Self.pause)
            for letter in mailbox.takeAll() {
                switch letter {
                case .say(let frame): unsent.append(frame)
                case .end: isEnding = true
                }
            }
            while let frame = unsent.first, try socket.send(frame) == .done { unsent.removeFirst() }
            while let parts = try socket.receive() {
                guard parts.count == 1 else { throw WindowError.unreadable("a frame of \(parts.count) parts") }
                hear(parts[0])
            }
        }
    }
}
