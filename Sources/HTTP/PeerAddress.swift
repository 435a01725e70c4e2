import CMicroHTTPD
import Glibc

/// The origin of a connection, as limits count it: an IPv4 address, or an IPv6 network of 64 bits, in which one
/// customer has as many addresses as it likes.
package struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    let number: UInt64

    /// The address of nobody in particular.
    package static let none = PeerAddress(number: 0)

    private init(number: UInt64) { self.number = number }

    /// The address in numbers; of IPv6, the network that a household has.
    package var description: String {
        guard !isV4 else {
            return (0..<4).map { "\(number >> (24 - 8 * UInt64($0)) & 255)" }.joined(separator: ".")
        }
        let parts = (0..<4).map { String(number >> (48 - 16 * UInt64($0)) & 0xFFFF, radix: 16) }
        return parts.joined(separator: ":") + "::/64"
    }

    private init(v4 address: in_addr) { number = Self.v4 | UInt64(UInt32(bigEndian: address.s_addr)) }

    private init(v6 address: in6_addr) {
        number = unsafe withUnsafeBytes(of: address) { bytes in
            // An IPv4 address that is mapped into IPv6.
            let isMapped = unsafe bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            return isMapped
                ? unsafe Self.v4 | UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
                : unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        }
    }

    /// Nil for a text that is no numeric address.
    package init?(_ text: String) {
        var (v4, v6) = (in_addr(), in6_addr())
        if unsafe inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4: v4)
        } else if unsafe inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(v6: v6)
        } else {
            return nil
        }
    }

    /// The bits before the 32 of an IPv4 address.
    static let v4: UInt64 = 0xFFFF_0000_0000

    var isV4: Bool { number >> 32 == Self.v4 >> 32 }

    /// Whether it is an address of this machine, or of nobody in particular.
    package var isHere: Bool { isV4 ? number >> 24 == (Self.v4 | 0x7F00_0000) >> 24 : number == 0 }

    @unsafe init(_ address: UnsafePointer<sockaddr>?) {
        guard let address = unsafe address else {
            self = .none
            return
        }
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET:
            self = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe PeerAddress(v4: $0.pointee.sin_addr)
            }
        case AF_INET6:
            self = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                unsafe PeerAddress(v6: $0.pointee.sin6_addr)
            }
        default: self = .none
        }
    }
}
