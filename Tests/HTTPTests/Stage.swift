import Glibc
import HTTP
import TestSupport
import Testing

/// A server and the clients that try it, all on the thread of one test: a wait for a client turns the server meanwhile,
/// so nothing happens at a time of its own.
final class Stage {
    let server: Server
    private let answer: (Request) -> Answer
    private let admit: (Request) -> Admission
    /// Whether those who ask are known.
    var vouches = false
    private(set) var ended: [Request.ID] = []
    private(set) var requests: [Request] = []

    init(
        _ change: (inout ServerOptions) -> Void = { _ in },
        admit: @escaping (Request) -> Admission = { _ in .body(atMost: .max) },
        answer: @escaping (Request) -> Answer = { _ in .response(Response(200, "text/plain", Array("hello".utf8))) }
    ) throws {
        var options = ServerOptions(address: "127.0.0.1:0")
        options.connections = 64
        options.connectionsPerAddress = 64
        change(&options)
        server = try Server(options)
        self.answer = answer
        self.admit = admit
    }

    func turn() {
        ended += server.turn(admitting: admit) { request in
            requests.append(request)
            if vouches { server.vouch() }
            return answer(request)
        }
    }

    /// Turns the server until something is so.
    func until(_ isSo: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let deadline = ContinuousClock.now + patience
        while try !isSo() {
            guard .now < deadline else {
                Issue.record("not so within \(patience)", sourceLocation: sourceLocation)
                return
            }
            turn()
            if try isSo() { return }
            try wait(for: [server.descriptor], atMost: min(server.rest, .milliseconds(20)))
        }
    }

    func client(from address: String = "127.0.0.1") throws -> RawClient {
        try RawClient(port: server.port, from: address, on: self)
    }

    /// The reply to these bytes on a connection of its own.
    func reply(to text: String) throws -> Reply {
        let client = try client()
        try client.send(text)
        return try client.reply()
    }

    func get(_ path: String, _ fields: [String: String] = [:], method: String = "GET") throws -> Reply {
        let client = try client()
        try client.send(head(method, path, fields))
        return try client.reply(toHead: method == "HEAD")
    }
}

func head(_ method: String, _ path: String, _ fields: [String: String] = [:]) -> String {
    let lines = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
    return "\(method) \(path) HTTP/1.1\r\nHost: test\r\n\(lines.joined())\r\n"
}

struct NobodyListens: Error {}

/// A TCP connection that knows nothing of HTTP but how to read an answer.
final class RawClient {
    private let descriptor: Int32
    private unowned let stage: Stage
    private(set) var received: [UInt8] = []
    private(set) var isClosed = false

    init(
        port: UInt16, from local: String = "127.0.0.1", receiving room: Int32? = nil, on stage: Stage
    ) throws {
        self.stage = stage
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        unsafe inet_pton(AF_INET, local, &own.sin_addr)
        _ = unsafe withUnsafePointer(to: &own) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if var room { unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, 4) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        unsafe inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw NobodyListens() }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        try stage.until {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { rest.removeFirst(count) }
            return rest.isEmpty || count < 0 && errno != EAGAIN
        }
    }

    /// Sends what fits, or nothing.
    func drip(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Says that nothing more will be sent, and goes on reading.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    func read() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                received += buffer[..<count]
            } else {
                if count == 0 || errno != EAGAIN { isClosed = true }
                return
            }
        }
    }

    /// The next answer.
    func reply(toHead: Bool = false) throws -> Reply {
        var reply: Reply?
        try stage.until {
            read()
            reply = Reply(&received, isClosed: isClosed, hasBody: !toHead)
            return reply != nil || isClosed
        }
        return try #require(reply)
    }

    func waitForBytes(_ text: String) throws {
        try stage.until {
            read()
            return String(decoding: received, as: UTF8.self).contains(text)
        }
    }

    func waitForClose() throws {
        try stage.until {
            read()
            return isClosed
        }
    }
}

/// Waits until one can be read, or time is up.
func wait(for descriptors: [Int32], atMost time: Duration) throws {
    var items = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    unsafe poll(&items, nfds_t(items.count), Int32(time / .milliseconds(1)))
}

/// An answer, taken from the front of the received bytes.
struct Reply {
    let status: Int
    private let fields: [(name: String, value: String)]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(_ name: String) -> String? { fields.first { $0.name == name.lowercased() }?.value }

    /// Nil while it is not complete.
    init?(_ bytes: inout [UInt8], isClosed: Bool, hasBody: Bool) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let status = Int(lines[0].split(separator: " ")[1]) ?? 0
        let fields = lines.dropFirst().map { line -> (name: String, value: String) in
            let colon = line.firstIndex(of: ":")!
            return (line[..<colon].lowercased(), String(line[line.index(colon, offsetBy: 2)...]))
        }
        let rest = bytes[end.upperBound...]
        let length = fields.first { $0.name == "content-length" }.flatMap { Int($0.value) }
        self.status = status
        self.fields = fields
        guard hasBody, status >= 200, status != 204, status != 304 else {
            body = []
            bytes = Array(rest)
            return
        }
        if let length {
            guard rest.count >= length else { return nil }
            body = Array(rest.prefix(length))
            bytes = Array(rest.dropFirst(length))
        } else {
            guard isClosed else { return nil }
            body = Array(rest)
            bytes = []
        }
    }
}
