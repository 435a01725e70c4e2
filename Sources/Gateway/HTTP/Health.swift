package import HTTP
import JSON
package import Pool

/// The checks of a gateway and the service behind it: each thing that they need to be of use, by name, and whether it
/// is there. Names say nothing of paths or contents.
package struct Health: Equatable, Sendable {
    package struct Check: Equatable, Sendable {
        package var name: String
        /// The reason why it does not hold; nil where it does.
        package var reason: String?
        /// Whether the gateway counts as ready without it, as readers are answered all the same.
        package var isOnlyTold: Bool

        package init(_ name: String, _ reason: String?, isOnlyTold: Bool = false) {
            (self.name, self.reason, self.isOnlyTold) = (name, reason, isOnlyTold)
        }
    }

    /// The check whether events are taken, which counts for clients that post them.
    static let posts = "posts"

    package var checks: [Check]
    /// The last figures of the coordinator; nil while it says nothing.
    package var pool: PoolHealth?

    package init(_ checks: [Check], pool: PoolHealth? = nil) { (self.checks, self.pool) = (checks, pool) }

    /// The checks of the parts that are there with or without HTTP.
    ///
    /// - Parameter passesEvents: whether events can be passed on; nil where they are not taken.
    init(of desk: WindowDesk, _ line: CoordinatorLine?, passesEvents: Bool?) {
        self.init([Check("cache", desk.followers.isServing ? nil : "nothing was ever laid out")])
        guard let state = line?.state(at: .now) else { return }
        pool = state.figures
        let busy = state.busy ?? (passesEvents ?? true ? nil : CoordinatorLine.absence)
        checks += [Check(Self.posts, busy, isOnlyTold: true), Check("workers", state.idle)]
        if let closed = state.figures?.closed { checks.append(.partitions(closed: closed)) }
    }

    /// The answer for a load balancer, which decides where requests go.
    ///
    /// - Parameters:
    ///   - use: the name of a check that counts though it is only told.
    ///   - isReasoned: whether checks and reasons are told, too, as to an operator. To others the status says enough.
    func readiness(for use: String?, isReasoned: Bool) throws(QueryFault) -> Response {
        if let use, use != Self.posts { throw .field("for", found: use, expected: Self.posts) }
        let missing = checks.filter { $0.reason != nil && (!$0.isOnlyTold || $0.name == use) }
        let isWhole = checks.allSatisfy { $0.reason == nil }
        let word = isWhole ? "ok" : missing.isEmpty ? "degraded" : "waiting"
        return Self.response(missing.isEmpty ? 200 : 503, word, isReasoned ? checks : nil)
    }

    /// The answer for a supervisor, which decides whether to restart the gateway: any answer at all is the proof.
    package static var liveness: Response { response(200, "ok", nil) }

    private static func response(_ status: Int, _ word: String, _ checks: [Check]?) -> Response {
        var json = JSONWriter()
        json.object { json in
            json.key("status")
            json.string(word)
            guard let checks else { return }
            json.key("checks")
            json.object { json in
                for check in checks {
                    json.key(check.name)
                    json.bool(check.reason == nil)
                }
            }
            json.key("reasons")
            json.object { json in
                for check in checks {
                    guard let reason = check.reason else { continue }
                    json.key(check.name)
                    json.string(reason)
                }
            }
        }
        var response = Response(status, "application/json", json.bytes)
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}

extension Health.Check {
    /// The check whether each partition of a cluster's log has an owner. Readers are answered without one, and so are
    /// events of the other partitions.
    static func partitions(closed: [Int]) -> Self {
        guard !closed.isEmpty else { return Self("partitions", nil, isOnlyTold: true) }
        let numbers = closed.map { "\($0)" }.joined(separator: ", ")
        let named = closed.count == 1 ? "partition \(numbers)" : "the partitions \(numbers)"
        let reason =
            "this host knows of no owner of \(named), whose events are busy; look at forme cluster status on each host"
        return Self("partitions", reason, isOnlyTold: true)
    }
}
