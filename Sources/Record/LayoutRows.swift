package import Bytes
package import MessageLayout
package import Typography

/// The layouts of many messages, decoded into columns: a page costs no allocation once they have grown.
///
/// Rows that are built alike share their nodes, words and texts. They come from `RecordCutter`. Ranges of a row, and
/// places in blocks, lines, spans and bars, count from the start of the page's columns; places of nodes, words and
/// texts count within the row, as in a `Skeleton`.
///
///     var page = LayoutRows()
///     for row in rows { try page.append(row) }
///     page.slices[Int(page.rows[0].states.lowerBound)].size
package struct LayoutRows: ~Copyable {
    package internal(set) var rows = Buffer<Row>()
    package internal(set) var words = Buffer<Range<Int32>>(capacity: 512)
    /// UTF-8 of all words, first of the well-known ones.
    package internal(set) var letters = Buffer<UInt8>(capacity: 4096)
    let wellKnown = WellKnownWords.ranges
    let wellKnownInPaths = WellKnownWords.pathRanges
    package internal(set) var nodes = Buffer<Skeleton.Node>(capacity: 256)
    package internal(set) var texts = Buffer<Text>()
    package internal(set) var pieces = Buffer<Range<Int32>>()
    package internal(set) var textSpans = Buffer<Skeleton.Text.Span>()
    package internal(set) var entities = Buffer<Skeleton.Text.Entity>()
    package internal(set) var reading = Buffer<Int32>()
    package internal(set) var elements = Buffer<Skeleton.Element>()
    package internal(set) var drawnTexts = Buffer<Skeleton.DrawnText>()
    package internal(set) var subjects = Buffer<Skeleton.Path>()
    package internal(set) var generated = Buffer<Generated>()
    /// One for each state of each row. Each has as many `placements` as its row has nodes.
    package internal(set) var slices = Buffer<LayoutSheet.Slice>()
    package internal(set) var placements = Buffer<LayoutSheet.Placement>(capacity: 256)
    package internal(set) var blocks = Buffer<LayoutSheet.Block>()
    package internal(set) var lines = Buffer<LayoutSheet.BlockLine>(capacity: 256)
    package internal(set) var spans = Buffer<LayoutSheet.EntitySpan>()
    package internal(set) var bars = Buffer<UInt8>()

    package struct Row: Hashable, Sendable {
        package var words: Range<Int32> = 0..<0
        package var nodes: Range<Int32> = 0..<0
        package var texts: Range<Int32> = 0..<0
        package var reading: Range<Int32> = 0..<0
        package var confidence = Confidence(rawValue: 0)
        /// Nil in rows of version 1.
        package var drawing: FlatDrawing?
        package var reach = LayoutSheet.Reach.unlimited
        /// The place of its states in `slices`.
        package var states: Range<Int32> = 0..<0
        package var isMirrored = false
        package var scale = Scale.one
    }

    /// A `Skeleton.Text`, its lists replaced by stretches of columns.
    package struct Text: Hashable, Sendable {
        package var literal: Skeleton.Word = 0
        package var alignment = Alignment.start
        package var pieces: Range<Int32> = 0..<0
        package var spans: Range<Int32> = 0..<0
        package var entities: Range<Int32> = 0..<0
        package init() {}
    }

    /// The blocks of the layout that is being read: the width of the widest line of each, the height of all its
    /// lines, and whether all of them begin at the left.
    var widests = Buffer<(width: Int32, height: Int32, isPlain: Bool)>()
    /// The excerpt that is being read; nil for a whole row.
    var excerpt: ExcerptWalk?
    var stretches = Buffer<Range<Int32>>()
    var skeletons = SkeletonMemory()

    package init() { for letter in WellKnownWords.letters { letters.append(letter) } }

    package mutating func removeAll() {
        shrink(to: Counts(letters: WellKnownWords.letters.count))
        skeletons.removeAll()
    }

    /// Appends a row, or throws and leaves the page as it was.
    package mutating func append(_ row: some Collection<UInt8>) throws(ByteError) {
        if let fault = row.withContiguousStorageIfAvailable({ unsafe read($0) }) ?? read(Array(row)) { throw fault }
    }

    package mutating func append(_ row: [UInt8]) throws(ByteError) {
        if let fault = read(row) { throw fault }
    }

    private mutating func read(_ row: [UInt8]) -> ByteError? {
        unsafe row.withUnsafeBufferPointer { unsafe read($0) }
    }

    private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> ByteError? {
        let before = counts
        var reader = unsafe NumberReader(bytes)
        readRow(&reader)
        if reader.left > 0 { reader.fail(.trailing(count: reader.left)) }
        if reader.fault != nil {
            shrink(to: before)
            skeletons.removeAll()
        }
        return reader.fault
    }

    private struct Counts {
        var rows = 0, words = 0, letters = 0, nodes = 0, texts = 0, pieces = 0, textSpans = 0, entities = 0, reading = 0
        var elements = 0, drawnTexts = 0, subjects = 0, generated = 0
        var slices = 0, placements = 0, blocks = 0, lines = 0, spans = 0, bars = 0
    }

    private var counts: Counts {
        Counts(
            rows: rows.count, words: words.count, letters: letters.count, nodes: nodes.count, texts: texts.count,
            pieces: pieces.count, textSpans: textSpans.count, entities: entities.count, reading: reading.count,
            elements: elements.count, drawnTexts: drawnTexts.count, subjects: subjects.count,
            generated: generated.count, slices: slices.count, placements: placements.count, blocks: blocks.count,
            lines: lines.count,
            spans: spans.count, bars: bars.count)
    }

    private mutating func shrink(to counts: Counts) {
        rows.shrink(to: counts.rows)
        words.shrink(to: counts.words)
        letters.shrink(to: counts.letters)
        nodes.shrink(to: counts.nodes)
        texts.shrink(to: counts.texts)
        pieces.shrink(to: counts.pieces)
        textSpans.shrink(to: counts.textSpans)
        entities.shrink(to: counts.entities)
        reading.shrink(to: counts.reading)
        elements.shrink(to: counts.elements)
        drawnTexts.shrink(to: counts.drawnTexts)
        subjects.shrink(to: counts.subjects)
        generated.shrink(to: counts.generated)
        slices.shrink(to: counts.slices)
        placements.shrink(to: counts.placements)
        blocks.shrink(to: counts.blocks)
        lines.shrink(to: counts.lines)
        spans.shrink(to: counts.spans)
        bars.shrink(to: counts.bars)
    }
}
