import HTTP
import JSON
import Pool

/// The addresses whose requests were turned away most often, by status: in the minute under way, and in the one before.
///
/// However many addresses somebody has, they take no more room than this (`Busiest`); a count is too low by a 256th of
/// the minute's requests at most. Addresses are in no figures for Prometheus, which would have a series for each.
struct TurnedAwayAddresses: Equatable, Sendable {
    /// The most that are shown, and that the log gets of a minute.
    static let most = 16
    static let statuses = [401, 403, 429]
    private static let room = 256
    private static let minute: Duration = .seconds(60)

    struct Refusal: Hashable, Sendable {
        var address: PeerAddress
        var status: Int
    }

    struct Row: Equatable, Sendable {
        var refusal: Refusal
        var requests: Int
    }

    private var present = Busiest<Refusal>(atMost: room)
    private(set) var before: [Row] = []
    private var began: Duration?

    mutating func count(_ refusal: Refusal) { present.count(refusal) }

    /// Begins a minute, and ends it when it is over.
    /// - Returns: the busiest addresses of a minute that has ended.
    mutating func turn(to now: Duration) -> [Row] {
        guard let began, now >= began else {
            self.began = now
            return []
        }
        guard now - began >= Self.minute else { return [] }
        (before, present, self.began) = (rows, Busiest(atMost: Self.room), now)
        return before
    }

    /// The busiest addresses of the minute under way.
    var rows: [Row] {
        present.first(Self.most) { one, other in
            one.address == other.address
                ? one.status < other.status : "\(one.address)".utf8.lexicographicallyPrecedes("\(other.address)".utf8)
        }.map { Row(refusal: $0.name, requests: $0.count) }
    }

    var response: Response {
        var json = JSONWriter()
        json.object { json in
            for (name, rows) in [("this_minute", rows), ("last_minute", before)] {
                json.key(name)
                json.array { for row in rows { row.write(to: &$0) } }
            }
        }
        var response = Response(200, "application/json", json.bytes)
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}

extension TurnedAwayAddresses.Row {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("address")
            $0.string("\(refusal.address)")
            $0.key("status")
            $0.integer(refusal.status)
            $0.key("requests")
            $0.integer(requests)
        }
    }
}
