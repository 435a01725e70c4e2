import Foundation
import MessageLayout
import Names
import Pool
import Record
import TestSupport
import Testing
import Typography
import Wire

@testable import Storage

/// The formats of a release after this one: one of them has one more version.
private let later = StoredFormat.all.map { format in
    format.name != "segments"
        ? format
        : StoredFormat(
            format.name, format.subject, oldest: format.oldest, newest: format.newest + 1, previous: format.newest)
}

private func files(_ diary: Diary) throws -> [String: Data] {
    // SQLite's readers write into this file how far they read.
    try Diary.files(in: diary.temporary.path).filter { !$0.key.hasSuffix("-shm") }
}

@Test func `a new folder is written in the newest versions, and says so`() throws {
    let diary = try Diary()
    #expect(try FolderFormats.read(in: diary.folder) == nil)
    do { _ = try diary.open() }
    let formats = try #require(try FolderFormats.read(in: diary.folder))
    #expect(formats.isCommitted)
    #expect(StoredFormat.all.filter(\.isKept).allSatisfy { formats.version(of: $0) == $0.newest })
}

@Test func `into a folder that an earlier release had goes what the previous one reads, until it is committed`() throws
{
    let diary = try Diary()
    do { _ = try diary.open() }
    // The folder is now as a release left it that did not write its formats down.
    try FileManager.default.removeItem(atPath: diary.temporary.file(FolderFormats.name))
    #expect(try FolderUpgrade.commit(diary.folder) == nil)
    diary.settings.formats = later
    do { _ = try diary.open() }
    let segments = try #require(later.first { $0.name == "segments" })
    let formats = try #require(try FolderFormats.read(in: diary.folder, known: later))
    #expect(!formats.isCommitted && formats.version(of: segments) == StoredFormat.segments.newest)
    // The release before this one opens the folder again.
    diary.settings.formats = StoredFormat.all
    do { _ = try diary.open() }
    try formats.committed.write(in: diary.folder)
    let before = try files(diary)
    #expect(
        throws: StorageError.newerFormat(
            path: diary.temporary.file(FolderFormats.name), format: "segments", found: segments.newest,
            newest: StoredFormat.segments.newest)
    ) { _ = try diary.open() }
    #expect(try files(diary) == before)
    diary.settings.formats = later
    do { _ = try diary.open() }
}

@Test func `a folder with a format that nobody here has heard of is refused, and left as it is`() throws {
    let diary = try Diary()
    do { _ = try diary.open() }
    let path = diary.temporary.file(FolderFormats.name)
    for (text, format, found, newest) in [
        (#"{"format": 1, "written": {"journal": 4, "pictures": 1}}"#, "pictures", 1 as Int64, 0 as Int64),
        (#"{"format": 2, "of": "another sort"}"#, "formats.json", 2, 1),
    ] {
        try Data(text.utf8).write(to: URL(filePath: path))
        let before = try files(diary)
        #expect(throws: StorageError.newerFormat(path: path, format: format, found: found, newest: newest)) {
            _ = try diary.open()
        }
        #expect(throws: StorageError.self) { try FolderFormats.refuseNewer(in: diary.folder) }
        #expect(try files(diary) == before)
    }
}

@Test(arguments: [true, false]) func `a journal of a newer format is refused, and left as it is`(hasLog: Bool) throws {
    let diary = try Diary()
    do {
        var journal = try diary.open()
        try Diary.post(40, to: &journal)
        if !hasLog { try journal.close() }
    }
    do {
        let database = try Database.open(path: diary.journal, .write)
        try database.execute("PRAGMA user_version = 5")
        if !hasLog { _ = try database.emptyLog() }
    }
    let before = try files(diary)
    #expect(throws: StorageError.foreignFormat(path: diary.journal, found: 5, expected: 4)) { _ = try diary.open() }
    #expect(try files(diary) == before)
}

/// The versions in the list are those that are written.
@Test func `every format is written in the version that the list has`() throws {
    let diary = try Diary()
    do {
        var journal = try diary.open()
        try Diary.post(1, to: &journal)
    }
    let log = diary.temporary.file("log/")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: log).first { $0 != "spare" })
    let segment = try #require(FileManager.default.contents(atPath: log + name))
    #expect(Int64(segment[8]) == StoredFormat.segments.newest)
    #expect(Int64(segment[SegmentHeader.length + 24]) == StoredFormat.frames.newest)
    #expect(Int64(LogFrame.version) == StoredFormat.frames.newest)
    #expect(Int64(MeasuredText.codecVersion) == StoredFormat.texts.newest)
    #expect(Int64(MeasuredText.firstCodecVersion) == StoredFormat.texts.oldest)
    #expect(Int64(RowVersion.newest.rawValue) == StoredFormat.rows.newest)
    #expect(Int64(RowVersion.first.rawValue) == StoredFormat.rows.oldest)
    #expect(Int64(framedVersion) == StoredFormat.words.newest)
    var record = try SampleRecord.bytes(height: 40)
    #expect(Int64(record[0]) == StoredFormat.records.newest)
    for version in 0...UInt8(StoredFormat.records.newest + 1) {
        record[0] = version
        var isKnown = true
        do { _ = try LayoutRecord(record) } catch { isKnown = "\(error)" != "unknownVersion(\(version))" }
        #expect(isKnown == (StoredFormat.records.reads ~= Int64(version)))
    }
    let row = ShardRow(
        facts: try ShardSample.facts(order: 1), role: RowRole(template: "", joinsSeries: false), key: [1],
        layout: record,
        measured: [], heights: SampleRecord.heights(height: 40))
    var head = RowHead(conversation: 1, message: try MessageID("m"), role: 1, row: row)
    #expect(Int64(head.encoded(MessageNumber(1), JobNumber(1))[0]) == StoredFormat.heads.newest)
    head.heights = []
    #expect(Int64(head.encoded(MessageNumber(1), JobNumber(1))[0]) == StoredFormat.heads.oldest)
}

