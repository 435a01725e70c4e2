import Bytes
import MessageLayout
import Pool
import Record
import Wire

// Rows that are laid out for targets that were added.
extension RowSealing {
    /// Rows in one transaction: more would keep others waiting.
    private static let rowsAtOnce = 32

    mutating func extendSome(
        in tables: inout ShardTables, _ sealer: inout RowSealer, _ extend: SQLiteShard.Extend
    ) throws(StorageError) {
        let targets = extended.targets
        var mark = try currentMark(in: tables) ?? ExtensionMark(targets: targets)
        if mark.targets != targets { mark = ExtensionMark(targets: targets) }
        var looks = Self.rowsAtOnce
        while looks > 0, !mark.isDone { looks -= try extendSome(&mark, atMost: looks, in: &tables, &sealer, extend) }
        try tables.extended.put(mark)
        extended.note(mark)
    }

    /// Goes on from a mark, through one range at most.
    /// - Returns: how much that was, in rows.
    private mutating func extendSome(
        _ mark: inout ExtensionMark, atMost limit: Int, in tables: inout ShardTables, _ sealer: inout RowSealer,
        _ extend: SQLiteShard.Extend
    ) throws(StorageError) -> Int {
        let range = try tables.blocks.range(of: mark.conversation, after: mark.position)
        if let range, isSealed(range.block, for: mark.targets) {
            mark.position = range.end
            return 1
        }
        let recent = tables.recent.list
        let (rows, last) = try tables.extended.rows(
            of: mark.conversation, after: mark.position, upTo: range?.end, limit: limit, with: recent)
        for row in rows {
            guard let (layout, heights) = extend(row.layout, row.measured) else { continue }
            try tables.extended.put(layout, settings.keepsHeights ? heights : [], of: row)
        }
        // The rows may be as many as were asked for, and the last of them the range's: then it is through, too.
        if let last, last != range?.end {
            mark.position = last
        } else if let end = range?.end {
            let start = try tables.blocks.end(of: mark.conversation, before: end)
            _ = try seal(mark.conversation, after: start, upTo: end, in: &tables, &sealer)
            mark.position = end
        } else {
            mark.conversation = try conversation(after: mark.conversation, in: tables) ?? ExtensionMark.beyondAll
            mark.position = nil
        }
        return 1 + rows.count
    }

    private func isSealed(_ block: [UInt8], for targets: [Target]) -> Bool {
        // A block that is torn, or damaged, says nothing.
        do throws(ByteError) {
            let sealed = try RowBlock(block).targets()
            return targets.allSatisfy(sealed.contains)
        } catch {
            return false
        }
    }

    private func conversation(
        after number: Int64, in tables: borrowing ShardTables
    ) throws(StorageError) -> Int64? {
        tables.nextConversations.bind(number, at: 1)
        tables.nextConversations.bind(1, at: 2)
        return try tables.nextConversations.first { row in row.integer(0) }
    }

    /// Drops a mark that was set for other targets than rows are now written for, as it says nothing of these.
    mutating func noteWriting(in tables: borrowing ShardTables) throws(StorageError) {
        guard let mark = try currentMark(in: tables), mark.targets != extended.targets else { return }
        try tables.extended.dropMark()
        extended.note(nil)
    }

    /// The mark in the file, remembered, as nobody else writes it while the shard is this worker's.
    private mutating func currentMark(in tables: borrowing ShardTables) throws(StorageError) -> ExtensionMark? {
        if let known = extended.mark { return known }
        let mark = try tables.extended.mark()
        extended.note(mark)
        return mark
    }
}
