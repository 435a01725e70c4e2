import Pool

/// The log was found to end before the journal. Maybe the answer was an old one; maybe an engine forgot.
struct LogShortfall: Equatable, Sendable {
    var since: Moment
    /// Up to here the log has what the journal says.
    var checked: LogAnchor
    /// The log ends there, and all of it was compared.
    var isChecked = false
}
