import Bytes
import MessageLayout
import Names
import Record
import Wire

/// A block as it was when it was torn, and the changes in its range since. With these, the rows of the range are known
/// without a look at those that have not changed, which may lie all over the file.
struct TornBlock {
    private let block: [UInt8]
    /// The rows that came, left, or are others now.
    private var numbers: Set<MessageNumber> = []
    /// The places where that was.
    private var places: Set<Position> = []

    /// The most changes that are worth more than reading a range as it is.
    static let mostChanges = RowBlock.usualCount

    init(_ block: [UInt8]) { self.block = block }

    mutating func note(_ number: MessageNumber, at place: Position) {
        numbers.insert(number)
        places.insert(place)
    }

    /// The rows of the range; nil where they do not follow from what is known of it.
    /// - Parameter find: gives a row as a block has it, or its fault; nil where there is none.
    func rows(
        after start: Position?, upTo end: Position,
        _ find: (MessageNumber) throws(StorageError) -> Result<RowSealer.Stated, RowSealer.Fault>?
    ) throws(StorageError) -> [RowSealer.Stated]? {
        var rows: [RowSealer.Stated] = []
        let targets: [Target]
        do throws(ByteError) {
            let block = try RowBlock(block)
            targets = try block.targets()
            rows = try block.rows().map { ($0, targets) }
        } catch {
            return nil
        }
        rows.removeAll { numbers.contains($0.row.number) }
        // Two rows have claimed one place: the table of places alone says which of them has it.
        if rows.contains(where: { places.contains($0.row.position) }) { return nil }
        for number in numbers.sorted(by: { $0.number < $1.number }) {
            guard let found = try find(number) else { continue }
            guard case .success(let row) = found, row.targets == targets else { return nil }
            rows.append(row)
        }
        // A row may have moved to another range; and the range was cut where another one was made of its first rows.
        rows.removeAll { end < $0.row.position || start != nil && !(start! < $0.row.position) }
        rows.sort { $0.row.position < $1.row.position }
        let isClear = zip(rows, rows.dropFirst()).allSatisfy { $0.row.position < $1.row.position }
        return isClear ? rows : nil
    }
}

/// The changes in torn ranges, as the file has them: a place and its row each.
final class RangeChanges {
    /// The schema of the table, which files of earlier builds get when a worker opens them.
    static let schema = """
        CREATE TABLE IF NOT EXISTS torn_places (
            block INTEGER NOT NULL, position INTEGER NOT NULL, message BLOB NOT NULL, number INTEGER NOT NULL,
            PRIMARY KEY (block, position, message)) WITHOUT ROWID
        """

    /// The number at a place that two rows have claimed.
    private static let contested: Int64 = -1

    private let all: Statement

    init(_ database: borrowing Database) throws(StorageError) {
        all = try database.prepare("SELECT position, message, number FROM torn_places WHERE block = ? LIMIT ?")
    }

    /// Whether the file has the table: one that no worker of this build has opened has not.
    static func areIn(_ database: borrowing Database) throws(StorageError) -> Bool {
        try database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'torn_places'") == 1
    }

    /// A block with the changes in its range; nil where these do not say which rows it has, or are too many.
    func torn(_ number: Int64, _ bytes: [UInt8]) throws(StorageError) -> TornBlock? {
        if bytes.isEmpty { return nil }
        var torn = TornBlock(bytes)
        var (left, isClear) = (TornBlock.mostChanges, true)
        all.bind(number, at: 1)
        all.bind(Int64(left + 1), at: 2)
        try all.each { row in
            guard left > 0, let place = row.position, row.integer(2) != Self.contested else {
                isClear = false
                return false
            }
            torn.note(MessageNumber(row.integer(2)), at: place)
            left -= 1
            return true
        }
        return isClear ? torn : nil
    }

    /// The statements with which a worker notes changes, and forgets them.
    static let put = """
        INSERT INTO torn_places (block, position, message, number) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (block, position, message) DO UPDATE SET number = \(contested) WHERE number <> excluded.number
        """
    static let drop = """
        DELETE FROM torn_places WHERE block =
            (SELECT number FROM blocks WHERE conversation = ?1 AND position = ?2 AND message = ?3)
        """
}
