import Names
import Pool
import Record
import Wire

/// The sealing of a file's rows into blocks, and the extension of rows by targets that were added, which seals the
/// blocks of their ranges anew: what is to be looked at, and what is known of the file.
///
/// It changes the tables in transactions of `ShardRows`, and forgets what is of one that comes to nothing.
struct RowSealing {
    /// The conversations to look at, and the ends of their ranges.
    private var care = SealingCare()
    var extended = ShardExtension()
    private let place: ShardPlace
    let settings: ShardSettings

    init(_ place: ShardPlace, _ settings: ShardSettings) { (self.place, self.settings) = (place, settings) }

    /// Forgets what may be of a transaction that was rolled back.
    mutating func rollBack() {
        care.rollBack()
        extended.forget()
    }

    /// Forgets everything, as the shard is taken over: others may have written meanwhile.
    mutating func adopt() {
        care = SealingCare()
        extended.forget()
    }

    /// Whether there is anything to seal now.
    func isToLook(at now: ContinuousClock.Instant) -> Bool { care.isToLook(at: now) }

    /// The number of conversations that wait to be looked at.
    var waiting: Int { care.waiting }

    mutating func noteWritten(_ conversation: Int64) { care.noteWritten(conversation) }

    /// Notes a conversation that the file has got only now.
    mutating func noteNew(_ conversation: Int64) { care.note(end: nil, of: conversation) }
}

// Blocks of rows that follow each other, and the changes that tear them.
extension RowSealing {
    mutating func sealNext(in tables: inout ShardTables, _ sealer: inout RowSealer) throws(StorageError) {
        guard let conversation = care.next(at: .now) else { return try survey(tables) }
        let end = try sealedEnd(of: conversation, in: tables)
        if try tables.blocks.has(SealingCare.tail, of: conversation, after: end, with: tables.recent.list),
            let end = try seal(conversation, after: end, upTo: nil, in: &tables, &sealer)
        {
            return care.note(end: end, of: conversation)
        }
        let passed = care.passed(in: conversation)
        guard let torn = try tables.blocks.torn(of: conversation, after: passed) else {
            return care.noteDone(conversation)
        }
        let start = try tables.blocks.end(of: conversation, before: torn)
        // Where no block can be made, those behind it have their turn all the same.
        let mended = try mend(conversation, after: start, upTo: torn, in: &tables, &sealer)
        care.note(passed: mended ?? torn, in: conversation)
    }

    /// Seals a torn block again: as it was, with the rows that have changed since, where these are known; or from all
    /// rows of its range.
    private mutating func mend(
        _ conversation: Int64, after start: Position?, upTo end: Position, in tables: inout ShardTables,
        _ sealer: inout RowSealer
    ) throws(StorageError) -> Position? {
        let torn = try tables.blocks.torn(conversation, to: end)
        let rows = try torn?.rows(after: start, upTo: end) { (number) throws(StorageError) in
            try tables.blocks.row(number, tables.roles, by: &sealer)
        }
        if let rows { return try put(rows, conversation, upTo: end, in: tables) }
        return try seal(conversation, after: start, upTo: end, in: &tables, &sealer)
    }

    /// Seals a block of rows behind a place. Up to another place, all of them are in it if they fit
    /// into one; a range without rows goes.
    ///
    /// - Returns: the end of the block; nil where none is made.
    mutating func seal(
        _ conversation: Int64, after start: Position?, upTo end: Position?, in tables: inout ShardTables,
        _ sealer: inout RowSealer
    ) throws(StorageError) -> Position? {
        let limit = end == nil ? SealingCare.rows : RowBlock.mostRows + 1
        let recent = tables.recent.list
        let found = try tables.blocks.rows(
            of: conversation, after: start, upTo: end, limit: limit, with: recent, tables.roles, by: &sealer)
        guard case .success(let rows) = found else {
            // A block without the damaged row would hide it: no reader of the block would meet the damage.
            if case .failure(.damaged) = found { place.suspect() }
            // Rows that cannot be read are laid out again some time, and are then looked at again.
            return nil
        }
        return try put(rows, conversation, upTo: end, in: tables)
    }

    private mutating func put(
        _ rows: [RowSealer.Stated], _ conversation: Int64, upTo end: Position?, in tables: borrowing ShardTables
    ) throws(StorageError) -> Position? {
        // The range goes, and it may be the last.
        if rows.isEmpty { care.forgetEnd(of: conversation) }
        return try tables.blocks.put(rows, of: conversation, upTo: end)
    }

    /// Looks for conversations that have something to seal.
    private mutating func survey(_ tables: borrowing ShardTables) throws(StorageError) {
        guard let surveyed = care.surveyed else { return }
        var found: [Int64] = []
        tables.nextConversations.bind(surveyed, at: 1)
        tables.nextConversations.bind(Int64(Self.surveyedAtOnce), at: 2)
        try tables.nextConversations.each { row in
            found.append(row.integer(0))
            return true
        }
        for conversation in found {
            let end = try sealedEnd(of: conversation, in: tables)
            let isTailLong = try tables.blocks.has(
                SealingCare.tail, of: conversation, after: end, with: tables.recent.list)
            let torn = try tables.blocks.torn(of: conversation, after: nil)
            if isTailLong || torn != nil { care.noteDue(conversation) }
        }
        care.noteSurveyed(found.count < Self.surveyedAtOnce ? nil : found.last)
    }

    private static let surveyedAtOnce = 64

    /// Tears the block of a place where a row came, left, or is another one now: the block does not
    /// say any more what is stored.
    mutating func tear(
        _ number: MessageNumber, _ head: RowHead, in tables: borrowing ShardTables
    ) throws(StorageError) {
        let (conversation, place) = (head.conversation, head.position)
        guard let end = try sealedEnd(of: conversation, in: tables), !(end < place) else { return }
        try tables.blocks.tear(conversation, place, number, keepsBlock: settings.keepsTornBlocks)
        // Also where it was torn already, as it may be so for a row that could not be read.
        care.noteTorn(conversation, until: .now + settings.sealingRest)
    }

    private mutating func sealedEnd(
        of conversation: Int64, in tables: borrowing ShardTables
    ) throws(StorageError) -> Position? {
        if let known = care.end(of: conversation) { return known }
        let end = try tables.blocks.end(of: conversation)
        care.note(end: end, of: conversation)
        return end
    }
}
