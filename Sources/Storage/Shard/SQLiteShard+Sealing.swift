import Bytes
import Names
import Pool
import Record
import Wire

extension SQLiteShard {
    /// Whether `seal` has something to look at.
    package var isToSeal: Bool { adopted != nil && (isToMerge || sealing.isDue(at: .now)) }

    /// Merges some places, if many are to be; else seals one block, if enough rows of a conversation stand behind those that are sealed, or a block was torn a while ago: to
    /// be called when there is time, and now and then where there never is.
    ///
    /// - Returns: whether there may be more to do now.
    package mutating func seal(_ sealer: inout RowSealer) throws(StorageError) -> Bool {
        guard isToSeal else { return false }
        let isOurs = try whileNobodyWaits(&sealer) { (shard, sealer) throws(StorageError) in
            if shard.isToMerge { try shard.mergeSome() } else { try shard.sealNext(&sealer) }
        }
        return isOurs && isToSeal
    }

    /// Does what nobody waits for in a transaction of its own. False where it is not for us to do any more: somebody else has taken
    /// the shard over.
    mutating func whileNobodyWaits(
        _ sealer: inout RowSealer, _ body: (inout SQLiteShard, inout RowSealer) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        guard let adopted else { return false }
        // Out of the way of the shard, which is changed meanwhile.
        var own = RowSealer(style: nil)
        swap(&own, &sealer)
        defer { swap(&own, &sealer) }
        return try locked { (shard) throws(StorageError) in
            let isOurs = try shard.inTransaction { (shard) throws(StorageError) in
                guard shard.standing.epoch == adopted, shard.standing.origin == shard.adoptedOrigin else {
                    return false
                }
                try body(&shard, &own)
                return true
            }
            try shard.takeCare()
            return isOurs
        }
    }

    private mutating func sealNext(_ sealer: inout RowSealer) throws(StorageError) {
        guard let conversation = sealing.next(at: .now) else { return try survey() }
        let end = try sealedEnd(of: conversation)
        if try tables.blocks.has(SealingCare.tail, of: conversation, after: end) {
            guard try seal(conversation, after: end, upTo: nil, &sealer) else { return sealing.noteDone(conversation) }
            sealing.note(end: try tables.blocks.end(of: conversation), of: conversation)
        } else if let torn = try tables.blocks.torn(of: conversation) {
            let start = try tables.blocks.end(of: conversation, before: torn)
            guard try seal(conversation, after: start, upTo: torn, &sealer) else {
                return sealing.noteDone(conversation)
            }
        } else {
            sealing.noteDone(conversation)
        }
    }

    /// A block of rows behind a place. Up to another place, all of them if they fit into one; a range without rows goes.
    mutating func seal(
        _ conversation: Int64, after start: Position?, upTo end: Position?, _ sealer: inout RowSealer
    ) throws(StorageError) -> Bool {
        let limit = end == nil ? SealingCare.rows : RowBlock.mostRows + 1
        var rows = try tables.blocks.rows(of: conversation, after: start, upTo: end, limit: limit, tables.roles)
        let isCut = rows.count > RowBlock.mostRows
        if isCut { rows.removeSubrange(SealingCare.rows...) }
        guard let last = rows.last else {
            if let end { try tables.blocks.drop(conversation, to: end) }
            return end != nil
        }
        let block: RowBlock
        do throws(ByteError) {
            block = try sealer.block(rows)
        } catch {
            // Rows that cannot be read are laid out again some time, and are then looked at again.
            return false
        }
        try tables.blocks.put(block, of: conversation, to: isCut ? last.position : end ?? last.position)
        return true
    }

    /// Looks for conversations that have something to seal.
    private mutating func survey() throws(StorageError) {
        guard let surveyed = sealing.surveyed else { return }
        var found: [Int64] = []
        tables.nextConversations.bind(surveyed, at: 1)
        tables.nextConversations.bind(Int64(Self.surveyedAtOnce), at: 2)
        try tables.nextConversations.each { row in
            found.append(row.integer(0))
            return true
        }
        for conversation in found {
            let end = try sealedEnd(of: conversation)
            let isTailLong = try tables.blocks.has(SealingCare.tail, of: conversation, after: end)
            let torn = try tables.blocks.torn(of: conversation)
            if isTailLong || torn != nil { sealing.noteDue(conversation) }
        }
        sealing.noteSurveyed(found.count < Self.surveyedAtOnce ? nil : found.last)
    }

    private static let surveyedAtOnce = 64

    /// A row came to a place, left it, or is another one there: the block that has it is not what is stored any more.
    mutating func tear(_ head: RowHead) throws(StorageError) {
        guard let end = try sealedEnd(of: head.conversation), !(end < head.position) else { return }
        guard try tables.blocks.tear(head.conversation, head.position) else { return }
        sealing.noteTorn(head.conversation, until: .now + settings.sealingRest)
    }

    private mutating func sealedEnd(of conversation: Int64) throws(StorageError) -> Position? {
        if let known = sealing.end(of: conversation) { return known }
        let end = try tables.blocks.end(of: conversation)
        sealing.note(end: end, of: conversation)
        return end
    }
}
