import Conversation
import MessageLayout
import Storage
import Wire

/// Finds what is drawn in rows: cut from stored records, and dressed as its timeline says.
struct ContentCutter: ~Copyable {
    private var cutter = RecordCutter()
    private var page = LayoutRows()

    /// What a reply may have of it; rows beyond come without, and are asked for.
    private static let mostBytes = Limits.frame / 2

    /// For each row of a range; nil where there is nothing that can be read, or too much.
    /// - Parameter sight: which lines there are of a text of many screens.
    mutating func bodies(
        of ranks: Range<Int>, on shared: SharedTimeline, for sight: Sight
    ) throws(StorageError) -> [WindowRow.Body?] {
        let tree = shared.timeline.tree
        let spans = tree.spans(ranks)
        try fetch(spans.map { ($0.row.number, $0.dress.variant) }, on: shared)
        var layouts: [[UInt8]] = []
        var size = 0
        let decorations = tree.decorations(ranks) { row, variant in
            guard let content = shared.content(row.number, variant) else {
                layouts.append([])
                return nil
            }
            let layout = content.layout(for: sight, from: spans[layouts.count].content.lowerBound)
            let fits = size == 0 || size + layout.count <= Self.mostBytes
            if fits { size += layout.count }
            layouts.append(fits ? layout : [])
            return fits ? content.size : nil
        }
        return zip(decorations, layouts).map { decoration, layout in
            decoration.map { WindowRow.Body(decoration: $0, layout: layout) }
        }
    }

    /// Puts bodies into rows that are wherever they are by now.
    mutating func fill(
        _ rows: inout [WindowRow], on shared: SharedTimeline, for sight: Sight
    ) throws(StorageError) {
        let tree = shared.timeline.tree
        let ranks = rows.map { tree.rank(of: $0.number) }
        var start = rows.startIndex
        while start < rows.endIndex {
            guard let first = ranks[start] else {
                start += 1
                continue
            }
            // Rows that follow each other are read together.
            var end = start + 1
            while end < rows.endIndex, ranks[end] == first + end - start { end += 1 }
            let bodies = try bodies(of: first..<first + end - start, on: shared, for: sight)
            for i in start..<end { rows[i].body = bodies[i - start] }
            start = end
        }
    }

    private mutating func fetch(
        _ wanted: [(row: MessageNumber, variant: ContentVariant)], on shared: SharedTimeline
    ) throws(StorageError) {
        let missing = wanted.filter { shared.content($0.row, $0.variant) == nil }
        guard !missing.isEmpty else { return }
        let variants = Dictionary(missing) { first, _ in first }
        for row in try shared.feed.rows(missing.map(\.row), for: [shared.key.target]) {
            guard let variant = variants[row.number], let content = content(of: row, variant, on: shared) else {
                continue
            }
            shared.keep(content, row.number, variant)
        }
    }

    /// Nil for a record that cannot be read, or has no such target and cannot be laid out for it.
    private mutating func content(
        of row: ReadRow, _ variant: ContentVariant, on shared: SharedTimeline
    ) -> RowContent? {
        do {
            var record = try LayoutRecord(row.layout)
            if !record.targets.contains(shared.key.target) {
                record = try shared.composer().record(row.measured, showing: record.skeleton())
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
                layout: bytes, size: page.slices[Int(states.lowerBound)].size, job: row.job, text: LongText(bytes, page)
            )
        } catch {
            return nil
        }
    }
}
