import CMicroHTTPD
import Glibc

/// One connection, which carries one exchange after another.
final class Visit {
    /// The event that the server awaits on a connection.
    enum Wait: Int, CaseIterable {
        /// The TLS handshake and the first head, of an unknown client.
        case firstHead
        /// The next head: of a client without a vouched request, and of one with it.
        case headOfStranger, headOfKnown
        /// The rest of a body that was admitted.
        case body
        /// The acknowledgement of an answer.
        case taking
    }

    let number: UInt64
    let socket: Int32
    let address: PeerAddress
    /// Whether a request of it was vouched for.
    var isKnown = false
    /// Whether it was closed to make room for another.
    var isLeaving = false
    /// The line in which it stands, if any, and its number there.
    fileprivate(set) var wait: Wait?
    fileprivate(set) var place: UInt64 = 0
    /// The bytes that were acknowledged at the last look at its taking.
    var acknowledged: UInt64 = 0
    /// The certificate that it was shown in the TLS handshake.
    let credentials: ServerCredentials?
    /// The exchange that is under way.
    var exchange: Exchange?

    init(_ number: UInt64, socket: Int32, from address: PeerAddress, showing credentials: ServerCredentials?) {
        (self.number, self.socket, self.address, self.credentials) = (number, socket, address, credentials)
    }

    /// Whether the server awaits a request on it, or the rest of one.
    var isAwaited: Bool {
        switch wait {
        case .firstHead, .headOfStranger, .headOfKnown, .body: true
        case .taking, nil: false
        }
    }

    /// See `Exchange.cut()`.
    func cut() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Discards the bytes that have arrived and were not read: a socket that is closed with unread bytes takes back
    /// the answer that was sent on it.
    func discard() { recv(socket, nil, 1 << 20, Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC)) }
}

/// Connections that the server awaits something of, in a line for each cause, in the order in which the wait began.
///
/// A connection that leaves a line leaves its place behind, which is skipped, and dropped when half of the places are
/// empty. So joining and leaving cost nothing that grows with the line.
struct WaitingLines {
    struct Place {
        let visit: Visit
        let since: ContinuousClock.Instant
        let number: UInt64
    }

    fileprivate struct Line {
        var places: [Place] = []
        var start = 0
        /// The number of places that are not empty.
        var count = 0
    }

    private var lines = [Line](repeating: Line(), count: Visit.Wait.allCases.count)
    private var last: UInt64 = 0

    /// - Parameter now: not before the time of the last call.
    mutating func put(_ visit: Visit, in wait: Visit.Wait?, at now: ContinuousClock.Instant) {
        if let old = visit.wait { lines[old.rawValue].count -= 1 }
        visit.wait = wait
        last += 1
        visit.place = last
        guard let wait else { return }
        lines[wait.rawValue].join(Place(visit: visit, since: now, number: last))
    }

    /// The connection that has waited longest.
    mutating func first(_ wait: Visit.Wait) -> Place? { lines[wait.rawValue].first }

    func count(_ wait: Visit.Wait) -> Int { lines[wait.rawValue].count }
}

extension WaitingLines.Line {
    mutating func join(_ place: WaitingLines.Place) {
        if places.count - start > 2 * count + 64 {
            places = places[start...].filter(\.isTaken)
            start = 0
        }
        places.append(place)
        count += 1
    }

    var first: WaitingLines.Place? {
        mutating get {
            while start < places.count, !places[start].isTaken { start += 1 }
            if start >= 64, start * 2 > places.count {
                places.removeFirst(start)
                start = 0
            }
            return start < places.count ? places[start] : nil
        }
    }
}

extension WaitingLines.Place {
    fileprivate var isTaken: Bool { visit.wait != nil && visit.place == number }
}
