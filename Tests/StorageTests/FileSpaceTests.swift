import Foundation
import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Storage

/// A table of rows that fill many pages, each of which was split when as many came between them, and lost these then.
private struct CrowdedFile: ~Copyable {
    let temporary: TemporaryFolder
    let database: Database

    static let word = Array("a word that was deleted".utf8)
    /// Pages 2 and 822 of a file with a list of its pages are parts of that list.
    private static let rows = 2 * 3300

    init(shrinks: Bool) throws {
        let temporary = try TemporaryFolder()
        let database = try Database.open(
            path: temporary.file("rows.db"), .write, Database.Tuning(forgets: true, shrinks: shrinks))
        try database.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")
        try Self.put([UInt8](repeating: 0x2E, count: 1000), from: 0, into: database)
        try Self.put(Array(repeating: Self.word, count: 20).flatMap(\.self), from: 1, into: database)
        _ = try database.emptyLog()
        try database.execute("DELETE FROM rows WHERE number % 2 = 1")
        _ = try database.emptyLog()
        self.temporary = temporary
        self.database = database
    }

    /// Every second row.
    private static func put(_ bytes: [UInt8], from first: Int, into database: borrowing Database) throws {
        let put = try database.prepare("INSERT INTO rows VALUES (?, ?)")
        try database.begin()
        for number in stride(from: first, to: rows, by: 2) {
            put.bind(Int64(number), at: 1)
            put.bind(bytes, at: 2)
            try put.run()
        }
        try database.commit()
    }

    var isWordThere: Bool {
        get throws {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: database.path))
            return bytes.range(of: Data(Self.word)) != nil
        }
    }
}

@Test(arguments: [false, true])
func `no page of a file has what was deleted, whether or not the file has a list of its pages`(shrinks: Bool) throws {
    let file = try CrowdedFile(shrinks: shrinks)
    #expect(try file.database.integer("PRAGMA page_count") > 822)
    #expect(try file.isWordThere == false)
    #expect(try file.database.quickCheck() == nil)
}

private func pages(of shard: borrowing SQLiteShard) throws -> Int64 {
    try shard.tables.database.integer("PRAGMA page_count")
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
    // What is free has room for what comes.
    _ = try shard.commit(
        try (31...45).map { try ShardSample.laidOut($0, job: UInt64($0), layout: .init(repeating: 1, count: 4000)) },
        under: bench.epoch)
    #expect(try pages(of: shard) <= before)
}

/// - Returns: frames of the log then.
private func put(_ number: Int, into database: borrowing Database) throws -> Int {
    try database.begin()
    try database.execute("INSERT INTO rows VALUES (\(number))")
    try database.commit()
    return database.logFrames
}

@Test func `a log that is copied while somebody reads is not begun anew before it is emptied`() throws {
    let temporary = try TemporaryFolder()
    let path = temporary.file("rows.db")
    let writer = try Database.open(path: path, .write)
    try writer.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY)")
    let reader = try Database.open(path: path, .read)
    let copier = try Database.open(path: path, .write)
    let first = try put(1, into: writer)
    try reader.beginToRead()
    #expect(try reader.integer("SELECT count(*) FROM rows") == 1)
    let second = try put(2, into: writer)
    try copier.copySome()
    try reader.syncFile()
    try reader.commit()
    // All that was copied is in the log yet, and what comes stands behind it.
    #expect(first < second)
    #expect(try put(3, into: writer) > second)
    #expect(try copier.emptyLog())
    #expect(try Database.openAlone(path: path).integer("SELECT count(*) FROM rows") == 3)
}
