package import MessageLayout
import Pool
package import Wire

/// Makes of stored rows what blocks are sealed with. No record is decoded: heights are read from its shapes.
///
/// It keeps its memory from one row to the next.
package struct RowSealer: ~Copyable {
    private var reader = HeightReader()
    /// Says which statuses mean that a message was not sent.
    private let style: DecorationStyle?

    package init(style: DecorationStyle?) { self.style = style }

    /// - Returns: the row, and the targets that its heights are for.
    package mutating func seal(_ row: ReadRow) throws(WireError) -> (row: SealedRow, targets: [Target]) {
        let record = try LayoutRecord(row.layout)
        let look = RowLook(
            template: row.role.template, joinsSeries: row.role.joinsSeries,
            hasFailed: style?.hasFailed(row.facts.status) ?? false)
        let sealed = SealedRow(
            number: row.number, message: row.message, order: row.facts.order, sender: row.facts.sender,
            time: row.facts.time, look: look, heights: try reader.heights(of: record))
        return (sealed, record.targets)
    }

    /// Rows in the order of their positions, which were laid out for the same targets.
    package mutating func block(_ rows: [ReadRow]) throws(WireError) -> RowBlock {
        var sealed: [SealedRow] = []
        var targets: [Target]?
        sealed.reserveCapacity(rows.count)
        for row in rows {
            let (row, own) = try seal(row)
            guard own == targets ?? own else { throw .outOfRange(Int64(own.count), of: "targets") }
            targets = own
            sealed.append(row)
        }
        return try RowBlock(sealing: sealed, for: targets ?? [])
    }
}
