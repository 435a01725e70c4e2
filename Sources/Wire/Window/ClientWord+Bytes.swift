package import Bytes
import Names
import Record

extension ClientWord: FramedWord {
    package static let family: UInt8 = 4

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .open(let opening):
            writer.integer(1 as UInt8)
            writer.value(opening)
        case .page(let window, let side, let count):
            writer.integer(2 as UInt8)
            writer.value(window)
            writer.integer(side.rawValue)
            writer.count(count)
        case .heights(let window, let range):
            writer.integer(3 as UInt8)
            writer.value(window)
            writer.range(range)
        case .rows(let window, let numbers):
            writer.integer(4 as UInt8)
            writer.value(window)
            writer.list(numbers)
        case .locate(let window, let y):
            writer.integer(5 as UInt8)
            writer.value(window)
            writer.integer(y)
        case .position(let window, let message):
            writer.integer(6 as UInt8)
            writer.value(window)
            writer.value(message)
        case .changes(let window, let cursor):
            writer.integer(7 as UInt8)
            writer.value(window)
            writer.value(cursor)
        case .resize(let window, let target, let screen, let anchor):
            writer.integer(8 as UInt8)
            writer.value(window)
            writer.value(target)
            writer.integer(screen)
            writer.optional(anchor)
        case .adjust(let window, let maxCount, let focus):
            writer.integer(9 as UInt8)
            writer.value(window)
            writer.count(maxCount)
            writer.count(focus)
        case .hold(let window, let anchors):
            writer.integer(10 as UInt8)
            writer.value(window)
            writer.list(anchors)
        case .busy(let window, let isBusy):
            writer.integer(11 as UInt8)
            writer.value(window)
            writer.flag(isBusy)
        case .read(let window, let order):
            writer.integer(12 as UInt8)
            writer.value(window)
            writer.optional(order)
        case .prewarm(let conversation, let targets):
            writer.integer(13 as UInt8)
            writer.value(conversation)
            writer.list(targets)
        case .close(let window):
            writer.integer(14 as UInt8)
            writer.value(window)
        case .lines(let window, let wanted):
            writer.integer(15 as UInt8)
            writer.value(window)
            writer.value(wanted)
        case .preview(let window, let draft):
            writer.integer(16 as UInt8)
            writer.value(window)
            writer.value(draft)
        case .ranges(let window, let question):
            writer.integer(17 as UInt8)
            writer.value(window)
            writer.value(question)
        }
    }

    package init(from reader: inout ByteReader) throws(ByteError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .open(try reader.value())
        case 2:
            self = .page(
                try reader.value(), try reader.choice(of: "side"),
                count: try reader.count(1...Limits.rowsPerPage, of: "count"))
        case 3: self = .heights(try reader.value(), try reader.range(of: "heights"))
        case 4: self = .rows(try reader.value(), try reader.list(atMost: Limits.rowsPerPage))
        case 5: self = .locate(try reader.value(), y: try reader.integer())
        case 6: self = .position(try reader.value(), try reader.value())
        case 7: self = .changes(try reader.value(), since: try reader.value())
        case 8:
            self = .resize(
                try reader.value(), try reader.value(), screen: try reader.screen(), try reader.optional())
        case 9:
            self = .adjust(
                try reader.value(), maxCount: try reader.count(1...Limits.rowsPerWindow, of: "count"),
                focus: try reader.count(0...1000, of: "focus"))
        case 10: self = .hold(try reader.value(), try reader.list(atMost: Limits.anchorsPerWindow))
        case 11: self = .busy(try reader.value(), try reader.flag(of: "busy"))
        case 12: self = .read(try reader.value(), from: try reader.optionalInteger(of: "order"))
        case 13: self = .prewarm(try reader.value(), try reader.list(atMost: Limits.targets))
        case 14: self = .close(try reader.value())
        case 15: self = .lines(try reader.value(), try reader.value())
        case 16: self = .preview(try reader.value(), try reader.value())
        case 17: self = .ranges(try reader.value(), try reader.value())
        case let code: throw .unknownKind(code)
        }
    }
}

