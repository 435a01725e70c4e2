import HTTP
import Operations
import Transport

private let log = Log("gateway")

/// A port of its own for operators: figures for Prometheus, whether the service is of use, with reasons, and who is
/// turned away. It is there whether clients are answered over HTTP or not, and asks for no token, so only this machine reaches it.
final class OperatorPort {
    private let server: Server

    /// The most connections: there are few scrapers and probes.
    private static let mostConnections = 64

    init(at address: String) throws(HTTPError) {
        var options = ServerOptions(address: address)
        options.connections = Self.mostConnections
        server = try Server(options)
        log.info("listening", ["metrics_port": .number(Int(server.port))])
    }

    /// The port, where the address leaves it to the system.
    var port: UInt16 { server.port }
    var source: Source { Source(descriptor: server.descriptor, of: server.owner) }
    var rest: Duration { server.rest }

    /// - Parameters:
    ///   - web: the side that speaks HTTP; nil where clients are not answered over HTTP.
    ///   - line: the line to the coordinator; nil where there is none.
    func turn(_ desk: WindowDesk, _ web: WebGate?, _ line: CoordinatorLine?) {
        func health() -> Health { web?.health(line) ?? Health(of: desk, line, passesEvents: nil) }
        turn(health: health, turnedAway: { web?.turnedAway ?? TurnedAwayAddresses() }) {
            web?.metrics(line) ?? Metrics(desk, pool: health().pool)
        }
    }

    /// Answers what has come.
    func turn(health: () -> Health, turnedAway: () -> TurnedAwayAddresses, metrics: () -> Metrics) {
        _ = server.turn { request in
            switch Self.pages.find(request.method, request.target.segments) {
            case .endpoint(.metrics, _): return .response(metrics().response)
            case .endpoint(.refused, _): return .response(turnedAway().response)
            case .endpoint(.live, _): return .response(Health.liveness)
            case .endpoint(.ready, _):
                do throws(QueryFault) {
                    return .response(try health().readiness(for: request.target.value("for"), isReasoned: true))
                } catch {
                    return .response(error.response)
                }
            case .otherMethods(let methods): return .response(.notAllowed(methods))
            case .nothing:
                return .response(
                    .problem(
                        404, "Not Found",
                        "here are /metrics, /refused, /livez and /readyz; clients have a port of their own"))
            }
        }
    }

    private enum Page { case metrics, refused, live, ready }

    private static let pages: Router<Page> = {
        var pages = Router<Page>()
        pages.add(.get, "/metrics", .metrics)
        pages.add(.get, "/refused", .refused)
        pages.add(.get, "/livez", .live)
        pages.add(.get, "/readyz", .ready)
        return pages
    }()
}
