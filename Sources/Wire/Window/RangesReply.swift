package import Bytes
package import Names
package import Record

/// The places of ranges, carets and points in a row's texts, as the row is now.
package struct RangesReply: Hashable, Sendable {
    package var cursor: WindowCursor
    /// The edition with which the row was laid out.
    package var edition: EditionID
    package var row: MessageNumber
    package var message: MessageID
    /// The mark of the row that the reply is about: a client whose row has another asks again.
    package var mark: RowMark
    package var texts: [PlacedText]
    /// One hit for each point of the question that is not of one text.
    package var hits: [PlacedHit]

    package init(
        cursor: WindowCursor, edition: EditionID, row: MessageNumber, message: MessageID, mark: RowMark,
        texts: [PlacedText] = [], hits: [PlacedHit] = []
    ) {
        (self.cursor, self.edition, self.row, self.message, self.mark) = (cursor, edition, row, message, mark)
        (self.texts, self.hits) = (texts, hits)
    }
}

/// Answers about one text, in the order of the questions.
package struct PlacedText: Hashable, Sendable {
    package var node: Int32
    package var path: String
    /// The length in UTF-16 units, and how many of them are shown: the others were cut.
    package var length: Int32
    package var shown: Int32
    package var ranges: [PlacedRange]
    package var carets: [PlacedCaret]
    package var hits: [PlacedHit]

    package init(
        node: Int32, path: String, length: Int32, shown: Int32, ranges: [PlacedRange] = [], carets: [PlacedCaret] = [],
        hits: [PlacedHit] = []
    ) {
        (self.node, self.path, self.length, self.shown) = (node, path, length, shown)
        (self.ranges, self.carets, self.hits) = (ranges, carets, hits)
    }
}

/// A range of whole graphemes, and the rectangles that it covers: line by line, and on each from left to right.
package struct PlacedRange: Hashable, Sendable {
    package var range: Range<Int32>
    package var frames: [FineRect]
    package init(_ range: Range<Int32>, _ frames: [FineRect]) { (self.range, self.frames) = (range, frames) }
}

/// A rectangle from the top left of the content: `left` and `width` in 1/64 device pixel, the others in whole ones.
package struct FineRect: Hashable, Sendable {
    package var left: Int32
    package var top: Int32
    package var width: Int32
    package var height: Int32

    package init(left: Int32, top: Int32, width: Int32, height: Int32) {
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }
}

package struct PlacedCaret: Hashable, Sendable {
    package var offset: Int32
    /// Whether the caret is in the part that was cut.
    package var isHidden: Bool
    /// The place where the next unit begins; nil behind the last unit.
    package var downstream: CaretPlace?
    /// The place where the unit before ends; nil where it is the same place.
    package var upstream: CaretPlace?

    package init(offset: Int32, isHidden: Bool = false, downstream: CaretPlace?, upstream: CaretPlace?) {
        (self.offset, self.isHidden, self.downstream, self.upstream) = (offset, isHidden, downstream, upstream)
    }
}

/// A line without width: `x` in 1/64 device pixel, the others in whole ones.
package struct CaretPlace: Hashable, Sendable {
    package var x: Int32
    package var top: Int32
    package var height: Int32
    package var isRightToLeft: Bool

    package init(x: Int32, top: Int32, height: Int32, isRightToLeft: Bool) {
        (self.x, self.top, self.height, self.isRightToLeft) = (x, top, height, isRightToLeft)
    }
}

/// The text at a point, or nearest to it.
package struct PlacedHit: Hashable, Sendable {
    package var node: Int32
    package var offset: Int32
    /// Whether the caret is at the unit behind the offset, and not at the one before.
    package var isDownstream: Bool
    /// The units of the grapheme, which the reader takes for one letter.
    package var grapheme: Range<Int32>
    /// Whether the point is in the grapheme.
    package var isInside: Bool

    package init(node: Int32, offset: Int32, isDownstream: Bool, grapheme: Range<Int32>, isInside: Bool) {
        (self.node, self.offset, self.isDownstream) = (node, offset, isDownstream)
        (self.grapheme, self.isInside) = (grapheme, isInside)
    }
}

// In bytes.
extension RangesReply: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(cursor)
        writer.value(edition)
        writer.value(row)
        writer.value(message)
        writer.integer(mark.number)
        writer.list(texts)
        writer.list(hits)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            cursor: try reader.value(), edition: try reader.value(), row: try reader.value(),
            message: try reader.value(), mark: RowMark(try reader.integer()),
            texts: try reader.list(atMost: Limits.rangesPerQuestion),
            hits: try reader.list(atMost: Limits.rangesPerQuestion))
    }
}

extension PlacedText: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(node)
        writer.text(path)
        writer.integer(length)
        writer.integer(shown)
        writer.list(ranges)
        writer.list(carets)
        writer.list(hits)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            node: try reader.integer(), path: try reader.text(atMost: Limits.path, of: "path"),
            length: try reader.integer(), shown: try reader.integer(),
            ranges: try reader.list(atMost: Limits.rangesPerQuestion),
            carets: try reader.list(atMost: Limits.rangesPerQuestion),
            hits: try reader.list(atMost: Limits.rangesPerQuestion))
    }
}

extension PlacedRange: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.units(range)
        writer.list(frames)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(try reader.units(), try reader.list(atMost: Limits.rectanglesPerReply))
    }
}

extension FineRect: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        for number in [left, top, width, height] { writer.integer(number) }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            left: try reader.integer(), top: try reader.integer(), width: try reader.integer(),
            height: try reader.integer())
    }
}

extension PlacedCaret: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(offset)
        writer.flag(isHidden)
        writer.optional(downstream)
        writer.optional(upstream)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            offset: try reader.integer(), isHidden: try reader.flag(of: "hidden"), downstream: try reader.optional(),
            upstream: try reader.optional())
    }
}

extension CaretPlace: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        for number in [x, top, height] { writer.integer(number) }
        writer.flag(isRightToLeft)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            x: try reader.integer(), top: try reader.integer(), height: try reader.integer(),
            isRightToLeft: try reader.flag(of: "direction"))
    }
}

extension PlacedHit: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(node)
        writer.integer(offset)
        writer.flag(isDownstream)
        writer.units(grapheme)
        writer.flag(isInside)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            node: try reader.integer(), offset: try reader.integer(), isDownstream: try reader.flag(of: "affinity"),
            grapheme: try reader.units(), isInside: try reader.flag(of: "inside"))
    }
}

extension ByteWriter {
    fileprivate mutating func units(_ range: Range<Int32>) {
        integer(range.lowerBound)
        integer(range.upperBound)
    }
}

extension ByteReader {
    fileprivate mutating func units() throws(ByteError) -> Range<Int32> {
        let start = try integer(in: 0...Limits.unit, of: "start")
        return start..<(try integer(in: start...Limits.unit, of: "end"))
    }
}
