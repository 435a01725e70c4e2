import Pool

/// A chore of a journal beside its turns, for any thread that has the time: it syncs segments of the log,
/// merges a memory into the tables, empties the write-ahead log, and looks through a segment to pack it.
///
/// A coordinator has at most one away. Meanwhile it answers for the cards from the memory that is being merged.
package struct JournalChore: Sendable {
    /// Segments of the log with bytes that may not be on the disk.
    let segments: Set<SegmentName>
    let merge: CardMerge?
    /// Whether the write-ahead log is emptied however short it is; past `limit` bytes it is in any case.
    let empties: Bool
    let limit: Int64
    let pack: SegmentPack?
    let folder: String
    let disk: LogDisk?
    let lock: JournalLock

    /// Rows in one transaction: other writers wait for so many at most.
    private static let step = 512

    /// Performs the chore. A chore that failed is done once more, as a whole: it is idempotent.
    func perform(over tables: borrowing JournalTables) -> JournalChoreEnd {
        var end = JournalChoreEnd(segments: segments)
        do throws(StorageError) {
            try syncSegments()
            if let merge {
                // The segments are on the disk before the tables name them, and the tables before
                // the log may drop entries.
                try run(merge, over: tables)
                try tables.database.syncLog()
                end.isMerged = true
            }
            if empties || tables.database.logSize >= limit {
                let start = ContinuousClock.now
                end.isEmptied = try lock.emptyLog(of: tables.database, patience: 100)
                end.emptying = .now - start
                end.sizeLeft = end.isEmptied ? 0 : tables.database.logSize
            }
            if let pack {
                end.pack = try pack.write()
            }
        } catch {
            end.trouble = error
        }
        return end
    }

    private func syncSegments() throws(StorageError) {
        for name in segments {
            do throws(StorageError) {
                try SegmentFile.open(folder + "/" + name.text, forWriting: true, disk).sync()
            } catch .absent {
                // Nothing needs it any more.
                continue
            }
        }
        try FileFacts.sync(folder)
    }

    private func run(_ merge: CardMerge, over tables: borrowing JournalTables) throws(StorageError) {
        var done = 0
        repeat {
            let next = min(merge.count, done + Self.step)
            let (from, to) = (done, next)
            try lock.transaction(tables.database) { () throws(StorageError) in
                try merge.write(from..<to, into: tables)
                if to == merge.count { try merge.finish(in: tables) }
            }
            done = next
        } while done < merge.count
    }
}

/// The outcome of a chore.
package struct JournalChoreEnd: Sendable {
    let segments: Set<SegmentName>
    var isMerged = false
    var isEmptied = false
    /// The time that this took; nil where it was not tried.
    var emptying: Duration?
    /// Outcome for the segment that was to be looked through; nil where there was none, or it failed. Where that is
    /// damaged, the chore was done all the same, as to do it again would mend nothing.
    var pack: SegmentPack.Outcome?
    /// Bytes of the write-ahead log where a reader stood in the way of emptying it.
    var sizeLeft: Int64 = 0
    /// The error for which it is to be done once more.
    var trouble: StorageError?

    init(segments: Set<SegmentName>) { self.segments = segments }
}

/// A performer of a journal's chores, with a connection of its own, for a thread of its own.
package struct JournalScribe: ~Copyable {
    private let folder: DataFolder
    private let settings: JournalSettings
    /// The connection, opened for the first chore.
    private var tables: JournalTables?

    /// - Parameter folder: a folder whose journal is open.
    package init(in folder: DataFolder, settings: JournalSettings) {
        (self.folder, self.settings) = (folder, settings)
    }

    package mutating func perform(_ chore: JournalChore) -> JournalChoreEnd {
        do throws(StorageError) {
            if tables == nil { tables = try JournalTables(try JournalOpening.database(in: folder, settings)) }
        } catch {
            var end = JournalChoreEnd(segments: chore.segments)
            end.trouble = error
            return end
        }
        return chore.perform(over: tables!)
    }
}
