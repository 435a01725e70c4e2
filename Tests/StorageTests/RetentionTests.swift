import Foundation
import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Storage

@Test func `the oldest rows of a shard go when there are too many, and readers are told`() throws {
    let bench = try ShardBench()
    var shard = try bench.filled(
        try (1...30).map { try ShardSample.laidOut($0, job: UInt64($0), layout: .init(repeating: 1, count: 4000)) })
    var reader = try bench.read()
    let cursor = try reader.cursor()
    let now = Timestamp(milliseconds: 1_700_000_000_100)
    #expect(try shard.evict(ShardRetention(rows: 30), under: bench.epoch, at: now) == 0)
    #expect(try shard.evict(ShardRetention(rows: 28), under: bench.epoch, at: now) == 2)
    // The time of message n is n milliseconds after that of message 0.
    #expect(try shard.evict(ShardRetention(age: 95), under: bench.epoch, at: now) == 2)
    #expect(try shard.evict(ShardRetention(bytes: 1 << 20), under: bench.epoch, at: now) == 0)
    #expect(try shard.evict(ShardRetention(bytes: 90_000), under: bench.epoch, at: now, limit: 3) == 3)
    #expect(try reader.ids() == (8...30).map { "m\($0)" })
    guard case .notes(let notes, _, _) = try reader.changes(since: cursor) else { Issue.record("resync"); return }
    #expect(notes.map(\.kind) == Array(repeating: .evicted, count: 7))
    // The same batch again brings nothing back; a newer job does.
    _ = try shard.commit([try ShardSample.laidOut(1, job: 1)], under: bench.epoch)
    #expect(try reader.ids().count == 23)
    _ = try shard.commit([try ShardSample.laidOut(1, job: 99)], under: bench.epoch)
    #expect(try reader.ids().first == "m1")
    #expect(try shard.evict(ShardRetention(rows: 1), under: LeaseEpoch(0), at: now) == 0)
}

@Test func `a message from a time to come, or a damaged row, keeps no older ones from going by their age`() throws {
    let bench = try ShardBench()
    // The time of a message is its order in milliseconds after that of message 0.
    var changes = [try ShardSample.laidOut(1, job: 1, order: 1_700_000_000_000_000)]
    changes += try (2...30).map { try ShardSample.laidOut($0, job: UInt64($0)) }
    changes.append(try ShardSample.laidOut(31, job: 31, order: 200))
    changes.append(try ShardSample.laidOut(32, job: 32, order: 5))
    var shard = try bench.filled(changes)
    do {
        let other = try Database.open(path: bench.path, .write, Database.Tuning())
        try other.execute("UPDATE rows SET head = x'00' WHERE number = 2")
    }
    let age = ShardRetention(age: 90)
    let now = Timestamp(milliseconds: 1_700_000_000_100)
    var counts: [Int] = []
    for _ in 0..<9 { counts.append(try shard.evict(age, under: bench.epoch, at: now, limit: 6)) }
    // Those before message 10, and the late one behind all; each step looks at six, and then it begins again.
    #expect(counts == [4, 3, 0, 0, 0, 1, 0, 0, 0])
    let left = try shard.rows.tables.database.integer("SELECT count(*) FROM rows")
    #expect(left == 24)
    let until = Timestamp(milliseconds: 1_700_000_000_110)
    var later = 0
    for _ in 0..<9 { later += try shard.evict(age, under: bench.epoch, at: until, limit: 6) }
    #expect(later == 10)
    // By number they go in the order in which they came, whatever their times.
    let fewer = try shard.evict(ShardRetention(rows: 12), under: bench.epoch, at: until)
    // Readers have no place of the damaged row to be told of.
    let lowest = try shard.rows.tables.database.integer("SELECT min(number) FROM rows")
    #expect(fewer == 1 && lowest == 20)
}

private func post(_ name: String, in journal: inout SQLiteJournal, _ keeper: inout Bookkeeper, order: Int64?) throws {
    let event = MessageEvent(
        conversation: try ConversationID("c"), message: try MessageID(name),
        body: MessageBody(
            sender: try SenderID("ada"), time: Timestamp(milliseconds: 1),
            content: MessageEvent.plainText("content of \(name)")), order: order)
    keeper.open(room: IngestRoom(live: 1000, backfill: 100, retryAfter: 1))
    _ = try keeper.take(IngestRequest(events: [.success(event)]), from: Peer(route: [1]), in: &journal)
    try journal.commit(keeper.close())
}

private func body(of name: String, in journal: inout SQLiteJournal) throws -> MessageBody? {
    guard case .message(let card) = try journal.card(MessageKey(ConversationID("c"), MessageID(name))) else {
        return nil
    }
    return try journal.body(at: card.body!.value.at)
}

private func finish(_ job: UInt64, in journal: inout SQLiteJournal) throws {
    var record = PoolRecord()
    record.progress = [
        ShardProgress(edition: try EditionID("e1"), shard: Shard(0), through: JobNumber(job))
    ]
    try journal.commit(JournalTurn(record: record))
}

