import Bytes
package import MessageLayout
package import Names
import Pool
package import Record
import Wire

/// A walk that reads a conversation from a shard into memory, a stretch at a time, so that its
/// reader can do other things in between.
///
///     var walk = ConversationWalk(conversation)
///     while !walk.isDone { blocks += try reader.next(&walk, &sealer) }
///
/// Sealed blocks come as they are; of rows that have none, blocks are made in memory. Each is for
/// the targets that all of its rows are laid out for: not all rows of a conversation have the same.
/// A row that is changed meanwhile may come twice, or as it was: a reader that takes up the changes
/// since `cursor`, and takes nothing for granted of rows that changed, has it all.
package struct ConversationWalk: Sendable {
    package let conversation: ConversationID
    /// The targets that made blocks are for, where their rows are laid out for any of them; else
    /// the blocks are for one of those that the rows are laid out for. Nil for all.
    package let targets: Set<Target>?
    /// The cursor of the moment when the first stretch was read; nil before.
    package internal(set) var cursor: Cursor?
    /// The rows behind the last block, when all is read.
    package internal(set) var tail: [RowSealer.Stated] = []
    package internal(set) var isDone = false
    /// The number of blocks that were made of rows, as no worker has sealed them yet.
    package internal(set) var madeBlocks = 0
    /// The end of the stretches so far.
    var reached: Position?
    /// Whether they end within a range, so that there is no block that fits the rest of it.
    var isWithinRange = false

    package init(_ conversation: ConversationID, for targets: Set<Target>? = nil) {
        (self.conversation, self.targets) = (conversation, targets)
    }

    /// Takes the walk for one of a later moment, as nothing of the conversation has changed meanwhile.
    package mutating func move(to cursor: Cursor) { self.cursor = cursor }
}

extension ShardReader {
    /// Reads the next stretch, which takes a millisecond at most: some sealed blocks, or one that
    /// is made of rows. Rows whose bytes are damaged are left out.
    package mutating func next(
        _ walk: inout ConversationWalk, _ sealer: inout RowSealer
    ) throws(StorageError) -> [RowBlock] {
        try atOneMoment { (reader, standing) throws(StorageError) in
            walk.cursor = walk.cursor ?? standing.cursor
            guard let conversation = try reader.number(of: walk.conversation) else {
                walk.isDone = true
                return []
            }
            try reader.tables.followPlaces(standing)
            var blocks: [RowBlock] = []
            var range: Position?
            var torn: (number: Int64, block: [UInt8])?
            reader.tables.blocks.bind(conversation, after: walk.reached, at: 1)
            try reader.tables.blocks.each { row in
                guard let end = row.position else { return true }
                let isTorn = row.integer(3) == 1
                guard !walk.isWithinRange, !isTorn, let block = readable(row.blob(2)) else {
                    range = end
                    if isTorn, !walk.isWithinRange, blocks.isEmpty { torn = (row.integer(4), row.blob(2)) }
                    return false
                }
                blocks.append(block)
                walk.reached = end
                return blocks.count < ConversationWalk.blocksAtOnce
            }
            guard blocks.isEmpty else { return blocks }
            if let torn, let range, let known = try reader.blocks(ofTorn: torn, upTo: range, walk, &sealer) {
                walk.reached = range
                return known
            }
            return try reader.nextRows(conversation, upTo: range, &walk, &sealer)
        }
    }

    /// Blocks of the rows of a torn range; nil where these are to be read one by one.
    private mutating func blocks(
        ofTorn torn: (number: Int64, block: [UInt8]), upTo end: Position, _ walk: ConversationWalk,
        _ sealer: inout RowSealer
    ) throws(StorageError) -> [RowBlock]? {
        let rows = try tables.rows(
            after: walk.reached, upTo: end, ofTorn: torn.number, torn.block, by: &sealer)
        guard let rows else { return nil }
        do throws(ByteError) {
            var blocks: [RowBlock] = []
            for first in stride(from: 0, to: rows.count, by: RowBlock.usualCount) {
                blocks.append(try RowSealer.block(Array(rows[first..<min(first + RowBlock.usualCount, rows.count)])))
            }
            return blocks
        } catch {
            return nil
        }
    }

    /// A block of the rows up to the end of a range, or of the conversation.
    private mutating func nextRows(
        _ conversation: Int64, upTo end: Position?, _ walk: inout ConversationWalk, _ sealer: inout RowSealer
    ) throws(StorageError) -> [RowBlock] {
        var (rows, count, last) = try stretch(conversation, upTo: end, walk, &sealer, for: walk.targets)
        if let first = rows.first, !rows.allSatisfy({ $0.targets == first.targets }) {
            // Not all rows are laid out for the same targets: those that they have in common count.
            (rows, count, last) = try stretch(conversation, upTo: end, walk, &sealer, for: nil)
        }
        damaged += count - rows.count
        walk.isWithinRange = end != nil && count == ConversationWalk.rowsAtOnce
        walk.reached = end == nil || walk.isWithinRange ? last : end
        if end == nil, count < ConversationWalk.rowsAtOnce {
            (walk.tail, walk.isDone) = (rows, true)
            return []
        }
        guard !rows.isEmpty else { return [] }
        walk.madeBlocks += 1
        do throws(ByteError) {
            return [try RowSealer.block(rows)]
        } catch {
            damaged += rows.count
            return []
        }
    }

    /// The next rows that have no block, the count of them with damaged ones, and the place of the last.
    private mutating func stretch(
        _ conversation: Int64, upTo end: Position?, _ walk: ConversationWalk, _ sealer: inout RowSealer,
        for targets: Set<Target>?
    ) throws(StorageError) -> (rows: [RowSealer.Stated], count: Int, last: Position?) {
        var rows: [RowSealer.Stated] = []
        var (count, last) = (0, walk.reached)
        let roles = tables.roles
        let recent = tables.recent.list
        try tables.stretch.each(
            of: conversation, after: walk.reached, upTo: end, limit: ConversationWalk.rowsAtOnce, with: recent
        ) { position, row in
            count += 1
            last = position ?? last
            do throws(RowSealer.Fault) { rows.append(try sealer.seal(row, from: 0, roles, for: targets)) } catch {}
            return true
        }
        return (rows, count, last)
    }
}

extension ConversationWalk {
    fileprivate static let blocksAtOnce = 32
    /// Rows that a block is made of: fewer than a worker would seal, as others wait while they are read.
    fileprivate static let rowsAtOnce = 64
}

/// The block in some bytes; nil for one that is torn or damaged: its rows are read instead.
private func readable(_ bytes: [UInt8]) -> RowBlock? {
    if bytes.isEmpty { return nil }
    do throws(ByteError) { return try RowBlock(bytes) } catch { return nil }
}
