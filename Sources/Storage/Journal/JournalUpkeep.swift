import Pool

/// The work that entries of the log leave to do beside it, words to overwrite and errands on the shelf, and the error
/// for which something beside the log could not be brought up to it. The log has everything, so all of it can be tried
/// again.
struct JournalUpkeep {
    /// The error of the last try; nil where nothing is owed.
    private(set) var trouble: StorageError?
    private(set) var wiping = WordWiping()
    /// Errands on the shelf.
    private var errands: [ShelfErrand] = []

    /// Notes what a turn, or an entry that is taken up again, leaves to do.
    /// - Parameter merged: the last entry that is merged.
    mutating func add(_ draft: JournalDraft, merged: LogPosition) {
        wiping.add(draft.wipes, merged: merged)
        errands += draft.errands
    }

    /// Takes up words that were to be overwritten when the process ended.
    mutating func takeUp(from tables: borrowing JournalTables) throws(StorageError) {
        try tables.database.prepare("SELECT place FROM wiping").run { row in
            wiping.add(due: LogPosition(row.integer(0)))
        }
    }

    /// Does all that can be done now. The read transaction of the cards is over then.
    mutating func run(in cards: inout JournalCards, under lock: JournalLock) throws(StorageError) {
        try wiping.run(in: &cards)
        try cards.tables.leave()
        try cards.tables.tidyShelf(errands, under: lock)
        errands = []
    }

    /// Makes words due whose entries are merged by now.
    mutating func end(mergedThrough last: LogPosition) { wiping.end(mergedThrough: last) }

    mutating func note(_ trouble: StorageError?) { self.trouble = trouble }

    /// Throws where nobody knows what is on the disk: then nothing is to be written any more.
    func requireSynced() throws(StorageError) {
        if let trouble, case .notSynced = trouble { throw trouble }
    }
}