private func settled(_ journal: inout SQLiteJournal, day: Int) throws {
    while try journal.maintain(idle: true, day: day) {}
}

@Test func `rows that retention gives up are counted as unavailable, until something newer is said of them`() throws {
    let bench = try ShardBench()
    do {
        var shard = try bench.filled(try (1...30).map { try ShardSample.laidOut($0, job: UInt64($0)) })
        #expect(try shard.evict(ShardRetention(rows: 10), under: bench.epoch, at: Timestamp(milliseconds: 0)) == 20)
        #expect(try shard.unavailable() == 20)
        _ = try shard.commit([try ShardSample.laidOut(4, job: 40)], under: bench.epoch)
        #expect(try shard.unavailable() == 19)
    }
    var again = try bench.open()
    #expect(try again.unavailable() == 19)
}

@Test func `content that is kept until it is laid out goes then, and not before`() throws {
    let temporary = try TemporaryFolder()
    var journal = try SQLiteJournal(
        in: DataFolder(temporary.path),
        settings: JournalSettings(retention: .untilLaidOut, shards: 1, mergeLength: 1))
    var keeper = Bookkeeper(shards: 1)
    try finish(0, in: &journal)
    try post("done", in: &journal, &keeper, order: 1)
    try post("incomplete", in: &journal, &keeper, order: nil)
    try post("waiting", in: &journal, &keeper, order: 2)
    try settled(&journal, day: 1)
    #expect(try body(of: "done", in: &journal) != nil)
    try finish(1, in: &journal)
    try post("later", in: &journal, &keeper, order: 3)
    try settled(&journal, day: 1)
    #expect(try body(of: "done", in: &journal) == nil)
    #expect(try body(of: "incomplete", in: &journal) != nil)
    #expect(try body(of: "waiting", in: &journal) != nil)
    // Its order and status outlive its content.
    let jobs = try journal.messages(in: Shard(0), after: MessageNumber(-1), limit: 9)
    #expect(jobs.first?.work == .amend(order: 1, status: nil))
    for (name, bytes) in try Diary.files(in: temporary.path) {
        #expect(bytes.range(of: Data("content of done".utf8)) == nil, "\(name)")
    }
}

@Test func `content that is kept for days goes after them`() throws {
    let temporary = try TemporaryFolder()
    var journal = try SQLiteJournal(
        in: DataFolder(temporary.path), settings: JournalSettings(retention: .days(3), shards: 1, mergeLength: 1))
    var keeper = Bookkeeper(shards: 1)
    try post("old", in: &journal, &keeper, order: 1)
    try settled(&journal, day: 100)
    try post("new", in: &journal, &keeper, order: 2)
    try finish(2, in: &journal)
    try settled(&journal, day: 101)
    try settled(&journal, day: 103)
    #expect(try body(of: "old", in: &journal) != nil)
    try post("newest", in: &journal, &keeper, order: 3)
    try settled(&journal, day: 104)
    #expect(try body(of: "old", in: &journal) == nil)
    #expect(try body(of: "newest", in: &journal) != nil)
}

@Test func `a journal of an older format is refused, and left as it is`() throws {
    let temporary = try TemporaryFolder()
    do { _ = try SQLiteJournal(in: DataFolder(temporary.path)) }
    let path = temporary.file("journal.db")
    // The last byte of the number that SQLite calls the user version.
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[63] = 2
    try bytes.write(to: URL(filePath: path))
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    #expect(throws: StorageError.foreignFormat(path: path, found: 2, expected: 4)) {
        _ = try SQLiteJournal(in: DataFolder(temporary.path))
    }
}

@Test func `one coordinator at a time has a journal`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    do {
        let first = try SQLiteJournal(in: folder)
        #expect(throws: StorageError.inUse(path: folder.file("journal.lock"))) { _ = try SQLiteJournal(in: folder) }
        #expect(first.term == 1)
    }
    #expect(try SQLiteJournal(in: folder).term == 2)
}

@Test func `a clock that was set back makes nothing look older than it is`() throws {
    let temporary = try TemporaryFolder()
    var journal = try SQLiteJournal(
        in: DataFolder(temporary.path), settings: JournalSettings(retention: .days(3), shards: 1, mergeLength: 1))
    var keeper = Bookkeeper(shards: 1)
    try settled(&journal, day: 100)
    try post("one", in: &journal, &keeper, order: 1)
    try finish(1, in: &journal)
    try settled(&journal, day: 97)
    try settled(&journal, day: 101)
    #expect(try body(of: "one", in: &journal) != nil)
    // A clock that was years ahead is not waited for.
    try settled(&journal, day: 102)
    journal.settings.retention = .forever
    try settled(&journal, day: 9000)
    journal.settings.retention = .days(3)
    try settled(&journal, day: 102)
    try settled(&journal, day: 106)
    #expect(try body(of: "one", in: &journal) == nil)
}

