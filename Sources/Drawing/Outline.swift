import MessageLayout

/// A rectangle of which some corners are round; here, start is left.
struct Outline {
    var rect: PixelRect
    var corners: Corners
    var radius: Int32

    /// No corner is rounder than its rectangle allows.
    private var most: Int32 { min(radius, min(rect.width, rect.height) / 2) }

    /// From corner to corner, as far as round ones let them.
    var diagonals: String {
        let inset = corners.isEmpty ? 0 : most * 3 / 10
        let (left, right) = (rect.left + inset, rect.right - inset)
        let (top, bottom) = (rect.top + inset, rect.bottom - inset)
        return "M\(left) \(top)L\(right) \(bottom)M\(right) \(top)L\(left) \(bottom)"
    }

    /// As SVG draws it, clockwise from the top left.
    var path: String {
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
