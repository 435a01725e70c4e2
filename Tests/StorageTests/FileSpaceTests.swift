import Foundation
import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Storage

/// A file with a word on all of its leaf pages, in the gap between cell pointers and cells, where SQLite leaves parts
/// of cells that it moved.
private struct CrowdedFile {
    let temporary: TemporaryFolder
    let path: String
    let shrinks: Bool
    /// Leaf pages with the word.
    private(set) var planted: [Int] = []

    static let word = Array("a word that was deleted".utf8)
    /// Pages 2 and 822 of a file with a list of its pages are parts of that list.
    private static let rows = 3600
    private static let pageSize = 4096

    init(shrinks: Bool) throws {
        (temporary, self.shrinks) = (try TemporaryFolder(), shrinks)
        path = temporary.file("rows.db")
        try fill()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for page in 1..<bytes.count / Self.pageSize {
            let start = page * Self.pageSize
            // A leaf of a table.
            guard bytes[start] == 13 else { continue }
            let cells = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
            let gap = start + 8 + 2 * cells
            let end = start + (Int(bytes[start + 5]) << 8 | Int(bytes[start + 6]))
            guard gap + Self.word.count <= end else { continue }
            bytes.replaceSubrange(gap..<gap + Self.word.count, with: Self.word)
            planted.append(page + 1)
        }
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    /// Fills the file on a connection of its own, so that nothing of it stays in a cache.
    private func fill() throws {
        let database = try open()
        try database.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")
        try database.begin()
        for number in 1...Self.rows { try database.execute("INSERT INTO rows VALUES (\(number), zeroblob(900))") }
        try database.commit()
        _ = try database.emptyLog()
    }

    func open() throws -> Database {
        try Database.open(path: path, .write, Database.Tuning(forgets: true, shrinks: shrinks))
    }

    var isWordThere: Bool {
        get throws { try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(Self.word)) != nil }
    }
}

@Test(arguments: [false, true])
func `no page that is written has what was moved, whether or not the file has a list of its pages`(shrinks: Bool) throws
{
    let file = try CrowdedFile(shrinks: shrinks)
    // Page 822 is a leaf only where the file has no list of its pages.
    #expect(file.planted.count > 800 && file.planted.contains(822) != shrinks)
    #expect(try file.isWordThere)
    let database = try file.open()
    try database.execute("UPDATE rows SET bytes = randomblob(900)")
    #expect(try database.emptyLog())
    #expect(try file.isWordThere == false)
    #expect(try database.quickCheck() == nil)
}

private func pages(of shard: borrowing SQLiteShard) throws -> Int64 {
    try shard.rows.tables.database.integer("PRAGMA page_count")
}

@Test(arguments: [false, true])
func `a file gives space back if rows were given up when it was made`(shrinks: Bool) throws {
    var bench = try ShardBench()
    bench.settings.shrinks = shrinks
    var shard = try bench.filled(
        try (1...30).map { try ShardSample.laidOut($0, job: UInt64($0), layout: .init(repeating: 1, count: 4000)) })
    let before = try pages(of: shard)
    let now = Timestamp(milliseconds: 1_700_000_000_100)
    #expect(try shard.evict(ShardRetention(rows: 10), under: bench.epoch, at: now) == 20)
    #expect(try shrinks ? pages(of: shard) < before - 15 : pages(of: shard) == before)
    // New rows have room in the free pages.
    _ = try shard.commit(
        try (31...45).map { try ShardSample.laidOut($0, job: UInt64($0), layout: .init(repeating: 1, count: 4000)) },
        under: bench.epoch)
    #expect(try pages(of: shard) <= before)
}

@Test func `a file that was made while all was kept is written anew when a limit takes most of it`() throws {
    var bench = try ShardBench()
    bench.settings.shrinks = false
    var shard = try bench.filled(
        try (1...60).map { try ShardSample.laidOut($0, job: UInt64($0), layout: .init(repeating: 1, count: 4000)) })
    let reader = try ShardReader(Shard(3), of: bench.edition, in: bench.folder)
    let (before, origin) = (try pages(of: shard), shard.origin)
    let now = Timestamp(milliseconds: 1_700_000_000_100)
    while try shard.keep(within: ShardRetention(rows: 10), at: now) > 0 {}
    #expect(try pages(of: shard) < before / 2)
    #expect(try shard.rows.tables.database.integer("PRAGMA freelist_count") == 0)
    #expect(try shard.rows.tables.database.integer("PRAGMA auto_vacuum") == 2)
    // From then on the file gives space back by itself, and it is the file that it was.
    let stamp = try shard.commit(
        try (61...90).map { try ShardSample.laidOut($0, job: UInt64($0), layout: .init(repeating: 1, count: 4000)) },
        under: bench.epoch)
    #expect(stamp != nil && shard.origin == origin)
    let grown = try pages(of: shard)
    while try shard.keep(within: ShardRetention(rows: 10), at: now) > 0 {}
    #expect(try pages(of: shard) < grown - 20)
    #expect(try shard.storedKey(of: MessageNumber(90)) != nil && shard.storedKey(of: MessageNumber(61)) == nil)
    try shard.maintain(idle: true)
    #expect(try shard.rows.tables.database.quickCheck() == nil)
    try shard.close()
    _ = consume reader
    let again = try bench.open()
    #expect(again.origin == origin && again.news.isEmpty)
}

/// - Returns: the frames of the log afterwards.
private func commit(_ number: Int, into database: borrowing Database) throws -> Int {
    try database.begin()
    try database.execute("INSERT INTO rows VALUES (\(number))")
    try database.commit()
    return database.logFrames
}

