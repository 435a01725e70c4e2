import CMicroHTTPD
import Glibc

/// From where a connection comes, as far as limits count: an address of IPv4, or a network of 64 bits of IPv6, of which one
/// customer has as many addresses as it likes.
package struct PeerAddress: Hashable, Sendable {
    private let number: UInt64

    /// Of nobody in particular.
    package static let none = PeerAddress(number: 0)

    private init(number: UInt64) { self.number = number }

    @unsafe init(_ address: UnsafePointer<sockaddr>?) {
        guard let address = unsafe address else {
            self = .none
            return
        }
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET:
            number = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe 0xFFFF_0000_0000 | UInt64($0.pointee.sin_addr.s_addr)
            }
        case AF_INET6:
            number = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                unsafe withUnsafeBytes(of: $0.pointee.sin6_addr) { bytes in
                    // An address of IPv4 in the clothes of IPv6.
                    let isMapped =
                        unsafe bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
                    return isMapped
                        ? unsafe 0xFFFF_0000_0000 | UInt64(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
                        : unsafe bytes.loadUnaligned(as: UInt64.self)
                }
            }
        default: number = 0
        }
    }
}
