package import JSON
package import Pool
package import Transport
import Wire

/// Asks the coordinator for its state, and gives it orders; one question at a time, each with a deadline.
package struct OperatorClient: ~Copyable {
    private let endpoint: String
    private let socket: Socket

    package init(_ endpoint: String, access: Access = Access()) throws(ClientError) {
        self.endpoint = endpoint
        socket = try .calling(endpoint, as: .dealer, access: access)
    }

    /// Waits until the coordinator is there; false when time is up first.
    package func waitUntilWritable(atMost time: Duration) throws(ClientError) -> Bool {
        try socket.reach(within: time)
    }

    /// Asks, and returns the answer's bytes as they came, and their value.
    package func ask(_ request: OperatorRequest, within time: Duration) throws(ClientError) -> (
        json: [UInt8], JSONValue
    ) {
        let parts: [[UInt8]]?
        do throws(TransportError) { parts = try reply(to: request, within: time) } catch { throw .transport(error) }
        guard let parts else { throw .noAnswer(endpoint: endpoint) }
        return try readable(parts)
    }

    /// Nil when time is up first.
    private func reply(to request: OperatorRequest, within time: Duration) throws(TransportError) -> [[UInt8]]? {
        let deadline = ContinuousClock.now + time
        guard try socket.waitUntilWritable(atMost: time), try socket.send(request.json) == .done else { return nil }
        while .now < deadline {
            _ = try wait(for: [socket.source], atMost: deadline - .now)
            if let parts = try socket.receive() { return parts }
        }
        return nil
    }

    /// Waits between two questions.
    package func rest(_ time: Duration) throws(ClientError) -> Bool {
        try socket.listen(atMost: time)
        return true
    }

    private func readable(_ parts: [[UInt8]]) throws(ClientError) -> (json: [UInt8], JSONValue) {
        do throws(JSONError) {
            return (parts[parts.count - 1], try JSONValue.parse(parts[parts.count - 1]))
        } catch {
            throw .unreadable(endpoint: endpoint)
        }
    }
}
