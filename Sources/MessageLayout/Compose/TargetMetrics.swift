import Typography

/// A style on one screen: every length in device pixels, every role of text with its line breaker.
final class TargetMetrics: Sendable {
    let target: Target
    let rows: ScreenRows
    let lengths: [Int32]
    let roles: [RoleMetrics]

    init(_ target: Target, of sheet: StyleSheet, roleStyles: [StyleMetrics]) {
        self.target = target
        let screen = Screen(target, of: sheet)
        (rows, lengths) = (ScreenRows(target, screen), screen.lengths)
        roles = zip(screen.roles, roleStyles).map { RoleMetrics($0, style: $1, on: target) }
    }

    func pixels(_ length: LengthID) -> Int32 { lengths[Int(length.place)] }
}

/// Rows of a screen, in device pixels.
struct ScreenRows: Sendable {
    let row: Int32
    /// The room in the row, and the widest row that has no more.
    let rowRoom: Int32
    private let widestAlike: Int32
    /// The rows of its class of screens.
    let classRows: ClosedRange<Int32>
    private let room: RoomPixels

    init(_ target: Target, _ screen: Screen) {
        row = target.rowPixels
        (room, classRows) = (screen.room, screen.classRows)
        rowRoom = room.room(inRow: row)
        widestAlike = room.widestRow(for: rowRoom)
    }

    /// The rows for which a solution holds.
    func rows(slack: Int32, isWiderOpen: Bool) -> ClosedRange<Int32> {
        let narrowest = slack >= rowRoom ? 0 : room.narrowestRow(for: rowRoom - slack)
        return max(narrowest, classRows.lowerBound)...min(isWiderOpen ? .max : widestAlike, classRows.upperBound)
    }
}

/// A role of text on one screen.
struct RoleMetrics: Sendable {
    let breaker: LineBreaker
    let face: Face

    /// Size, pitch and ascent of its lines.
    struct Face: Equatable, Sendable {
        /// The size of letters, in 1/64 device pixel.
        let fontSize: Int32
        /// The distances from line to line, and from the top of a line to its baseline, in device pixels.
        let pitch: Int32
        let ascent: Int32
    }

    init(_ role: TextRole, style: StyleMetrics, on target: Target) {
        let textScale = role.isScaled ? target.textScale : .one
        breaker = LineBreaker(box: 0, size: role.size, scale: target.scale, textScale: textScale)
        let factor = breaker.factor(unitsPerEm: style.unitsPerEm, percent: style.percent)
        let line = StyleLength(points: role.lineHeight, isScaled: role.isScaled)
        let pitch = max(1, line.pixels(scale: target.scale, textScale: target.textScale))
        let (ascent, descent) = (factor.length(style.ascent), factor.length(style.descent))
        // The leading, which may be negative, is shared by the two sides, as in CSS.
        let scale = Int64(target.scale.thousandths) * Int64(textScale.percent)
        face = Face(
            fontSize: Int32(clamping: Int64(role.size.raw) * scale / 100_000), pitch: pitch,
            ascent: (((pitch << 6) - ascent - descent) / 2 + ascent + 32) >> 6)
    }
}
