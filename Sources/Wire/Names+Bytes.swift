package import Bytes
import Names

extension Name: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.text(text) }

    package init(from reader: inout ByteReader) throws(ByteError) {
        try self.init(reader.text(atMost: Self.mostBytes, of: ByteError.Field("", Subject.self)))
    }
}

extension MessageNumber: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.integer(number) }
    package init(from reader: inout ByteReader) throws(ByteError) { self.init(try reader.integer(Int64.self)) }
}

extension Position: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(order)
        writer.value(message)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(order: try reader.integer(), message: try reader.value())
    }
}
