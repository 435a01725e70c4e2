import Conversation
import MessageLayout
import Storage
import Wire

/// Where stored rows become what trees are made of.
final class TimelineWorkshop {
    var sealer: RowSealer

    /// A row as trees take it, for one target after another.
    typealias Material = (row: SealedRow, targets: [Target])

    init(_ style: DecorationStyle) { sealer = RowSealer(style: style) }

    /// Those that changed, as they are by now. A row that cannot be read is laid out again, and comes then.
    func rows(_ notes: [ShardChangeNote], of feed: ShardFeed) throws(StorageError) -> [MessageNumber: Material] {
        var rows: [MessageNumber: Material] = [:]
        let wanted = Set(notes.filter { $0.kind == .laidOut || $0.kind == .touched }.map(\.number))
        for row in try feed.rows(Array(wanted)) {
            do throws(WireError) { rows[row.number] = try sealer.seal(row) } catch {}
        }
        return rows
    }
}
