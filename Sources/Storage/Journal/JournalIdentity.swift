import Pool

/// What a journal is known by while it is open: commits that tie its log to its file, and the mark of how far it has come.
struct JournalIdentity: ~Copyable {
    private var mark: JournalMark
    /// Whether the log at hand says which file it builds on.
    private var isTied: Bool

    /// - Parameter isTied: whether the opening has written that already.
    init(_ mark: consuming JournalMark, isTied: Bool) {
        self.mark = mark
        self.isTied = isTied
    }

    /// Commits the transaction that is open; when it throws, nothing is known to be written.
    ///
    mutating func commit(_ database: borrowing Database) throws(StorageError) {
        let isFirst = !isTied && database.isWriting
        if isFirst { try JournalLink.tie(in: database) }
        try database.commit()
        if isFirst { isTied = true }
    }

    /// A frame is being written that ends before this place.
    mutating func announce(_ next: LogPosition) { mark.announce(next) }

    /// It was written.
    mutating func note(_ next: LogPosition) { mark.note(next) }

    /// See `Database.emptyLog`.
    mutating func emptyLog(of database: borrowing Database, patience: Int32) throws(StorageError)
        -> Bool
    {
        let end = try database.copyLog(patience: patience)
        if end != .incomplete { isTied = false }
        return end == .emptied
    }

    /// Nothing is written after it.
    mutating func close() {
        guard var value = mark.value else { return }
        value.isClosed = true
        mark.put(value)
        mark.sync()
    }
}
