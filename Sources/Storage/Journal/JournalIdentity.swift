import Pool

/// The identity of an open journal: the mark of how far it has come, and the lock that ties its
/// write-ahead log to its file.
struct JournalIdentity: ~Copyable {
    private var mark: JournalMark
    let lock: JournalLock

    /// - Parameter isTied: whether the opening has written already which file the write-ahead log builds on.
    init(_ mark: consuming JournalMark, isTied: Bool) {
        self.mark = mark
        lock = JournalLock(isTied: isTied)
    }

    /// Notes that a frame is being written that ends before this place.
    mutating func announce(_ next: LogPosition) { mark.announce(next) }

    /// Notes that the frame was written.
    mutating func note(_ next: LogPosition) { mark.note(next) }

    /// Marks the journal as closed. Nothing is written after it.
    mutating func close() {
        guard var value = mark.value else { return }
        value.isClosed = true
        mark.put(value)
        mark.sync()
    }
}
