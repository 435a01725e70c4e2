import Glibc
import HTTP

/// A server, and a client that sends it anything.
private final class Exchange {
    private let server: Server

    nonisolated(unsafe) static let shared = Exchange()

    /// Turns that the server gets for one input.
    private static let turns = 8

    private init() {
        do {
            server = try Server(ServerOptions(address: "127.0.0.1:0"))
        } catch {
            fatalError("\(error)")
        }
    }

    func send(_ bytes: ArraySlice<UInt8>) {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard client >= 0 else { return }
        defer { close(client) }
        // A reset ends the connection, so that no port waits for bytes on their way.
        var end = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(client, SOL_SOCKET, SO_LINGER, &end, socklen_t(MemoryLayout<linger>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = server.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { return }
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        shutdown(client, Int32(SHUT_WR))
        for _ in 0..<Self.turns {
            _ = server.turn { request in
                precondition(request.headers.count("Host") <= 1)
                return .response(Response(200, "text/plain", Array("heard".utf8)))
            }
        }
    }
}

extension Fuzz {
    /// Input: a byte that chooses between a request target and a whole request, then that.
    static func ask(_ input: ArraySlice<UInt8>) {
        guard let sort = input.first else { return }
        if sort & 1 == 0 {
            guard let target = RequestTarget(Array(input.dropFirst())) else { return }
            precondition(target.segments.allSatisfy { $0 != ".." })
        } else {
            Exchange.shared.send(input.dropFirst())
        }
    }
}
