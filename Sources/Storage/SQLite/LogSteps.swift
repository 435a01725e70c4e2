import Glibc

/// The copying of a write-ahead log into its file, in steps of some pages.
///
/// Each step is under the lock that commits take, so that no checkpoint overlaps a commit, and lets go of it before
/// the next. No step waits for the disk: the log is synced before the first, and the file after the last, both without
/// the lock. A frame at least stays behind, so that no writer begins the log anew before the file is synced; the last,
/// short step, which empties the log, is the caller's.
struct LogSteps {
    /// Pages that one step copies at most, unless the log is long.
    static let pages: UInt32 = 128

    /// The standing of the log at the beginning. Later commits are not synced.
    private let end: Database.LogStanding
    /// Whether the file has anything that it did not have before.
    private(set) var hasCopied = false

    /// Looks at the log, under the lock.
    init(_ reader: borrowing Database) throws(StorageError) { end = try reader.logStanding() }

    /// Whether there is anything to copy.
    var isWorthwhile: Bool { end.copied + 1 < end.frames }

    /// Copies some pages, under the lock.
    /// - Parameter reader: a connection beside the one that writes, in no transaction.
    /// - Returns: whether there are more to copy, and nobody stands in the way.
    mutating func copySome(
        into writer: borrowing Database, besides reader: borrowing Database
    ) throws(StorageError) -> Bool {
        let before = try reader.logStanding()
        // A log that was begun anew is in the file as it was.
        guard before.salt == end.salt, before.frames >= end.frames, before.frames > 0 else { return false }
        let last = min(end.frames, before.frames - 1)
        guard before.copied < last else { return false }
        // SQLite sorts all that is left of the log in each step: a long one is copied in longer steps.
        let next = min(last, before.copied + max(Self.pages, (last - before.copied) / 64))
        try writer.copySome(upTo: next, besides: reader)
        let copied = try reader.logStanding().copied
        hasCopied = hasCopied || copied > before.copied
        return copied == next && next < last
    }

    /// Leaves the lock to others for a moment: a process that waits for a file looks after it once a millisecond at
    /// first, and would not find it free between two steps that follow at once.
    static func pause() { poll(nil, 0, 2) }
}
