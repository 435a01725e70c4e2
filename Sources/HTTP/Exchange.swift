import CMicroHTTPD
import Glibc

/// One request and what becomes of it, from the first line to the last byte of the answer. libmicrohttpd holds it by a
/// pointer, and hands it back with every call.
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
    /// As it was written, before anything was decoded.
    let target: [UInt8]
    var state = State.opening
    var method = Method.get
    var headers: Headers = [:]
    var body: [UInt8] = []
    /// Bytes that were set aside for its body while that is not whole.
    var reserved = 0
    /// Nobody reads what follows of it.
    var isRefused = false
    /// Whether libmicrohttpd has put the connection aside until it is resumed.
    var isSuspended = false

    // Of a stream.
    var buffer: StreamBuffer
    /// No more will be sent; what is buffered still is.
    var hasEnded = false
    /// The reader was too slow.
    var isDropped = false

    init(id: Request.ID, connection: OpaquePointer, target: [UInt8], backlog: Int) {
        self.id = id
        unsafe self.connection = unsafe connection
        self.target = target
        buffer = StreamBuffer(limit: backlog)
    }

    /// What the head brings comes before all that is sent to the stream from now on, long before the head itself may go out.
    func begin(_ head: Response) {
        guard case .bytes(let first) = head.body else { return }
        _ = buffer.append(first)
    }

    /// Whether it is answered with a stream, which others write to as soon as it is there.
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

    /// False when it was not put aside.
    func resume() -> Bool {
        guard isSuspended else { return false }
        isSuspended = false
        unsafe MHD_resume_connection(connection)
        return true
    }

    /// A whole answer to a head whose length cannot be read; nil while there is none that cannot be.
    var lengthFault: StaticString? {
        guard let text = unsafe forme_http_length(connection) else { return nil }
        let length = unsafe String(cString: text)
        guard !length.isEmpty, length.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        }
        guard UInt64(length) == nil else { return nil }
        return "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    }

    /// Sends a whole answer past libmicrohttpd, which must not send one any more.
    func say(_ answer: StaticString) {
        unsafe forme_http_say(connection, answer.utf8Start, answer.utf8CodeUnitCount)
    }

    /// Ends the connection at once, whatever is still to be sent. libmicrohttpd notices as it would notice the client going,
    /// once the connection is taken up again.
    func cut() { shutdown(unsafe forme_http_socket(connection), Int32(SHUT_RDWR)) }
}