@Test func `a shard is kept within its share of the limits, by whoever took it over`() throws {
    let bench = try ShardBench()
    var shard = try bench.filled(try (1...30).map { try ShardSample.laidOut($0, job: UInt64($0)) })
    var reader = try bench.read()
    let now = Timestamp(milliseconds: 1_700_000_000_100)
    #expect(try shard.keep(within: ShardRetention(), at: now) == 0)
    let share = ShardRetention(rows: 100).divided(among: 4)
    #expect(share == ShardRetention(rows: 25))
    #expect(try shard.keep(within: share, at: now) == 5)
    #expect(try reader.ids().first == "m6")
    var other = try bench.open()
    #expect(try other.keep(within: ShardRetention(rows: 1), at: now) == 0)
    _ = try other.adopt(LeaseEpoch(2))
    #expect(try shard.keep(within: ShardRetention(rows: 1), at: now) == 0)
    #expect(try other.keep(within: ShardRetention(rows: 1), at: now) == 24)
}

private func forgetful(_ path: String) throws -> SQLiteJournal {
    try SQLiteJournal(
        in: DataFolder(path), settings: JournalSettings(retention: .untilLaidOut, shards: 1, mergeLength: 1))
}

private func say(_ event: MessageEvent, in journal: inout SQLiteJournal, _ keeper: inout Bookkeeper) throws {
    keeper.open(room: IngestRoom(live: 1000, backfill: 100, retryAfter: 1))
    _ = try keeper.take(IngestRequest(events: [.success(event)]), from: Peer(route: [1]), in: &journal)
    try journal.commit(keeper.close())
}

@Test func `messages without content are counted as it goes, comes again, or is deleted`() throws {
    let temporary = try TemporaryFolder()
    let conversation = try ConversationID("c")
    var keeper = Bookkeeper(shards: 1)
    do {
        var journal = try forgetful(temporary.path)
        try finish(0, in: &journal)
        for name in ["a", "b", "c", "d"] { try post(name, in: &journal, &keeper, order: 1) }
        try post("incomplete", in: &journal, &keeper, order: nil)
        try finish(3, in: &journal)
        try settled(&journal, day: 1)
        // A journal forgets in the order of its segments, and "d" waits.
        #expect(journal.forgotten == [3])
        let moved = MessageEvent(
            conversation: conversation, message: try MessageID("a"), revision: Revision(2), order: 7)
        try say(moved, in: &journal, &keeper)
        #expect(journal.forgotten == [3])
        var edited = moved
        edited.body = MessageBody(
            sender: try SenderID("ada"), time: Timestamp(milliseconds: 1), content: MessageEvent.plainText("other"))
        edited.revision = Revision(3)
        try say(edited, in: &journal, &keeper)
        #expect(journal.forgotten == [2])
        let deleted = MessageEvent(
            conversation: conversation, message: try MessageID("b"), revision: Revision(2), isDeleted: true)
        try say(deleted, in: &journal, &keeper)
        #expect(journal.forgotten == [1])
    }
    do { #expect(try forgetful(temporary.path).forgotten == [1]) }
    // A build that does not count has had the folder.
    do {
        let database = try Database.open(path: temporary.file("journal.db"), .write, Database.Tuning())
        try database.execute("DROP TABLE forgotten")
    }
    var journal = try forgetful(temporary.path)
    #expect(journal.forgotten == [1])
    try finish(9, in: &journal)
    try settled(&journal, day: 1)
    #expect(journal.forgotten == [3])
}

@Test func `content stays while a walk through its shard has not come to its message`() throws {
    let temporary = try TemporaryFolder()
    var journal = try forgetful(temporary.path)
    var keeper = Bookkeeper(shards: 1)
    for name in ["first", "second"] { try post(name, in: &journal, &keeper, order: 1) }
    func walk(to message: Int64?) throws {
        var record = PoolRecord()
        record.progress = [
            ShardProgress(
                edition: try EditionID("e1"), shard: Shard(0), through: JobNumber(2),
                walkedTo: message.map { MessageNumber($0) })
        ]
        try journal.commit(JournalTurn(record: record))
        try settled(&journal, day: 1)
    }
    try walk(to: -1)
    #expect(journal.forgotten == [0])
    #expect(try body(of: "first", in: &journal) != nil)
    try walk(to: nil)
    #expect(journal.forgotten == [2])
    #expect(try body(of: "first", in: &journal) == nil)
}

@Test func `a journal with little in it forgets as one with much does`() throws {
    let temporary = try TemporaryFolder()
    for (retention, day) in [(JournalSettings.Retention.days(3), 9), (.untilLaidOut, 1)] {
        var journal = try SQLiteJournal(
            in: DataFolder(temporary.file("\(day)")), settings: JournalSettings(retention: retention, shards: 1))
        var keeper = Bookkeeper(shards: 1)
        try post("one", in: &journal, &keeper, order: 1)
        try finish(1, in: &journal)
        try settled(&journal, day: 1)
        try settled(&journal, day: day)
        #expect(try body(of: "one", in: &journal) == nil)
    }
}
