import Bytes
package import MessageLayout
import Pool
import Record
import Wire

/// What is known of how far a shard is extended.
struct ShardExtension {
    /// Targets that rows are laid out for beside those of their style.
    var targets: [Target] = []
    /// Nil until it is looked up.
    private(set) var mark: ExtensionMark??

    mutating func note(_ mark: ExtensionMark?) { self.mark = .some(mark) }
    mutating func forget() { mark = .none }

    /// Whether rows may be there that have not all of the targets.
    var isDue: Bool {
        guard !targets.isEmpty else { return false }
        guard case let mark?? = mark else { return true }
        return mark.targets != targets || !mark.isDone
    }
}

// Rows that are there are laid out for a target that was added: of what is stored beside them, when nothing else is to be done. The
// same rows come out as if they had been laid out for it from the start, so that nobody is told.
extension SQLiteShard {
    /// Lays out a row once more, for its targets and those that were added; nil where it has all of them, or cannot be laid out of
    /// what is stored.
    package typealias Extend = (_ layout: [UInt8], _ measured: [UInt8]) -> [UInt8]?

    /// From now on rows are laid out for these, too. Those that are there are when `extend` is called.
    package mutating func prepare(_ targets: [Target]) { extended.targets = targets }

    /// Whether `extend` has something to look at.
    package var isToExtend: Bool { adopted != nil && extended.isDue }

    /// Extends some tens of rows, and seals their block anew when all of its rows are done: to be called when there is time, and now
    /// and then where there never is.
    ///
    /// - Returns: whether there may be more to do now.
    package mutating func extend(
        _ sealer: inout RowSealer, _ extend: Extend
    ) throws(StorageError) -> Bool {
        guard isToExtend else { return false }
        let isOurs = try whileNobodyWaits(&sealer) { (shard, sealer) throws(StorageError) in
            let targets = shard.extended.targets
            var mark = try shard.currentMark() ?? ExtensionMark(targets: targets)
            if mark.targets != targets { mark = ExtensionMark(targets: targets) }
            var looks = Self.rowsAtOnce
            while looks > 0, !mark.isDone { looks -= try shard.extendSome(&mark, atMost: looks, &sealer, extend) }
            try shard.tables.extended.put(mark)
            shard.extended.note(mark)
        }
        return isOurs && isToExtend
    }

    /// More would keep others waiting.
    private static let rowsAtOnce = 32

    /// Goes on from a mark, through one range at most.
    /// - Returns: how much that was, in rows.
    private mutating func extendSome(
        _ mark: inout ExtensionMark, atMost limit: Int, _ sealer: inout RowSealer, _ extend: Extend
    ) throws(StorageError) -> Int {
        let range = try tables.blocks.range(of: mark.conversation, after: mark.position)
        if let range, isSealed(range.block, for: mark.targets) {
            mark.position = range.end
            return 1
        }
        let (rows, last) = try tables.extended.rows(
            of: mark.conversation, after: mark.position, upTo: range?.end, limit: limit)
        for row in rows {
            if let layout = extend(row.layout, row.measured) { try tables.extended.put(layout, of: row) }
        }
        if let last {
            mark.position = last
        } else if let end = range?.end {
            let start = try tables.blocks.end(of: mark.conversation, before: end)
            _ = try seal(mark.conversation, after: start, upTo: end, &sealer)
            mark.position = end
        } else {
            mark.conversation = try conversation(after: mark.conversation) ?? ExtensionMark.beyondAll
            mark.position = nil
        }
        return 1 + rows.count
    }

    private func isSealed(_ block: [UInt8], for targets: [Target]) -> Bool {
        // One that is torn, or damaged, says nothing.
        do throws(ByteError) {
            let sealed = try RowBlock(block).targets()
            return targets.allSatisfy(sealed.contains)
        } catch {
            return false
        }
    }

    private func conversation(after number: Int64) throws(StorageError) -> Int64? {
        tables.nextConversations.bind(number, at: 1)
        tables.nextConversations.bind(1, at: 2)
        return try tables.nextConversations.first { row in row.integer(0) }
    }

    /// Rows are written by somebody who knows of other targets than whoever set the mark: it says nothing of these.
    mutating func noteWriting() throws(StorageError) {
        guard let mark = try currentMark(), mark.targets != extended.targets else { return }
        try tables.extended.dropMark()
        extended.note(nil)
    }

    /// Nobody else writes it while the shard is ours.
    private mutating func currentMark() throws(StorageError) -> ExtensionMark? {
        if let known = extended.mark { return known }
        let mark = try tables.extended.mark()
        extended.note(mark)
        return mark
    }
}
