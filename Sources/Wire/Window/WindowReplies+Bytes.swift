package import Bytes

extension WindowReply: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(window)
        writer.integer(part.rawValue)
        writer.integer(reason.rawValue)
        writer.value(frame)
        writer.reserve(rows.reduce(64) { $0 + $1.bytesAbout })
        writer.list(rows)
        writer.integer(insertedAbove)
        writer.flag(firstVisible != nil)
        if let firstVisible {
            writer.value(firstVisible.row)
            writer.integer(firstVisible.y)
        }
        writer.flag(contentFits)
        writer.optional(prefetch.older)
        writer.optional(prefetch.newer)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            window: try reader.value(), part: try reader.choice(of: "part"), reason: try reader.choice(of: "reason"),
            frame: try reader.value(), rows: try reader.list(atMost: Limits.rowsPerWindow),
            insertedAbove: try reader.integer(),
            firstVisible: try reader.flag(of: "first visible")
                ? FirstVisible(row: try reader.value(), y: try reader.y(of: "first visible")) : nil,
            contentFits: try reader.flag(of: "fits"),
            prefetch: PrefetchHint(
                older: try reader.optionalInteger(of: "older"), newer: try reader.optionalInteger(of: "newer")))
    }
}

extension HeightsReply: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(window)
        writer.value(cursor)
        writer.count(rank)
        writer.integer(top)
        writer.count(heights.count)
        for height in heights { writer.integer(height) }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            window: try reader.value(), cursor: try reader.value(), rank: try reader.count(of: "rank"),
            top: try reader.y(of: "top"), heights: [])
        for _ in 0..<(try reader.count(0...Limits.heightsPerReply, of: "heights")) {
            heights.append(try reader.length(of: "heights"))
        }
    }
}

extension PlaceReply: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(window)
        writer.value(cursor)
        writer.count(rank)
        writer.integer(top)
        writer.value(row)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            window: try reader.value(), cursor: try reader.value(), rank: try reader.count(of: "rank"),
            top: try reader.y(of: "top"), row: try reader.value())
    }
}

extension ChangeSet: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(window)
        writer.value(since)
        writer.list(changes)
        writer.list(anchors)
        writer.value(frame)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            window: try reader.value(), since: try reader.value(),
            changes: try reader.list(atMost: Limits.changesPerSet),
            anchors: try reader.list(atMost: Limits.anchorsPerWindow), frame: try reader.value())
    }
}

extension WindowChange: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(reason.rawValue)
        writer.integer(change.rawValue)
        writer.integer(heightDelta)
        switch kind {
        case .insert(let at, let rows):
            writer.integer(1 as UInt8)
            writer.count(at)
            writer.list(rows)
        case .remove(let at, let count):
            writer.integer(2 as UInt8)
            writer.count(at)
            writer.count(count)
        case .replace(let at, let row):
            writer.integer(3 as UInt8)
            writer.count(at)
            writer.value(row)
        case .move(let from, let to, let row):
            writer.integer(4 as UInt8)
            writer.count(from)
            writer.count(to)
            writer.value(row)
        case .redecorate(let at, let row):
            writer.integer(5 as UInt8)
            writer.count(at)
            writer.value(row)
        }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        let (reason, change): (ChangeReason, ChangeClass) =
            (try reader.choice(of: "reason"), try reader.choice(of: "class"))
        let heightDelta = try reader.integer(Int64.self)
        let kind: Kind
        switch try reader.integer(UInt8.self) {
        case 1: kind = .insert(at: try reader.place(), try reader.list(atMost: Limits.rowsPerWindow))
        case 2: kind = .remove(at: try reader.place(), count: try reader.place())
        case 3: kind = .replace(at: try reader.place(), try reader.value())
        case 4: kind = .move(from: try reader.place(), to: try reader.place(), try reader.value())
        case 5: kind = .redecorate(at: try reader.place(), try reader.value())
        case let code: throw .unknownCase(code, of: "change")
        }
        self.init(kind, heightDelta: heightDelta, change: change, reason: reason)
    }
}

extension ByteReader {
    /// Reads the place of a row in a window.
    fileprivate mutating func place() throws(ByteError) -> Int { try count(0...Limits.rowsPerWindow, of: "place") }
}

extension WindowRow {
    /// The approximate number of bytes of the row.
    fileprivate var bytesAbout: Int { 256 + (body?.layout.count ?? 0) + (body?.message?.count ?? 0) }
}
