import Bytes
import Pool
import Wire

/// The roles that rows of a file have, by the numbers that their heads name them by. There are a handful, and a number never
/// changes.
final class StoredRoles {
    private let find: Statement
    private var known: [Int64: RowRole] = [:]

    init(_ database: borrowing Database) throws(StorageError) {
        find = try database.prepare("SELECT template, joins FROM roles WHERE number = ?")
    }

    /// Throws where the file does not say.
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
