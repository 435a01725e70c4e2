package import MessageLayout
import Typography

extension ThinModel: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(width)
        writer.integer(height)
        writer.list(lines)
        writer.list(entities)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let width = try reader.integer(Int32.self)
        let height = try reader.integer(Int32.self)
        let lines: [Line] = try reader.list(atMost: Limits.body)
        self.init(width: width, height: height, lines: lines, entities: try reader.list(atMost: Limits.body))
    }
}

extension ThinModel.Line: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.range(range)
        for field in [left, top, baseline, width] { writer.integer(field) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(
            range: try reader.range(), left: try reader.integer(), top: try reader.integer(),
            baseline: try reader.integer(), width: try reader.integer())
    }
}

extension ThinModel.Part: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(kind.rawValue)
        writer.range(range)
        writer.list(frames)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let code = try reader.integer(UInt8.self)
        guard let kind = Entity.Kind(rawValue: code) else { throw .unknownCase(code, of: "entity") }
        self.init(kind: kind, range: try reader.range(), frames: try reader.list(atMost: Limits.body))
    }
}

extension ThinModel.Frame: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        for field in [left, top, width, height] { writer.integer(field) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(
            left: try reader.integer(), top: try reader.integer(), width: try reader.integer(),
            height: try reader.integer())
    }
}

extension ByteWriter {
    fileprivate mutating func range(_ range: Range<Int32>) {
        integer(range.lowerBound)
        integer(range.upperBound)
    }
}

extension ByteReader {
    fileprivate mutating func range() throws(WireError) -> Range<Int32> {
        let start = try integer(Int32.self)
        let end = try integer(Int32.self)
        guard start <= end else { throw .outOfRange(Int64(end), of: "end of a range") }
        return start..<end
    }
}
