import MessageLayout
import Typography

/// The seam between a row and the one before it.
struct Seam {
    /// The day that begins, if a date line shows it.
    var day: LocalDay?
    var hasUnreadLine: Bool
    /// Whether both rows are of one series.
    var joins: Bool
    var gap: Fixed
}

extension Decorator {
    func seam(between upper: RowFacts?, and lower: RowFacts) -> Seam {
        var seam = Seam(
            day: newDay(between: upper, and: lower), hasUnreadLine: needsUnreadLine(between: upper, and: lower),
            joins: false, gap: style.gaps.first)
        guard let upper else { return seam }
        seam.joins = areOfOneSeries(upper, lower) && !breaksSeries(seam)
        seam.gap =
            if (upper.sender == viewer.own) != (lower.sender == viewer.own) {
                style.gaps.betweenSides
            } else if seam.joins, seam.day == nil, !seam.hasUnreadLine {
                style.gaps.withinSeries
            } else {
                style.gaps.betweenSeries
            }
        return seam
    }

    private func newDay(between upper: RowFacts?, and lower: RowFacts) -> LocalDay? {
        guard style.dateLine != nil else { return nil }
        let day = day(of: lower)
        return upper.map { self.day(of: $0) == day } ?? false ? nil : day
    }

    private func day(of row: RowFacts) -> LocalDay {
        LocalTime(milliseconds: row.milliseconds, in: viewer.zone).day
    }

    /// Whether a row is the first that is not before the unread place: the message of that place may be gone.
    private func needsUnreadLine(between upper: RowFacts?, and lower: RowFacts) -> Bool {
        guard style.unreadLine != nil, let unreadFrom = viewer.unreadFrom else { return false }
        return lower.order >= unreadFrom && upper.map { $0.order < unreadFrom } ?? true
    }

    private func areOfOneSeries(_ upper: RowFacts, _ lower: RowFacts) -> Bool {
        guard upper.joinsSeries, lower.joinsSeries, upper.sender == lower.sender else { return false }
        guard !style.series.breaks.contains(.template) || areOfOneTemplate(upper, lower) else { return false }
        // The order of messages is the backend's, and may not be that of their times.
        let pause = Duration.milliseconds(lower.milliseconds) - .milliseconds(upper.milliseconds)
        return max(pause, .zero - pause) <= style.series.longestPause
    }

    private func areOfOneTemplate(_ upper: RowFacts, _ lower: RowFacts) -> Bool {
        upper.template == lower.template
            || style.seriesName(of: upper.template) == style.seriesName(of: lower.template)
    }

    private func breaksSeries(_ seam: Seam) -> Bool {
        let breaks = style.series.breaks
        return seam.day != nil && breaks.contains(.dateLine) || seam.hasUnreadLine && breaks.contains(.unreadLine)
    }
}
