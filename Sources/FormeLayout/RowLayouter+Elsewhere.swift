package import Bytes
package import MessageLayout
import Record
package import Wire

// Rows that are made on one host, and stored on another.
extension RowLayouter {
    /// A message's row as it travels.
    package mutating func madeRow(
        of message: CheckedMessage, at place: UInt16, reached: LayoutStage.Reached = { _ in }
    ) throws(Objection) -> MadeRow {
        let row = try row(of: message, reached: reached)
        return MadeRow(
            place: place, template: row.template, joinsSeries: row.joinsSeries, key: row.key, layout: row.layout,
            measured: row.measured)
    }

    /// Whether a row from elsewhere can be stored as it is: it is a row, and for just the targets that are laid out for here. Where one side has
    /// not heard of a new target yet, it is made here. Throws for what is no row.
    package func fits(_ made: MadeRow) throws(ByteError) -> Bool {
        guard made.key.count == Digest.length else { throw .tooLong(made.key.count, limit: Digest.length, of: "key") }
        let record = try LayoutRecord(made.layout)
        do { _ = try StoredTexts(checking: made.measured) } catch { throw .empty("measured texts") }
        let targets = engine.composer.targets
        return record.targets.count == targets.count && targets.allSatisfy(record.targets.contains)
    }

    /// The record of the row that was made last with one coordinate moved by a pixel, as of a host that counts wrongly; nil where it has no line
    /// whose place is stored.
    package mutating func spoiled(_ layout: [UInt8]) -> [UInt8]? {
        guard !sheet.lines.isEmpty, !sheet.blocks.isEmpty else { return nil }
        let right = sheet
        let moves: [(inout LayoutSheet) -> Void] = [
            { $0.blocks[0].ascent += 64 }, { $0.lines[0].left += 64 }, { $0.lines[0].width += 64 },
        ]
        for move in moves {
            sheet = right
            move(&sheet)
            var bytes: [UInt8] = []
            do throws(ByteError) { try encoder.encode(sheet, into: &bytes) } catch { continue }
            if bytes != layout { return bytes }
        }
        return nil
    }
}
