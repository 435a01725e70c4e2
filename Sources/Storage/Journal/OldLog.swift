import Bytes
import Pool

/// The log as a table of the journal, from before it had segments (format 3): a row for each turn,
/// with the place of its first entry as its key.
///
/// | bytes of a row | |
/// |---|---|
/// | 1 | version: 1 |
/// | 4 | entries |
/// | 4, 4 | of each: bytes of its body, and of what it changed; 0 where there is none or it was dropped |
/// | rest | of each: body, then change, as in a frame |
enum OldLog {
    static let format = StoredFormat.journal.oldest
    private static let version: UInt8 = 1

    /// The entries of a row as a frame.
    static func frame(_ bytes: [UInt8], first: LogPosition) throws(ByteError) -> LogFrameDraft {
        var reader = PackedReader(bytes)
        let version = try reader.byte()
        guard version == Self.version else { throw .unknownVersion(version) }
        let count = Int(try reader.word())
        guard count <= LogFrame.countLimit, count > 0 else {
            throw .tooLong(count, limit: LogFrame.countLimit, of: "segment")
        }
        var draft = LogFrameDraft(first: first, count: count)
        var place = 5 + 8 * count
        for _ in 0..<2 * count {
            let length = Int(try reader.word())
            guard place + length <= bytes.count else { throw .truncated(needed: place + length, left: bytes.count) }
            draft.writer.append(contentsOf: bytes[place..<place + length])
            draft.endPart()
            place += length
        }
        return draft
    }

    /// Hands over all rows that begin behind a place, in order.
    static func each(
        of database: borrowing Database, after place: LogPosition = LogPosition(-1),
        _ take: (LogFrameDraft) throws(StorageError) -> Void
    ) throws(StorageError) {
        let path = database.path
        try database.prepare("SELECT first, segment FROM log WHERE first > ? ORDER BY first").run(
            .integer(place.number)
        ) {
            row throws(StorageError) in
            let draft: LogFrameDraft
            do throws(ByteError) { draft = try frame(row.blob(1), first: LogPosition(row.integer(0))) } catch {
                throw .damaged(path: path, error)
            }
            try take(draft)
        }
    }

    /// The frame of the row that has a place.
    static func frame(with place: LogPosition, in database: borrowing Database) throws(StorageError) -> LogFrame? {
        let found = try database.prepare("SELECT first, segment FROM log WHERE first <= ? ORDER BY first DESC LIMIT 1")
        found.bind(place.number, at: 1)
        guard let (first, bytes) = try found.first({ row in (row.integer(0), row.blob(1)) }) else { return nil }
        do throws(ByteError) {
            var draft = try frame(bytes, first: LogPosition(first))
            let frame = try LogFrame(draft.ended(after: 0))
            return frame.contains(place) ? frame : nil
        } catch {
            throw .damaged(path: database.path, error)
        }
    }

    /// Copies all rows into segments; the table stays as it is. Returns the place there behind
    /// which the cards have no entries.
    static func copy(
        of database: borrowing Database, to log: inout SegmentedLog, merged: LogPosition,
        _ replay: (LogFrame) throws(StorageError) -> Void
    ) throws(StorageError) -> LogCursor {
        var start: LogCursor?
        try each(of: database) { (draft) throws(StorageError) in
            var draft = draft
            guard draft.first <= merged || draft.first == max(log.end.next, LogPosition(merged.number + 1)) else {
                throw .corrupt(
                    path: database.path, "entries \(log.end.next.number) to \(draft.first.number - 1) are missing")
            }
            log.skip(to: draft.first)
            if draft.first > merged, start == nil { start = log.end }
            let frame = try log.append(&draft)
            if start != nil { try replay(frame) }
        }
        log.skip(to: LogPosition(merged.number + 1))
        try log.sync()
        return start ?? log.end
    }

    /// Empties the table in steps, as deleted rows are overwritten and go through SQLite's log, and then drops it.
    /// - Returns: whether there was one.
    static func empty(_ database: borrowing Database) throws(StorageError) -> Bool {
        guard try isThere(in: database) else { return false }
        let drop = try database.prepare("DELETE FROM log WHERE first IN (SELECT first FROM log LIMIT 512)")
        while try database.integer("SELECT EXISTS (SELECT 1 FROM log)") != 0 {
            try database.transaction { () throws(StorageError) in try drop.run() }
            if database.logSize > 64 << 20 { _ = try database.copyLog(patience: 100) }
        }
        try database.transaction { () throws(StorageError) in try database.execute("DROP TABLE log") }
        _ = try database.copyLog(patience: 100)
        return true
    }

    static func isThere(in database: borrowing Database) throws(StorageError) -> Bool {
        try database.integer("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'log'") > 0
    }
}
