package import MessageLayout
import Names
package import Wire

/// The share of an edition's rows that are laid out for targets that were added, as the marks in its files say.
///
/// A mark goes through the conversations in their order, and through each by its places. So the share is that of
/// conversations behind it, with a part of the one in which it stands; each file counts by its conversations.
package enum ExtensionShare {
    package static func measure(
        _ targets: [Target], of edition: EditionID, in folder: DataFolder
    ) throws(StorageError) -> Double {
        var (done, all) = (0.0, 0.0)
        for place in try ShardPlace.all(of: edition, in: folder) {
            let database = try Database.open(
                path: place.path, .read, Database.Tuning(synchronous: .normal, cache: 64 << 10, patience: 250))
            // A file that was just made has no tables yet.
            guard try database.integer("PRAGMA user_version") != 0 else { continue }
            let last = try database.integer("SELECT ifnull(max(number), 0) FROM conversations")
            all += Double(last)
            done += try passed(targets, last, in: database)
        }
        return all > 0 ? min(1, done / all) : 1
    }

    /// The number of conversations that the mark has passed, with a part of the one in which it is.
    private static func passed(
        _ targets: [Target], _ last: Int64, in database: borrowing Database
    ) throws(StorageError) -> Double {
        guard let mark = try ExtensionTable.mark(in: database), Set(mark.targets) == Set(targets) else { return 0 }
        guard !mark.isDone, mark.conversation <= last else { return Double(last) }
        guard let order = mark.position?.order else { return Double(max(0, mark.conversation - 1)) }
        let ends = try database.prepare(
            """
            SELECT min(first), max(last) FROM (
                SELECT (SELECT min(position) FROM places WHERE conversation = ?1) AS first,
                    (SELECT max(position) FROM places WHERE conversation = ?1) AS last
                UNION ALL SELECT (SELECT min(position) FROM blocks WHERE conversation = ?1),
                    (SELECT max(position) FROM blocks WHERE conversation = ?1))
            """)
        ends.bind(mark.conversation, at: 1)
        let (first, end) = try ends.first { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
        let part = end > first ? (Double(order) - Double(first)) / (Double(end) - Double(first)) : 0
        return Double(max(0, mark.conversation - 1)) + min(1, max(0, part))
    }
}
