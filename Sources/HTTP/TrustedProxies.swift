/// Proxies that are believed when they say for whom they ask. Nobody else is: anybody can write a field.
///
/// A proxy appends to `X-Forwarded-For` from where it was asked. So the sender is the last address there that is not of a trusted
/// proxy; what stands before it was written by the sender, who may write anything. `Forwarded` is not read.
package struct TrustedProxies: Equatable, Sendable {
    private struct Network: Equatable {
        let number: UInt64
        let mask: UInt64
        func contains(_ address: PeerAddress) -> Bool { address.number & mask == number & mask }
    }

    private var networks: [Network] = []

    package init() {}

    /// False for what is neither an address (`10.0.0.7`) nor a network (`10.0.0.0/8`).
    package mutating func add(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = PeerAddress(String(parts[0])) else { return false }
        // Of IPv6 the first half is known.
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

    /// From where a request comes that came on a connection from a peer.
    func sender(of headers: Headers, from peer: PeerAddress) -> PeerAddress {
        guard contains(peer), let list = headers.list("X-Forwarded-For") else { return peer }
        var sender = peer
        for text in list.split(separator: ",").reversed() {
            // What is no address was written by somebody who is not to be believed.
            guard let address = PeerAddress(String(String(text).withoutOuterSpace)) else { return sender }
            sender = address
            if !contains(address) { return sender }
        }
        return sender
    }
}
