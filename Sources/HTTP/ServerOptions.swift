/// Where a server listens, and where its patience ends. Every number is a limit, and none is raised by load.
package struct ServerOptions: Sendable {
    /// Files in PEM form. The key must be readable by its owner alone.
    package struct Certificate: Sendable {
        package let path: String
        package let key: String
        package init(path: String, key: String) {
            self.path = path
            self.key = key
        }
    }

    /// `HOST:PORT`, the host as a number; port 0 lets the kernel choose.
    package var address: String
    package var certificate: Certificate?

    package var connections = 10_000
    /// Behind a proxy all come from one address, so this must be as many as `connections` there.
    package var connectionsPerAddress = 10_000
    /// Requests that are waiting for a later answer; more are told to come back.
    package var waiting = 4096
    /// The request line and all fields. Twice as much is kept for each connection.
    package var head = 8 << 10
    package var body = 1 << 20
    /// From the end of one exchange (or the start of the connection) to the last byte of the next request, however slowly it
    /// drips; and between two successful writes of an answer.
    package var patience = Duration.seconds(30)
    /// Bytes that a stream's reader may be behind before it is dropped, beside what the kernel holds.
    package var backlog = 256 << 10

    package init(address: String, certificate: Certificate? = nil) {
        self.address = address
        self.certificate = certificate
    }
}
