import Foundation

/// A port of this machine that nobody listens at.
package enum FreePort {
    package static func find() throws -> Int {
        guard let port = taken(0) else { throw Failure(.failed, "no port is free on 127.0.0.1") }
        return Int(port)
    }

    /// This one, or the first of fifty behind it.
    package static func first(from port: UInt16) throws -> UInt16 {
        for port in port..<port + 50 { if let free = taken(port) { return free } }
        throw Failure(.unavailable, "no port of 127.0.0.1 is free from \(port) on; name another one")
    }

    /// Takes a port for a moment, 0 for any, and returns its number; nil where somebody has it.
    private static func taken(_ port: UInt16) -> UInt16? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        return isBound ? UInt16(bigEndian: address.sin_port) : nil
    }
}
