/// A cursor that finds rows by their numbers. From a row to one close behind it, as those of a
/// conversation mostly are, it goes step by step: to look each up takes three times as long.
struct RowSeeker: ~Copyable {
    /// The query for rows from some number on.
    private let rows: Statement
    /// The number of the row at hand; nil before the first, and behind the last.
    private var reached: Int64?

    /// The most rows that are stepped over: each costs a third of a lookup.
    private static let mostSkipped: Int64 = 2

    /// - Parameter columns: the columns of a row, the number first.
    init(_ columns: String, in database: borrowing Database) throws(StorageError) {
        rows = try database.prepare("SELECT \(columns) FROM rows WHERE number >= ? ORDER BY number")
    }

    /// The row with a number, good until the next one is asked for; nil where there is none.
    mutating func row(_ number: Int64) throws(StorageError) -> Statement.Row? {
        var row: Statement.Row?
        if let reached, reached < number, number - reached <= Self.mostSkipped + 1 {
            while let at = self.reached, at < number { row = try next() }
        } else {
            rows.reset()
            rows.bind(number, at: 1)
            row = try next()
        }
        return reached == number ? row : nil
    }

    private mutating func next() throws(StorageError) -> Statement.Row? {
        let row = try rows.next()
        reached = row?.integer(0)
        return row
    }

    /// Ends the query, at the end of each transaction.
    mutating func reset() {
        rows.reset()
        reached = nil
    }
}
