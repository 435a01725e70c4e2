import CMicroHTTPD
import Glibc

/// One connection, which carries one exchange after another.
final class Visit {
    /// What it is waited for, if anything.
    enum Wait: Int, CaseIterable {
        /// The handshake of TLS and the first head, of somebody of whom nothing is known.
        case firstHead
        /// The next head, of somebody of whom no request was vouched for, and of somebody else.
        case headOfStranger, headOfKnown
        /// The rest of a body that was admitted.
        case body
        /// That an answer is taken.
        case taking
    }

    let number: UInt64
    let socket: Int32
    let address: PeerAddress
    /// Whether a request of it was vouched for.
    var isKnown = false
    /// It was closed to make room for another.
    var isLeaving = false
    /// Since when, and in which line it stands by which number.
    fileprivate(set) var wait: Wait?
    fileprivate(set) var place: UInt64 = 0
    /// Bytes that were acknowledged when its taking was last looked at.
    var acknowledged: UInt64 = 0
    /// What it was shown in the handshake of TLS.
    let credentials: Credentials?
    /// The one that is under way.
    var exchange: Exchange?

    init(_ number: UInt64, socket: Int32, from address: PeerAddress, showing credentials: Credentials?) {
        (self.number, self.socket, self.address, self.credentials) = (number, socket, address, credentials)
    }

    /// Whether a request of it has not come whole.
    var isAwaited: Bool {
        switch wait {
        case .firstHead, .headOfStranger, .headOfKnown, .body: true
        case .taking, nil: false
        }
    }

    /// See `Exchange.cut()`.
    func cut() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Throws away what has arrived and was not read: a socket that is closed with something in it takes back what was
    /// answered on it.
    func discard() { recv(socket, nil, 1 << 20, Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC)) }
}

/// Connections in the order in which they began to be waited for, for each cause of waiting.
///
/// A connection that leaves a line leaves its place behind, which is skipped, and dropped when half of the places are such. So to
/// join and to leave cost nothing that grows with the line.
struct WaitingLines {
    struct Place {
        let visit: Visit
        let since: ContinuousClock.Instant
        let number: UInt64
    }

    fileprivate struct Line {
        var places: [Place] = []
        var start = 0
        /// Of those who are still there.
        var count = 0
    }

    private var lines = [Line](repeating: Line(), count: Visit.Wait.allCases.count)
    private var last: UInt64 = 0

    /// - Parameter now: never before the last one.
    mutating func put(_ visit: Visit, in wait: Visit.Wait?, at now: ContinuousClock.Instant) {
        if let old = visit.wait { lines[old.rawValue].count -= 1 }
        visit.wait = wait
        last += 1
        visit.place = last
        guard let wait else { return }
        lines[wait.rawValue].join(Place(visit: visit, since: now, number: last))
    }

    /// The one who has waited longest.
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
