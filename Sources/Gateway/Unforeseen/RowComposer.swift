import Bytes
package import MessageLayout
package import Names
package import Record
package import Storage
import Wire

/// A composer of rows for one screen that no worker has laid them out for: from the measures that are stored beside
/// their layouts, without the messages and without fonts. Its rows are those that a worker for that screen would have
/// stored.
package final class RowComposer {
    package let target: Target
    private var composer: Composer
    private var writer = RowWriter()
    private var sheet = LayoutSheet()
    private var scratch = TextColumns()
    /// The record before, and its skeleton, which its layouts have in common: the next record mostly has the same.
    private var known: (record: LayoutRecord, skeleton: Skeleton)?

    package init(_ source: LayoutSource, for target: Target) {
        self.target = target
        composer = Composer(source.style, targets: [target], texts: source.texts)
    }

    /// Returns the heights of a row's content.
    package func heights(_ measured: [UInt8]) throws(StoredMessageError) -> ContentHeights {
        try composer.heights(try StoredTexts(checking: measured))
    }

    /// Appends a row, to be shown on other screens later.
    package func append(
        _ measured: borrowing Span<UInt8>, to columns: inout TextColumns
    ) throws(StoredMessageError) {
        try composer.append(measured, to: &columns)
    }

    /// Returns the heights of many rows' contents.
    package func heights(_ columns: TextColumns) throws(StoredMessageError) -> [ContentHeights] {
        try composer.heights(columns)
    }

    /// Reads the measures of rows, for this screen and for others; nil where one of them is not there any more.
    package func columns(
        _ numbers: [MessageNumber], from reader: inout ShardReader
    ) throws -> TextColumns? {
        var columns = TextColumns()
        return try read(numbers, from: &reader, into: &columns).count == numbers.count ? columns : nil
    }

    /// - Returns: the places of the rows that are there.
    private func read(
        _ numbers: [MessageNumber], from reader: inout ShardReader, into columns: inout TextColumns
    ) throws -> [Int] {
        var places: [Int] = []
        var failure: StoredMessageError?
        places.reserveCapacity(numbers.count)
        try reader.measured(numbers) { i, measured in
            guard failure == nil else { return }
            do throws(StoredMessageError) { try append(measured, to: &columns) } catch { failure = error }
            places.append(i)
        }
        if let failure { throw failure }
        return places
    }

    /// The block with the heights that its rows have here.
    package func restated(_ block: RowBlock, _ columns: TextColumns) throws -> RowBlock {
        try block.restated(heights(columns), for: target)
    }

    /// The block with the heights that its rows have here. A row that is not there any more stays as it was: it goes
    /// when changes are taken up.
    package func restated(_ block: RowBlock, from reader: inout ShardReader) throws -> RowBlock {
        let (places, found) = try heights(block.numbers(), from: &reader)
        if places.count == block.count { return try block.restated(found, for: target) }
        var heights = try Self.heights(of: block)
        for (place, height) in zip(places, found) { heights[place] = height }
        return try block.restated(heights, for: target)
    }

    /// Returns the heights of rows here; those that are not there any more stay as they were.
    package func heights(
        of numbers: [MessageNumber], instead known: [ContentHeights], from reader: inout ShardReader
    ) throws -> [ContentHeights] {
        let (places, found) = try heights(numbers, from: &reader)
        var heights = known
        for (place, height) in zip(places, found) { heights[place] = height }
        return heights
    }

    private func heights(
        _ numbers: [MessageNumber], from reader: inout ShardReader
    ) throws -> (places: [Int], found: [ContentHeights]) {
        // Taken out of this object while it is changed.
        var columns = TextColumns()
        swap(&columns, &scratch)
        defer { swap(&columns, &scratch) }
        columns.removeAll()
        return (try read(numbers, from: &reader, into: &columns), try heights(columns))
    }

    private static func heights(of block: RowBlock) throws(ByteError) -> [ContentHeights] {
        var rows = BlockRows()
        try rows.read(block, target: 0)
        return (0..<rows.count).map { rows[$0].heights }
    }

    /// A row that is wanted in one variant, with the data that is stored of it.
    struct Wish {
        let measured: [UInt8]
        /// The record of the same row, for other targets.
        let record: LayoutRecord
        let variant: ContentVariant
        let version: RowVersion
    }

    /// A row in bytes, its size when it is collapsed, and the number of its lines in all states.
    struct ComposedRow {
        let bytes: [UInt8]
        let size: PixelSize
        let lines: Int
    }

    /// Rows, solved together as far as they have the same parts; nil for one that cannot be laid out.
    func rows(_ wishes: [Wish]) -> [ComposedRow?] {
        var rows = [ComposedRow?](repeating: nil, count: wishes.count)
        do {
            if wishes.count > 1 { try composeTogether(wishes, into: &rows) }
        } catch {
            // A fault of one row is found again below, and only that row is left out.
        }
        for place in wishes.indices where rows[place] == nil {
            do { rows[place] = try row(wishes[place]) } catch { rows[place] = nil }
        }
        return rows
    }

    private func composeTogether(_ wishes: [Wish], into rows: inout [ComposedRow?]) throws {
        var (columns, sheet) = (TextColumns(), LayoutSheet())
        swap(&columns, &scratch)
        swap(&sheet, &self.sheet)
        defer {
            swap(&columns, &scratch)
            swap(&sheet, &self.sheet)
        }
        columns.removeAll()
        for wish in wishes { try append(wish.measured.span, to: &columns) }
        for group in 0..<columns.groupCount where columns.count(ofGroup: group) > 1 {
            let messages = try composer.layOut(columns, group: group, into: &sheet)
            for first in stride(from: 0, to: messages.count, by: Lanes.scalarCount) {
                let some = messages[first..<min(first + Lanes.scalarCount, messages.count)]
                for variant in 0..<Int(sheet.variantCount) {
                    let lanes = some.indices.filter { place in
                        some[place].map { wishes[$0].variant.place(among: Int(sheet.variantCount)) == variant } ?? false
                    }
                    guard !lanes.isEmpty else { continue }
                    try writer.turn(
                        to: sheet, group: first / Lanes.scalarCount, lanes.map { $0 - first }, variant: variant)
                    for lane in lanes {
                        guard let message = some[lane] else { continue }
                        rows[message] = try row(wishes[message], lane - first, of: sheet)
                    }
                }
            }
        }
    }

    /// Writes the row of a lane; nil where it has a skeleton of its own, as something was found in it, or it was cut
    /// somewhere.
    private func row(_ wish: Wish, _ lane: Int, of sheet: LayoutSheet) throws(ByteError) -> ComposedRow? {
        guard writer.hasSkeleton(of: wish.record) else { return nil }
        var bytes: [UInt8] = []
        try writer.write(sheet, lane, drawnAs: wish.record, upTo: wish.version, into: &bytes)
        return ComposedRow(bytes: bytes, size: writer.size, lines: writer.lineCount)
    }

    private func row(_ wish: Wish) throws -> ComposedRow {
        if !(known?.record.hasSameSkeleton(as: wish.record) ?? false) {
            known = (wish.record, try wish.record.skeleton())
        }
        var sheet = LayoutSheet()
        swap(&sheet, &self.sheet)
        defer { swap(&sheet, &self.sheet) }
        try composer.layOut(StoredTexts(checking: wish.measured), showing: known!.skeleton, into: &sheet)
        try writer.turn(to: sheet, variant: wish.variant.place(among: Int(sheet.variantCount)))
        var bytes: [UInt8] = []
        try writer.write(sheet, 0, upTo: wish.version, into: &bytes)
        return ComposedRow(bytes: bytes, size: writer.size, lines: writer.lineCount)
    }
}
