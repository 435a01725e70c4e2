package import Typography

/// A screen that will show the message, as far as its layout depends on it.
package struct Target: Hashable, Sendable {
    /// Width of a row, in points.
    package var width: Fixed
    /// Device pixels to a point.
    package var scale: Scale
    /// The reader's own text size.
    package var textScale: TextScale

    package init(width: Fixed, scale: Scale, textScale: TextScale = .one) {
        self.width = width
        self.scale = scale
        self.textScale = textScale
    }
}
