import Bytes
import Wire

/// The changes of rows since a cursor.
package enum ShardChanges: Equatable, Sendable {
    /// All changes, oldest first, or as many as were asked for: `cursor` is how far they go. A row
    /// that changed twice is there twice.
    case notes([ShardChangeNote], cursor: Cursor, more: Bool)
    /// The changes are not known any more, or what was read is not so any more: read anew, then go on from here.
    case resync(Cursor)
}

extension ShardReader {
    /// The changes after the cursor. No change, removal or move is ever left out: where not all are
    /// known, the answer is `resync`.
    ///
    /// - Parameter limit: about how many notes; the changes of one commit are never parted.
    package mutating func changes(since cursor: Cursor, limit: Int = 1024) throws(StorageError) -> ShardChanges {
        try atOneMoment { (reader, standing) throws(StorageError) in
            let isKnown =
                cursor.generation == standing.generation && cursor.stamp <= standing.stamp
                && (cursor.stamp == standing.stamp || cursor.stamp.number + 1 >= standing.oldest.number)
            guard isKnown else { return .resync(standing.cursor) }
            guard let notes = try reader.notes(after: cursor.stamp, limit) else { return .resync(standing.cursor) }
            let reached = Cursor(generation: standing.generation, stamp: notes.through)
            return .notes(notes.notes, cursor: reached, more: notes.through < standing.stamp)
        }
    }

    /// Nil where the change log is damaged.
    private mutating func notes(
        after stamp: Stamp, _ limit: Int
    ) throws(StorageError) -> (notes: [ShardChangeNote], through: Stamp)? {
        var entries: [(entry: ChangeEntry, stamp: Stamp)] = []
        var through = stamp
        var isSound = true
        tables.changes.bind(Int64(bitPattern: stamp.number), at: 1)
        try tables.changes.each { row in
            do throws(ByteError) {
                let stamp = Stamp(UInt64(bitPattern: row.integer(0)))
                entries += try ChangeEntry.list(row.blob(1)).map { ($0, stamp) }
                through = stamp
            } catch {
                isSound = false
            }
            return isSound && entries.count < limit
        }
        guard isSound else { return nil }
        var notes: [ShardChangeNote] = []
        for (entry, stamp) in entries {
            notes.append(
                ShardChangeNote(
                    kind: entry.kind, conversation: try name(of: entry.conversation), message: entry.message,
                    number: entry.number, order: entry.order, stamp: stamp))
        }
        return (notes, through)
    }
}
