/// The outcome of one event of a request.
package enum EventAnswer: Equatable, Sendable {
    /// The event is on disk; it will be laid out and stored.
    case accepted
    /// Known already, with the same values.
    case duplicate
    /// Registers that it sets have newer values, or the message is deleted.
    case superseded
    /// Not kept: the field, and its fault.
    case invalid(field: String, reason: String)
    /// Not kept, and to be sent again after this many milliseconds. Services that do not know the reason leave it out.
    case busy(retryAfter: Int, reason: BusyReason? = nil)
}

/// The reason why an event is not kept at the moment.
package enum BusyReason: String, CaseIterable, Equatable, Sendable {
    /// An operator drains the service, or the service ends.
    case draining
    /// The queue for workers is full.
    case full
    /// The disk of the journal is full, or fails.
    case disk
    /// No host of the cluster has the log of the event at the moment, or the host did not answer.
    case cluster
}

/// The outcome of a request.
package enum IngestReply: Equatable, Sendable {
    /// One answer for each event, in their order. The warnings, by the place of the event, are about accepted
    /// events that are not drawn as they were meant.
    case answered([EventAnswer], warnings: [Int: String] = [:])
    /// The request was refused as a whole: no event of it was kept, or even looked at.
    case refused(RequestFault)
}
