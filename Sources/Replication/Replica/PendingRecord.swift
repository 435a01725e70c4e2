import Pool

/// A record of its own that a replica wants to stand behind an anchor.
struct PendingRecord: Equatable, Sendable {
    var record: LogRecord
    var base: LogAnchor
    var kind: Kind
    /// Since when something else stands there, or nothing before it, and nobody has seen what.
    var refused: Moment?

    enum Kind: Equatable, Sendable { case claim, turn, surplus, beat }
}
