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
    var looks = Looks()
    private var targets = TargetPlace()
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
        let tree = looks.timeline(of: shared, at: [ranks]).tree
        return try draw(ranks, of: tree, from: start, in: &room, on: shared, for: sight)
    }

    /// The same of rows as they stand in a tree.
    /// - Parameter draft: a row that is stored nowhere, and of which nothing is kept here.
    mutating func draw(
        _ ranks: Range<Int>, of tree: RowTree, from start: AnswerCut.Start, in room: inout AnswerRoom,
        on shared: SharedTimeline, for sight: Sight, besides draft: ReadRow? = nil
    ) throws(StorageError) -> Drawn {
        let spans = tree.spans(ranks)
        var cut = AnswerCut(of: ranks.count, from: start, room)
        var drawn = [(layout: [UInt8], content: RowContent?)](repeating: ([], nil), count: ranks.count)
        while true {
            let batch = cut.next(Self.rowsAtOnce)
            if batch.isEmpty { break }
            let keys = batch.map { shared.names.key(spans[$0].row.number, spans[$0].dress.variant, sight.rowVersion) }
            let contents = try contents(keys.filter { $0.row != draft?.number }, on: shared)
            for (row, key) in zip(batch, keys) where row == cut.next {
                let content =
                    if let draft, key.row == draft.number { content(of: draft, key, on: shared) } else { contents[key] }
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

    /// A row as it is stored now.
    struct ShownRow {
        let row: ReadRow
        /// As its reader has it, and in the newest version that it has.
        let layout: [UInt8]
        let newest: [UInt8]
    }

    /// One row, with what its texts were measured as; nil where it is not there, or cannot be laid out.
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
    private typealias Unforeseen = (row: ReadRow, key: ContentKey, record: LayoutRecord)

    private mutating func contents(
        _ keys: [ContentKey], on shared: SharedTimeline
    ) throws(StorageError) -> AnswerContents<ContentKey, RowContent> {
        var contents = AnswerContents(of: keys, in: &cache)
        guard !contents.missing.isEmpty else { return contents }
        let missing = Dictionary(contents.missing.map { ($0.row, $0) }) { first, _ in first }
        var (unforeseen, ofFiller): ([Unforeseen], [Unforeseen]) = ([], [])
        func add(_ row: ReadRow, _ key: ContentKey, _ found: RowComposer.ComposedRow) {
            guard let content = content(of: row, found) else { return }
            contents.add(content, bytes: content.bytes, for: key, to: &cache)
            shared.note(content)
        }
        for row in try shared.feed.rows(contents.missing.map(\.row), for: [shared.key.target]) {
            // Nothing is drawn of a record that cannot be read.
            guard let key = missing[row.number], let record = row.record else { continue }
            if let place = targets.place(of: shared.key.target, in: record) {
                if let found = cut(record, target: place, key) { add(row, key, found) }
            } else if row.filler == nil {
                unforeseen.append((row, key, record))
            } else {
                ofFiller.append((row, key, record))
            }
        }
        for (rows, isFiller) in [(unforeseen, false), (ofFiller, true)] where !rows.isEmpty {
            for (one, found) in zip(rows, compose(rows, isFiller, on: shared)) {
                if let found { add(one.row, one.key, found) }
            }
        }
        return contents
    }

    /// What is drawn in a row, wherever it comes from.
    private mutating func content(of row: ReadRow, _ key: ContentKey, on shared: SharedTimeline) -> RowContent? {
        guard let record = row.record else { return nil }
        let found =
            if let place = targets.place(of: shared.key.target, in: record) { cut(record, target: place, key) } else {
                compose([(row, key, record)], row.filler != nil, on: shared).first.flatMap(\.self)
            }
        return found.flatMap { content(of: row, $0) }
    }

    /// Nil for a record that is damaged.
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

    /// Rows that no worker has laid out for the screen; nil for what cannot be.
    private func compose(
        _ rows: [Unforeseen], _ isFiller: Bool, on shared: SharedTimeline
    ) -> [RowComposer.ComposedRow?] {
        let wishes = rows.map {
            RowComposer.Wish(
                measured: $0.row.measured, record: $0.record, variant: $0.key.variant, version: $0.key.version)
        }
        do throws(WindowRefusal) { return try shared.composer(ofFiller: isFiller).rows(wishes) } catch { return [] }
    }

    private mutating func content(of row: ReadRow, _ found: RowComposer.ComposedRow) -> RowContent? {
        do throws(ByteError) {
            return RowContent(
                layout: found.bytes, size: found.size, job: row.job,
                text: try LongText(found.bytes, lines: found.lines, &page), filler: row.filler)
        } catch {
            return nil
        }
    }
}

/// The place of a target among those of a record: mostly that of the record before, of which the targets are in the same memory.
private struct TargetPlace {
    private var targets: [Target] = []
    private var target: Target?
    private var place: Int?

    mutating func place(of target: Target, in record: LayoutRecord) -> Int? {
        if target != self.target || record.targets != targets {
            (self.target, targets) = (target, record.targets)
            place = targets.firstIndex(of: target)
        }
        return place
    }
}
