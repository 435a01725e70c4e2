package import MessageLayout
package import Wire

/// A whole conversation as it is opened: blocks of columns, behind them single rows, and from where to follow what happens.
package struct OpenedConversation: Equatable, Sendable {
    /// Of all blocks and rows; empty where there are none.
    package var targets: [Target] = []
    package var blocks: [RowBlock] = []
    package var tail: [SealedRow] = []
    package var cursor: Cursor

    package var count: Int { blocks.reduce(tail.count) { $0 + $1.count } }
}

extension ShardReader {
    /// Reads the blocks that are sealed, and makes in memory those that are torn or missing. Rows whose bytes are damaged are
    /// left out.
    package mutating func open(
        _ conversation: ConversationID, _ sealer: inout RowSealer
    ) throws(StorageError) -> OpenedConversation {
        try atOneMoment { (reader, standing) throws(StorageError) in
            var opening = Opening(OpenedConversation(cursor: standing.cursor))
            guard let conversation = try reader.number(of: conversation) else { return opening.result }
            var ranges: [(end: Position, block: RowBlock?)] = []
            reader.tables.blocks.bind(conversation, at: 1)
            try reader.tables.blocks.each { row in
                if let end = row.position { ranges.append((end, readable(row.blob(2)))) }
                return true
            }
            var start: Position?
            for range in ranges {
                if let block = range.block, opening.take(block) {
                    start = range.end
                    continue
                }
                try reader.read(conversation, after: start, upTo: range.end, &sealer, &opening)
                opening.seal()
                start = range.end
            }
            try reader.read(conversation, after: start, upTo: nil, &sealer, &opening)
            reader.damaged += opening.damaged
            opening.finish()
            return opening.result
        }
    }

    private func read(
        _ conversation: Int64, after start: Position?, upTo end: Position?, _ sealer: inout RowSealer,
        _ opening: inout Opening
    ) throws(StorageError) {
        tables.stretch.bindStretch(of: conversation, after: start, upTo: end, limit: .max)
        let roles = tables.roles
        try tables.stretch.each { row in
            do throws(WireError) {
                opening.take(try sealer.seal(ReadRow(row, from: 2, roles)))
            } catch {
                opening.damaged += 1
            }
            return true
        }
    }

    private struct Opening {
        var result: OpenedConversation
        var damaged = 0
        private var rows: [SealedRow] = []

        init(_ result: OpenedConversation) { self.result = result }

        /// False for a block that does not fit to the others: its rows are read instead.
        mutating func take(_ block: RowBlock) -> Bool {
            guard let targets = try? block.targets(), fits(targets) else { return false }
            result.blocks.append(block)
            return true
        }

        mutating func take(_ sealed: (row: SealedRow, targets: [Target])) {
            guard fits(sealed.targets) else {
                damaged += 1
                return
            }
            rows.append(sealed.row)
            if rows.count == RowBlock.usualCount { seal() }
        }

        private mutating func fits(_ targets: [Target]) -> Bool {
            if result.targets.isEmpty { result.targets = targets }
            return result.targets == targets
        }

        /// Rows so far become a block, so that they take no more memory than those that were sealed.
        mutating func seal() {
            guard !rows.isEmpty else { return }
            do throws(WireError) {
                result.blocks.append(try RowBlock(sealing: rows, for: result.targets))
            } catch {
                damaged += rows.count
            }
            rows.removeAll(keepingCapacity: true)
        }

        mutating func finish() { result.tail = rows }
    }
}

/// Nil for one that is torn, or damaged.
private func readable(_ bytes: [UInt8]) -> RowBlock? {
    if bytes.isEmpty { return nil }
    do throws(WireError) { return try RowBlock(bytes) } catch { return nil }
}
