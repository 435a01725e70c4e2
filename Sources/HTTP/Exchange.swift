import CMicroHTTPD
import Glibc

/// One request and its answer, from the request line to the last byte sent. libmicrohttpd holds it by a pointer, and
/// hands it back with every call.
@safe final class Exchange {
    enum State {
        /// The head is not complete.
        case opening
        /// The body is not complete.
        case receiving
        /// The loop has the request.
        case waiting
        /// The loop has answered, and libmicrohttpd has not asked for it yet.
        case answered(Response)
        case streamAnswered(Response)
        case sending
        case streaming
        case gone
    }

    let id: Request.ID
    let connection: OpaquePointer
    /// The target as it was written, before anything was decoded.
    let target: [UInt8]
    var state = State.opening
    var method = Method.get
    var headers: Headers = [:]
    var body: [UInt8] = []
    /// Bytes that are set aside for its body until that is complete.
    var reserved = 0
    /// Bytes of its answer, or the answer that others are given, too, while it is on its way.
    var unsent = 0
    var prepared: PreparedResponse?
    /// Whether the request was refused: the rest of it is not read.
    var isRefused = false
    /// Whether libmicrohttpd has put the connection aside until it is resumed.
    var isSuspended = false

    // The state of a stream.
    var buffer: StreamBuffer
    /// Whether the stream takes no more bytes; the buffered ones are still sent.
    var hasEnded = false
    /// True where the reader was dropped, as it was too slow, left most unread of all, or has gone.
    var isDropped = false

    init(id: Request.ID, connection: OpaquePointer, target: [UInt8], buffer: StreamBuffer) {
        self.id = id
        unsafe self.connection = unsafe connection
        self.target = target
        self.buffer = buffer
    }

    /// Buffers the bytes of the head. They come before all that is sent to the stream from now on, long before the
    /// head itself may go out.
    func begin(_ head: Response) {
        guard case .bytes(let first) = head.body else { return }
        _ = buffer.append(first)
    }

    /// Whether it is answered with a stream, which takes bytes from the moment of that answer.
    var isStream: Bool {
        switch state {
        case .streamAnswered, .streaming: true
        case .opening, .receiving, .waiting, .answered, .sending, .gone: false
        }
    }

    var visit: Visit? {
        unsafe forme_http_context(connection).map { unsafe Unmanaged<Visit>.fromOpaque($0).takeUnretainedValue() }
    }

    func suspend() {
        isSuspended = true
        unsafe MHD_suspend_connection(connection)
    }

    /// Resumes the connection; false when it was not suspended.
    func resume() -> Bool {
        guard isSuspended else { return false }
        isSuspended = false
        unsafe MHD_resume_connection(connection)
        return true
    }

    /// A complete answer to a head whose Content-Length cannot be read; nil where the length is readable or absent.
    var lengthFault: StaticString? {
        guard let text = unsafe forme_http_length(connection) else { return nil }
        let length = unsafe String(cString: text)
        guard !length.isEmpty, length.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        }
        guard UInt64(length) == nil else { return nil }
        return "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    }

    /// Sends a complete answer past libmicrohttpd, which must not send another.
    func say(_ answer: StaticString) {
        unsafe forme_http_say(connection, answer.utf8Start, answer.utf8CodeUnitCount)
    }

    /// Ends the connection at once, even if bytes are still to be sent. To libmicrohttpd the client seems to have
    /// gone, once the connection is resumed.
    func cut() { shutdown(unsafe forme_http_socket(connection), Int32(SHUT_RDWR)) }
}
