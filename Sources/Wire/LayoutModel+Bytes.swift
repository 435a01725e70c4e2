package import MessageLayout
import Typography

extension Target: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(width.raw)
        writer.integer(scale.thousandths)
        writer.integer(textScale.thousandths)
    }

    /// Accepts what a screen can be; past these bounds arithmetic on pixels would have to think about overflow.
    package init(from reader: inout ByteReader) throws(WireError) {
        let width = try reader.integer(Int32.self)
        let scale = try reader.integer(Int32.self)
        let textScale = try reader.integer(Int32.self)
        guard 0...Fixed.points(16_384).raw ~= width else { throw .outOfRange(Int64(width), of: "width") }
        guard 500...8_000 ~= scale else { throw .outOfRange(Int64(scale), of: "scale") }
        guard 250...8_000 ~= textScale else { throw .outOfRange(Int64(textScale), of: "text scale") }
        self.init(
            width: Fixed(raw: width), scale: Scale(thousandths: scale), textScale: TextScale(thousandths: textScale))
    }
}

extension LayoutModel: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(width)
        writer.integer(height)
        writer.list(lines)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let width = try reader.integer(Int32.self)
        let height = try reader.integer(Int32.self)
        self.init(width: width, height: height, lines: try reader.list(atMost: Limits.body))
    }
}

extension PlacedLine: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        for field in [range.lowerBound, range.upperBound, left, top, baseline, width] { writer.integer(field) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let start = try reader.integer(Int32.self)
        let end = try reader.integer(Int32.self)
        guard start <= end else { throw .outOfRange(Int64(end), of: "end of a line") }
        self.init(
            range: start..<end, left: try reader.integer(), top: try reader.integer(), baseline: try reader.integer(),
            width: try reader.integer())
    }
}
