import Names
import Wire

/// A query for rows of a conversation with their places: those that the table `places` has and
/// those that are recent, in one order.
struct PlacedRows: ~Copyable {
    private let placed: Statement
    private var recent: RowSeeker
    /// The first column of a row's place, behind the row's own columns.
    private let placeColumn: Int32

    /// - Parameter columns: the columns of the rows, the number first.
    init(_ columns: [String], in database: borrowing Database) throws(StorageError) {
        let placed = try database.prepare(
            """
            SELECT \(columns.map { "r.\($0)" }.joined(separator: ", ")), p.position, p.message
            FROM places p JOIN rows r ON r.number = p.number
            WHERE p.conversation = ?1 AND (p.position, p.message) > (?2, ?3) AND (p.position, p.message) <= (?4, ?5)
            ORDER BY p.position, p.message LIMIT ?6
            """)
        recent = try RowSeeker(columns.joined(separator: ", "), in: database)
        self.placed = placed
        placeColumn = Int32(columns.count)
    }

    /// Hands over the rows behind a place and up to another, until it is told to stop. The place is
    /// nil where it is damaged.
    mutating func each(
        of conversation: Int64, after: Position?, upTo: Position?, limit: Int, with recent: PlaceList,
        _ body: (Position?, Statement.Row) throws(StorageError) -> Bool
    ) throws(StorageError) {
        placed.bind(conversation, after: after, at: 1)
        placed.bind(upTo?.order ?? .max, at: 4)
        // Beyond every name: no byte of UTF-8 is so high.
        if let upTo { placed.bind(utf8: upTo.message.text, at: 5) } else { placed.bind([0xFF], at: 5) }
        placed.bind(Int64(limit), at: 6)
        defer {
            placed.reset()
            self.recent.reset()
        }
        var others = PlacesBetween(recent.places(of: conversation, after: after, upTo: upTo))
        var left = limit
        var row = try placed.next()
        var position = row?.position(at: placeColumn)
        while left > 0 {
            let isDamaged = row != nil && position == nil
            if !isDamaged, let other = others.next(before: position) {
                guard let own = try self.recent.row(other.number.number) else { continue }
                left -= 1
                guard try body(other.position, own) else { return }
            } else if let own = row {
                left -= 1
                guard try body(position, own) else { return }
                row = try placed.next()
                position = row?.position(at: placeColumn)
            } else {
                return
            }
        }
    }
}
