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

    /// Empties the log; see `Database.emptyLog`. It is synced before the lock is taken, which is
    /// held for the rest alone.
    func emptyLog(of database: borrowing Database, patience: Int32) throws(StorageError) -> Bool {
        try database.syncLog()
        var isEmptied = false
        try isTied.withLock { (isTied) throws(StorageError) in
            let end = try database.copyLog(patience: patience)
            if end != .incomplete { isTied = false }
            isEmptied = end == .emptied
        }
        return isEmptied
    }
}
