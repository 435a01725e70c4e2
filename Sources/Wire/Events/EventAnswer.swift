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
    /// As much waits as may wait: not kept, and to be sent again after this many milliseconds.
    case busy(retryAfter: Int)
}
