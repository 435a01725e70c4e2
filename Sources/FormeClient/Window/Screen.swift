package import MessageLayout
import Typography
import Wire

/// A screen on which a conversation is shown. Layouts are made for it, or are there already.
public struct Screen: Hashable, Sendable {
    /// The width of a row, in points.
    public var width: Double
    /// The height of the part that is seen at once, in points.
    public var height: Double
    /// The device pixels to a point.
    public var scale: Double
    /// The reader's own text size.
    public var textScale: Double
    /// Whether the screen is laid out from right to left.
    public var isMirrored: Bool

    public init(width: Double, height: Double, scale: Double, textScale: Double = 1, isMirrored: Bool = false) {
        (self.width, self.height, self.scale) = (width, height, scale)
        (self.textScale, self.isMirrored) = (textScale, isMirrored)
    }

    /// The height in device pixels, the unit of everything in a window.
    public var pixelHeight: Int32 {
        let pixels = (height * scale).rounded()
        return pixels >= 1 ? Int32(min(pixels, Double(Limits.screen))) : 1
    }
}

extension Screen {
    /// The screen in the units that layouts are computed in.
    var target: Target {
        get throws(WindowError) {
            guard 1...16_384 ~= width, 0.5...8 ~= scale, 0.25...4 ~= textScale else { throw .screen(self) }
            return Target(
                width: Fixed(raw: Int32((width * 64).rounded())),
                scale: Scale(thousandths: Int32((scale * 1000).rounded())),
                textScale: TextScale(percent: Int32((textScale * 100).rounded())), isMirrored: isMirrored)
        }
    }

    package init(_ target: Target, pixelHeight: Int32) {
        let scale = Double(target.scale.thousandths) / 1000
        self.init(
            width: Double(target.width.raw) / 64, height: Double(pixelHeight) / scale, scale: scale,
            textScale: Double(target.textScale.percent) / 100, isMirrored: target.isMirrored)
    }
}
