/// The settings of a server: its address and its limits. No limit is raised by load.
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

    /// The most connections. When there are more, the one that has waited longest for a request is closed, first of
    /// those without a vouched request.
    package var connections = 10_000
    /// The most connections from one address; more are closed as they come. An IPv6 address counts with its network
    /// of 64 bits. Behind a proxy that is not among `proxies` all come from one address, so there this must be as
    /// many as `connections`.
    package var connectionsPerAddress = 10_000
    /// The proxies that are trusted to name the sender of a request. Their connections are not counted by address.
    package var proxies = TrustedProxies()
    /// Requests that wait for a later answer; clients of more are told to come back.
    package var waiting = 4096
    /// The most bytes of the request line and all fields. Twice as many are kept for each connection.
    package var head = 8 << 10
    /// The most bytes of one body, and of all incomplete bodies together.
    package var body = 1 << 20
    package var bodies = 64 << 20
    /// The time from the start of a connection, including the TLS handshake, to the end of its first head.
    package var firstHead = Duration.seconds(10)
    /// The time from the end of one exchange to the end of the next head; from there to the last byte of the body,
    /// however slowly it drips; and between two successful writes of an answer.
    package var patience = Duration.seconds(30)
    /// The most bytes of all answers that are on their way, without those of files; one that several are given counts
    /// once. When there are more, connections are cut, the one whose client was last seen to take enough longest ago
    /// first.
    package var answers = 256 << 20
    /// The bytes a second that a client must take of an answer that it does not take at once, counted over ten
    /// seconds.
    package var leastRate = 16 << 10
    /// Bytes that a stream's reader may be behind before it is dropped, beside what the kernel holds.
    package var backlog = 256 << 10
    /// The most bytes that the readers of all streams may be behind together; a piece that several were sent counts
    /// once. When there are more, the stream ends for which most of them count, a common piece for each reader by equal
    /// shares.
    package var backlogs = 128 << 20

    package init(address: String, certificate: Certificate? = nil) {
        self.address = address
        self.certificate = certificate
    }
}

// Checks before a server is made.
extension ServerOptions {
    /// Checks the settings: throws where the address is malformed, or the certificate or its key cannot be read.
    package func check() throws(HTTPError) {
        guard ListeningSocket.isAddress(address) else { throw .badAddress(address) }
        if let certificate { _ = try CertificateText(certificate) }
    }

    /// Checks the address: throws where another server has it, or it cannot be listened at. It is free again
    /// afterwards.
    package func claim() throws(HTTPError) { try ListeningSocket(address).close() }
}
