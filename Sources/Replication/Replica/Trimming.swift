import Pool

/// The place up to which the log is trimmed, the time of the next trim, and the engine's want of room, which may make
/// one urgent.
struct Trimming: Equatable, Sendable {
    /// The last record that the log has trimmed, as it said last.
    var last = LogSequence.zero
    /// Whether the engine had no room for an append of this host, and no record has come since.
    var isFull = false
    /// The time at which it last had none for a record of which no producer waits to hear.
    private var refused: Moment?
    private var next: Moment

    init(from start: Moment) { next = start }

    /// Whether a trim is due; then the next one is a pause later.
    mutating func isDue(at now: Moment, every pause: Duration) -> Bool {
        guard now >= next else { return false }
        next = now + pause
        return true
    }

    /// Notes that the engine had no room for a record.
    mutating func noteFull(for kind: PendingRecord.Kind, at now: Moment) {
        isFull = true
        // The pace of turns is that of the producers, who are told to wait.
        if kind != .turn { refused = now }
    }

    /// True where the engine had no room a moment ago, so that it is not asked again yet.
    func isResting(at now: Moment, for pause: Duration) -> Bool {
        guard isFull, let refused else { return false }
        return now - pause < refused
    }
}
