package import Typography

/// A screen that will show the message, as far as its layout depends on it.
package struct Target: Hashable, Sendable {
    /// Width of a row, in points.
    package var width: Fixed
    /// Device pixels to a point.
    package var scale: Scale
    /// The reader's own text size.
    package var textScale: TextScale
    /// Right to left: the whole layout is mirrored.
    package var isMirrored: Bool

    package init(width: Fixed, scale: Scale, textScale: TextScale = .one, isMirrored: Bool = false) {
        self.width = width
        self.scale = scale
        self.textScale = textScale
        self.isMirrored = isMirrored
    }

    /// Whole device pixels of the row.
    package var rowPixels: Int32 { Int32(clamping: Int64(width.raw) * Int64(scale.thousandths) / 64_000) }
}

extension Target {
    /// The order in which targets that share all but the width stand together, the widest first: a record then has
    /// the fewest groups.
    package func precedes(_ other: Target) -> Bool {
        if scale != other.scale { return scale.thousandths < other.scale.thousandths }
        if textScale != other.textScale { return textScale.percent < other.textScale.percent }
        if isMirrored != other.isMirrored { return other.isMirrored }
        return width > other.width
    }
}
