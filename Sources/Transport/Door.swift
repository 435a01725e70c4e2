import Synchronization

/// The role of a peer: the rights that it has here. Every endpoint names the roles that it admits.
package enum KeyRole: String, CaseIterable, Hashable, Sendable {
    /// Posts events.
    case producer
    /// Takes leases, and returns results.
    case worker
    /// Fetches layouts, and hears when they are ready.
    case reader
    /// Everything but a worker's place.
    case `operator`
    /// Faces the outside: passes events on, hears when layouts are ready, and tells what readers wait for. It gives
    /// no orders.
    case gateway
    /// Another host of the same cluster.
    case host
}

/// The holder of a key.
package struct Guest: Hashable, Sendable {
    package var name: String
    package var role: KeyRole

    package init(name: String, role: KeyRole) { (self.name, self.role) = (name, role) }
}

/// The list of keys that may come in: asked for every connection that is made, and for every message that comes over
/// one.
///
/// The sockets of a process share it with the code that reads the list anew. A key that is refused from now on is
/// refused on connections that stand, too.
package final class Door: Sendable {
    /// A key that was refused, and its address.
    package struct Stranger: Equatable, Sendable {
        package var key: PublicKey
        package var address: String
        /// The owner of the key, who may not do this; nil when the key is on no list.
        package var guest: Guest?
        /// Whether the key did harm a moment ago, and is kept out for a time.
        package var isPunished = false
    }

    /// A key that was let in lately. libzmq does not say over which connection it came.
    private struct Arrival {
        var key: PublicKey
        var host: String
        var domain: String
        let time = ContinuousClock.now
    }

    private let guests: Mutex<[PublicKey: Guest]>
    private let arrivals = Mutex<[Arrival]>([])
    /// The keys that did harm, and the time until which each is kept out.
    private let penalties = Mutex<[PublicKey: ContinuousClock.Instant]>([:])
    private let refused: @Sendable (Stranger) -> Void

    /// - Parameter refused: called on the doorkeeper's thread for every connection that is turned away.
    package init(_ guests: [PublicKey: Guest] = [:], refused: @escaping @Sendable (Stranger) -> Void = { _ in }) {
        self.guests = Mutex(guests)
        self.refused = refused
    }

    /// Replaces the list: from now on these keys may come in, and no others.
    package func admit(_ guests: [PublicKey: Guest]) { self.guests.withLock { $0 = guests } }

    /// The holder of a key, if the holder has one of these roles.
    func guest(with key: PublicKey, among roles: Set<KeyRole>) -> Guest? {
        guard let guest = guests.withLock({ $0[key] }), roles.contains(guest.role) else { return nil }
        return guest
    }

    /// The time for which a key that did harm is kept out.
    static let penalty: Duration = .seconds(60)
    private static let mostArrivals = 1024

    /// Keeps a key out for a time, even one on the list.
    func refuse(_ key: PublicKey, for time: Duration) { penalties.withLock { $0[key] = .now + time } }

    private func isRefused(_ key: PublicKey) -> Bool {
        penalties.withLock { penalties in
            guard let end = penalties[key] else { return false }
            if end <= .now { penalties[key] = nil }
            return end > .now
        }
    }

    /// The key of a connection that was made from an address at a time; nil where several may have made it, or it is
    /// long ago.
    func visitor(from address: String, domain: String, since time: ContinuousClock.Instant) -> PublicKey? {
        let host = address.prefix(upTo: address.lastIndex(of: ":") ?? address.endIndex)
        // A handshake ends within five seconds, or the connection does.
        let span = (time - .milliseconds(500))...(time + .seconds(6))
        let keys = arrivals.withLock { arrivals in
            Set(arrivals.filter { $0.host == host && $0.domain == domain && span.contains($0.time) }.map(\.key))
        }
        return keys.count == 1 ? keys.first : nil
    }

    /// The holder of a key that asks to come in, if it is admitted. A refusal is reported.
    func answer(_ key: PublicKey, from address: String, among roles: Set<KeyRole>) -> Guest? {
        let isPunished = isRefused(key)
        if let guest = guest(with: key, among: roles), !isPunished {
            arrivals.withLock { arrivals in
                if arrivals.count >= Self.mostArrivals { arrivals.removeFirst(Self.mostArrivals / 2) }
                arrivals.append(Arrival(key: key, host: address, domain: Doorkeeper.domain(of: roles)))
            }
            return guest
        }
        refused(
            Stranger(key: key, address: address, guest: guests.withLock { $0[key] }, isPunished: isPunished))
        return nil
    }
}
