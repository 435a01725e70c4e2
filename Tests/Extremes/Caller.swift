import Foundation
import Glibc
import Transport
import Wire

/// A caller over sockets: a client, a producer and an operator over ZeroMQ, and a client and a producer over HTTP.
final class Caller {
    private let reader: Socket
    private let producer: Socket
    private let officer: Socket
    private let port: UInt16
    /// The time after which a service that has not answered is taken for hanging.
    private static let patience: Duration = .seconds(10)

    init(_ endpoints: Endpoints, _ port: UInt16) throws {
        func dealer(_ endpoint: String) throws -> Socket {
            let socket = try Socket(.dealer, in: try Context(), frameLimit: Limits.frame)
            try socket.connect(endpoint)
            return socket
        }
        reader = try dealer(endpoints.fetch)
        producer = try dealer(endpoints.events)
        officer = try dealer(endpoints.operators)
        self.port = port
    }

    struct Silence: Error {
        let question: String
    }

    /// - Returns: the number of answers.
    func say(_ numbers: inout ExtremeNumbers) throws -> Int {
        switch numbers.below(10) {
        case 0...3: return try ask(reader, Framed(numbers.clientWord(), request: RequestID(7)).encoded())
        case 4...5: return try ask(producer, Array("{\"events\":[\(numbers.event()),\(numbers.event())]}".utf8))
        case 6: return try ask(officer, Array(numbers.operatorRequest().utf8))
        case 7...8: return try get("GET \(numbers.address()) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        default:
            let body = "{\"events\":[\(numbers.event())]}"
            let path = "/v1/conversations/\(numbers.one(of: ExtremeNumbers.conversations))/events"
            return try get(
                "POST \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
    }

    private func ask(_ socket: borrowing Socket, _ question: [UInt8]) throws -> Int {
        // The socket may not be connected yet.
        while try socket.send(question) != .done {
            guard try socket.waitUntilWritable(atMost: Self.patience) else {
                throw Silence(question: String(decoding: question, as: UTF8.self))
            }
        }
        _ = try wait(for: [socket.source], atMost: Self.patience)
        var count = 0
        while try socket.receive() != nil { count += 1 }
        guard count > 0 else { throw Silence(question: String(decoding: question, as: UTF8.self)) }
        return count
    }

    private func get(_ request: String) throws -> Int {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Silence(question: request) }
        var time = timeval(tv_sec: 10, tv_usec: 0)
        _ = unsafe setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let bytes = Array(request.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(client, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        guard answer.starts(with: Array("HTTP/1.1 ".utf8)) else { throw Silence(question: request) }
        return 1
    }
}
