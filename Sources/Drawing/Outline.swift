import MessageLayout

/// A rectangle with a radius for each corner; here, left is left. A bubble may have a tail at one of its lower corners.
///
/// A row may hold any numbers, as sums wrap where it is read: so they do here.
struct Outline {
    var rect: PixelRect
    /// From the top left, as one reads: top left, top right, bottom left, bottom right.
    var radii: [Int32]
    var tail: Tail?

    enum Tail { case left, right }

    init(_ rect: PixelRect, radii: [Int32], tail: Tail? = nil) {
        (self.rect, self.radii, self.tail) = (rect, radii, tail)
    }

    /// - Parameter corners: those that are round; start is left, unless `isMirrored`.
    init(_ rect: PixelRect, _ corners: Corners, radius: Int32, isMirrored: Bool) {
        let own = [Corners.topStart, .topEnd, .bottomStart, .bottomEnd].map { corners.contains($0) ? radius : 0 }
        self.init(rect, radii: isMirrored ? [own[1], own[0], own[3], own[2]] : own)
    }

    /// No corner is rounder than its rectangle allows.
    private func radius(_ corner: Int) -> Int32 { max(0, min(radii[corner], min(rect.width, rect.height) / 2)) }

    /// The path in SVG, clockwise from the top left.
    var path: String {
        let (topLeft, topRight, bottomLeft, bottomRight) = (radius(0), radius(1), radius(2), radius(3))
        var path = "M\(rect.left &+ topLeft) \(rect.top)H\(rect.right &- topRight)" + arc(topRight, topRight, topRight)
        path += "V\(rect.bottom &- bottomRight)"
        path += tail == .right ? tail(bottomRight, toRight: true) : arc(bottomRight, -bottomRight, bottomRight)
        path += "H\(rect.left &+ bottomLeft)"
        path += tail == .left ? tail(bottomLeft, toRight: false) : arc(bottomLeft, -bottomLeft, -bottomLeft)
        return path + "V\(rect.top &+ topLeft)" + arc(topLeft, topLeft, -topLeft) + "z"
    }

    /// The tail: from the side down to a point beyond the corner, and back along the bottom; on the left the other
    /// way round.
    private func tail(_ radius: Int32, toRight: Bool) -> String {
        let (out, notch) = (0.36, 0.18)
        let curves =
            toRight
            ? [
                [0, 0.45, out * 0.35, 0.85, out, 1], [-0.5, 0, -0.8, -notch / 3, -0.86, -notch],
                [-0.16, notch * 0.66, -0.3, notch, -0.5, notch],
            ]
            : [
                [-0.2, 0, -0.34, -notch / 3, -0.5, -notch], [-0.06, notch * 0.66, -0.36, notch, -0.86, notch],
                [out * 0.65, -0.15, out, -0.55, out, -1],
            ]
        return curves.map { "c" + $0.map { ($0 * Double(radius)).markup }.joined(separator: " ") }.joined()
    }

    private func arc(_ radius: Int32, _ dx: Int32, _ dy: Int32) -> String {
        radius > 0 ? "a\(radius) \(radius) 0 0 1 \(dx) \(dy)" : ""
    }
}
