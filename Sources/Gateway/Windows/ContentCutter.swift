import Bytes
import Conversation
import MessageLayout
import Names
import Record
import Rows
import Storage
import Wire

/// The cutter of rows' contents: cut from stored records, and dressed as the timeline says.
struct ContentCutter: ~Copyable {
    private var cutter = RecordCutter()
    private var page = LayoutRows()
    var looks = Looks()
    private var memory = DrawingMemory()
    /// The contents of rows of all conversations that are looked at.
    private var cache: ContentCache<ContentKey, RowContent>

    /// The most bytes of rows in an answer, without their messages and fonts. It has no more rows than fit into them.
    static let mostBytes = Limits.frame / 2
    /// The bytes of a row without a body, beside the id of its message; and those of a body beside its layout, about.
    static let rowBytes = 36
    private static let bodyBytes = 124
    /// Rows that are read together, so that rows which do not fit are not read.
    private static let rowsAtOnce = 64

    /// - Parameter limit: the bytes kept of contents that were asked for lately.
    init(limit: Int) { cache = ContentCache(limit: limit) }

    var bytes: Int { cache.bytes }
    /// Hits and misses among rows that were drawn.
    private(set) var tally = CacheTally()

    /// The contents of a run of rows.
    struct Drawn {
        /// The rows that an answer has room for, of those that were asked for.
        var rows: Range<Int>
        /// The body of each of them; nil for a row that is not stored, or cannot be read.
        var bodies: [WindowRow.Body?]
        /// The job that made each of them what it is.
        var jobs: [JobNumber?]
    }

    /// Draws rows one below the other, as many as there is room for.
    /// - Parameter sight: the reader's view, which decides the lines of a text of many screens.
    mutating func draw(
        _ ranks: Range<Int>, from start: AnswerCut.Start, in room: inout AnswerRoom, on shared: SharedTimeline,
        for sight: Sight
    ) throws(StorageError) -> Drawn {
        let tree = looks.timeline(of: shared, at: [ranks]).tree
        return try draw(ranks, of: tree, from: start, in: &room, on: shared, for: sight)
    }

    /// The same for rows as they stand in a tree.
    /// - Parameter draft: a row that is stored nowhere, and of which nothing is kept here.
    mutating func draw(
        _ ranks: Range<Int>, of tree: RowTree, from start: AnswerCut.Start, in room: inout AnswerRoom,
        on shared: SharedTimeline, for sight: Sight, besides draft: ReadRow? = nil
    ) throws(StorageError) -> Drawn {
        let spans = tree.spans(ranks)
        var cut = AnswerCut(of: ranks.count, from: start, room)
        var drawn = [(layout: [UInt8], content: RowContent?)](repeating: ([], nil), count: ranks.count)
        func key(_ row: Int) -> ContentKey {
            shared.names.key(spans[row].row.number, spans[row].dress.variant, sight.rowVersion)
        }
        while true {
            let batch = cut.next(Self.rowsAtOnce)
            if batch.isEmpty { break }
            // In the order in which they stand one below the other, and mostly in the file.
            let stored = batch.sorted().filter { spans[$0].row.number != draft?.number }
            let contents = try contents(stored.map(key), on: shared)
            for (place, row) in stored.enumerated() { drawn[row].content = contents[place] }
            if let draft, let row = batch.first(where: { spans[$0].row.number == draft.number }) {
                drawn[row].content = content(of: draft, key(row), on: shared)
            }
            for row in batch where row == cut.next {
                drawn[row].layout = drawn[row].content?.layout(for: sight, from: spans[row].content.lowerBound) ?? []
                let bytes = Self.rowBytes + spans[row].row.message.text.utf8.count + Self.bodyBytes
                cut.take(row, bytes: bytes + drawn[row].layout.count)
            }
        }
        room = cut.room
        return Drawn(
            rows: cut.rows,
            bodies: cut.rows.map { row in
                drawn[row].content.map { content in
                    WindowRow.Body(
                        decoration: tree.decoration(of: spans[row], content: content.size), layout: drawn[row].layout,
                        filler: sight.namesEditions ? content.filler : nil)
                }
            }, jobs: drawn[cut.rows].map { $0.content?.job })
    }

    /// Puts bodies into rows, wherever these are by now.
    /// - Returns: the jobs of the rows that there was room for, from the first on.
    mutating func fill(
        _ rows: inout [WindowRow], in room: inout AnswerRoom, on shared: SharedTimeline, for sight: Sight
    ) throws(StorageError) -> [JobNumber?] {
        let tree = looks.timeline(of: shared).tree
        let ranks = rows.map { tree.rank(of: $0.number) }
        var jobs: [JobNumber?] = []
        while jobs.count < rows.count {
            let start = jobs.count
            guard let first = ranks[start] else {
                jobs.append(nil)
                continue
            }
            // Rows that follow each other are read together.
            var end = start + 1
            while end < rows.endIndex, ranks[end] == first + end - start { end += 1 }
            let drawn = try draw(first..<first + end - start, from: .top, in: &room, on: shared, for: sight)
            for (i, body) in drawn.bodies.enumerated() { rows[start + i].body = body }
            jobs += drawn.jobs
            if drawn.rows.count < end - start { break }
        }
        return jobs
    }

