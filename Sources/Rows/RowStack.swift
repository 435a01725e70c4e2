import MessageLayout
import Typography

/// A row while it is put together: downward first, then, in the strip of the content, from the edges inward. Start is
/// left here; the whole is mirrored afterwards.
struct RowStack {
    let plan: RowPlan
    let style: DecorationStyle
    let target: Target
    /// The room that is not taken yet: from `y` down, and between `start` and `end`.
    var y: Int32 = 0
    var start: Int32
    var end: Int32

    init(_ plan: RowPlan, style: DecorationStyle, target: Target) {
        self.plan = plan
        self.style = style
        self.target = target
        start = target.pixels(plan.template.startInset)
        end = target.boundedRowPixels - target.pixels(plan.template.endInset)
    }

    mutating func place(in row: inout Decoration) {
        y = row.gapAbove
        if let day = plan.day, let measure = style.dateLine {
            row.dateLine = Decoration.DateLine(frame: line(measure), day: day)
        }
        if plan.hasUnreadLine, let measure = style.unreadLine { row.unreadLine = line(measure) }
        row.avatar = avatarAbove()
        let strip = y..<y + stripHeight
        placeBeside(&row, in: strip)
        if plan.avatar?.place == .above { row.avatar?.left = leftOfAvatar(over: row.content) }
        row.height = strip.upperBound + row.gapBelow
    }

    private mutating func placeBeside(_ row: inout Decoration, in strip: Range<Int32>) {
        row.selectionHandle = plan.selectionHandle.shown.map { square($0.size, gap: $0.gap, isAtEnd: false) }
        if let avatar = avatarBeside(in: strip) { row.avatar = avatar }
        let free = (start: start, end: end)
        if let icon = plan.failedIcon.part, takesRoom(icon) {
            let frame = square(icon.size, gap: icon.gap, isAtEnd: isAtEnd == (icon.place == .edge))
            row.failedIcon = plan.failedIcon.shown.map { _ in frame }
        }
        row.content = content(in: strip, besides: (start: start - free.start, end: free.end - end))
        if let icon = plan.failedIcon.shown, icon.place == .beside {
            let (gap, size) = (target.pixels(icon.gap), target.pixels(icon.size))
            let left = isAtEnd ? row.content.left - gap - size : row.content.right + gap
            row.failedIcon = PixelRect(left: left, top: y, width: size, height: size)
        }
        row.failedIcon?.level(with: row.content, in: strip)
        row.selectionHandle?.level(with: row.content, in: strip)
    }
}

extension RowStack {
    private var isAtEnd: Bool { plan.alignment == .end }

    /// Whether the icon's room is kept free in every row that may fail, so that failing moves nothing. Beside content
    /// that stands at one edge there is always room at the other: content is not laid out wider than that
    /// (`contentRoom`).
    private func takesRoom(_ icon: FailedIcon) -> Bool { icon.place == .edge || plan.alignment == .center }

    private mutating func line(_ measure: LineMeasure) -> PixelRect {
        let height = target.textPixels(measure.height)
        defer { y += height + target.pixels(measure.gap) }
        return PixelRect(left: 0, top: y, width: target.boundedRowPixels, height: height)
    }

    private mutating func avatarAbove() -> PixelRect? {
        guard let avatar = plan.avatar, avatar.place == .above else { return nil }
        let size = target.pixels(avatar.rule.size)
        defer { y += size + target.pixels(avatar.rule.gap) }
        return PixelRect(left: start, top: y, width: size, height: size)
    }

    private func leftOfAvatar(over content: PixelRect) -> Int32 {
        let size = plan.avatar.map { target.pixels($0.rule.size) } ?? 0
        return max(start, min(content.left + (content.width - size) / 2, end - size))
    }

    private mutating func avatarBeside(in strip: Range<Int32>) -> PixelRect? {
        guard let avatar = plan.avatar, avatar.place != .above else { return nil }
        var frame = square(avatar.rule.size, gap: avatar.rule.gap, isAtEnd: isAtEnd)
        if avatar.place == .bottom { frame.top = strip.upperBound - frame.height }
        return avatar.place == .elsewhere ? nil : frame
    }

    /// Takes room at one edge, and returns a square there.
    private mutating func square(_ size: Fixed, gap: Fixed, isAtEnd: Bool) -> PixelRect {
        let (size, gap) = (target.pixels(size), target.pixels(gap))
        if isAtEnd { end -= size + gap } else { start += size + gap }
        return PixelRect(left: isAtEnd ? end + gap : start - gap - size, top: y, width: size, height: size)
    }

    /// The frame of the content. Content that is wider than its room leaves it on the far side.
    /// - Parameter icon: the room at one end that is kept free for it.
    private func content(in strip: Range<Int32>, besides icon: (start: Int32, end: Int32)) -> PixelRect {
        let size = plan.content
        let left =
            switch plan.alignment {
            case .start: start
            // In the middle as if nothing could fail, as far as the icon's room allows: otherwise the reader's own
            // rows would stand elsewhere than those of others.
            case .center:
                max(start, min((start - icon.start + end + icon.end - size.width) / 2, end - size.width))
            case .end: end - size.width
            }
        // Beside an avatar at the bottom, content that is less high stands at the bottom, too.
        let isLow = plan.avatar?.place == .bottom
        let top = isLow ? strip.upperBound - size.height : strip.lowerBound
        return PixelRect(left: left, top: top, width: size.width, height: size.height)
    }

    /// The height of the strip, enough for all that stands beside the content, now or later.
    private var stripHeight: Int32 {
        let isAvatarBeside = plan.avatar?.place == .top || plan.avatar?.place == .bottom
        return max(
            plan.content.height, height(of: isAvatarBeside ? plan.avatar?.rule.size : nil),
            height(of: plan.failedIcon.part?.size), height(of: plan.selectionHandle.part?.size))
    }

    private func height(of size: Fixed?) -> Int32 { size.map(target.pixels) ?? 0 }
}

extension PixelRect {
    /// Moves to the middle of the content, as far as the strip allows.
    fileprivate mutating func level(with content: PixelRect, in strip: Range<Int32>) {
        top = max(strip.lowerBound, min(content.top + (content.height - height) / 2, strip.upperBound - height))
    }
}
