import MessageLayout
import Typography

/// A screen to lay out for.
public struct LayoutTarget: Hashable, Sendable {
    /// The width of a row, in points.
    public var width: Double
    /// Device pixels to a point.
    public var scale: Double
    /// The reader's own text size.
    public var textScale: Double
    /// Whether it runs from right to left.
    public var isMirrored: Bool

    public init(width: Double, scale: Double, textScale: Double = 1, isMirrored: Bool = false) {
        self.width = width
        self.scale = scale
        self.textScale = textScale
        self.isMirrored = isMirrored
    }
}

extension LayoutTarget {
    init(_ target: Target) {
        self.init(
            width: Double(target.width.raw) / 64, scale: Double(target.scale.thousandths) / 1000,
            textScale: Double(target.textScale.percent) / 100, isMirrored: target.isMirrored)
    }

    /// The target in the units that layouts are computed in. Throws for values that styles may not have either.
    var exact: Target {
        get throws(MessageLayoutsError) {
            guard 1...16_384 ~= width, 0.5...8 ~= scale, 0.25...4 ~= textScale else { throw .target(self) }
            return Target(
                width: Fixed(raw: Int32((width * 64).rounded())),
                scale: Scale(thousandths: Int32((scale * 1000).rounded())),
                textScale: TextScale(percent: Int32((textScale * 100).rounded())), isMirrored: isMirrored)
        }
    }
}
