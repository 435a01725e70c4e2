/// The proxies that are trusted to name the sender of a request. Nobody else is, as anybody can write a field.
///
/// A proxy appends the address of its client to `X-Forwarded-For`. So the sender is the last address there that is
/// not a trusted proxy's; the sender itself wrote all before it, and may write anything. `Forwarded` is not read.
package struct TrustedProxies: Equatable, Sendable {
    private struct Network: Equatable {
        let number: UInt64
        let mask: UInt64
        func contains(_ address: PeerAddress) -> Bool { address.number & mask == number & mask }
    }

    private var networks: [Network] = []

    package init() {}

    /// Adds proxies; false for a text that is neither an address (`10.0.0.7`) nor a network (`10.0.0.0/8`).
    package mutating func add(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = PeerAddress(String(parts[0])) else { return false }
        // An IPv6 address is known by its first half.
        let most = address.isV4 ? 32 : 64
        guard let bits = parts.count == 2 ? Int(parts[1]) : most, 0...(address.isV4 ? 32 : 128) ~= bits else {
            return false
        }
        let free = UInt64(max(0, most - bits))
        networks.append(Network(number: address.number, mask: free == 64 ? 0 : ~0 << free))
        return true
    }

    package var isEmpty: Bool { networks.isEmpty }

    package func contains(_ address: PeerAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// The address of the sender of a request that came on a connection from a peer.
    func sender(of headers: Headers, from peer: PeerAddress) -> PeerAddress {
        guard contains(peer), let list = headers.list("X-Forwarded-For") else { return peer }
        var sender = peer
        for text in list.split(separator: ",").reversed() {
            // A text that is no address was not written by a trusted proxy.
            guard let address = PeerAddress(String(String(text).withoutOuterSpace)) else { return sender }
            sender = address
            if !contains(address) { return sender }
        }
        return sender
    }
}
