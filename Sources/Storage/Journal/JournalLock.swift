import Synchronization

/// The lock under which any thread writes `journal.db` and empties its write-ahead log.
///
/// SQLite before 3.51.3 can lose commits where a checkpoint of one connection overlaps a commit of another:
/// under this lock none does. A turn takes it only for rare things, as its entries go into a segment of the log.
final class JournalLock: Sendable {
    /// Whether the present write-ahead log names the file that it builds on.
    private let isTied: Mutex<Bool>

    init(isTied: Bool) { self.isTied = Mutex(isTied) }

    /// Runs `body` in a transaction, which is written as a whole or not at all.
    func transaction(
        _ database: borrowing Database, _ body: () throws(StorageError) -> Void
    ) throws(StorageError) {
        try isTied.withLock { (isTied) throws(StorageError) in
            try database.beginToRead()
            do throws(StorageError) {
                try body()
                let isFirst = !isTied && database.isWriting
                if isFirst { try JournalLink.tie(in: database) }
                try database.commit()
                if isFirst { isTied = true }
            } catch {
                try database.rollBack()
                throw error
            }
        }
    }

    /// Empties the log; see `Database.emptyLog`. Its content by now is copied ahead, some pages at a time, and
    /// turns that need the lock get it between them. It is held for a few pages alone, and not while the disk takes
    /// most of the log.
    func emptyLog(of database: borrowing Database, patience: Int32) throws(StorageError) -> Bool {
        try copyAhead(of: database)
        try database.syncLog()
        var isEmptied = false
        try isTied.withLock { (isTied) throws(StorageError) in
            let end = try database.copyLog(patience: patience)
            if end != .incomplete { isTied = false }
            isEmptied = end == .emptied
        }
        return isEmptied
    }

    /// Copies the log as it is now, in steps. Some of it stays, so that it names the file that it builds on as before.
    private func copyAhead(of database: borrowing Database) throws(StorageError) {
        var steps = try isTied.withLock { (_) throws(StorageError) in try LogSteps(database) }
        guard steps.isWorthwhile else { return }
        try database.syncLog()
        let reader = try Database.open(path: database.path, .read)
        _ = try reader.integer("PRAGMA schema_version")
        while try isTied.withLock({ (_) throws(StorageError) in
            try steps.copySome(into: database, besides: reader)
        }) { LogSteps.pause() }
        if steps.hasCopied { try database.syncFile() }
    }
}
