package import MessageLayout
import Typography

/// Dresses rows for one viewer on one screen. It looks at a row, the row before and the row after, so an insert, a
/// removal or a change touches the decorations of three rows at most.
///
///     let decorator = Decorator(style: style, viewer: viewer, target: target)
///     let decoration = decorator.decoration(of: row, before: upper, after: lower)
package struct Decorator: Hashable, Sendable {
    package let style: DecorationStyle
    package let viewer: Viewer
    package let target: Target

    package init(style: DecorationStyle, viewer: Viewer, target: Target) {
        self.style = style
        self.viewer = viewer
        self.target = target
    }

    /// `before` is nil for the first row of the conversation, `after` for its last: not for those of a page.
    package func decoration(of row: RowFacts, before: RowFacts?, after: RowFacts?) -> Decoration {
        decoration(plan(of: row, before: before, after: after))
    }

    /// The decoration of a row that a ruler has dressed.
    func decoration(
        of template: RowTemplate, _ dress: RowDress, content size: PixelSize, isOwn: Bool, joinsSeries: Bool,
        hasFailed: Bool
    ) -> Decoration {
        decoration(
            plan(
                template, isOwn: isOwn, joinsSeries: joinsSeries, hasFailed: hasFailed, series: dress.series,
                day: dress.day,
                hasUnreadLine: dress.hasUnreadLine, gaps: (dress.gap, dress.trail), variant: dress.variant,
                content: size))
    }

    private func decoration(_ plan: RowPlan) -> Decoration {
        let decoration = Decoration(plan, style: style, target: target)
        return target.isMirrored ? decoration.mirrored(in: target.boundedRowPixels) : decoration
    }
}

extension Decorator {
    private func plan(of row: RowFacts, before: RowFacts?, after: RowFacts?) -> RowPlan {
        let template = style.template(named: row.template)
        let isOwn = isOwn(row)
        let seam = seam(between: before, and: row)
        let series = SeriesPosition(
            joinsAbove: seam.joins, joinsBelow: after.map { self.seam(between: row, and: $0).joins } ?? false)
        let variant = variant(by: template.senderName, isOwn: isOwn, series: series)
        return plan(
            template, isOwn: isOwn, joinsSeries: row.joinsSeries, hasFailed: row.hasFailed, series: series,
            day: seam.day,
            hasUnreadLine: seam.hasUnreadLine,
            gaps: (target.pixels(seam.gap), after == nil ? target.pixels(style.gaps.last) : 0),
            variant: variant, content: row.sizes[variant])
    }

    private func plan(
        _ template: RowTemplate, isOwn: Bool, joinsSeries: Bool, hasFailed: Bool, series: SeriesPosition,
        day: LocalDay?,
        hasUnreadLine: Bool, gaps: (above: Int32, below: Int32), variant: ContentVariant, content: PixelSize
    ) -> RowPlan {
        let alignment = isOwn ? template.own : template.other
        let corners = style.corners(of: template)
        return RowPlan(
            template: template, alignment: alignment, variant: variant, series: series, content: content.bounded,
            day: day,
            hasUnreadLine: hasUnreadLine, gapAbove: gaps.above, gapBelow: gaps.below,
            avatar: avatar(by: template.avatar, isOwn: isOwn, series: series),
            failedIcon: .init(style.failedIcon(of: template), isPossible: isOwn, isShown: hasFailed),
            selectionHandle: .init(
                style.selectionHandle(of: template), isPossible: template.isSelectable, isShown: viewer.isSelecting),
            smallCorners: smallCorners(corners, series, alignment),
            hasTail: joinsSeries && hasTail(corners, series, alignment))
    }

    private func isOwn(_ row: RowFacts) -> Bool { row.sender == viewer.own }

    /// The variant of a row. Only one has a name: a style that names the viewer's own messages shows them as those of
    /// others.
    private func variant(by rule: NameRule?, isOwn: Bool, series: SeriesPosition) -> ContentVariant {
        if let rule, isIncluded(in: rule.audience, isOwn: isOwn), rule.isOnEveryRow || series.isStart {
            return .otherWithName
        }
        return isOwn ? .own : .other
    }

    private func avatar(by rule: AvatarRule?, isOwn: Bool, series: SeriesPosition) -> RowPlan.Avatar? {
        guard let rule, isIncluded(in: rule.audience, isOwn: isOwn) else { return nil }
        return switch rule.place {
        case .start: RowPlan.Avatar(rule: rule, place: series.isStart ? .top : .elsewhere)
        case .end: RowPlan.Avatar(rule: rule, place: series.isEnd ? .bottom : .elsewhere)
        case .centred: series.isStart ? RowPlan.Avatar(rule: rule, place: .above) : nil
        }
    }

    func isIncluded(in audience: Audience, isOwn: Bool) -> Bool {
        (!isOwn || audience.includesOwn) && (viewer.conversation == .group || audience.includesDirect)
    }

    private func smallCorners(_ corners: CornerRule, _ series: SeriesPosition, _ alignment: Alignment) -> Corners {
        let side: Corners =
            switch (corners.joined, alignment) {
            case (.none, _), (.edge, .center): .none
            case (.edge, .start): .start
            case (.edge, .end): .end
            case (.both, _): .all
            }
        return side.without(series.isStart ? .top : .none).without(series.isEnd ? .bottom : .none)
    }

    private func hasTail(_ corners: CornerRule, _ series: SeriesPosition, _ alignment: Alignment) -> Bool {
        guard alignment != .center else { return false }
        return switch corners.tail {
        case .never: false
        case .first: series.isStart
        case .last: series.isEnd
        }
    }
}

extension PixelSize {
    fileprivate var bounded: PixelSize { PixelSize(width: width.bounded, height: height.bounded) }
}
