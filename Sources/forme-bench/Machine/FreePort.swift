import Console
import Foundation

/// A port of this machine that nobody listens at.
enum FreePort {
    static func find() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, size) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw Failure(.failed, "no port is free on 127.0.0.1") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
