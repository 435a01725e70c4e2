import Bytes
import Conversation
import MessageLayout
import Record
import Storage
import Wire

/// Finds what is drawn in rows: cut from stored records, and dressed as its timeline says.
struct ContentCutter: ~Copyable {
    private var cutter = RecordCutter()
    private var page = LayoutRows()
    /// Of all conversations that are looked at.
    private var cache: ContentCache<ContentKey, RowContent>

    /// What an answer may have of it; it has no more rows than that.
    static let mostBytes = Limits.frame / 2
    /// Rows that are read together, so that what does not fit is not read.
    private static let rowsAtOnce = 64

    /// - Parameter limit: of what was asked for lately, in bytes.
    init(limit: Int) { cache = ContentCache(limit: limit) }

    var bytes: Int { cache.bytes }

    /// What is drawn in a run of rows.
    struct Drawn {
        /// Those that an answer has room for, of those that were asked for.
        var rows: Range<Int>
        /// Of each of them; nil for what is not stored, or cannot be read.
        var bodies: [WindowRow.Body?]
        /// With which each became what it is.
        var jobs: [JobNumber?]
    }

    /// Of rows one below the other, as many as there is room for.
    /// - Parameter sight: which lines there are of a text of many screens.
    mutating func draw(
        _ ranks: Range<Int>, from start: AnswerCut.Start, in room: inout AnswerRoom, on shared: SharedTimeline,
        for sight: Sight
    ) throws(StorageError) -> Drawn {
        let tree = shared.timeline.tree
        let spans = tree.spans(ranks)
        var cut = AnswerCut(of: ranks.count, from: start, room)
        var drawn = [(layout: [UInt8], content: RowContent?)](repeating: ([], nil), count: ranks.count)
        while true {
            let batch = cut.next(Self.rowsAtOnce)
            if batch.isEmpty { break }
            let keys = batch.map { shared.names.key(spans[$0].row.number, spans[$0].dress.variant) }
            let contents = try contents(keys, on: shared)
            for (row, key) in zip(batch, keys) where row == cut.next {
                let content = contents[key]
                let layout = content?.layout(for: sight, from: spans[row].content.lowerBound) ?? []
                drawn[row] = (layout, content)
                cut.take(row, bytes: layout.count)
            }
        }
        room = cut.room
        let rows = cut.rows
        var next = rows.lowerBound
        let decorations = tree.decorations(ranks.lowerBound + rows.lowerBound..<ranks.lowerBound + rows.upperBound) {
            _, _ in
            defer { next += 1 }
            return drawn[next].content?.size
        }
        return Drawn(
            rows: rows,
            bodies: zip(decorations, drawn[rows]).map { decoration, drawn in
                decoration.map {
                    WindowRow.Body(
                        decoration: $0, layout: drawn.layout, filler: sight.namesEditions ? drawn.content?.filler : nil)
                }
            }, jobs: drawn[rows].map { $0.content?.job })
    }

    /// Puts bodies into rows that are wherever they are by now.
    /// - Returns: jobs of the rows that there was room for: of the first ones.
    mutating func fill(
        _ rows: inout [WindowRow], in room: inout AnswerRoom, on shared: SharedTimeline, for sight: Sight
    ) throws(StorageError) -> [JobNumber?] {
        let tree = shared.timeline.tree
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

    private mutating func contents(
        _ keys: [ContentKey], on shared: SharedTimeline
    ) throws(StorageError) -> AnswerContents<ContentKey, RowContent> {
        var contents = AnswerContents(of: keys, in: &cache)
        guard !contents.missing.isEmpty else { return contents }
        let missing = Dictionary(contents.missing.map { ($0.row, $0) }) { first, _ in first }
        for row in try shared.feed.rows(contents.missing.map(\.row), for: [shared.key.target]) {
            guard let key = missing[row.number], let content = content(of: row, key.variant, on: shared) else {
                continue
            }
            contents.add(content, bytes: content.bytes, for: key, to: &cache)
            shared.note(content)
        }
        return contents
    }

    /// Nil for a record that cannot be read, or has no such target and cannot be laid out for it.
    private mutating func content(
        of row: ReadRow, _ variant: ContentVariant, on shared: SharedTimeline
    ) -> RowContent? {
        do {
            var record = try LayoutRecord(row.layout)
            if !record.targets.contains(shared.key.target) {
                record = try shared.composer(ofFiller: row.filler != nil).record(
                    row.measured, showing: record.skeleton())
            }
            guard let place = record.targets.firstIndex(of: shared.key.target) else { return nil }
            var bytes: [UInt8] = []
            try cutter.cut(
                record, target: place, variant: min(Int(variant.rawValue), record.variantCount - 1), into: &bytes)
            page.removeAll()
            try page.append(bytes)
            let states = page.rows[0].states
            guard !states.isEmpty else { return nil }
            return RowContent(
                layout: bytes, size: page.slices[Int(states.lowerBound)].size, job: row.job,
                text: LongText(bytes, page),
                filler: row.filler)
        } catch {
            return nil
        }
    }
}
