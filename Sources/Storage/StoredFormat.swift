import Glibc

/// A format of stored data, or of words between processes, with the versions of it that this release
/// knows. All formats are listed here, and each is written and read by the numbers that it has here.
///
/// A release reads every version from the oldest to the newest. Into a folder that an earlier release had
/// before, it writes what the previous release reads, until an operator commits the folder (`forme upgrade
/// --commit`): until then the previous release may have it back. `FolderFormats` says which version that is.
package struct StoredFormat: Hashable, Sendable {
    package let name: String
    package let subject: String
    /// The oldest version that is read.
    package let oldest: Int64
    /// The version that is written into a folder that is committed, or was made by this release.
    package let newest: Int64
    /// The newest version that the previous release reads (`deploy/previous`).
    package let previous: Int64
    /// Whether the format is kept in the folder. Words between processes are not: there both sides have to know it.
    package let isKept: Bool

    package init(
        _ name: String, _ subject: String, oldest: Int64? = nil, newest: Int64, previous: Int64? = nil,
        isKept: Bool = true
    ) {
        let newest = newest + (Self.planted == name ? 1 : 0)
        (self.name, self.subject, self.newest, self.isKept) = (name, subject, newest, isKept)
        self.oldest = oldest ?? (Self.planted == name ? newest - 1 : newest)
        self.previous = previous ?? (Self.planted == name ? newest - 1 : newest)
    }

    package var reads: ClosedRange<Int64> { oldest...newest }

    /// A format that has one more version in this process, the same as the one before it, so that
    /// tests have a release that comes after this one.
    private static let planted = unsafe getenv("FORME_TEST_FORMAT").map { unsafe String(cString: $0) }
}

// A change of a number here comes with code that reads the version before, and with golden folders
// of it (`Tests/Golden`).
extension StoredFormat {
    static let manifest = StoredFormat(
        "manifest", "manifest.json: shards, era, term", oldest: 1, newest: 2, previous: 1)
    static let journal = StoredFormat("journal", "journal.db: what the log comes to", oldest: 3, newest: 4)
    static let segments = StoredFormat("segments", "log/*: heads of segments", newest: 1)
    static let frames = StoredFormat("frames", "log/*: what one turn brought", newest: 1)
    static let shards = StoredFormat(
        "shards", "shards/*/*.db: tables, and heads with heights", oldest: 2, newest: 4, previous: 3)
    static let heads = StoredFormat("heads", "shards/*/*.db: what is known of a row", oldest: 2, newest: 3, previous: 2)
    static let backup = StoredFormat("backup", "forme backup: the file", newest: 1)
    /// Version 2 has the records of several logs, and version 1 those of a single one, whatever the folder is
    /// committed to: each is written where the cluster has as many.
    static let replica = StoredFormat(
        "replica", "replica.db: a host's part of the log of a cluster", oldest: 1, newest: 2, previous: 1)
    // The formats below are written by modules that this one does not name, or does not see into: a
    // test compares the numbers with what they write.
    static let blocks = StoredFormat("blocks", "shards/*/*.db: blocks of rows", newest: 1)
    static let records = StoredFormat("records", "shards/*/*.db: layouts of a message", oldest: 1, newest: 3)
    static let texts = StoredFormat("texts", "shards/*/*.db: measured texts", oldest: 2, newest: 3)
    static let editions = StoredFormat("editions", "editions/*/edition.json", newest: 1)
    static let rows = StoredFormat("rows", "rows, as clients get them", oldest: 1, newest: 2, isKept: false)
    static let words = StoredFormat("words", "frames between processes", newest: 5, isKept: false)

    package static let all = [
        manifest, journal, segments, frames, shards, heads, blocks, records, texts, editions, backup, replica, rows,
        words,
    ]
}
