import Bytes
import MessageLayout
import Names
import Wire

/// A mark of how far the rows of a file are laid out for targets that were added to those of their
/// style: in the order of conversations, and in each of places.
struct ExtensionMark: Equatable {
    /// The added targets, as the worker that came so far knew them.
    var targets: [Target]
    var conversation: Int64 = 0
    /// The place up to which all rows of the conversation are done; nil at its beginning.
    var position: Position?

    static let beyondAll = Int64.max
    var isDone: Bool { conversation == Self.beyondAll }
}

/// The mark in a file, and the rows that are still to be looked at.
struct ExtensionTable: ~Copyable {
    /// The schema of the table, which files of earlier builds get when a worker opens them.
    static let schema = """
        CREATE TABLE IF NOT EXISTS extended (
            id INTEGER PRIMARY KEY CHECK (id = 1), targets BLOB NOT NULL, conversation INTEGER NOT NULL,
            position INTEGER NOT NULL, message BLOB NOT NULL)
        """

    /// A row as it is stored.
    struct Row {
        var number: MessageNumber
        var job: JobNumber
        var head: RowHead
        var layout: [UInt8]
        var measured: [UInt8]
    }

    private let find: Statement
    private let put: Statement
    private let drop: Statement
    private var rows: PlacedRows
    private let setLayout: Statement

    private static let marks = "SELECT position, message, conversation, targets FROM extended"

    init(_ database: borrowing Database) throws(StorageError) {
        let find = try database.prepare(Self.marks)
        let put = try database.prepare("REPLACE INTO extended VALUES (1, ?4, ?1, ?2, ?3)")
        let drop = try database.prepare("DELETE FROM extended")
        let rows = try PlacedRows(StoredBlocks.columns + ["measured"], in: database)
        let setLayout = try database.prepare("UPDATE rows SET head = ?2, layout = ?3 WHERE number = ?1")
        self.find = find
        self.put = put
        self.drop = drop
        self.rows = rows
        self.setLayout = setLayout
    }

    /// The mark of the file; nil where there is none, or one that cannot be read.
    func mark() throws(StorageError) -> ExtensionMark? { try Self.mark(find) }

    /// The same of a file that somebody else may be writing.
    static func mark(in database: borrowing Database) throws(StorageError) -> ExtensionMark? {
        try mark(try database.prepare(marks))
    }

    private static func mark(_ find: borrowing Statement) throws(StorageError) -> ExtensionMark? {
        try find.first { row -> ExtensionMark? in
            do throws(ByteError) {
                var reader = ByteReader(row.blob(3)[...])
                let targets = try reader.list(of: Target.self, atMost: Limits.targets)
                return ExtensionMark(targets: targets, conversation: row.integer(2), position: row.position)
            } catch {
                return nil
            }
        } ?? nil
    }

    func put(_ mark: ExtensionMark) throws(StorageError) {
        var writer = ByteWriter()
        writer.list(mark.targets)
        put.bind(mark.conversation, after: mark.position, at: 1)
        put.bind(writer.bytes, at: 4)
        try put.run()
    }

    func dropMark() throws(StorageError) { try drop.run() }

    /// Rows behind a place and up to another, without damaged ones, and the place of the last; that
    /// is nil where there are fewer than the limit.
    mutating func rows(
        of conversation: Int64, after: Position?, upTo: Position?, limit: Int, with recent: PlaceList
    ) throws(StorageError) -> (rows: [Row], last: Position?) {
        var found: [Row] = []
        var (count, last) = (0, after)
        try rows.each(of: conversation, after: after, upTo: upTo, limit: limit, with: recent) { position, row in
            count += 1
            last = position ?? last
            do throws(ByteError) { found.append(try Row(row)) } catch {}
            return true
        }
        return (found, count == limit ? last : nil)
    }

    func put(_ layout: [UInt8], _ heights: [UInt8], of row: Row) throws(StorageError) {
        var head = row.head
        (head.layoutSum, head.heights) = (Checksum.of(layout), heights[...])
        setLayout.bind(row.number.number, at: 1)
        setLayout.bind(head.encoded(row.number, row.job), at: 2)
        setLayout.bind(layout, at: 3)
        try setLayout.run()
    }
}

extension ExtensionTable.Row {
    fileprivate init(_ row: Statement.Row) throws(ByteError) {
        number = MessageNumber(row.integer(0))
        job = JobNumber(UInt64(bitPattern: row.integer(1)))
        head = try RowHead(row.blob(2), number, job)
        (layout, measured) = (row.blob(3), row.blob(4))
        guard Checksum.of(layout) == head.layoutSum, Checksum.of(measured) == head.measuredSum else { throw .notForme }
    }
}
