import Pool

/// The place up to which the log is trimmed, the time of the next trim, and the engine's want of room, which may make
/// one urgent.
struct Trimming: Equatable, Sendable {
    /// The last record that the log has trimmed, as it said last.
    var last = LogSequence.zero
    /// Whether the engine had no room for an append of this host, and no record has come since.
    var isFull = false
    private var next: Moment

    init(from start: Moment) { next = start }

    /// Whether a trim is due; then the next one is a pause later.
    mutating func isDue(at now: Moment, every pause: Duration) -> Bool {
        guard now >= next else { return false }
        next = now + pause
        return true
    }
}
