package import Transport
package import Wire

/// Hears of rows that have changed in the cache. Hints may be lost; the cache itself is the authority.
package struct ReadyHints: ~Copyable {
    private let socket: Socket

    package init(_ endpoint: String, access: Access = Access()) throws(TransportError) {
        let socket = try Socket(
            .subscriber, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoint))
        try socket.connect(endpoint)
        self.socket = socket
    }

    package var source: Source { socket.source }

    /// Waits for rows that became ready: at least one, unless time is up first.
    @discardableResult
    package func wait(atMost time: Duration) throws -> [ReadyWord.Row] {
        _ = try Transport.wait(for: [socket.source], atMost: time)
        return try receive()
    }

    /// The rows that were heard of by now.
    package func receive() throws -> [ReadyWord.Row] {
        var heard: [ReadyWord.Row] = []
        while let parts = try socket.receive() { heard += try Framed<ReadyWord>(decoding: parts[0]).word.rows }
        return heard
    }
}
