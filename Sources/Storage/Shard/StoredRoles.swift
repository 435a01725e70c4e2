import Bytes
import Pool
import Wire

/// The roles that rows of a file have, by the numbers in their heads. There are a handful, and a number never changes.
final class StoredRoles {
    private let find: Statement
    private var known: [Int64: RowRole] = [:]

    init(_ database: borrowing Database) throws(StorageError) {
        find = try database.prepare("SELECT template, joins FROM roles WHERE number = ?")
    }

    /// The role with a number; throws where the file has none.
    func role(_ number: Int64) throws(ByteError) -> RowRole {
        if let role = known[number] { return role }
        find.bind(number, at: 1)
        let found: RowRole?
        do throws(StorageError) {
            found = try find.first { row in RowRole(template: row.text(0), joinsSeries: row.integer(1) != 0) }
        } catch {
            found = nil
        }
        guard let found else { throw .outOfRange(number, of: "role") }
        known[number] = found
        return found
    }
}
