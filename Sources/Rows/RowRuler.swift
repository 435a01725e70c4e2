package import MessageLayout
import Typography

/// The heights of rows, as a `Decorator` would make them, some twenty times faster: rules are resolved once for each
/// look, and nothing is put in its place.
///
///     var ruler = RowRuler(decorator, looks: looks)
///     let seam = ruler.seam(between: upper, and: lower)
///     let dress = ruler.dress(of: lower, below: seam, joinsBelow: false, isLast: true)
package struct RowRuler: Sendable {
    package let decorator: Decorator
    let lengths: Lengths
    private(set) var looks: [Look] = []
    /// The measures of each look, for the viewer's own rows and for those of others.
    private(set) var measures: [Measures] = []
    /// The templates of the looks, kept apart: the data that is read for every row counts no references.
    private var templates: [String] = []
    /// The template of each look, and whether it has failed.
    private var shown: [(template: RowTemplate, hasFailed: Bool)] = []
    private(set) var calendar: DayMemory

    package init(_ decorator: Decorator, looks: [RowLook] = []) {
        self.decorator = decorator
        lengths = Lengths(decorator)
        calendar = DayMemory(decorator.viewer.zone)
        for look in looks { append(look) }
    }

    /// Adds a look, which gets the next number.
    package mutating func append(_ look: RowLook) {
        let template = decorator.style.template(named: look.template)
        let name = decorator.style.seriesName(of: look.template)
        let number = templates.firstIndex(of: name) ?? templates.count
        templates.append(name)
        looks.append(Look(template: UInt32(number), joinsSeries: look.joinsSeries))
        shown.append((template, look.hasFailed))
        for isOwn in [true, false] { measures.append(Measures(template, decorator, isOwn: isOwn)) }
    }

    /// The seam between a row and the one before it, which is nil for the first.
    package mutating func seam(between upper: RowBrief?, and lower: RowBrief) -> RowSeam {
        inlinedSeam(between: upper, and: lower)
    }

    @inline(__always)
    mutating func inlinedSeam(between upper: RowBrief?, and lower: RowBrief) -> RowSeam {
        var seam = RowSeam(joins: false, hasUnreadLine: hasUnreadLine(between: upper, and: lower), gap: lengths.first)
        if lengths.dateLine != nil, !(upper.map { calendar.isSameDay($0.milliseconds, lower.milliseconds) } ?? false) {
            seam.day = calendar.day(of: lower.milliseconds)
        }
        guard let upper else { return seam }
        let breaks = lengths.breaks
        let isBroken =
            seam.day != nil && breaks.contains(.dateLine) || seam.hasUnreadLine && breaks.contains(.unreadLine)
        seam.joins = !isBroken && areOfOneSeries(upper, lower)
        if isOwn(upper) != isOwn(lower) {
            seam.gap = lengths.betweenSides
        } else {
            let isWithin = seam.joins && seam.day == nil && !seam.hasUnreadLine
            seam.gap = isWithin ? lengths.withinSeries : lengths.betweenSeries
        }
        return seam
    }

    package func dress(of row: RowBrief, below seam: RowSeam, joinsBelow: Bool, isLast: Bool) -> RowDress {
        let parts = parts(of: row, below: seam)
        return RowDress(
            variant: parts.variant, series: SeriesPosition(joinsAbove: seam.joins, joinsBelow: joinsBelow),
            hasUnreadLine: seam.hasUnreadLine, day: seam.day, gap: seam.gap, lead: parts.lead,
            strip: joinsBelow ? parts.strip : parts.lastStrip, trail: isLast ? trail : 0)
    }

    /// The decoration of a row that is dressed, and whose content has a size: as the decorator makes it of its facts.
    package func decoration(of row: RowBrief, _ dress: RowDress, content size: PixelSize) -> Decoration {
        let look = Int(row.look)
        return decorator.decoration(
            of: shown[look].template, dress, content: size, isOwn: isOwn(row), joinsSeries: looks[look].joinsSeries,
            hasFailed: shown[look].hasFailed)
    }

    /// The gap below the last row.
    package var trail: Int32 { lengths.last }

    /// The parts of a row that are known before the row below it is.
    @inline(__always)
    func parts(of row: RowBrief, below seam: RowSeam) -> RowParts {
        let isOwn = isOwn(row)
        let measures = measures[2 * Int(row.look) + (isOwn ? 0 : 1)]
        let isNamed = measures.isNamed && (measures.isNamedAlways || !seam.joins)
        let variant: ContentVariant = isNamed ? .otherWithName : isOwn ? .own : .other
        var lead = seam.gap
        if seam.day != nil { lead += lengths.dateLine ?? 0 }
        if seam.hasUnreadLine { lead += lengths.unreadLine ?? 0 }
        var strip = max(row.heights[variant].bounded, measures.beside)
        if !seam.joins {
            lead += measures.above
            strip = max(strip, measures.besideFirst)
        }
        return RowParts(variant: variant, lead: lead, strip: strip, lastStrip: max(strip, measures.besideLast))
    }
}

