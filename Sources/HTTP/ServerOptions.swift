/// Where a server listens, and where its patience ends. Every number is a limit, and none is raised by load.
package struct ServerOptions: Sendable {
    /// Files in PEM form. The key must be readable by its owner alone. They are read again when they change.
    package struct Certificate: Equatable, Sendable {
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

    /// When there are more, the one that has waited longest for a request is closed, first of those of whom no request was
    /// vouched for.
    package var connections = 10_000
    /// More are closed as they come. An address of IPv6 counts with its network of 64 bits. Behind a proxy that is
    /// not among `proxies` all come from one address, so this must be as many as `connections` there.
    package var connectionsPerAddress = 10_000
    /// From whom it is taken for whom they ask. Their connections are not counted by address.
    package var proxies = TrustedProxies()
    /// Requests that are waiting for a later answer; more are told to come back.
    package var waiting = 4096
    /// The request line and all fields. Twice as much is kept for each connection.
    package var head = 8 << 10
    /// One body, and all of them together that have not come whole.
    package var body = 1 << 20
    package var bodies = 64 << 20
    /// From the start of a connection, the handshake of TLS among it, to the end of its first head.
    package var firstHead = Duration.seconds(10)
    /// From the end of one exchange to the end of the next head; from there to the last byte of the body, however slowly it
    /// drips; and between two successful writes of an answer.
    package var patience = Duration.seconds(30)
    /// Bytes a second that must be taken of an answer that is not taken at once, counted over ten seconds.
    package var leastRate = 16 << 10
    /// Bytes that a stream's reader may be behind before it is dropped, beside what the kernel holds.
    package var backlog = 256 << 10

    package init(address: String, certificate: Certificate? = nil) {
        self.address = address
        self.certificate = certificate
    }
}

// Before a server is made of them.
extension ServerOptions {
    /// Throws where the address is none, or the certificate or its key cannot be read.
    package func check() throws(HTTPError) {
        guard ListeningSocket.isAddress(address) else { throw .badAddress(address) }
        if let certificate { _ = try CertificateText(certificate) }
    }

    /// Throws where the address is another server's, or cannot be listened at. It is free again afterwards.
    package func claim() throws(HTTPError) { try ListeningSocket(address).close() }
}
