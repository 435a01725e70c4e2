package import Bytes
import Names
package import Pool
package import Wire

// Numbers of a log as other hosts say them. Each is counted up from zero, so one near the end of its bits was never
// counted. It is refused, like a word or a record that cannot be read: a host that took it would trap when it asks
// for the next one.

extension LogSequence: ByteCoded {
    /// The largest that is taken from outside.
    package static let most = LogSequence(1 << 62)

    package func write(to writer: inout ByteWriter) { writer.integer(number) }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(try reader.integer(in: 0...Self.most.number, of: "place in a log"))
    }
}

extension Reign: ByteCoded {
    /// The largest that is taken from outside: keys of a reign have its number in their upper half, and are below
    /// `KeyNumber.most`.
    package static let most = Reign(1 << 31 - 1)

    package func write(to writer: inout ByteWriter) { writer.integer(number) }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(try reader.integer(in: 0...Self.most.number, of: "reign"))
    }
}

extension KeyNumber: ByteCoded {
    /// The largest that is taken from outside. A host has the numbers in columns of SQLite, whose integers have a sign.
    package static let most = KeyNumber(1 << 63 - 1)

    package func write(to writer: inout ByteWriter) { writer.integer(number) }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(try reader.integer(in: 0...Self.most.number, of: "number of a key"))
    }
}

extension LogPosition: ByteCoded {
    /// The largest that is taken from outside.
    package static let most = LogPosition(1 << 62)

    package func write(to writer: inout ByteWriter) { writer.integer(number) }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(try reader.integer(in: 0...Self.most.number, of: "place in a journal"))
    }
}

extension ByteReader {
    /// Reads the number of a message, which is the place in the journal that it began at.
    mutating func messageNumber() throws(ByteError) -> MessageNumber {
        MessageNumber(try value(LogPosition.self).number)
    }

    /// Reads the number of a job, of which a journal counts the next.
    mutating func jobNumber() throws(ByteError) -> JobNumber {
        JobNumber(try integer(in: 0...UInt64(LogPosition.most.number), of: "number of a job"))
    }
}
