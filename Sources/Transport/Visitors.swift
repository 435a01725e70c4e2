import CZMQ
import Glibc
import Synchronization

/// The connections to a listening socket, and the means to end one.
///
/// libzmq has no call for that. Each connection has a twin of its descriptor here (`ConnectionWatch`), and when the
/// twin is shut down, libzmq gives the connection up as if the peer had gone.
final class Visitors: Sendable {
    private struct Visitor {
        var twin: Int32
        var address: String
        let since = ContinuousClock.now
        var received: Int64 = 0
        var subscriptions = 0
        var subscribedBytes = 0
        /// Whether it is about to go.
        var isCut = false
    }

    private struct State {
        var present: [Int32: Visitor] = [:]
        var subscribedBytes = 0
        /// The peers that were cut off and not reported yet.
        var cut: [CutPeer] = []
    }

    /// The door that admits keys, and the domain of the roles that it admits; nil where there are no keys.
    private let door: (Door, domain: String)?
    private let most: Int
    private let state = Mutex(State())

    /// The most subscriptions of one visitor: programs that hear everything have one.
    static let mostSubscriptions = 16
    /// The most bytes of all prefixes of all visitors. Each byte takes fifty of memory.
    static let mostSubscribedBytes = 64 << 10
    /// The most cut visitors that are reported at once.
    private static let mostTold = 100

    init(at door: (Door, domain: String)?) {
        self.door = door
        most = Self.most(ofDescriptors: Self.descriptorLimit)
    }

    /// The most visitors. A listening socket takes a part of the descriptors, two for each visitor, and leaves enough
    /// for files: without a free descriptor libzmq would turn in circles.
    static func most(ofDescriptors limit: Int) -> Int { max(16, (limit - 256) / 6) }

    private static var descriptorLimit: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Adds a connection; one for which there is no room is cut off.
    ///
    /// - Returns: a twin that is of no use any more.
    func enter(_ descriptor: Int32, _ twin: Int32, address: String) -> Int32? {
        state.withLock { state in
            let old = remove(descriptor, &state)
            state.present[descriptor] = Visitor(twin: twin, address: address)
            if state.present.count > most { cut(descriptor, .tooManyConnections(limit: most), &state) }
            return old?.twin
        }
    }

    /// Removes a connection; nil for one that never came.
    func leave(_ descriptor: Int32) -> (twin: Int32, address: String, isCut: Bool)? {
        state.withLock { state in remove(descriptor, &state).map { ($0.twin, $0.address, $0.isCut) } }
    }

    /// Removes all connections, and returns their twins.
    func clear() -> [Int32] {
        state.withLock { state in
            defer { state.present = [:] }
            return state.present.values.map(\.twin)
        }
    }

    private func remove(_ descriptor: Int32, _ state: inout State) -> Visitor? {
        guard let visitor = state.present.removeValue(forKey: descriptor) else { return nil }
        state.subscribedBytes -= visitor.subscribedBytes
        return visitor
    }

    /// Counts a subscription, or the end of one, as a publisher hears it. It may come before the connection itself is
    /// noted.
    func hear(_ word: [UInt8], from descriptor: Int32) {
        guard let kind = word.first else { return }
        let (sign, bytes) = (kind == 1 ? 1 : -1, word.count - 1)
        state.withLock { state in
            guard var visitor = state.present[descriptor], !visitor.isCut else { return }
            visitor.subscriptions += sign
            visitor.subscribedBytes += sign * bytes
            state.subscribedBytes += sign * bytes
            state.present[descriptor] = visitor
            guard
                visitor.subscriptions > Self.mostSubscriptions
                    || state.subscribedBytes > Self.mostSubscribedBytes && visitor.subscribedBytes > 0
            else { return }
            cut(descriptor, .tooManySubscriptions(limit: Self.mostSubscriptions), &state)
        }
    }

    /// Ends the connection over which most came since the last call, where that is at least so much.
    func cutBusiest(atLeast least: Int64) {
        state.withLock { state in
            var busiest: (descriptor: Int32, bytes: Int64)?
            for (descriptor, visitor) in state.present where !visitor.isCut {
                let received = forme_received(visitor.twin)
                let fresh = received - visitor.received
                state.present[descriptor]!.received = max(0, received)
                if fresh >= least, fresh > busiest?.bytes ?? 0 { busiest = (descriptor, fresh) }
            }
            if let busiest { cut(busiest.descriptor, .tooMuch(bytes: Int(busiest.bytes)), &state) }
        }
    }

    /// The peers that were cut off since the last call.
    func takeCut() -> [CutPeer] {
        state.withLock { state in
            defer { state.cut = [] }
            return state.cut
        }
    }

    private func cut(_ descriptor: Int32, _ reason: CutPeer.Reason, _ state: inout State) {
        guard let visitor = state.present[descriptor] else { return }
        state.present[descriptor]!.isCut = true
        shutdown(visitor.twin, Int32(SHUT_RDWR))
        let key = door.flatMap { $0.0.visitor(from: visitor.address, domain: $0.domain, since: visitor.since) }
        if let key, reason.isHarm { door?.0.refuse(key, for: Door.penalty) }
        guard state.cut.count < Self.mostTold else { return }
        state.cut.append(CutPeer(address: visitor.address, key: key, reason: reason))
    }
}

/// A peer whose connection this side ended, and the reason.
package struct CutPeer: Equatable, Sendable {
    /// `HOST:PORT`, or the process at the other end of a socket in a folder.
    package var address: String
    /// The key of the peer; nil where there are no keys, or where it is not certain.
    package var key: PublicKey?
    package var reason: Reason

    package enum Reason: Equatable, Sendable {
        case tooManyConnections(limit: Int)
        case tooManySubscriptions(limit: Int)
        /// The peer sent most while memory was short.
        case tooMuch(bytes: Int)

        /// Whether the key is to be kept out for a time.
        var isHarm: Bool {
            switch self {
            case .tooManyConnections: false
            case .tooManySubscriptions, .tooMuch: true
            }
        }
    }
}

extension CutPeer.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooManyConnections(let limit): "there are \(limit) connections already"
        case .tooManySubscriptions(let limit): "more than \(limit) subscriptions, or too long ones"
        case .tooMuch(let bytes): "memory is short, and \(bytes) bytes came from it"
        }
    }
}
