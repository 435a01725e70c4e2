import Names
import Wire

/// The progress of the table `places`: places of new rows are put into it by the thousand, in the
/// order of conversations, as each by itself would write a page for itself.
///
/// A row has its place there if its number is not above `placed`; or, while a merge goes on, not
/// above `target` and its conversation not above `conversation`. All others have theirs in
/// `RecentPlaces`, made of the changes after `since`: a number above `placed` had no row then.
struct PlaceMerge: Equatable {
    var placed: Int64
    var since: Moment
    var target: Int64
    /// The moment at which the target was set: the next `since`.
    var begun: Moment
    /// The last conversation of which all rows up to the target are in `places`.
    var conversation: Int64

    /// A stamp, and the number of changes that were ever noted up to it.
    struct Moment: Equatable {
        var stamp: Int64
        var total: Int64
    }

    /// The progress of a file that has all places in its table.
    static let complete = PlaceMerge(
        placed: .max, since: Moment(stamp: 0, total: 0), target: .max, begun: Moment(stamp: 0, total: 0),
        conversation: 0)

    static let schema = """
        CREATE TABLE placing (
            id INTEGER PRIMARY KEY CHECK (id = 1), placed INTEGER NOT NULL, since INTEGER NOT NULL,
            total INTEGER NOT NULL, target INTEGER NOT NULL, begun INTEGER NOT NULL, begunTotal INTEGER NOT NULL,
            conversation INTEGER NOT NULL);
        INSERT INTO placing
            SELECT 1, n, ifnull(stamp, 0), ifnull(total, 0), n, 0, 0, 0
            FROM (SELECT ifnull(max(number), -1) AS n FROM rows)
                LEFT JOIN (SELECT stamp, total FROM changes ORDER BY stamp DESC LIMIT 1)
        """
    static let query = "SELECT placed, since, total, target, begun, begunTotal, conversation FROM placing"
    static let update = """
        UPDATE placing SET placed = ?, since = ?, total = ?, target = ?, begun = ?, begunTotal = ?, conversation = ?
        """

    var isUnderWay: Bool { target > placed }

    func isPlaced(_ number: Int64, in conversation: Int64) -> Bool {
        number <= placed || number <= target && conversation <= self.conversation
    }

    /// Begins a merge of all rows up to `target`.
    mutating func begin(to target: Int64, at moment: Moment) {
        (self.target, begun, conversation) = (max(placed, target), moment, 0)
    }

    mutating func end() { (placed, since, conversation) = (target, begun, 0) }
}

extension PlaceMerge {
    init(_ row: Statement.Row) {
        self.init(
            placed: row.integer(0), since: Moment(stamp: row.integer(1), total: row.integer(2)), target: row.integer(3),
            begun: Moment(stamp: row.integer(4), total: row.integer(5)), conversation: row.integer(6))
    }

    func write(_ update: borrowing Statement) throws(StorageError) {
        try update.run(
            .integer(placed), .integer(since.stamp), .integer(since.total), .integer(target), .integer(begun.stamp),
            .integer(begun.total), .integer(conversation))
    }
}
