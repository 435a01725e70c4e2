import Names
import Wire

/// Questions about one text of a row. Offsets are UTF-16 units of the text as shown, as the ranges of `TextLine` are.
public struct TextQuestion: Hashable, Sendable {
    /// The text's frame, by `Frame.node`.
    public var node: Int
    public var ranges: [Range<Int>]
    public var carets: [Int]
    public var points: [TextPoint]

    public init(node: Int, ranges: [Range<Int>] = [], carets: [Int] = [], points: [TextPoint] = []) {
        (self.node, self.ranges, self.carets, self.points) = (node, ranges, carets, points)
    }
}

/// A point, in device pixels from the top left of a row.
public struct TextPoint: Hashable, Sendable {
    public var x: Int32
    public var y: Int32
    public init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }
}

/// Answers about one text, in the order of the questions. Places are given from the top left of the row.
public struct TextPlaces: Hashable, Sendable {
    public var node: Int
    /// The place of its words in the message.
    public var path: String
    /// The number of UTF-16 units, and the number of those that are shown: the rest was cut.
    public var length: Int
    public var shown: Int
    public var ranges: [TextRange]
    public var carets: [TextCaret]
    public var hits: [TextHit]
}

/// A range of whole graphemes, and its rectangles: line by line, and on each line from left to right.
public struct TextRange: Hashable, Sendable {
    /// The range that the rectangles cover: an answer has 4,096 at most, and a longer range is asked for again from
    /// here.
    public var range: Range<Int>
    public var rects: [TextRect]
}

/// A rectangle of a line. Its edges may lie between device pixels, so that neighbouring ones meet.
public struct TextRect: Hashable, Sendable {
    public var left: Double
    public var top: Int32
    public var width: Double
    public var height: Int32
}

/// A place between two units, and the places of a caret there.
public struct TextCaret: Hashable, Sendable {
    /// The offset of the place, at the start of a grapheme.
    public var offset: Int
    /// Whether it is in the part that was cut; the caret then stands where that begins.
    public var isHidden: Bool
    /// The start of the unit behind it; nil behind the last one.
    public var downstream: Place?
    /// The end of the unit before it: another place where directions meet, or a line wraps. Nil where it is the same.
    public var upstream: Place?

    public struct Place: Hashable, Sendable {
        public var x: Double
        public var top: Int32
        public var height: Int32
        /// The direction of the unit that it stands at.
        public var isRightToLeft: Bool
    }
}

/// The caret at a point, or nearest to it.
public struct TextHit: Hashable, Sendable {
    public var node: Int
    /// The offset of the caret, and its side there: downstream or upstream.
    public var offset: Int
    public var isDownstream: Bool
    /// The range that the reader sees as one letter.
    public var grapheme: Range<Int>
    /// Whether the point is in it.
    public var isInside: Bool
}

extension AskedText {
    init(_ question: TextQuestion, in row: Row) {
        func unit(_ offset: Int) -> Int32 { Int32(clamping: max(0, min(offset, Int(Limits.unit)))) }
        self.init(
            .node(Int32(clamping: max(0, question.node))),
            ranges: question.ranges.map { unit($0.lowerBound)..<unit($0.upperBound) },
            carets: question.carets.map(unit),
            points: question.points.map { PixelPoint($0, in: row) })
    }
}

extension PixelPoint {
    init(_ point: TextPoint, in row: Row) {
        func pixel(_ value: Int32, from start: Int32) -> Int32 {
            Int32(max(-Int64(Limits.pixel), min(Int64(value) - Int64(start), Int64(Limits.pixel))))
        }
        let content = row.decoration.content
        self.init(x: pixel(point.x, from: content.left), y: pixel(point.y, from: content.top))
    }
}

extension TextPlaces {
    init(_ placed: PlacedText, in row: Row) {
        let content = row.decoration.content
        (node, path, length, shown) = (Int(placed.node), placed.path, Int(placed.length), Int(placed.shown))
        ranges = placed.ranges.map { range in
            TextRange(
                range: Range(range.range),
                rects: range.frames.map {
                    TextRect(
                        left: Double(content.left) + Double($0.left) / 64, top: content.top &+ $0.top,
                        width: Double($0.width) / 64, height: $0.height)
                })
        }
        carets = placed.carets.map {
            TextCaret(
                offset: Int($0.offset), isHidden: $0.isHidden, downstream: TextCaret.Place($0.downstream, in: content),
                upstream: TextCaret.Place($0.upstream, in: content))
        }
        hits = placed.hits.map { TextHit($0) }
    }
}

extension TextCaret.Place {
    fileprivate init?(_ place: CaretPlace?, in content: Rect) {
        guard let place else { return nil }
        self.init(
            x: Double(content.left) + Double(place.x) / 64, top: content.top &+ place.top, height: place.height,
            isRightToLeft: place.isRightToLeft)
    }
}

extension TextHit {
    init(_ hit: PlacedHit) {
        self.init(
            node: Int(hit.node), offset: Int(hit.offset), isDownstream: hit.isDownstream,
            grapheme: Range(hit.grapheme), isInside: hit.isInside)
    }
}

extension Range<Int> {
    fileprivate init(_ units: Range<Int32>) { self = Int(units.lowerBound)..<Int(units.upperBound) }
}
