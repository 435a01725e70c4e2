import Bytes
import MessageLayout

/// The places of a row's lines in its bytes. Everything between them is passed over.
struct RowOutline {
    private(set) var version = RowVersion.first
    /// Nil for a row that is whole.
    private(set) var excerpt: RowExcerpt?
    private(set) var lineCount = 0
    /// The bytes from behind the version to the shared part.
    private(set) var head = 0..<0
    /// The shared part, with the data for drawing.
    private(set) var shared = 0..<0
    private(set) var contents: [Content] = []
    /// The bytes behind the last content.
    private(set) var rest = 0..<0

    /// A text, and its lines that are here.
    struct Content {
        /// The bytes before its lines: everything since the content before.
        var before = 0..<0
        /// The number of its first line, here or not.
        var firstLine = 0
        /// The lines that are here, as lines of the row.
        var lines = 0..<0
        var lineBytes = 0..<0
        /// The start of the first one that is here in the text, but for its gap.
        var start: Int32 = 0
        var hasGaps = false
        var numbersPerLine = 2
        var hasSpans = false
        var spanBytes = 0..<0
        var spanCount = 0
    }

    /// Some lines of a content, in bytes of its row, and the spans of entities on them.
    struct Stretch {
        var lines = 0..<0
        var spans = 0..<0
        var spanCount = 0
        /// The start of the first line; nil if that is the first of its text, or there is none.
        var start: Int32?
    }

    init(_ row: [UInt8]) throws(ByteError) {
        var outline = RowOutline()
        let fault: ByteError? = unsafe row.withUnsafeBufferPointer {
            var reader = unsafe NumberReader($0)
            outline.read(&reader)
            if reader.left > 0 { reader.fail(.trailing(count: reader.left)) }
            return reader.fault
        }
        if let fault { throw fault }
        self = outline
    }

    private init() {}
}

// Reading.
extension RowOutline {
    private mutating func read(_ reader: inout NumberReader) {
        guard let (version, isExcerpt) = reader.rowVersion() else { return }
        self.version = version
        var walk = isExcerpt ? ExcerptWalk(&reader) : nil
        excerpt = walk?.excerpt
        let start = reader.place
        let states = reader.number(upTo: 2 * RecordLimits.states + 1, of: "states") >> 1
        // The scale, and the reach.
        reader.skip(4)
        head = start..<reader.place
        let sharedCount = walk == nil ? nil : reader.count(of: "shared")
        let sharedStart = reader.place
        var page = LayoutRows()
        var row = LayoutRows.Row()
        page.readSkeleton(&reader, version, of: &row)
        shared = sharedStart..<reader.place
        if let sharedCount, sharedCount != shared.count { reader.fail(.outOfRange(Int64(sharedCount), of: "shared")) }
        rest = reader.place..<reader.place
        for state in 0..<states { readState(state, &reader, nodes: row.nodes.count, &walk) }
        rest = rest.lowerBound..<reader.place
        walk?.end(&reader)
    }

    private mutating func readState(
        _ state: Int, _ reader: inout NumberReader, nodes: Int, _ walk: inout ExcerptWalk?
    ) {
        let head = Int(reader.number())
        if head == 0 && state > 0 { return }
        if head == 0 { reader.fail(.empty("layout")) }
        for _ in 0..<reader.items(max(0, head - 1)) { readContent(&reader, &walk) }
        reader.skip(3)
        for _ in 0..<nodes {
            let place = RecordForm.Place(rawValue: reader.number())
            if place.rawValue != 0 { reader.skip(place.numbers) }
        }
    }

    private mutating func readContent(_ reader: inout NumberReader, _ walk: inout ExcerptWalk?) {
        let head = reader.contentHead()
        let count = Int(head.count)
        if head.isBars { return reader.skip(count) }
        reader.skip(3)
        let unusual = reader.unusual(of: head)
        if count > 0 { reader.skip(1) }
        let told = walk?.next(count) ?? (lines: 0..<count, start: 0)
        var content = Content()
        content.before = rest.lowerBound..<reader.place
        content.firstLine = lineCount
        content.lines = lineCount + told.lines.lowerBound..<lineCount + told.lines.upperBound
        (content.start, content.hasGaps) = (told.start, unusual.contains(.gaps))
        (content.numbersPerLine, content.hasSpans) = (unusual.numbersPerLine, unusual.contains(.spans))
        content.lineBytes = reader.passed(unusual.numbersPerLine * told.lines.count)
        if content.hasSpans { content.readSpans(&reader) }
        lineCount += count
        rest = reader.place..<reader.place
        contents.append(content)
    }
}

extension RowOutline.Content {
    /// Reads spans. They must come in the order of lines, so that those of some lines are one stretch.
    fileprivate mutating func readSpans(_ reader: inout NumberReader) {
        spanCount = reader.count(of: "spans")
        let start = reader.place
        var last = lines.lowerBound
        for _ in 0..<spanCount {
            let line = reader.spanLine(from: firstLine)
            if line < last || line >= lines.upperBound { reader.fail(.outOfRange(Int64(line), of: "span")) }
            last = line
        }
        spanBytes = start..<reader.place
    }
}

extension NumberReader {
    /// Passes over some numbers, and returns the range of their bytes.
    fileprivate mutating func passed(_ numbers: Int) -> Range<Int> {
        let start = place
        skip(numbers)
        return start..<place
    }

    /// Passes over a span, and returns the line of the row that it is on.
    fileprivate mutating func spanLine(from first: Int) -> Int {
        skip(1)
        let line = first + Int(number())
        skip(2)
        return line
    }
}

// Taking.
extension RowOutline {
    /// Finds those of the wanted lines of the row that belong to a content.
    func stretch(of number: Int, _ wanted: Range<Int>, in row: [UInt8]) -> Stretch {
        let content = contents[number]
        let wanted = wanted.clamped(to: content.lines)
        guard !wanted.isEmpty else { return Stretch() }
        return unsafe row.withUnsafeBufferPointer { row in
            var lines = unsafe NumberReader(row, from: content.lineBytes.lowerBound, to: content.lineBytes.upperBound)
            var stretch = Stretch()
            let start = lines.start(of: wanted.lowerBound - content.lines.lowerBound, in: content)
            stretch.start = wanted.lowerBound == content.firstLine ? nil : start
            stretch.lines = lines.passed(content.numbersPerLine * wanted.count)
            var spans = unsafe NumberReader(row, from: content.spanBytes.lowerBound, to: content.spanBytes.upperBound)
            stretch.spans = spans.place..<spans.place
            for _ in 0..<content.spanCount {
                let place = spans.place
                let line = spans.spanLine(from: content.firstLine)
                if line < wanted.lowerBound { stretch.spans = spans.place..<spans.place }
                guard wanted ~= line else { continue }
                stretch.spans = (stretch.spanCount == 0 ? place : stretch.spans.lowerBound)..<spans.place
                stretch.spanCount += 1
            }
            return stretch
        }
    }
}

extension NumberReader {
    /// Passes over some lines of a content, and returns the start of the next one.
    fileprivate mutating func start(of lines: Int, in content: RowOutline.Content) -> Int32 {
        var start = content.start
        for _ in 0..<lines {
            if content.hasGaps { start &+= signed() }
            start &+= length()
            skip(content.numbersPerLine - (content.hasGaps ? 2 : 1))
        }
        return start
    }
}
