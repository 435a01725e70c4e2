/// The settings of a journal.
package struct JournalSettings: Sendable {
    /// The failures that an acknowledged event survives.
    package enum Durability: String, Sendable, CaseIterable {
        /// The end of any process, however it ends.
        case process
        /// The end of the machine's power, too.
        case full
    }

    /// The time for which the content of messages is kept. Layouts have a retention of their own.
    package enum Retention: Equatable, Sendable {
        case forever
        /// A number of days, counted from the day on which it was accepted.
        case days(Int)
        /// Only until it is laid out in all editions.
        case untilLaidOut
    }

    package var durability: Durability
    package var retention: Retention
    /// The number of shards of a new folder; a folder that has been used keeps its own.
    package var shards: Int
    /// Bytes of pages in memory.
    package var cache: Int
    /// Entries after which the cards in memory are merged into their table.
    package var mergeLength: Int
    /// Bytes of SQLite's log past which it is emptied.
    package var checkpoint: Int64
    /// Bytes of a segment of the log, all allocated before they are needed.
    package var segment = 8 << 20
    /// The most unfinished jobs that are looked at for one page.
    package var jobsAtOnce = 65_536
    /// The formats that are known, with the versions that are written.
    package var formats = StoredFormat.all
    /// The layer between the log and the disk, for tests.
    package var disk: LogDisk?
    /// The id of the machine's start; nil for that of the kernel.
    package var boot: String?
    /// The VFS of SQLite, for tests; nil for the usual one.
    package var vfs: String?

    package init(
        durability: Durability = .process, retention: Retention = .forever, shards: Int = 16, cache: Int = 32 << 20,
        mergeLength: Int = 32_768, checkpoint: Int64 = 2 << 20, boot: String? = nil
    ) {
        (self.durability, self.retention, self.shards, self.cache) = (durability, retention, shards, cache)
        (self.mergeLength, self.checkpoint, self.boot) = (mergeLength, checkpoint, boot)
    }
}

/// News of a journal for its operator.
package enum JournalNews: Equatable, Sendable {
    /// Entries may have been lost with the power, or this is an older copy: all shards are laid out anew.
    case newEra(reason: String)
    /// The files of a number of shards were of a journal that is not there any more, and are put aside for a day.
    case putAside(shards: Int)
}
