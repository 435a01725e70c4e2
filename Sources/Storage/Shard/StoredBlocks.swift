import Bytes
import Names
import Record
import Wire

/// The sealed blocks of a file, as its writer asks for them.
///
/// Each conversation is cut into ranges. A range ends at the place at which its block ends, and begins behind the
/// range before. So every row belongs to one of them, but for those behind the last, which are the tail. A range
/// whose rows no longer match its block is *torn* until it is sealed again: it keeps its place, and its block with the
/// changes since, where these say which rows it has; or an empty one.
struct StoredBlocks: ~Copyable {
    private let end: Statement
    private let behind: Statement
    private let tear: Statement
    private let empty: Statement
    private let noteChange: Statement
    private let dropChanges: Statement
    private let changes: RangeChanges
    private let findTorn: Statement
    private let tornBlock: Statement
    private let before: Statement
    private let put: Statement
    private let drop: Statement
    private let next: Statement
    private var rows: PlacedRows
    private let row: Statement
    private let count: Statement

    /// The columns of rows that a block is made of.
    static let columns = ["number", "job", "head", "layout"]

    init(_ database: borrowing Database) throws(StorageError) {
        let end = try database.prepare(
            """
            SELECT position, message FROM blocks WHERE conversation = ?
            ORDER BY position DESC, message DESC LIMIT 1
            """)
        let behind = try database.prepare(
            """
            SELECT number, torn, length(block) FROM blocks
            WHERE conversation = ?1 AND (position, message) >= (?2, ?3) ORDER BY position, message LIMIT 1
            """)
        let tear = try database.prepare("UPDATE blocks SET torn = 1 WHERE number = ?")
        let empty = try database.prepare("UPDATE blocks SET torn = 1, block = x'' WHERE number = ?")
        let noteChange = try database.prepare(RangeChanges.put)
        let dropChanges = try database.prepare(RangeChanges.drop)
        let changes = try RangeChanges(database)
        let tornBlock = try database.prepare(
            """
            SELECT number, block FROM blocks
            WHERE conversation = ? AND position = ? AND message = ? AND torn = 1
            """)
        // By this index, as a long conversation has thousands of blocks, and some of them torn.
        let findTorn = try database.prepare(
            """
            SELECT position, message FROM blocks INDEXED BY torn
            WHERE torn = 1 AND conversation = ?1 AND (position, message) > (?2, ?3)
            ORDER BY position, message LIMIT 1
            """)
        let before = try database.prepare(
            """
            SELECT position, message FROM blocks WHERE conversation = ?1 AND (position, message) < (?2, ?3)
            ORDER BY position DESC, message DESC LIMIT 1
            """)
        let next = try database.prepare(
            """
            SELECT position, message, CASE torn WHEN 1 THEN x'' ELSE block END FROM blocks
            WHERE conversation = ?1 AND (position, message) > (?2, ?3) ORDER BY position, message LIMIT 1
            """)
        let put = try database.prepare(
            """
            INSERT INTO blocks (conversation, position, message, torn, block) VALUES (?1, ?2, ?3, 0, ?4)
            ON CONFLICT (conversation, position, message) DO UPDATE SET torn = 0, block = excluded.block
            """)
        let drop = try database.prepare("DELETE FROM blocks WHERE conversation = ? AND position = ? AND message = ?")
        let rows = try PlacedRows(Self.columns, in: database)
        let row = try database.prepare("SELECT number, job, head, layout FROM rows WHERE number = ?")
        let count = try database.prepare(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM places WHERE conversation = ?1 AND (position, message) > (?2, ?3) LIMIT ?4)
            """)
        self.end = end
        self.behind = behind
        self.tear = tear
        self.empty = empty
        self.noteChange = noteChange
        self.dropChanges = dropChanges
        self.changes = changes
        self.findTorn = findTorn
        self.tornBlock = tornBlock
        self.before = before
        self.next = next
        self.put = put
        self.drop = drop
        self.rows = rows
        self.row = row
        self.count = count
    }

    /// The end of the last range; nil where there is none.
    func end(of conversation: Int64) throws(StorageError) -> Position? {
        end.bind(conversation, at: 1)
        return try end.first { row in row.position } ?? nil
    }

    /// Tears the range that a place belongs to, where a row came, left, or is another one now.
    /// - Parameter keepsBlock: whether the block stays, with the change beside it.
    func tear(
        _ conversation: Int64, _ position: Position, _ number: MessageNumber, keepsBlock: Bool
    ) throws(StorageError) {
        behind.bind(conversation, position, at: 1)
        let range = try behind.first { row in
            (number: row.integer(0), isTorn: row.integer(1) == 1, isEmpty: row.integer(2) == 0)
        }
        // The place is in the tail.
        guard let range else { return }
        if !range.isTorn {
            if keepsBlock { try tear.run(.integer(range.number)) } else { try empty.run(.integer(range.number)) }
        }
        guard keepsBlock, !range.isEmpty else { return }
        noteChange.bind(range.number, position, at: 1)
        noteChange.bind(number.number, at: 4)
        try noteChange.run()
    }

    /// Empties all torn blocks, as a change is to be noted of which nobody can tell the range.
    func emptyTorn(in database: borrowing Database) throws(StorageError) {
        try database.execute("UPDATE blocks SET block = x'' WHERE torn = 1; DELETE FROM torn_places")
    }

    /// The block of a torn range, with the changes since; nil where they do not say which rows it has.
    func torn(_ conversation: Int64, to end: Position) throws(StorageError) -> TornBlock? {
        tornBlock.bind(conversation, end, at: 1)
        guard let (number, block) = try tornBlock.first({ row in (row.integer(0), row.blob(1)) }) else { return nil }
        return try changes.torn(number, block)
    }

    /// The end of the first torn range that ends behind a place.
    func torn(of conversation: Int64, after position: Position?) throws(StorageError) -> Position? {
        findTorn.bind(conversation, after: position, at: 1)
        return try findTorn.first { row in row.position } ?? nil
    }

    /// The end of the range before the one that ends here.
    func end(of conversation: Int64, before position: Position) throws(StorageError) -> Position? {
        before.bind(conversation, position, at: 1)
        return try before.first { row in row.position } ?? nil
    }

    /// The range of the rows behind a place: its end, and its block, which is empty where the range
    /// is torn. Nil where the rows are the tail.
    func range(of conversation: Int64, after position: Position?) throws(StorageError) -> (
        end: Position, block: [UInt8]
    )? {
        next.bind(conversation, after: position, at: 1)
        return try next.first { row in row.position.map { (end: $0, block: row.blob(2)) } } ?? nil
    }

    /// Puts a block of rows in its place; a range without rows goes.
    /// - Parameter end: the end of their range, which is cut where one block cannot hold them; nil for rows of the tail.
    /// - Returns: the end of the block; nil where none can be made.
    func put(
        _ rows: [RowSealer.Stated], of conversation: Int64, upTo end: Position?
    ) throws(StorageError) -> Position? {
        let isCut = rows.count > RowBlock.mostRows
        let rows = isCut ? Array(rows.prefix(SealingCare.rows)) : rows
        guard let last = rows.last?.row.position else {
            if let end { try drop(conversation, to: end) }
            return end
        }
        let block: RowBlock
        do throws(ByteError) { block = try RowSealer.block(rows) } catch { return nil }
        let sealed = isCut ? last : end ?? last
        try put(block, of: conversation, to: sealed)
        return sealed
    }

    private func put(_ block: RowBlock, of conversation: Int64, to end: Position) throws(StorageError) {
        try dropChanges(conversation, to: end)
        put.bind(conversation, end, at: 1)
        put.bind(block.bytes, at: 4)
        try put.run()
    }

    private func drop(_ conversation: Int64, to end: Position) throws(StorageError) {
        try dropChanges(conversation, to: end)
        drop.bind(conversation, end, at: 1)
        try drop.run()
    }

    private func dropChanges(_ conversation: Int64, to end: Position) throws(StorageError) {
        dropChanges.bind(conversation, end, at: 1)
        try dropChanges.run()
    }

    /// Whether at least `least` rows are behind a place.
    func has(
        _ least: Int, of conversation: Int64, after position: Position?, with recent: PlaceList
    ) throws(StorageError) -> Bool {
        let left = least - recent.places(of: conversation, after: position).count
        guard left > 0 else { return true }
        count.bind(conversation, after: position, at: 1)
        count.bind(Int64(left), at: 4)
        return try count.first { row in row.integer(0) } == Int64(left)
    }

    /// Rows behind a place, and up to another, as a block has them; or the fault of one of them, damage above all.
    mutating func rows(
        of conversation: Int64, after: Position?, upTo: Position?, limit: Int, with recent: PlaceList,
        _ roles: StoredRoles, by sealer: inout RowSealer
    ) throws(StorageError) -> Result<[RowSealer.Stated], RowSealer.Fault> {
        var found: [RowSealer.Stated] = []
        var fault: RowSealer.Fault?
        try rows.each(of: conversation, after: after, upTo: upTo, limit: limit, with: recent) { _, row in
            do throws(RowSealer.Fault) {
                found.append(try sealer.seal(row, from: 0, roles, for: nil, checksLayout: true))
            } catch {
                // Damage behind a row that cannot be read is to be found, too.
                fault = error
            }
            return fault != .damaged
        }
        return if let fault { .failure(fault) } else { .success(found) }
    }
}

extension StoredBlocks {
    /// A row as a block has it, or its fault; nil where there is none.
    func row(
        _ number: MessageNumber, _ roles: StoredRoles, by sealer: inout RowSealer
    ) throws(StorageError) -> Result<RowSealer.Stated, RowSealer.Fault>? {
        row.bind(number.number, at: 1)
        return try row.first { row in
            do throws(RowSealer.Fault) {
                return .success(try sealer.seal(row, from: 0, roles, for: nil, checksLayout: true))
            } catch {
                return .failure(error)
            }
        }
    }
}

extension Statement {
    func bind(_ conversation: Int64, _ position: Position, at first: Int32) {
        bind(conversation, after: position, at: first)
    }

    func bind(_ conversation: Int64, after position: Position?, at first: Int32) {
        bind(conversation, at: first)
        bind(position?.order ?? .min, at: first + 1)
        bind(utf8: position?.message.text ?? "", at: first + 2)
    }
}

extension Statement.Row {
    /// The position in the first two columns; nil where it is damaged.
    var position: Position? { position(at: 0) }

    /// The position in `column` and the next one; nil where it is damaged.
    func position(at column: Int32) -> Position? {
        do throws(ByteError) {
            return Position(order: integer(column), message: try MessageID(text(column + 1)))
        } catch {
            return nil
        }
    }
}
