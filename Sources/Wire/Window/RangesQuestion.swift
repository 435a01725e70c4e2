package import Bytes
package import Names
package import Record

/// A client's question about the texts of a row: the places of ranges and carets in them, and the text at points.
/// Offsets are UTF-16 units of a text as shown, as the ranges of its lines are.
package struct RangesQuestion: Hashable, Sendable {
    package var subject: Subject
    /// The mark of the row as the client knows it. The answer is the row itself where it has another mark by now.
    package var mark: RowMark?
    package var isExpanded: Bool
    package var texts: [AskedText]
    /// Points that are not of one text: each is answered with the nearest text of the row.
    package var points: [PixelPoint]

    package enum Subject: Hashable, Sendable {
        case row(MessageNumber)
        case message(MessageID)
    }

    package init(
        _ subject: Subject, mark: RowMark? = nil, isExpanded: Bool = false, texts: [AskedText] = [],
        points: [PixelPoint] = []
    ) {
        (self.subject, self.mark, self.isExpanded) = (subject, mark, isExpanded)
        (self.texts, self.points) = (texts, points)
    }

    /// Stretches, carets and points.
    package var count: Int {
        texts.reduce(points.count) { $0 + $1.ranges.count + $1.carets.count + $1.points.count }
    }
}

/// The questions about one text.
package struct AskedText: Hashable, Sendable {
    package var name: Name
    package var ranges: [Range<Int32>]
    package var carets: [Int32]
    package var points: [PixelPoint]

    package enum Name: Hashable, Sendable {
        /// The number of its node, as every layout of the message has it.
        case node(Int32)
        /// The path from the beginning of the message, where only one text of the row has that path.
        case path(String)
    }

    package init(
        _ name: Name, ranges: [Range<Int32>] = [], carets: [Int32] = [], points: [PixelPoint] = []
    ) {
        (self.name, self.ranges, self.carets, self.points) = (name, ranges, carets, points)
    }
}

/// A device pixel, from the top left of a row's content.
package struct PixelPoint: Hashable, Sendable {
    package var x: Int32
    package var y: Int32
    package init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }
}

// In bytes.
extension RangesQuestion: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        switch subject {
        case .row(let row):
            writer.integer(1 as UInt8)
            writer.value(row)
        case .message(let message):
            writer.integer(2 as UInt8)
            writer.value(message)
        }
        writer.flag(mark != nil)
        if let mark { writer.integer(mark.number) }
        writer.flag(isExpanded)
        writer.list(texts)
        writer.list(points)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        switch try reader.integer(UInt8.self) {
        case 1: subject = .row(try reader.value())
        case 2: subject = .message(try reader.value())
        case let code: throw .unknownCase(code, of: "subject")
        }
        mark = try reader.flag(of: "mark") ? RowMark(try reader.integer()) : nil
        isExpanded = try reader.flag(of: "expanded")
        texts = try reader.list(atMost: Limits.rangesPerQuestion)
        points = try reader.list(atMost: Limits.rangesPerQuestion)
        guard count <= Limits.rangesPerQuestion else {
            throw .tooLong(count, limit: Limits.rangesPerQuestion, of: "ranges, carets and points")
        }
    }
}

extension AskedText: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        switch name {
        case .node(let node):
            writer.integer(1 as UInt8)
            writer.integer(node)
        case .path(let path):
            writer.integer(2 as UInt8)
            writer.text(path)
        }
        writer.count(ranges.count)
        for range in ranges {
            writer.integer(range.lowerBound)
            writer.integer(range.upperBound)
        }
        writer.count(carets.count)
        for caret in carets { writer.integer(caret) }
        writer.list(points)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        switch try reader.integer(UInt8.self) {
        case 1: self.init(.node(try reader.integer(in: 0...Limits.unit, of: "node")))
        case 2: self.init(.path(try reader.text(atMost: Limits.path, of: "path")))
        case let code: throw .unknownCase(code, of: "text")
        }
        for _ in 0..<(try reader.count(0...Limits.rangesPerQuestion, of: "ranges")) {
            let start = try reader.integer(in: 0...Limits.unit, of: "start")
            ranges.append(start..<(try reader.integer(in: start...Limits.unit, of: "end")))
        }
        for _ in 0..<(try reader.count(0...Limits.rangesPerQuestion, of: "carets")) {
            carets.append(try reader.integer(in: 0...Limits.unit, of: "caret"))
        }
        points = try reader.list(atMost: Limits.rangesPerQuestion)
    }
}

extension PixelPoint: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(x)
        writer.integer(y)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            x: try reader.integer(in: -Limits.pixel...Limits.pixel, of: "x"),
            y: try reader.integer(in: -Limits.pixel...Limits.pixel, of: "y"))
    }
}