extension WindowOpening: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(window)
        writer.value(conversation)
        writer.value(target)
        writer.value(reader)
        writer.value(place)
        writer.count(count)
        writer.integer(screen)
        writer.flag(wantsBodies)
        writer.bits(wantsMessages, wantsEditions, wantsUnavailable, rowVersion != .first, wantsFonts)
        if rowVersion != .first { writer.integer(rowVersion.rawValue) }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            window: try reader.value(), conversation: try reader.value(), target: try reader.value(),
            reader: try reader.value(), place: try reader.value(),
            count: try reader.count(1...Limits.rowsPerPage, of: "count"), screen: try reader.screen(),
            wantsBodies: try reader.flag(of: "bodies"))
        let wants = try reader.bits(5, of: "messages")
        (wantsMessages, wantsEditions, wantsUnavailable, wantsFonts) = (wants[0], wants[1], wants[2], wants[4])
        if wants[3] { rowVersion = try reader.rowVersion() }
    }
}

extension WantedLines: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(row)
        writer.integer(mark.number)
        writer.count(lines.lowerBound)
        writer.count(lines.upperBound)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        let (row, mark) = (try reader.value(MessageNumber.self), RowMark(try reader.integer()))
        let start = try reader.count(0...Limits.linesPerRow, of: "lines")
        self.init(row: row, mark: mark, lines: start..<(try reader.count(start...Limits.linesPerRow, of: "lines")))
    }
}

extension ByteReader {
    fileprivate mutating func rowVersion() throws(ByteError) -> RowVersion {
        let number = try integer(in: 1...RowVersion.newest.rawValue, of: "rows")
        return RowVersion(rawValue: number) ?? .first
    }

    fileprivate mutating func screen() throws(ByteError) -> Int32 {
        try integer(in: 0...Limits.screen, of: "screen")
    }
}

extension GatewayWord: FramedWord {
    package static let family: UInt8 = 5

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .window(let reply):
            writer.integer(1 as UInt8)
            writer.value(reply)
        case .heights(let reply):
            writer.integer(2 as UInt8)
            writer.value(reply)
        case .rows(let window, let rows):
            writer.integer(3 as UInt8)
            writer.value(window)
            writer.list(rows)
        case .place(let reply):
            writer.integer(4 as UInt8)
            writer.value(reply)
        case .changes(let changes):
            writer.integer(5 as UInt8)
            writer.value(changes)
        case .adjusted(let window, let changes):
            writer.integer(6 as UInt8)
            writer.value(window)
            writer.optional(changes)
        case .done(let window):
            writer.integer(7 as UInt8)
            writer.value(window)
        case .refused(let window, let refusal):
            writer.integer(8 as UInt8)
            writer.value(window)
            writer.integer(refusal.rawValue)
        case .pending(let window, let message, let order):
            writer.integer(9 as UInt8)
            writer.value(window)
            writer.value(message)
            writer.integer(order)
        case .unreadable(let reason):
            writer.integer(10 as UInt8)
            writer.text(reason, atMost: Limits.name)
        case .unavailable(let window, let message, let order):
            writer.integer(11 as UInt8)
            writer.value(window)
            writer.value(message)
            writer.integer(order)
        case .preview(let window, let reply):
            writer.integer(12 as UInt8)
            writer.value(window)
            writer.value(reply)
        case .rejected(let window, let rejection):
            writer.integer(13 as UInt8)
            writer.value(window)
            writer.value(rejection)
        case .ranges(let window, let reply):
            writer.integer(14 as UInt8)
            writer.value(window)
            writer.value(reply)
        }
        WordFonts(of: self)?.write(self, to: &writer)
    }

    package init(from reader: inout ByteReader) throws(ByteError) {
        try self.init(wordFrom: &reader)
        try WordFonts.read(into: &self, from: &reader)
    }

    /// The word without the table of fonts that may follow it.
    private init(wordFrom reader: inout ByteReader) throws(ByteError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .window(try reader.value())
        case 2: self = .heights(try reader.value())
        case 3: self = .rows(try reader.value(), try reader.list(atMost: Limits.rowsPerPage))
        case 4: self = .place(try reader.value())
        case 5: self = .changes(try reader.value())
        case 6: self = .adjusted(try reader.value(), try reader.optional())
        case 7: self = .done(try reader.value())
        case 8: self = .refused(try reader.value(), try reader.choice(of: "refusal"))
        case 9: self = .pending(try reader.value(), try reader.value(), order: try reader.integer())
        case 10: self = .unreadable(try reader.text(atMost: Limits.name, of: "reason"))
        case 11: self = .unavailable(try reader.value(), try reader.value(), order: try reader.integer())
        case 12: self = .preview(try reader.value(), try reader.value())
        case 13: self = .rejected(try reader.value(), try reader.value())
        case 14: self = .ranges(try reader.value(), try reader.value())
        case let code: throw .unknownKind(code)
        }
    }
}
