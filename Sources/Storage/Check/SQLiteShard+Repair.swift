import Names
import Wire

extension SQLiteShard {
    /// Whether the file is another one than before. Checks that it is in place, and all of it where
    /// a reader has found damage.
    package mutating func isRenewed() throws(StorageError) -> Bool {
        if !areFilesInPlace || !lock.isInPlace || !holdsMark {
            let before = origin
            try locked { _ in }
            return origin != before
        }
        guard let suspicion = try place.takeSuspicion() else { return false }
        let isRenewed = try verify()
        try suspicion.settle()
        return isRenewed
    }

    /// Whether file and log hold what was noted last. It is asked without the lock: while another
    /// process writes, the answer may be wrong, and is asked for again under the lock.
    private var holdsMark: Bool {
        guard let mark = ShardLock.mark(of: place) else { return false }
        do throws(StorageError) { return try rows.tables.database.holds(mark) } catch { return false }
    }

    /// Checks the whole file, by itself and against the journal: about a second for each gigabyte, and some
    /// microseconds for each message. A damaged file is put aside and begun anew; wrong rows of a sound file are
    /// taken out. Either way the file has another origin and the answer is true: all of it is laid out again.
    @discardableResult
    package mutating func verify() throws(StorageError) -> Bool {
        let found = try StorageCheck.trouble(with: place, in: folder)
        guard let problem = found.problems.first else { return false }
        do throws(StorageError) {
            try locked { (shard) throws(StorageError) in
                guard found.damage == nil, found.wrongRows.count <= Self.mostMended else {
                    throw .corrupt(path: shard.place.path, found.damage ?? problem)
                }
                try shard.mend(found.wrongRows, problem)
            }
        } catch .corrupt {
            // The finding is in the news.
        }
        return true
    }

    /// The largest number of wrong rows that are mended; a file with more is not to be trusted.
    private static let mostMended = 1000

    /// Takes rows out, and gives the file another origin. Readers keep all other rows while the
    /// coordinator has the shard laid out again, which writes only the missing ones.
    private mutating func mend(_ wrong: [MessageNumber], _ problem: String) throws(StorageError) {
        try inTransaction { (rows) throws(StorageError) in
            var list = [UInt8]()
            var count: Int64 = 0
            for number in Set(wrong) {
                guard let entry = try rows.takeOut(number) else { continue }
                entry.write(to: &list)
                count += 1
            }
            rows.standing.stamp = try rows.note(list, count)
            rows.standing.origin = ShardOrigin(.random(in: 1 ... .max))
            try rows.tables.database.prepare("UPDATE meta SET origin = ?").run(
                .integer(Int64(bitPattern: rows.standing.origin.number)))
        }
        news.append(.mended(rows: Set(wrong).count, reason: problem))
    }
}
