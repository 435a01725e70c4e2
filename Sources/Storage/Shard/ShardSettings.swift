/// The settings with which one shard is written.
package struct ShardSettings: Sendable {
    /// The era of the journal that the rows are derived from: a file of another one is put aside,
    /// as it may hold what this journal never accepted.
    package var era: UInt64
    /// The time to wait for the process that holds the file before it is reported.
    package var lockWait: Duration
    /// Bytes of pages in memory; all shards that a process has open together should stay within 64 MB.
    package var cache: Int
    /// Bytes of the log past which it is emptied.
    package var checkpoint: Int64
    /// Bytes of the log at which an operator should look for a reader that does not come to an end.
    package var logAlarm: Int64
    /// Bytes of the log at which nothing is written.
    package var logLimit: Int64
    /// The number of changes that readers are told of one by one; a reader that is further behind starts anew.
    package var changesKept: Int
    /// The number of changes to the file at which places of new rows are merged into their table.
    package var merge: Int
    /// The time for which a torn block is left alone, so that changes of its rows that come together cost one sealing.
    package var sealingRest: Duration
    /// The version in which the file is written. Releases that do not know it cannot read the file, and say so.
    package var format = StoredFormat.shards.newest
    /// True where heads of rows have heights.
    var keepsHeights: Bool { format >= 4 }
    /// Whether torn blocks stay, with the changes since: earlier releases would read them as they were.
    var keepsTornBlocks: Bool { format >= 4 }
    /// Whether a file that is made from now on can give space back: it writes more for that, and
    /// where all rows are kept none becomes free.
    package var shrinks = false
    /// The id of the machine's start; nil for that of the kernel.
    package var boot: String?
    /// The VFS of SQLite, for tests; nil for the usual one.
    package var vfs: String?

    package init(
        era: UInt64 = 0, lockWait: Duration = .milliseconds(250), cache: Int = 4 << 20, checkpoint: Int64 = 2 << 20,
        logAlarm: Int64 = 256 << 20, logLimit: Int64 = 1 << 30, changesKept: Int = 32_768,
        merge: Int = 8192, sealingRest: Duration = .seconds(30), boot: String? = nil
    ) {
        (self.era, self.lockWait, self.cache, self.checkpoint) = (era, lockWait, cache, checkpoint)
        (self.logAlarm, self.logLimit, self.changesKept) = (logAlarm, logLimit, changesKept)
        self.merge = merge
        (self.sealingRest, self.boot) = (sealingRest, boot)
    }
}

/// News of a shard for its operator, who need not act on any of it.
package enum ShardNews: Equatable, Sendable {
    /// The file was put aside under this name, and begun anew: it is damaged, derived from another
    /// life of the journal, or made by another version.
    case putAside(String, reason: String)
    /// A number of rows were not what they should be, and are laid out again; all others stay.
    case mended(rows: Int, reason: String)
    /// The machine went down with commits that may not have reached the disk: readers are told to start anew.
    case uncleanStart
    /// A number of messages have no row in it, and cannot be laid out again, as their content is no longer kept.
    case notKept(messages: Int)
    /// The log has so many bytes, as some reader does not come to an end: it is to be found and restarted. At
    /// `logLimit` nothing is written any more.
    case longLog(bytes: Int64)
}
