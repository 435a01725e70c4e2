package import Transport
package import Wire

/// Hears when rows have changed in the cache. Hints may be lost; what matters is read from the cache.
package struct ReadyHints: ~Copyable {
    private let socket: Socket

    package init(_ endpoint: String, access: Access = Access()) throws(TransportError) {
        let socket = try Socket(
            .subscriber, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoint))
        try socket.connect(endpoint)
        self.socket = socket
    }

    package var source: Source { socket.source }

    /// What became ready, at least one hint unless time is up first.
    @discardableResult
    package func wait(atMost time: Duration) throws -> [ReadyWord.Row] {
        _ = try Transport.wait(for: [socket.source], atMost: time)
        return try receive()
    }

    /// What is here by now.
    package func receive() throws -> [ReadyWord.Row] {
        var heard: [ReadyWord.Row] = []
        while let parts = try socket.receive() { heard += try Framed<ReadyWord>(decoding: parts[0]).word.rows }
        return heard
    }
}
