import Synchronization

/// The lock under which `journal.db` is written and its write-ahead log is emptied, whichever thread does it.
///
/// SQLite before 3.51.3 can lose commits where a checkpoint of one connection overlaps a commit of another: under this lock none does.
/// A turn takes it only for what is rare, as what it brings goes into a segment of the log.
final class JournalLock: Sendable {
    /// Whether the write-ahead log at hand says which file it builds on.
    private let isTied: Mutex<Bool>

    init(isTied: Bool) { self.isTied = Mutex(isTied) }

    /// Writes all of it, or nothing.
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

    /// See `Database.emptyLog`. What can be synced before is, so that the lock is held for the rest alone.
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
