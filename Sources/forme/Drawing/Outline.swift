import MessageLayout

/// A rectangle of which some corners are round; here, start is left.
struct Outline {
    var rect: PixelRect
    var corners: Corners
    var radius: Int32

    /// As SVG draws it, clockwise from the top left.
    var path: String {
        let most = min(radius, min(rect.width, rect.height) / 2)
        let (topLeft, topRight) = (own(.topStart, most), own(.topEnd, most))
        let (bottomLeft, bottomRight) = (own(.bottomStart, most), own(.bottomEnd, most))
        return "M\(rect.left + topLeft) \(rect.top)H\(rect.right - topRight)" + arc(topRight, topRight, topRight)
            + "V\(rect.bottom - bottomRight)" + arc(bottomRight, -bottomRight, bottomRight)
            + "H\(rect.left + bottomLeft)" + arc(bottomLeft, -bottomLeft, -bottomLeft)
            + "V\(rect.top + topLeft)" + arc(topLeft, topLeft, -topLeft) + "z"
    }

    private func own(_ corner: Corners, _ radius: Int32) -> Int32 { corners.contains(corner) ? radius : 0 }

    private func arc(_ radius: Int32, _ dx: Int32, _ dy: Int32) -> String {
        radius > 0 ? "a\(radius) \(radius) 0 0 1 \(dx) \(dy)" : ""
    }
}