    /// A row as it is stored now.
    struct ShownRow {
        let row: ReadRow
        /// The layout as the reader has it, and in the newest version of rows.
        let layout: [UInt8]
        let newest: [UInt8]
    }

    /// One row, with the measures of its texts; nil where it is not there, or cannot be laid out.
    mutating func shown(
        _ rank: Int, on shared: SharedTimeline, for version: RowVersion
    ) throws(StorageError) -> ShownRow? {
        let tree = looks.timeline(of: shared, at: [rank..<rank + 1]).tree
        guard let span = tree.spans(rank..<rank + 1).first,
            let row = try shared.feed.rows([span.row.number], for: [shared.key.target], withTexts: true).first
        else { return nil }
        func layout(_ cutter: inout Self, _ version: RowVersion) -> [UInt8]? {
            let key = shared.names.key(row.number, span.dress.variant, version)
            return cutter.content(of: row, key, on: shared)?.layout
        }
        guard let newest = layout(&self, .newest) else { return nil }
        return ShownRow(
            row: row, layout: version == .newest ? newest : layout(&self, version) ?? newest, newest: newest)
    }

    /// A row that no worker has laid out for the screen.
    private typealias Unforeseen = (place: Int, drawing: StoredDrawing)

    private mutating func contents(
        _ keys: [ContentKey], on shared: SharedTimeline
    ) throws(StorageError) -> AnswerContents<ContentKey, RowContent> {
        var contents = AnswerContents(of: keys, in: &cache)
        let missing = contents.missing
        tally.hits += UInt64(keys.count - missing.count)
        tally.misses += UInt64(missing.count)
        guard !missing.isEmpty else { return contents }
        var (unforeseen, ofFiller): ([Unforeseen], [Unforeseen]) = ([], [])
        func add(_ place: Int, _ drawing: StoredDrawing, _ found: RowComposer.ComposedRow?) {
            guard let found, let content = content(found, drawing.job, drawing.filler) else { return }
            contents.add(content, bytes: content.bytes, at: place, to: &cache)
            shared.note(content)
        }
        let drawings = try shared.feed.drawings(missing.map { keys[$0].row }, for: shared.key.target, &memory)
        for (place, drawing) in zip(missing, drawings) {
            // Nothing is drawn of a record that cannot be read.
            guard let drawing, let record = drawing.record else { continue }
            if let target = drawing.target {
                add(place, drawing, cut(record, target: target, keys[place]))
            } else if drawing.filler == nil {
                unforeseen.append((place, drawing))
            } else {
                ofFiller.append((place, drawing))
            }
        }
        for (rows, isFiller) in [(unforeseen, false), (ofFiller, true)] where !rows.isEmpty {
            let wishes = rows.compactMap { row in
                row.drawing.record.map { wish($0, row.drawing.measured, keys[row.place]) }
            }
            for (row, found) in zip(rows, compose(wishes, isFiller, on: shared)) { add(row.place, row.drawing, found) }
        }
        return contents
    }

    /// The content of a row, wherever it comes from.
    private mutating func content(of row: ReadRow, _ key: ContentKey, on shared: SharedTimeline) -> RowContent? {
        guard let record = row.record else { return nil }
        let found =
            if let place = memory.place(of: shared.key.target, in: record) { cut(record, target: place, key) } else {
                compose([wish(record, row.measured, key)], row.filler != nil, on: shared).first.flatMap(\.self)
            }
        return found.flatMap { content($0, row.job, row.filler) }
    }

    /// Cuts a row from its record; nil for a damaged record.
    private mutating func cut(_ record: LayoutRecord, target: Int, _ key: ContentKey) -> RowComposer.ComposedRow? {
        var bytes: [UInt8] = []
        do throws(ByteError) {
            try cutter.cut(
                record, target: target, variant: key.variant.place(among: record.variantCount), upTo: key.version,
                into: &bytes)
        } catch {
            return nil
        }
        return RowComposer.ComposedRow(bytes: bytes, size: cutter.size, lines: cutter.lineCount)
    }

    private func wish(_ record: LayoutRecord, _ measured: [UInt8], _ key: ContentKey) -> RowComposer.Wish {
        RowComposer.Wish(measured: measured, record: record, variant: key.variant, version: key.version)
    }

    /// Composes rows that no worker has laid out for the screen; nil for those that cannot be laid out.
    private func compose(
        _ wishes: [RowComposer.Wish], _ isFiller: Bool, on shared: SharedTimeline
    ) -> [RowComposer.ComposedRow?] {
        do throws(WindowRefusal) { return try shared.composer(ofFiller: isFiller).rows(wishes) } catch { return [] }
    }

    private mutating func content(
        _ found: RowComposer.ComposedRow, _ job: JobNumber, _ filler: EditionID?
    ) -> RowContent? {
        do throws(ByteError) {
            let text = LongText.isOne(ofLines: found.lines) ? try LongText(found.bytes, &page) : nil
            return RowContent(layout: found.bytes, size: found.size, job: job, text: text, filler: filler)
        } catch {
            return nil
        }
    }
}
