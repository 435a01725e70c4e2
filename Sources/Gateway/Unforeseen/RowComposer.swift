package import MessageLayout
package import Storage
package import Wire

/// Lays rows out for one screen, where no worker has: of what is stored beside their layouts, without the messages and without
/// fonts. What comes out is what a worker for that screen would have stored.
package final class RowComposer {
    package let target: Target
    private var composer: Composer
    private var encoder = RecordEncoder()
    private var sheet = LayoutSheet()

    package init(_ source: LayoutSource, for target: Target) {
        self.target = target
        composer = Composer(source.style, targets: [target], texts: source.texts)
    }

    /// How high the content of a row is.
    package func heights(_ measured: [UInt8]) throws(StoredMessageError) -> ContentHeights {
        try composer.heights(try StoredTexts(checking: measured))
    }

    /// Takes a row in, to be shown on other screens later.
    package func append(_ measured: [UInt8], to columns: inout TextColumns) throws(StoredMessageError) {
        try composer.append(StoredTexts(checking: measured), to: &columns)
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
        var failure: StoredMessageError?
        try reader.measured(numbers) { i, measured in
            guard i == columns.count, failure == nil else { return }
            do throws(StoredMessageError) { try append(measured, to: &columns) } catch { failure = error }
        }
        if let failure { throw failure }
        return columns.count == numbers.count ? columns : nil
    }

    /// The rows of a block, as high as they are here.
    package func restated(_ block: RowBlock, _ columns: TextColumns) throws -> RowBlock {
        try block.restated(heights(columns), for: target)
    }

    /// The rows of a block, as high as they are here. One that is not there any more stays as it was: it goes with what changed.
    package func restated(_ block: RowBlock, from reader: inout ShardReader) throws -> RowBlock {
        let heights = try heights(of: block.numbers(), instead: Self.heights(of: block), from: &reader)
        return try block.restated(heights, for: target)
    }

    /// How high rows are here; those that are not there any more stay as they were.
    package func heights(
        of numbers: [MessageNumber], instead known: [ContentHeights], from reader: inout ShardReader
    ) throws -> [ContentHeights] {
        var heights = known
        var failure: StoredMessageError?
        try reader.measured(numbers) { i, measured in
            do throws(StoredMessageError) { heights[i] = try self.heights(measured) } catch { failure = error }
        }
        if let failure { throw failure }
        return heights
    }

    private static func heights(of block: RowBlock) throws(WireError) -> [ContentHeights] {
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
