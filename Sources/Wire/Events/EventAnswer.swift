/// What became of one event of a request.
package enum EventAnswer: Equatable, Sendable {
    /// On disk; it will be laid out and stored.
    case accepted
    /// Known already, with the same values.
    case duplicate
    /// Registers that it sets have newer values, or the message is deleted.
    case superseded
    /// Not kept. The field, and what is wrong with it.
    case invalid(field: String, reason: String)
    /// Not kept, and to be sent again after this many milliseconds. The reason is left out by services that do not know it.
    case busy(retryAfter: Int, reason: BusyReason? = nil)
}

/// Why an event is not kept just now.
package enum BusyReason: String, CaseIterable, Equatable, Sendable {
    /// An operator has the service empty itself, or it ends.
    case draining
    /// As much waits for workers as may wait.
    case full
    /// The disk of the journal is full, or fails.
    case disk
    /// No host of the cluster has its log at the moment, or it did not answer.
    case cluster
}

/// What became of a request.
package enum IngestReply: Equatable, Sendable {
    /// One answer for each of its events, in their order; and by the place of an event what was accepted of it, and is not drawn
    /// as it was meant.
    case answered([EventAnswer], warnings: [Int: String] = [:])
    /// Nothing of it was kept, or even looked at.
    case refused(RequestFault)
}
