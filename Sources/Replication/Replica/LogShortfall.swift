import Pool

/// The finding that the log ends before the journal. Maybe the answer was an old one; maybe an engine forgot.
struct LogShortfall: Equatable, Sendable {
    var since: Moment
    /// The last record up to which the log has what the journal has.
    var checked: LogAnchor
    /// The last record of the log, as it was told last.
    var end = LogSequence.zero
    /// Whether the log ends there, and all of it was compared.
    var isChecked = false
}
