package import HTTP
package import Secrets
package import Transport

/// The gateway's side of HTTP: a server, and the desk that answers its requests.
///
/// The loop waits for `source`, for at most `rest`, and calls `turn`.
package struct HTTPFront: ~Copyable {
    private let server: Server
    private var desk: HTTPDesk

    package init(_ options: ServerOptions, _ desk: consuming HTTPDesk) throws(HTTPError) {
        self.desk = desk
        server = try Server(options)
    }

    package var source: Source { Source(descriptor: server.descriptor, of: server.owner) }
    package var rest: Duration { server.rest }
    package var port: UInt16 { server.port }

    /// Takes no more, and finishes what is under way; done when `isQuiet`.
    package func quiesce() { server.quiesce() }
    package var isQuiet: Bool { server.isQuiet }

    /// - Throws: what keeps changed keys from being taken up. The turn is done all the same.
    package mutating func turn(_ health: Health, at times: TokenAccess.Times) throws(SecretsError) {
        _ = server.turn { request in .response(desk.answer(request, health, at: times)) }
        try desk.refresh(at: times)
    }
}
