package import Bytes
import MessageLayout
import Rows

extension WindowReader: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.optional(own)
        writer.optional(unreadFrom)
        writer.value(zone)
        writer.value(clock)
        writer.flag(isDirect)
        writer.flag(isSelecting)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            own: try reader.optional(), unreadFrom: try reader.optionalInteger(of: "unread"),
            zone: try reader.value(), clock: try reader.value(), isDirect: try reader.flag(of: "direct"),
            isSelecting: try reader.flag(of: "selecting"))
    }
}

extension TimeZoneRule: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(initialOffset)
        writer.list(transitions)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        let offset = try reader.offset()
        self.init(initialOffset: offset, transitions: try reader.list(atMost: Limits.transitions))
    }
}

extension TimeZoneRule.Transition: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(fromSeconds)
        writer.integer(offsetSeconds)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(fromSeconds: try reader.integer(), offsetSeconds: try reader.offset())
    }
}

extension ByteReader {
    /// Reads the offset of a clock, which is at most a day.
    fileprivate mutating func offset() throws(ByteError) -> Int32 {
        try integer(in: -86_400...86_400, of: "offset")
    }
}

extension ClockFormat: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.flag(padsHours)
        writer.text(separator)
        writer.integer(zero)
        switch hours {
        case .twentyFour: writer.integer(0 as UInt8)
        case .twelve(let beforeNoon, let afterNoon, let isLeading):
            writer.integer((isLeading ? 2 : 1) as UInt8)
            writer.text(beforeNoon)
            writer.text(afterNoon)
        }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        let padsHours = try reader.flag(of: "clock")
        let separator = try reader.text(atMost: Limits.clockWord, of: "clock")
        let zero = try reader.integer(UInt16.self)
        let hours: Hours
        switch try reader.integer(UInt8.self) {
        case 0: hours = .twentyFour
        case let code where code <= 2:
            hours = .twelve(
                beforeNoon: try reader.text(atMost: Limits.clockWord, of: "clock"),
                afterNoon: try reader.text(atMost: Limits.clockWord, of: "clock"), isLeading: code == 2)
        case let code: throw .unknownCase(code, of: "clock")
        }
        self.init(hours: hours, padsHours: padsHours, separator: separator, zero: zero)
    }
}
