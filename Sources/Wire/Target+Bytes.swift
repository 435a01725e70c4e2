package import Bytes
package import MessageLayout
import Typography

extension Target: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(width.raw)
        writer.integer(scale.thousandths)
        writer.integer(textScale.percent)
        writer.integer(isMirrored ? 1 : 0 as UInt8)
    }

    package init(from reader: inout ByteReader) throws(ByteError) {
        let width = try reader.integer(Int32.self)
        let scale = try reader.integer(Int32.self)
        let textScale = try reader.integer(Int32.self)
        let direction = try reader.integer(UInt8.self)
        guard direction <= 1 else { throw .unknownCase(direction, of: "direction") }
        try self.init(checkedWidth: width, scale: scale, textScale: textScale, isMirrored: direction == 1)
    }

    /// Accepts what a screen can be; past these bounds arithmetic on pixels would have to think about overflow.
    init(checkedWidth width: Int32, scale: Int32, textScale: Int32, isMirrored: Bool) throws(ByteError) {
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