/// A file with three connections: one that commits, one that copies the log, and one that reads.
private struct SteppedFile: ~Copyable {
    let temporary: TemporaryFolder
    let path: String
    let writer: Database
    let copier: Database
    let reader: Database
    private var rows = 0

    init() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.file("rows.db")
        let writer = try Database.open(path: path, .write)
        try writer.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY)")
        let copier = try Database.open(path: path, .write)
        let reader = try Database.open(path: path, .read)
        _ = try reader.integer("SELECT count(*) FROM rows")
        (self.temporary, self.path) = (temporary, path)
        self.writer = writer
        self.copier = copier
        self.reader = reader
    }

    /// Commits so many rows, each by itself.
    /// - Returns: the frames of the log afterwards.
    mutating func put(_ count: Int) throws -> UInt32 {
        for _ in 0..<count {
            rows += 1
            _ = try commit(rows, into: writer)
        }
        return try reader.logStanding().frames
    }

    /// The rows in the file itself, whatever the log has.
    func rowsAlone() throws -> Int64 { try Database.openAlone(path: path).integer("SELECT count(*) FROM rows") }
}

@Test func `a log is copied a few pages at a time, and is not begun anew by the commits between`() throws {
    var file = try SteppedFile()
    let frames = try file.put(500)
    var steps = try LogSteps(file.reader)
    var (copied, rounds, isMore) = (0 as UInt32, 0, true)
    while isMore {
        isMore = try steps.copySome(into: file.copier, besides: file.reader)
        let standing = try file.reader.logStanding()
        #expect(standing.copied > copied && standing.copied - copied <= LogSteps.pages)
        (copied, rounds) = (standing.copied, rounds + 1)
        // The frames that were copied are still in the log, and new ones stand behind them.
        let after = try file.put(1)
        #expect(after > standing.frames)
    }
    // One frame stays behind, and what came later, as it was not synced before.
    #expect(copied == frames || copied == frames - 1)
    #expect(rounds == (Int(copied) + Int(LogSteps.pages) - 1) / Int(LogSteps.pages))
    try file.copier.syncFile()
    let isEmptied = try file.copier.emptyLog()
    let rows = try file.rowsAlone()
    #expect(isEmptied && rows == Int64(500 + rounds))
}

@Test func `a step copies nothing that a reader still needs, and does not wait for it`() throws {
    var file = try SteppedFile()
    let needed = try file.put(200)
    let slow = try Database.open(path: file.path, .read)
    try slow.beginToRead()
    let seen = try slow.integer("SELECT count(*) FROM rows")
    _ = try file.put(200)
    var steps = try LogSteps(file.reader)
    while try steps.copySome(into: file.copier, besides: file.reader) {}
    let standing = try file.reader.logStanding()
    #expect(standing.copied == needed)
    #expect(try slow.integer("SELECT count(*) FROM rows") == seen)
    try slow.commit()
    let isEmptied = try file.copier.emptyLog()
    let rows = try file.rowsAlone()
    #expect(isEmptied && rows == 400)
}

@Test func `a log that others have emptied between two steps is left alone`() throws {
    var file = try SteppedFile()
    _ = try file.put(400)
    var steps = try LogSteps(file.reader)
    let isMore = try steps.copySome(into: file.copier, besides: file.reader)
    let isEmptied = try file.copier.emptyLog()
    _ = try file.put(400)
    let isMoreThen = try steps.copySome(into: file.copier, besides: file.reader)
    let standing = try file.reader.logStanding()
    #expect(isMore && isEmptied && !isMoreThen && standing.copied == 0)
}

@Test func `the journal's log is emptied, and its file has everything`() throws {
    var file = try SteppedFile()
    _ = try file.put(600)
    let isEmptied = try JournalLock(isTied: true).emptyLog(of: file.copier, patience: 100)
    let (rows, left) = (try file.rowsAlone(), file.copier.logSize)
    #expect(isEmptied && rows == 600 && left == 0)
}

@Test func `a copy without a sync is made anew by the next who opens, though a reader has the index`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("t.db")
    let writer = try Database.open(path: path, .write)
    let beside = try Database.open(path: path, .write)
    try writer.execute("CREATE TABLE t (x)")
    let emptied = try writer.emptyLog()
    for _ in 0..<40 {
        try writer.transaction { () throws(StorageError) in
            for _ in 0..<10 { try writer.execute("INSERT INTO t VALUES (randomblob(3000))") }
        }
    }
    let reader = try Database.open(path: path, .read)
    let seen = try (reader.integer("SELECT count(*) FROM t"), beside.integer("SELECT count(*) FROM t"))
    var steps = try LogSteps(beside)
    let isMore = try steps.copySome(into: writer, besides: beside)
    #expect(emptied && seen == (400, 400) && isMore)
    // The disk has nothing of it.
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    let size = try file.seekToEnd()
    try file.seek(toOffset: 8192)
    try file.write(contentsOf: Data(count: Int(size) - 8192))
    try file.close()
    let next = try Database.open(path: path, .write)
    try next.copyAnew()
    let isEmptied = try next.emptyLog()
    let later = try Database.open(path: path, .read)
    let isSound = try later.integer("SELECT count(*) FROM pragma_quick_check WHERE quick_check = 'ok'")
    let after = try later.integer("SELECT count(*) FROM t")
    #expect(isEmptied && isSound == 1 && after == 400)
}
