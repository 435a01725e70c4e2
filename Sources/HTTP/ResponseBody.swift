import CMicroHTTPD
import Glibc

/// A response in libmicrohttpd's own form. libmicrohttpd counts the references to it, so ours may go as soon as it is
/// queued.
@safe struct ResponseBody: ~Copyable {
    private let raw: OpaquePointer

    deinit { unsafe MHD_destroy_response(raw) }

    /// Nil when a file is not there any more, or is shorter than it was.
    init?(_ body: Response.Body) {
        let made =
            switch body {
            case .bytes(let bytes):
                unsafe bytes.withUnsafeBytes { content in
                    unsafe MHD_create_response_from_buffer(
                        content.count, UnsafeMutableRawPointer(mutating: content.baseAddress), .RESPMEM_MUST_COPY)
                }
            case .file(let path, let offset, let count): unsafe response(path, offset, count)
            }
        guard let made = unsafe made else { return nil }
        unsafe raw = unsafe made
    }

    /// The body of a stream: libmicrohttpd reads from the exchange's buffer whenever the client takes more.
    init(stream exchange: Exchange) {
        // The size matters to clients of HTTP 1.0 alone: chunks are written into the connection's own buffer.
        unsafe raw = MHD_create_response_from_callback(
            UInt64.max, 1024,
            { context, _, target, room in
                guard let context = unsafe context, let target = unsafe target else { return -2 }
                let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
                return unsafe exchange.move(to: UnsafeMutableRawBufferPointer(start: target, count: room))
            },
            Unmanaged.passRetained(exchange).toOpaque(),
            { context in
                if let context = unsafe context { unsafe Unmanaged<Exchange>.fromOpaque(context).release() }
            })
    }

    /// Adds fields; false when one of them cannot stand in a head.
    func add(_ headers: Headers) -> Bool {
        headers.fields.allSatisfy { field in
            field.value.isEmpty || (unsafe MHD_add_response_header(raw, field.name, field.value) == .YES)
        }
    }

    /// Adds the fields of an answer, and the one that every answer has: no browser shall guess the type of users'
    /// texts.
    func addAll(_ headers: Headers) -> Bool {
        add(headers) && add(["X-Content-Type-Options": "nosniff"])
    }

    func queue(status: Int, to connection: OpaquePointer) -> Bool {
        unsafe MHD_queue_response(connection, UInt32(status), raw) == .YES
    }
}

extension Exchange {
    /// Moves the next bytes of a stream and returns their number; 0 when there are none now, -1 at its end, -2 when
    /// its reader is dropped.
    @unsafe fileprivate func move(to target: UnsafeMutableRawBufferPointer) -> Int {
        if isDropped { return -2 }
        let count = unsafe buffer.move(to: target)
        if count > 0 { return count }
        if hasEnded { return -1 }
        suspend()
        return 0
    }
}

/// The response with a part of a file, which libmicrohttpd closes.
@unsafe private func response(_ path: String, _ offset: UInt64, _ count: UInt64) -> OpaquePointer? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        UInt64(status.st_size) >= offset + count
    else {
        close(descriptor)
        return nil
    }
    return unsafe MHD_create_response_from_fd_at_offset64(count, descriptor, offset)
}
