import CMicroHTTPD
import Glibc

/// A listening TCP socket, made here and not by libmicrohttpd, which could not tell the cause of a failure.
/// libmicrohttpd closes it.
struct ListeningSocket {
    let descriptor: Int32
    let port: UInt16

    init(_ address: String) throws(HTTPError) {
        guard let place = Place(address) else { throw .badAddress(address) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = socket(place.isV6 ? AF_INET6 : AF_INET, kind, 0)
        guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
        // A restarted server may take its port while old connections of it still linger.
        set(SOL_SOCKET, SO_REUSEADDR, 1, of: descriptor)
        // A peer that acknowledges nothing for a minute is gone, even if bytes are still queued for it.
        set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 60_000, of: descriptor)
        guard place.bind(descriptor) == 0, listen(descriptor, 1024) == 0 else {
            let code = errno
            _ = Glibc.close(descriptor)
            switch code {
            case EADDRINUSE: throw .addressTaken(address)
            case EACCES, EPERM: throw .notPermitted(address: address)
            case EADDRNOTAVAIL: throw .addressNotHere(address)
            default: throw .system(call: "bind \(address)", code: code)
            }
        }
        port = Self.port(of: descriptor)
    }

    static func isAddress(_ address: String) -> Bool { Place(address) != nil }

    func close() { _ = Glibc.close(descriptor) }

    /// The port of a socket, which stands at the same place in addresses of both kinds.
    private static func port(of descriptor: Int32) -> UInt16 {
        var name = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = unsafe withUnsafeMutablePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        return UInt16(bigEndian: name.sin6_port)
    }
}

/// Sets an option that the kernel knows of every TCP socket, so that nothing can go wrong.
func set(_ level: Int32, _ option: Int32, _ value: Int32, of descriptor: Int32) {
    var value = value
    let status = unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    assert(status == 0)
}

/// A host, as a number or `localhost`, and a port.
private struct Place {
    var isV6: Bool
    private var v4 = sockaddr_in()
    private var v6 = sockaddr_in6()

    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        isV6 = host.hasPrefix("[") && host.hasSuffix("]")
        if isV6 {
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
            guard unsafe inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &v6.sin6_addr) == 1 else {
                return nil
            }
        } else {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            guard unsafe inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : String(host), &v4.sin_addr) == 1 else {
                return nil
            }
        }
    }

    func bind(_ descriptor: Int32) -> Int32 {
        isV6 ? Self.bind(descriptor, v6) : Self.bind(descriptor, v4)
    }

    private static func bind<Address>(_ descriptor: Int32, _ address: Address) -> Int32 {
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
