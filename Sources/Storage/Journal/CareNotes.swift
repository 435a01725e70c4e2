import Pool
import Wire

/// The findings of care, until they are written in one transaction.
struct CareNotes {
    /// The progress of care.
    struct Standing {
        var swept: LogPosition
        var expired: LogPosition
        var forgotten: ForgottenContent
        /// The first entry that is not counted as forgotten.
        var next: LogPosition
    }

    /// A day whose beginning is not noted yet, and the next entry.
    var day: (day: Int, next: LogPosition)?
    /// Whether all words that were to be overwritten are, on the disk.
    var endsWiping = false
    /// The job of each shard up to which all are done in every edition.
    var done: [JobNumber] = []
    /// Frames with bodies of messages that are not complete; `gone` are those that have none any more.
    var lingering: [LogPosition] = []
    var gone: [LogPosition] = []
    var standing: Standing?

    var isEmpty: Bool {
        day == nil && !endsWiping && done.isEmpty && lingering.isEmpty && gone.isEmpty && standing == nil
    }
}

extension JournalTables {
    func write(
        _ notes: CareNotes, _ term: UInt64, _ retention: JournalSettings.Retention, under lock: JournalLock
    ) throws(StorageError) {
        guard !notes.isEmpty else { return }
        try lock.transaction(database) { () throws(StorageError) in
            if let (day, next) = notes.day { try write(day, next, retention) }
            if notes.endsWiping { try database.execute("DELETE FROM wiping") }
            for (shard, done) in notes.done.enumerated() {
                try dropJobs.run(.integer(Int64(shard)), .integer(Int64(bitPattern: done.number)))
            }
            for first in notes.lingering {
                try database.prepare("INSERT OR IGNORE INTO lingering VALUES (?)").run(.integer(first.number))
            }
            for first in notes.gone {
                try database.prepare("DELETE FROM lingering WHERE first = ?").run(.integer(first.number))
            }
            guard let standing = notes.standing else { return }
            try standing.forgotten.write(term, next: standing.next, to: database)
            try database.prepare("UPDATE meta SET swept = ?, expired = ?").run(
                .integer(standing.swept.number), .integer(standing.expired.number))
            // Frees pages of journals of earlier builds, which had their log in a table.
            if retention != .forever { try database.execute("PRAGMA incremental_vacuum(64)") }
        }
    }

    /// Notes where a day begins. A clock that was set back begins no day before it comes to where
    /// it was, so that nothing is taken for older than it is. A clock that was far ahead is not
    /// waited for, so that content is kept for twice its time at most.
    private func write(_ day: Int, _ next: LogPosition, _ retention: JournalSettings.Retention) throws(StorageError) {
        if case .days(let days) = retention {
            try database.prepare("DELETE FROM days WHERE day > ?1 + ?2").run(
                .integer(Int64(day)), .integer(Int64(days)))
        }
        try database.prepare(
            "INSERT INTO days SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM days WHERE day >= ?1)"
        ).run(.integer(Int64(day)), .integer(next.number))
    }
}
