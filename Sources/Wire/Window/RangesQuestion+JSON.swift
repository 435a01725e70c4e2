package import JSON
import Names
import Record

/// ```json
/// {"message": "m7", "mark": "00c0ffee00c0ffee", "texts": [{"path": "text", "ranges": [[0, 5]], "carets": [3]}], "points": [[120, 40]]}
/// ```
extension RangesQuestion {
    static let fields = ["row", "message", "mark", "expanded", "texts", "points"]

    package init(parsing bytes: [UInt8]) throws(JSONError) {
        let reader = JSONReader(try JSONValue.parse(bytes))
        try self.init(reader, reader.object(knownKeys: Self.fields))
    }

    init(_ reader: JSONReader, _ fields: JSONReader.Fields) throws(JSONError) {
        switch (fields.optional("row"), fields.optional("message")) {
        case (let row?, nil): subject = .row(MessageNumber(try row.wide()))
        case (nil, let message?): subject = .message(try message.name())
        case (nil, nil), (_?, _?): throw reader.mismatch(expected: "'row' or 'message', of which the question is")
        }
        mark = try fields.optional("mark").map { (mark) throws(JSONError) in try mark.mark() }
        isExpanded = try fields.optional("expanded")?.bool() ?? false
        texts = []
        for text in try fields.optional("texts")?.elements() ?? [] { texts.append(try AskedText(text)) }
        points = try fields.optional("points")?.points() ?? []
        guard count <= Limits.rangesPerQuestion, texts.count <= Limits.rangesPerQuestion else {
            throw reader.mismatch(
                expected: "at most \(Limits.rangesPerQuestion) texts, ranges, carets and points together")
        }
    }
}

extension AskedText {
    fileprivate init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["node", "path", "ranges", "carets", "points"])
        switch (fields.optional("node"), fields.optional("path")) {
        case (let node?, nil): self.init(.node(try node.unit()))
        case (nil, let path?): self.init(.path(try path.string()))
        case (nil, nil), (_?, _?): throw reader.mismatch(expected: "'path' or 'node', which names the text")
        }
        for range in try fields.optional("ranges")?.elements() ?? [] {
            let ends = try range.elements()
            guard ends.count == 2 else { throw range.mismatch(expected: "[start, end]") }
            let start = try ends[0].unit()
            ranges.append(start..<(try ends[1].unit(from: start)))
        }
        for caret in try fields.optional("carets")?.elements() ?? [] { carets.append(try caret.unit()) }
        points = try fields.optional("points")?.points() ?? []
    }
}

extension JSONReader {
    /// Sixteen hexadecimal digits.
    func mark() throws(JSONError) -> RowMark {
        guard let mark = RowMark(try string()) else { throw mismatch(expected: "16 hexadecimal digits") }
        return mark
    }

    fileprivate func unit(from least: Int32 = 0) throws(JSONError) -> Int32 {
        Int32(try integer(in: Int(least)...Int(Limits.unit)))
    }

    fileprivate func points() throws(JSONError) -> [PixelPoint] {
        var points: [PixelPoint] = []
        for point in try elements() {
            let numbers = try point.elements()
            guard numbers.count == 2 else { throw point.mismatch(expected: "[x, y]") }
            let bounds = -Int(Limits.pixel)...Int(Limits.pixel)
            points.append(
                PixelPoint(x: Int32(try numbers[0].integer(in: bounds)), y: Int32(try numbers[1].integer(in: bounds))))
        }
        return points
    }
}