struct RowParts {
    var variant: ContentVariant
    var lead: Int32
    /// The strip's height if another row of its series follows, and if none does.
    var strip: Int32
    var lastStrip: Int32
}

/// The seam between two rows, measured.
package struct RowSeam: Hashable, Sendable {
    /// Whether both are of one series.
    package var joins: Bool
    package var hasUnreadLine: Bool
    package var day: LocalDay?
    package var gap: Int32
}

extension RowRuler {
    @inline(__always)
    private func isOwn(_ row: RowBrief) -> Bool { UInt64(row.sender) == lengths.own }

    @inline(__always)
    private func hasUnreadLine(between upper: RowBrief?, and lower: RowBrief) -> Bool {
        guard lengths.unreadLine != nil, let from = lengths.unreadFrom else { return false }
        return lower.order >= from && upper.map { $0.order < from } ?? true
    }

    @inline(__always)
    private func areOfOneSeries(_ upper: RowBrief, _ lower: RowBrief) -> Bool {
        guard upper.sender == lower.sender else { return false }
        if upper.look != lower.look || !looks[Int(lower.look)].joinsSeries {
            let (upper, lower) = (looks[Int(upper.look)], looks[Int(lower.look)])
            guard upper.joinsSeries, lower.joinsSeries else { return false }
            guard !lengths.breaks.contains(.template) || upper.template == lower.template else { return false }
        }
        // Times are a backend's, and may be anything.
        let pause = lower.milliseconds.subtractingReportingOverflow(upper.milliseconds)
        return !pause.overflow && pause.partialValue.magnitude <= lengths.longestPause
    }

    /// Lengths and rules that do not depend on the row.
    struct Lengths: Sendable {
        let own: UInt64?
        let unreadFrom: Int64?
        let breaks: SeriesRule.Breaks
        let longestPause: UInt64
        let first, last, withinSeries, betweenSeries, betweenSides: Int32
        let dateLine: Int32?
        let unreadLine: Int32?

        init(_ decorator: Decorator) {
            let (style, target, viewer) = (decorator.style, decorator.target, decorator.viewer)
            own = viewer.own?.value
            unreadFrom = viewer.unreadFrom
            breaks = style.series.breaks
            longestPause = UInt64(max(0, style.series.longestPause.components.seconds)) * 1000
            first = target.pixels(style.gaps.first)
            last = target.pixels(style.gaps.last)
            withinSeries = target.pixels(style.gaps.withinSeries)
            betweenSeries = target.pixels(style.gaps.betweenSeries)
            betweenSides = target.pixels(style.gaps.betweenSides)
            dateLine = style.dateLine.map { target.textPixels($0.height) + target.pixels($0.gap) }
            unreadLine = style.unreadLine.map { target.textPixels($0.height) + target.pixels($0.gap) }
        }
    }

    struct Look: Sendable {
        /// Equal for looks of one template.
        var template: UInt32
        var joinsSeries: Bool
    }

    /// The measures that a template has for a row of the viewer, or of another.
    struct Measures: Sendable {
        var isNamed = false
        var isNamedAlways = false
        /// The height above the content of the first of a series.
        var above: Int32 = 0
        /// The least height of the strip; those of the first and of the last of a series.
        var beside: Int32 = 0
        var besideFirst: Int32 = 0
        var besideLast: Int32 = 0

        init(_ template: RowTemplate, _ decorator: Decorator, isOwn: Bool) {
            let (style, target) = (decorator.style, decorator.target)
            if let rule = template.senderName {
                isNamed = decorator.isIncluded(in: rule.audience, isOwn: isOwn)
                isNamedAlways = rule.isOnEveryRow
            }
            if let icon = style.failedIcon(of: template), isOwn { beside = target.pixels(icon.size) }
            if let handle = style.selectionHandle(of: template), template.isSelectable {
                beside = max(beside, target.pixels(handle.size))
            }
            guard let avatar = template.avatar, decorator.isIncluded(in: avatar.audience, isOwn: isOwn) else { return }
            switch avatar.place {
            case .start: besideFirst = target.pixels(avatar.size)
            case .end: besideLast = target.pixels(avatar.size)
            case .centred: above = target.pixels(avatar.size) + target.pixels(avatar.gap)
            }
        }
    }
}
