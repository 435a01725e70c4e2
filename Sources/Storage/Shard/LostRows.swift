import Names
import Pool
import Wire

/// Messages that are to have a row in a file, and get none: it was lost and there is no content to
/// make one of, or retention gave it up. They are unavailable until something newer is said of them.
struct LostRows: ~Copyable {
    /// The schema of the table, which files of earlier builds get when a worker opens them.
    static let schema = "CREATE TABLE IF NOT EXISTS lost (number INTEGER PRIMARY KEY)"

    private let put: Statement
    private let drop: Statement
    private let count: Statement

    init(_ database: borrowing Database) throws(StorageError) {
        let put = try database.prepare("INSERT OR IGNORE INTO lost VALUES (?) RETURNING number")
        let drop = try database.prepare("DELETE FROM lost WHERE number = ? RETURNING number")
        let count = try database.prepare("SELECT count(*) FROM lost")
        self.put = put
        self.drop = drop
        self.count = count
    }

    /// - Returns: the number by which they become more: 1 or 0.
    func insert(_ message: MessageNumber) throws(StorageError) -> Int {
        put.bind(message.number, at: 1)
        return try put.first { _ in 1 } ?? 0
    }

    /// - Returns: the number by which they become fewer: 1 or 0.
    func remove(_ message: MessageNumber) throws(StorageError) -> Int {
        drop.bind(message.number, at: 1)
        return try drop.first { _ in 1 } ?? 0
    }

    func total() throws(StorageError) -> Int { try count.first { row in Int(row.integer(0)) } ?? 0 }
}

extension ShardRows {
    /// The number of unavailable messages. It is counted once for each time that the shard is taken
    /// over, and remembered while nothing is lost, which is nearly always.
    mutating func unavailable() throws(StorageError) -> Int {
        if let lostRows { return lostRows }
        let found = try tables.lost.total()
        lostRows = found
        return found
    }

    /// Notes a row that retention took away.
    mutating func noteGivenUp(_ message: MessageNumber) throws(StorageError) {
        lostRows = try unavailable() + tables.lost.insert(message)
    }

    /// Notes a change of a message that has no row.
    ///
    /// A message that is removed leaves a tombstone, though readers need not be told: an older job
    /// of it may still be lent, and would count it again.
    mutating func noteLost(_ change: ShardChange) throws(StorageError) {
        let known = try unavailable()
        if case .amended = change.row {
            lostRows = known + (try tables.lost.insert(change.message))
        } else if known > 0, try tables.lost.remove(change.message) == 1 {
            lostRows = known - 1
            if case .removed = change.row {
                try putTombstone(change)
                standing.lastNumber = max(standing.lastNumber, change.message.number)
            }
        }
    }
}
