import MessageLayout
import Typography

/// The decisions about a row, before anything is in its place.
struct RowPlan {
    var template: RowTemplate
    var alignment: Alignment
    var variant: ContentVariant
    var series: SeriesPosition
    var content: PixelSize
    /// The day that begins, if a date line shows it.
    var day: LocalDay?
    var hasUnreadLine: Bool
    /// The gaps, in device pixels.
    var gapAbove: Int32
    var gapBelow: Int32
    var avatar: Avatar?
    var failedIcon: Presence<FailedIcon>
    var selectionHandle: Presence<SelectionHandle>
    var smallCorners: Corners
    var hasTail: Bool

    struct Avatar {
        var rule: AvatarRule
        var place: Place

        enum Place {
            /// Another row of the series has it, and its room stays free.
            case elsewhere
            case top, bottom, above
        }
    }

    enum Presence<Part> {
        case absent
        /// It may come, and the row is high enough for it: failing and selecting change no height.
        case expected(Part)
        case shown(Part)

        var part: Part? {
            switch self {
            case .absent: nil
            case .expected(let part), .shown(let part): part
            }
        }

        var shown: Part? {
            switch self {
            case .absent, .expected: nil
            case .shown(let part): part
            }
        }
    }
}

extension RowPlan.Presence {
    init(_ part: Part?, isPossible: Bool, isShown: Bool) {
        self = part.map { isShown ? .shown($0) : .expected($0) } ?? .absent
        if !isPossible { self = .absent }
    }
}

extension Decoration {
    init(_ plan: RowPlan, style: DecorationStyle, target: Target) {
        let corners = style.corners(of: plan.template)
        var stack = RowStack(plan, style: style, target: target)
        self.init(
            variant: plan.variant, series: plan.series, height: 0, gapAbove: plan.gapAbove,
            gapBelow: plan.gapBelow, content: .zero,
            bubble: Bubble(
                largeRadius: target.pixels(corners.large), smallRadius: target.pixels(corners.small),
                smallCorners: plan.smallCorners, hasTail: plan.hasTail))
        stack.place(in: &self)
    }
}
