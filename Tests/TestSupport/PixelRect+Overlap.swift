package import MessageLayout

extension PixelRect {
    /// Whether they have a pixel together.
    package func overlaps(_ other: PixelRect) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
}
