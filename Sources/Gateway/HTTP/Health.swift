package import HTTP
import JSON

/// What a gateway needs to be of use, each by name, and whether it is there. Names say nothing of paths or contents.
package struct Health: Equatable, Sendable {
    package var checks: [(name: String, holds: Bool)]

    package init(_ checks: [(name: String, holds: Bool)]) { self.checks = checks }

    package static func == (one: Health, other: Health) -> Bool {
        one.checks.elementsEqual(other.checks) { $0 == $1 }
    }

    package var isReady: Bool { checks.allSatisfy(\.holds) }

    /// For whoever decides where requests go.
    package var readiness: Response { response(isReady ? 200 : 503) }

    /// For whoever decides whether to start it again: that this is answered at all is the proof.
    package static var liveness: Response { Health([]).response(200) }

    private func response(_ status: Int) -> Response {
        var json = JSONWriter()
        json.object { json in
            json.key("status")
            json.string(status == 200 ? "ok" : "waiting")
            json.key("checks")
            json.object { json in
                for check in checks {
                    json.key(check.name)
                    json.bool(check.holds)
                }
            }
        }
        var response = Response(status, "application/json", json.bytes)
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}
