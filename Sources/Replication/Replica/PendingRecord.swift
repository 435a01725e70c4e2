import Pool

/// A record of its own that a replica wants to stand behind an anchor.
struct PendingRecord: Equatable, Sendable {
    var record: LogRecord
    var base: LogAnchor
    var kind: Kind
    /// The time of its refusal: the place is taken, or the record before it is missing, and nobody has read that back
    /// yet.
    var refused: Moment?

    enum Kind: Equatable, Sendable { case claim, turn, surplus, beat }
}
