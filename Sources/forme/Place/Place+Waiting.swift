import Console
import FormeClientZMQ
import Storage
import Transport

// The wait of a command for a service that does not answer.
extension Place {
    /// The time for which a command waits without a word.
    static let silence: Duration = .seconds(1)

    /// Says what a command has waited for, and goes on waiting for, after a second of silence. A question ends here
    /// where the folder shows that there is no service; a post waits for one that is being started.
    func tellOfWaiting(for endpoint: String, isQuestion: Bool) throws {
        if isQuestion, isDeserted(endpoint) { throw Failure(ClientError.noAnswer(endpoint: endpoint)) }
        Self.sayWaiting(for: endpoint, "is forme serve running with the same --data or --listen?")
    }

    static func sayWaiting(for address: String, _ question: String) {
        StandardError.write("waiting for an answer from \(address); \(question)\n")
    }

    /// Whether a socket of the folder is nobody's, and no coordinator has the journal, which it takes before it
    /// listens.
    private func isDeserted(_ endpoint: String) -> Bool {
        guard endpoint.hasPrefix("ipc://") else { return false }
        do { try folder.refuseUse() } catch { return false }
        return nobodyListens(at: endpoint)
    }
}
