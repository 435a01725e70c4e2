package import Bytes
import MessageLayout
import Record
package import Wire

// Rows that are made on one host, and stored on another.
extension RowLayouter {
    /// Whether a row from elsewhere can be stored as it is: it has layouts for exactly the targets that are laid out
    /// for here. If one side has not heard of a new target yet, the row is made here. Throws if it is no row.
    package func fits(_ made: MadeRow) throws(ByteError) -> Bool {
        guard made.key.count == Digest.length else { throw .tooLong(made.key.count, limit: Digest.length, of: "key") }
        let record = try LayoutRecord(made.layout)
        do { _ = try StoredTexts(checking: made.measured) } catch { throw .empty("measured texts") }
        let targets = engine.composer.targets
        return record.targets.count == targets.count && targets.allSatisfy(record.targets.contains)
    }

    /// A row from elsewhere, with the list of its heights. It travels without that list: heights follow from the record,
    /// which is compared between hosts, and a list that says something else would be found by nobody.
    package mutating func row(_ made: MadeRow) -> Row {
        Row(
            key: made.key, layout: made.layout, measured: made.measured, heights: listedHeights(of: made.layout),
            template: made.template, joinsSeries: made.joinsSeries)
    }
}

extension MadeRow {
    /// A message's row as it travels.
    package init(_ row: RowLayouter.Row, at place: UInt16) {
        self.init(
            place: place, template: row.template, joinsSeries: row.joinsSeries, key: row.key, layout: row.layout,
            measured: row.measured)
    }
}
