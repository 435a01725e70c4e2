package import JSON
package import Pool
package import Transport
import Wire

/// Asks the coordinator how things are, and tells it what to do; one question at a time, each with a deadline.
package struct OperatorClient: ~Copyable {
    private let endpoint: String
    private let socket: Socket

    package init(_ endpoint: String, access: Access = Access()) throws(ClientError) {
        self.endpoint = endpoint
        do throws(TransportError) {
            let socket = try Socket(
                .dealer, in: try Context(), frameLimit: Limits.frame, security: access.calling(endpoint))
            try socket.connect(endpoint)
            self.socket = socket
        } catch {
            throw .transport(error)
        }
    }

    /// The answer's bytes, as they came, and what they say.
    package func ask(_ request: OperatorRequest, within time: Duration) throws(ClientError) -> (json: [UInt8], JSONValue) {
        let deadline = ContinuousClock.now + time
        do throws(TransportError) {
            guard try socket.waitUntilWritable(atMost: time), try socket.send(request.json) == .done else {
                throw ClientError.noAnswer(endpoint: endpoint)
            }
            while .now < deadline {
                _ = try wait(for: [socket.source], atMost: deadline - .now)
                if let parts = try socket.receive() { return try readable(parts) }
            }
        } catch let error as TransportError {
            throw .transport(error)
        } catch let error as ClientError {
            throw error
        }
        throw .noAnswer(endpoint: endpoint)
    }

    private func readable(_ parts: [[UInt8]]) throws(ClientError) -> (json: [UInt8], JSONValue) {
        do throws(JSONError) {
            return (parts[parts.count - 1], try JSONValue.parse(parts[parts.count - 1]))
        } catch {
            throw .unreadable(endpoint: endpoint)
        }
    }
}
