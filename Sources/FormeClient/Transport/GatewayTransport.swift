import Names
package import Wire

/// A way to a gateway: it carries words out and words in, in order. `HTTPTransport` is one; `FormeClientZMQ` has
/// another.
public protocol GatewayTransport: Sendable {
    /// Opens a line for one window. The first word on it is the answer to the call: the window, or what was missed of
    /// it.
    func connect(_ call: GatewayCall) async throws -> GatewayLine

    /// The silence after which a gateway is asked whether it is still there.
    var silence: Duration { get }
}

/// A connection for one window.
public struct GatewayLine: Sendable {
    /// The gateway's name for it; empty where a line that broke cannot be resumed.
    public var name: String
    /// Frames as they come, and empty ones as signs of life. The stream ends when the connection does.
    public var frames: AsyncThrowingStream<[UInt8], any Error>
    /// Sends one frame. Frames are sent one after the other.
    public var send: @Sendable ([UInt8]) async throws -> Void
    public var close: @Sendable () -> Void

    public init(
        name: String = "", frames: AsyncThrowingStream<[UInt8], any Error>,
        send: @escaping @Sendable ([UInt8]) async throws -> Void, close: @escaping @Sendable () -> Void
    ) {
        (self.name, self.frames, self.send, self.close) = (name, frames, send, close)
    }
}

/// The window that is wanted.
public struct GatewayCall: Sendable {
    package let opening: WindowOpening
    /// The line that broke, and the moment up to which it was heard; nil for a new one.
    package let resume: Resume?

    package struct Resume: Hashable, Sendable {
        package var line: String
        package var cursor: WindowCursor
    }

    package init(_ opening: WindowOpening, resume: Resume? = nil) { (self.opening, self.resume) = (opening, resume) }

    public var conversation: String { opening.conversation.text }

    /// The word that opens the window, for transports on which it is said.
    public var frame: [UInt8] { Framed(ClientWord.open(opening)).encoded() }
}
