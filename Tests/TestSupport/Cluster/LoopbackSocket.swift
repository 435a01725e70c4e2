import Glibc

/// A TCP socket on 127.0.0.1, for tests. The test that makes it closes it.
package struct LoopbackSocket {
    package let descriptor: Int32
    package let port: UInt16

    package struct Failure: Error {
        let call: String
        let code: Int32
    }

    /// A socket that listens on a port that was free.
    package static func listening() throws -> LoopbackSocket {
        let descriptor = socket(AF_INET, stream, 0)
        let isListening = unsafe address(0) { unsafe bind(descriptor, $0, $1) == 0 } && listen(descriptor, 64) == 0
        guard isListening else { throw Failure(call: "listen", code: errno) }
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = unsafe withUnsafeMutablePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        return LoopbackSocket(descriptor: descriptor, port: UInt16(bigEndian: name.sin_port))
    }

    /// A socket that is connected to the port; nil where nobody listens.
    package static func connected(to port: UInt16) -> LoopbackSocket? {
        let descriptor = socket(AF_INET, stream, 0)
        guard unsafe address(port, { unsafe connect(descriptor, $0, $1) == 0 }) else {
            close(descriptor)
            return nil
        }
        return LoopbackSocket(descriptor: descriptor, port: port)
    }

    private static let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    private static func address(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