@Test func `files of rows are of the newest format in a new folder, and in an older one once it is committed`() throws {
    let diary = try Diary()
    do { _ = try diary.open() }
    #expect(try FolderFormats.shards(in: diary.folder) == 4)
    try FolderFormats.previous().write(in: diary.folder)
    #expect(try FolderFormats.shards(in: diary.folder) == 3)
    #expect(try FolderUpgrade.commit(diary.folder)?.isCommitted == true)
    #expect(try FolderFormats.shards(in: diary.folder) == 4)
}

/// The first release reads a manifest of format 1 alone, and looks at nothing else before it starts.
@Test func `a folder that is new or committed has a manifest that the first release refuses`() throws {
    let diary = try Diary()
    func format() throws -> Int64? { try FolderManifest.read(in: diary.folder)?.format }
    do { _ = try diary.open() }
    #expect(try format() == 2)
    #expect(try FolderFormats.isBeyondPrevious(in: diary.folder))
    try FileManager.default.removeItem(atPath: diary.temporary.file(FolderFormats.name))
    do { _ = try diary.open() }
    #expect(try format() == 1)
    #expect(try !FolderFormats.isBeyondPrevious(in: diary.folder))
    _ = try FolderUpgrade.commit(diary.folder)
    #expect(try format() == 2)
    do { _ = try diary.open() }
    #expect(try format() == 2)
}

/// A folder without a log of SQLite's, so that the journal is all in its file.
private let old = GoldenFolder.all.first { $0.description == "tabled-full-closed" }

@Test func `a journal that is taken along lies beside as it was until it is proved`() throws {
    let copy = try #require(old).unpack()
    let (folder, kept) = (DataFolder(copy.path), copy.file("journal.before-3.db"))
    let before = try #require(FileManager.default.contents(atPath: copy.file("journal.db")))
    // There is no room for the log.
    var settings = JournalSettings()
    settings.disk = LogDisk(fault: { step, _ in if case .make = step { .full } else { nil } })
    #expect(throws: StorageError.self) { _ = try SQLiteJournal(in: folder, settings: settings) }
    #expect(FileManager.default.fileExists(atPath: kept))
    do { _ = try SQLiteJournal(in: folder) }
    #expect(!FileManager.default.fileExists(atPath: kept))

    // The process ended before the journal was proved: the next one does that.
    try before.write(to: URL(filePath: kept))
    do { _ = try SQLiteJournal(in: folder) }
    #expect(!FileManager.default.fileExists(atPath: kept))

    // The journal that was taken along is not the one that was there.
    var other = before
    while let word = other.range(of: Data("of a golden folder".utf8)) { other[word.lowerBound] = UInt8(ascii: "O") }
    try #require(other != before)
    try other.write(to: URL(filePath: kept))
    #expect {
        _ = try SQLiteJournal(in: folder)
    } throws: { error in
        guard case .notTakenAlong(_, _, let path)? = error as? StorageError else { return false }
        return path == kept
    }
    #expect(FileManager.default.contents(atPath: kept) == other)
}
