package import Bytes
package import MessageLayout
import Record
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
}
