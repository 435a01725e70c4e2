import Pool

/// The finding that the log ends before the journal. Maybe the answer was an old one; maybe an engine forgot.
struct LogShortfall: Equatable, Sendable {
    let since: Moment
    /// The last record up to which the log has what the journal has.
    var checked: LogAnchor
    /// The last record of the log, as it was told last.
    let end: LogSequence
    /// Whether the log ends there, and all of it was compared.
    let isChecked: Bool

    /// - Parameters:
    ///   - earlier: the finding before this one, which goes on; nil for the first.
    ///   - trail: the anchors of the journal; those that the log has trimmed cannot be compared.
    init(after earlier: LogShortfall?, along trail: AnchorTrail, _ extent: LogExtent, at now: Moment) {
        since = earlier?.since ?? now
        checked = earlier?.checked ?? trail.first
        if checked.sequence < extent.trimmed { checked = trail.anchor(at: extent.trimmed) ?? checked }
        end = extent.last
        isChecked = end == checked.sequence
    }

    /// Whether nothing of the log can be compared with the journal: it is as good as gone.
    func leavesNothing(of trail: AnchorTrail) -> Bool { end < trail.first.sequence }
}
