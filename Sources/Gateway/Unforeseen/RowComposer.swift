import Bytes
package import MessageLayout
package import Names
package import Record
package import Storage
import Wire

/// Lays rows out for one screen, where no worker has: of what is stored beside their layouts, without the messages and without
/// fonts. What comes out is what a worker for that screen would have stored.
package final class RowComposer {
    package let target: Target
    private var composer: Composer
    private var encoder = RecordEncoder()
    private var sheet = LayoutSheet()
    private var scratch = TextColumns()

    package init(_ source: LayoutSource, for target: Target) {
        self.target = target
        composer = Composer(source.style, targets: [target], texts: source.texts)
    }

    /// How high the content of a row is.
    package func heights(_ measured: [UInt8]) throws(StoredMessageError) -> ContentHeights {
        try composer.heights(try StoredTexts(checking: measured))
    }

    /// Takes a row in, to be shown on other screens later.
    package func append(
        _ measured: borrowing Span<UInt8>, to columns: inout TextColumns
    ) throws(StoredMessageError) {
        try composer.append(measured, to: &columns)
    }

    /// How high the contents of many rows are.
    package func heights(_ columns: TextColumns) throws(StoredMessageError) -> [ContentHeights] {
        try composer.heights(columns)
    }

    /// What is stored of rows, for this screen and for others; nil where one of them is not there any more.
    package func columns(
        _ numbers: [MessageNumber], from reader: inout ShardReader
    ) throws -> TextColumns? {
        var columns = TextColumns()
        return try read(numbers, from: &reader, into: &columns).count == numbers.count ? columns : nil
    }

    /// - Returns: places of those that are there.
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

    /// The rows of a block, as high as they are here.
    package func restated(_ block: RowBlock, _ columns: TextColumns) throws -> RowBlock {
        try block.restated(heights(columns), for: target)
    }

    /// The rows of a block, as high as they are here. One that is not there any more stays as it was: it goes with what changed.
    package func restated(_ block: RowBlock, from reader: inout ShardReader) throws -> RowBlock {
        let (places, found) = try heights(block.numbers(), from: &reader)
        if places.count == block.count { return try block.restated(found, for: target) }
        var heights = try Self.heights(of: block)
        for (place, height) in zip(places, found) { heights[place] = height }
        return try block.restated(heights, for: target)
    }

    /// How high rows are here; those that are not there any more stay as they were.
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
        // Out of this object while it is changed.
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

    /// What stands in a row, with all its variants.
    package func record(_ measured: [UInt8], showing skeleton: Skeleton) throws -> LayoutRecord {
        try composer.layOut(StoredTexts(checking: measured), showing: skeleton, into: &sheet)
        var record: [UInt8] = []
        try encoder.encode(sheet, into: &record)
        return try LayoutRecord(record)
    }
}
