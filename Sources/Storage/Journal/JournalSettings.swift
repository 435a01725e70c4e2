/// How a journal is kept.
package struct JournalSettings: Sendable {
    /// What an acknowledged event survives.
    package enum Durability: String, Sendable, CaseIterable {
        /// The end of any process, however it ends.
        case process
        /// The end of the machine's power, too.
        case full
    }

    /// How long the content of messages is kept. What it was laid out as is another matter.
    package enum Retention: Equatable, Sendable {
        case forever
        /// Counted from the day on which it was accepted.
        case days(Int)
        /// Only until it is laid out in all editions.
        case untilLaidOut
    }

    package var durability: Durability
    package var retention: Retention
    /// Of a new folder; a folder that has been used keeps what it has.
    package var shards: Int
    /// Bytes of pages in memory.
    package var cache: Int
    /// Entries after which what is remembered of messages is merged into its table.
    package var mergeLength: Int
    /// The log of SQLite is emptied when it has grown past this many bytes.
    package var checkpoint: Int64
    /// Bytes of a segment of the log, all of which are taken before it is needed.
    package var segment = 8 << 20
    /// The formats that are known, and which of their versions are written.
    package var formats = StoredFormat.all
    /// What stands between the log and the disk, for tests.
    package var disk: LogDisk?
    /// Names the start of the machine; nil for what the kernel says.
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

/// What an operator should hear of a journal.
package enum JournalNews: Equatable, Sendable {
    /// Entries may have been lost with the power, or this is an older copy: all shards are laid out anew.
    case newEra(reason: String)
    /// Files of so many shards were of a journal that is not there any more, and are put aside for a day.
    case putAside(shards: Int)
}
