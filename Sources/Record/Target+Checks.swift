package import Bytes
package import MessageLayout
import Typography

extension Target {
    /// Accepts the values that a screen can have; past these bounds arithmetic on pixels would have to think about
    /// overflow.
    package init(checkedWidth width: Int32, scale: Int32, textScale: Int32, isMirrored: Bool) throws(ByteError) {
        try Self.check(width, in: 0...Fixed.points(16_384).raw, of: "width")
        try Self.check(scale, in: 500...8_000, of: "scale")
        try Self.check(textScale, in: 25...400, of: "text scale")
        self.init(
            width: Fixed(raw: width), scale: Scale(thousandths: scale), textScale: TextScale(percent: textScale),
            isMirrored: isMirrored)
    }

    private static func check(
        _ number: Int32, in bounds: ClosedRange<Int32>, of field: ByteError.Field
    ) throws(ByteError) {
        guard bounds ~= number else {
            throw .outOfBounds(Int64(number), Int64(bounds.lowerBound)...Int64(bounds.upperBound), of: field)
        }
    }
}
