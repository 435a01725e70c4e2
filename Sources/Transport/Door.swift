import Synchronization

/// What a peer may do here. Every endpoint says which of them it admits.
package enum Role: String, CaseIterable, Hashable, Sendable {
    /// Posts events.
    case producer
    /// Takes leases, and returns results.
    case worker
    /// Fetches layouts, and hears when they are ready.
    case reader
    /// Everything but a worker's place.
    case `operator`
}

/// Whom a key belongs to.
package struct Guest: Hashable, Sendable {
    package var name: String
    package var role: Role

    package init(name: String, role: Role) { (self.name, self.role) = (name, role) }
}

/// Who may come in: asked for every connection that is made, and for every message that comes over one.
///
/// Shared by the sockets of a process and by whoever reads the list anew; what is refused from now on is refused on
/// connections that stand, too.
package final class Door: Sendable {
    /// A key that was refused, and where.
    package struct Stranger: Equatable, Sendable {
        package var key: PublicKey
        package var address: String
        /// Nil when the key is on no list; else its owner, who may not do this.
        package var guest: Guest?
    }

    private let guests: Mutex<[PublicKey: Guest]>
    private let refused: @Sendable (Stranger) -> Void

    /// - Parameter refused: called on a thread of libzmq's questions for every connection that is turned away.
    package init(_ guests: [PublicKey: Guest] = [:], refused: @escaping @Sendable (Stranger) -> Void = { _ in }) {
        self.guests = Mutex(guests)
        self.refused = refused
    }

    /// From now on these, and nobody else.
    package func admit(_ guests: [PublicKey: Guest]) { self.guests.withLock { $0 = guests } }

    /// Who holds the key, if that is somebody who may come in here.
    func guest(with key: PublicKey, among roles: Set<Role>) -> Guest? {
        guard let guest = guests.withLock({ $0[key] }), roles.contains(guest.role) else { return nil }
        return guest
    }

    /// The same, of a stranger who knocks.
    func answer(_ key: PublicKey, from address: String, among roles: Set<Role>) -> Guest? {
        if let guest = guest(with: key, among: roles) { return guest }
        refused(Stranger(key: key, address: address, guest: guests.withLock { $0[key] }))
        return nil
    }
}
