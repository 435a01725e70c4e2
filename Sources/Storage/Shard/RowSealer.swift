package import Bytes
package import MessageLayout
import Pool
package import Record
package import Rows
import Wire

/// A maker of the rows that blocks are sealed with, from stored ones. No record is decoded: heights
/// are read from its shapes.
///
/// It keeps its memory from one row to the next.
package struct RowSealer: ~Copyable {
    private var reader = HeightReader()
    /// The style, which knows the statuses that mean that a message was not sent.
    private let style: DecorationStyle?

    package init(style: DecorationStyle?) { self.style = style }

    /// The heights that are wanted of a record.
    private struct Wish {
        var record: LayoutRecord
        var wanted: Set<Target>?
        var places: [Int]
        var targets: [Target]
    }

    /// The wish for the row before, which is mostly that for the next one, too.
    private var last: Wish?

    /// A row, and the targets that its heights are for.
    package typealias Stated = (row: SealedRow, targets: [Target])

    /// - Parameter wanted: the targets whose heights are found; for a row that is laid out for none
    ///   of them, those of its first target are. Nil for all.
    package mutating func seal(_ row: ReadRow, for wanted: Set<Target>? = nil) throws(ByteError) -> Stated {
        let record = if let known = row.record { known } else { try LayoutRecord(row.layout, like: last?.record) }
        let wish = wish(for: record, wanted)
        let look = RowLook(
            template: row.role.template, joinsSeries: row.role.joinsSeries,
            hasFailed: style?.hasFailed(row.facts.status, in: row.role.template) ?? false)
        let sealed = SealedRow(
            number: row.number, message: row.message, order: row.facts.order, sender: row.facts.sender,
            time: row.facts.time, look: look, heights: try reader.heights(of: record, at: wish.places))
        return (sealed, wish.targets)
    }

    private mutating func wish(for record: LayoutRecord, _ wanted: Set<Target>?) -> Wish {
        if let last, last.record.targets == record.targets, last.wanted == wanted {
            // The same set is mostly asked for again, and is known by its memory then.
            self.last?.wanted = wanted
            return last
        }
        var places = Array(record.targets.indices)
        if let wanted {
            let known = places.filter { wanted.contains(record.targets[$0]) }
            // A reader that wants another target finds the heights for it by itself.
            places = known.isEmpty ? Array(places.prefix(1)) : known
        }
        let wish = Wish(
            record: record, wanted: wanted, places: places, targets: places.map { record.targets[$0] })
        last = wish
        return wish
    }

    /// A block of rows, which are in the order of their positions.
    package mutating func block(_ rows: [ReadRow]) throws(ByteError) -> RowBlock {
        var stated: [Stated] = []
        stated.reserveCapacity(rows.count)
        for row in rows { stated.append(try seal(row)) }
        return try Self.block(stated)
    }

    /// A block for the targets that all of its rows were laid out for.
    static func block(_ rows: [Stated]) throws(ByteError) -> RowBlock {
        guard let targets = rows.first?.targets else { throw .empty("block") }
        if rows.allSatisfy({ $0.targets == targets }) { return try RowBlock(sealing: rows.map(\.row), for: targets) }
        let common = targets.filter { target in rows.allSatisfy { $0.targets.contains(target) } }
        let sealed = rows.map { row, targets in
            var row = row
            row.heights = common.map { row.heights[targets.firstIndex(of: $0)!] }
            return row
        }
        return try RowBlock(sealing: sealed, for: common)
    }
}
