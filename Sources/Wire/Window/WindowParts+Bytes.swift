package import Bytes
import MessageLayout
import Names
import Record

// The parts of the words of windows. Counts and places take four bytes, distances eight.

extension ByteWriter {
    mutating func flag(_ value: Bool) { integer((value ? 1 : 0) as UInt8) }
    mutating func count(_ value: Int) { integer(UInt32(clamping: value)) }
    /// A list of one, or of none.
    mutating func optional(_ value: (some ByteCoded)?) {
        integer((value == nil ? 0 : 1) as UInt32)
        if let value { self.value(value) }
    }
    mutating func optional(_ value: Int64?) {
        flag(value != nil)
        if let value { integer(value) }
    }
    /// Writes a flag, and others that later versions added. Where all of those are false, the byte is the same as
    /// before.
    mutating func bits(_ flags: Bool...) {
        integer(flags.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) } as UInt8)
    }
    mutating func range(_ value: Range<Int64>) {
        integer(value.lowerBound)
        integer(value.upperBound)
    }
    /// Writes a text, or its beginning where it is longer.
    mutating func text(_ text: String, atMost limit: Int) { self.text(text.cut(toBytes: limit)) }
}

extension ByteReader {
    mutating func bits(_ count: Int, of field: ByteError.Field) throws(ByteError) -> [Bool] {
        let code = try integer(UInt8.self)
        guard code < 1 << count else { throw .unknownCase(code, of: field) }
        return (0..<count).map { code & 1 << $0 != 0 }
    }
    mutating func flag(of field: ByteError.Field) throws(ByteError) -> Bool {
        let code = try integer(UInt8.self)
        guard code <= 1 else { throw .unknownCase(code, of: field) }
        return code == 1
    }
    mutating func count(_ limit: ClosedRange<Int> = 0...Int(UInt32.max), of field: ByteError.Field) throws(ByteError)
        -> Int
    {
        Int(try integer(in: UInt32(limit.lowerBound)...UInt32(limit.upperBound), of: field))
    }
    mutating func optionalInteger(of field: ByteError.Field) throws(ByteError) -> Int64? {
        try flag(of: field) ? try integer() : nil
    }
    mutating func range(
        in bounds: ClosedRange<Int64> = .min ... .max, of field: ByteError.Field
    ) throws(ByteError) -> Range<Int64> {
        let (start, end) = (try integer(in: bounds, of: field), try integer(in: bounds, of: field))
        guard start <= end else { throw .outOfBounds(end, start ... .max, of: field) }
        return start..<end
    }
    /// Reads a height, or a distance downward, in device pixels.
    mutating func length(of field: ByteError.Field) throws(ByteError) -> Int32 {
        try integer(in: 0...Int32.max, of: field)
    }
    /// Reads a y that a gateway tells: the heights of a window may be added to it.
    mutating func y(of field: ByteError.Field) throws(ByteError) -> Int64 {
        try integer(in: Limits.y, of: field)
    }
    mutating func choice<Value: RawRepresentable<UInt8>>(of field: ByteError.Field) throws(ByteError) -> Value {
        let code = try integer(UInt8.self)
        guard let value = Value(rawValue: code) else { throw .unknownCase(code, of: field) }
        return value
    }
}

extension WindowID: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.integer(number) }
    package init(from reader: inout ByteReader) throws(ByteError) { self.init(try reader.integer()) }
}

extension WindowCursor: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(epoch)
        writer.value(stamp)
        writer.integer(turn)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(epoch: try reader.value(), stamp: try reader.value(), turn: try reader.integer())
    }
}

extension WindowAnchor: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(row)
        writer.integer(edge.rawValue)
        writer.integer(offset)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(row: try reader.value(), edge: try reader.choice(of: "edge"), offset: try reader.integer())
    }
}

extension AnchorDelta: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(anchor)
        writer.integer(delta)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(anchor: try reader.value(), delta: try reader.integer())
    }
}

extension WindowPlace: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .newest: writer.integer(1 as UInt8)
        case .unread: writer.integer(2 as UInt8)
        case .message(let message):
            writer.integer(3 as UInt8)
            writer.value(message)
        case .date(let time):
            writer.integer(4 as UInt8)
            writer.integer(time.milliseconds)
        case .y(let y):
            writer.integer(5 as UInt8)
            writer.integer(y)
        }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .newest
        case 2: self = .unread
        case 3: self = .message(try reader.value())
        case 4:
            self = .date(Timestamp(milliseconds: try reader.integer(in: Limits.milliseconds, of: "date")))
        case 5: self = .y(try reader.integer())
        case let code: throw .unknownCase(code, of: "place")
        }
    }
}

extension WindowFrame: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(cursor)
        writer.value(edition)
        writer.flag(isOld)
        writer.count(rowsAbove)
        writer.count(rowsBelow)
        writer.integer(top)
        writer.range(extent)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            cursor: try reader.value(), edition: try reader.value(), isOld: try reader.flag(of: "edition"),
            rowsAbove: try reader.count(of: "rows"), rowsBelow: try reader.count(of: "rows"),
            top: try reader.y(of: "top"), extent: try reader.range(in: Limits.y, of: "extent"))
    }
}

extension WindowRow: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(number)
        writer.value(message)
        writer.integer(order)
        writer.integer(height)
        writer.integer(lead)
        writer.integer(strip)
        writer.optional(body)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            number: try reader.value(), message: try reader.value(), order: try reader.integer(),
            height: try reader.length(of: "height"), lead: try reader.length(of: "lead"),
            strip: try reader.length(of: "strip"),
            body: try reader.optional())
    }
}

extension WindowRow.Body: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(decoration)
        writer.block(layout)
        writer.bits(message != nil, filler != nil, fonts != nil)
        if let message { writer.block(message) }
        if let filler { writer.value(filler) }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            decoration: try reader.value(), layout: Array(try reader.block(atMost: RecordLimits.row, of: "layout")))
        let has = try reader.bits(3, of: "message")
        if has[0] { message = Array(try reader.block(atMost: SaidMessage.longest, of: "message")) }
        if has[1] { filler = try reader.value() }
        // The names of the files stand behind the word.
        if has[2] { fonts = [] }
    }
}
