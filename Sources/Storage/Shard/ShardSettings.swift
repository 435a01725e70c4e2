/// How one shard is written.
package struct ShardSettings: Sendable {
    /// Which life of the journal the rows are derived from: what was made in another one is put aside, as it may hold what this
    /// journal never accepted.
    package var era: UInt64
    /// How long to wait for whoever holds the file before they are reported.
    package var lockWait: Duration
    /// Bytes of pages in memory; all shards that a process has open together should stay within 64 MB.
    package var cache: Int
    /// The log is emptied when it has grown past this many bytes.
    package var checkpoint: Int64
    /// At this many bytes an operator should look for a reader that does not come to an end.
    package var logAlarm: Int64
    /// At this many bytes nothing is written.
    package var logLimit: Int64
    /// How many changes readers are told of one by one; who is further behind starts anew.
    package var changesKept: Int
    /// Places of new rows are merged into their table when so many changes came to the file.
    package var merge: Int
    /// How long a torn block is left alone, so that what happens to its rows together costs one sealing.
    package var sealingRest: Duration
    /// Whether a file that is made from now on can give space back: it writes more for that, and where all rows are kept none becomes free.
    package var shrinks = false
    /// Names the start of the machine; nil for what the kernel says.
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

/// What an operator should hear of a shard; nothing of it needs anybody to act.
package enum ShardNews: Equatable, Sendable {
    /// Put aside as the file that is named, and begun anew: it is damaged, derived from another life of the journal, or made by
    /// another version.
    case putAside(String, reason: String)
    /// So many rows were not what they should be, and are laid out again; all others stay.
    case mended(rows: Int, reason: String)
    /// The machine went down with commits that may not have reached the disk: readers are told to start anew.
    case uncleanStart
    /// So many messages have no row in it, and cannot be laid out again, as their content is no longer kept.
    case notKept(messages: Int)
}
