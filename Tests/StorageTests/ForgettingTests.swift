import Foundation
import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Storage

/// A word that is in no other message, long enough to be no accident.
private func marker(_ number: Int) -> String { "<marker-\(1_000_000 + number)-of-a-secret>" }

/// All markers that stand anywhere below the folder.
private func markers(in folder: String) throws -> Set<Int> {
    var found: Set<Int> = []
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
        guard let file = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
        let prefix = Data("<marker-".utf8)
        var rest = file[...]
        while let range = rest.range(of: prefix) {
            let digits = file[range.upperBound..<min(range.upperBound + 7, file.endIndex)]
            if let number = Int(String(decoding: digits, as: UTF8.self)) { found.insert(number - 1_000_000) }
            rest = file[range.upperBound...]
        }
    }
    return found
}

@Test func `of a message that is deleted no byte is left in the journal, and of all others every one`() {
    forEachSeed(6) { random in
        let temporary = try TemporaryFolder()
        var settings = JournalSettings(shards: 2, mergeLength: 30)
        settings.segment = 16_000
        var journal = try SQLiteJournal(in: DataFolder(temporary.path), settings: settings)
        var keeper = Bookkeeper(shards: 2)
        var living: [Int: Int] = [:]
        var history: [Int: Set<Int>] = [:]
        var next = 0
        for turn in 0..<25 {
            var events: [MessageEvent] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let message = Int.random(in: 0..<60, using: &random)
                next += 1
                var event = MessageEvent(
                    conversation: try ConversationID("c\(message % 7)"), message: try MessageID("m\(message)"),
                    revision: Revision(UInt64(next)))
                if Int.random(in: 0..<4, using: &random) == 0 {
                    event.isDeleted = true
                    living[message] = -1
                } else {
                    if living[message] != -1 { living[message] = next }
                    history[message, default: []].insert(next)
                    event.body = MessageBody(
                        sender: try SenderID("ada"), time: Timestamp(milliseconds: 1),
                        content: MessageEvent.plainText(
                            marker(next) + String(repeating: "x", count: .random(in: 0...600, using: &random))))
                    event.order = 1
                }
                events.append(event)
            }
            keeper.open(room: IngestRoom(live: 100, backfill: 100, retryAfter: 1))
            _ = try keeper.take(
                IngestRequest(events: events.map { .success($0) }), from: Peer(route: [1]), in: &journal)
            try journal.commit(keeper.close())
            if turn % 3 == 0 { _ = try journal.maintain(steps: 20) }
        }
        while try journal.maintain(idle: true) {}
        let found = try markers(in: temporary.path)
        return Set(living.values.filter { $0 > 0 }).isSubset(of: found)
            && living.filter { $0.value == -1 }.allSatisfy { gone in
                // None of its revisions is there.
                found.isDisjoint(with: history[gone.key, default: []])
            }
    }
}

@Test func `of a row that is removed or replaced no byte is left in its shard, and of all others every one`() {
    forEachSeed(6) { random in
        let bench = try ShardBench()
        var shard = try bench.filled([])
        var (living, number, job): ([Int64: Int], Int64, UInt64) = ([:], 0, 0)
        for _ in 0..<40 {
            var changes: [ShardChange] = []
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                job += 1
                let padding = String(repeating: "y", count: .random(in: 0...1200, using: &random))
                let layout = Array((marker(Int(job)) + padding).utf8)
                if Int.random(in: 0..<10, using: &random) < 6 || living.isEmpty {
                    number += 1
                    living[number] = Int(job)
                    changes.append(try ShardSample.laidOut(number, job: job, layout: layout))
                } else if let old = living.keys.randomElement(using: &random) {
                    if Bool.random(using: &random) {
                        living[old] = Int(job)
                        changes.append(try ShardSample.laidOut(old, job: job, layout: layout))
                    } else {
                        living[old] = nil
                        changes.append(try ShardSample.change(old, job: job, .removed))
                    }
                }
            }
            _ = try shard.commit(changes, under: bench.epoch)
        }
        try shard.maintain(idle: true)
        return try markers(in: bench.temporary.path) == Set(living.values)
    }
}

/// A journal of one shard with short segments, to which messages are said one by one.
private struct Talk: ~Copyable {
    let temporary: TemporaryFolder
    var journal: SQLiteJournal
    private var keeper: Bookkeeper
    private var others = 0

    init() throws {
        let temporary = try TemporaryFolder()
        var settings = JournalSettings(shards: 1, mergeLength: 10)
        settings.segment = 8192
        let journal = try SQLiteJournal(in: DataFolder(temporary.path), settings: settings)
        self.temporary = temporary
        self.journal = journal
        keeper = Bookkeeper(shards: 1)
    }

    /// Says something of a message, in a turn of its own.
    mutating func say(
        _ message: String, _ revision: UInt64, clientID: String? = nil, _ change: (inout MessageEvent) throws -> Void
    ) throws {
        var event = MessageEvent(
            conversation: try ConversationID("c"), message: try MessageID(message),
            clientID: try clientID.map { try MessageID($0) }, revision: Revision(revision))
        try change(&event)
        keeper.open(room: IngestRoom(live: 100, backfill: 100, retryAfter: 1))
        _ = try keeper.take(IngestRequest(events: [.success(event)]), from: Peer(route: [1]), in: &journal)
        try journal.commit(keeper.close())
    }

    mutating func post(
        _ message: String, _ text: String, _ revision: UInt64 = 1, clientID: String? = nil
    ) throws {
        try say(message, revision, clientID: clientID) { event in
            event.body = MessageBody(
                sender: try SenderID("ada"), time: Timestamp(milliseconds: 1),
                content: MessageEvent.plainText(text + String(repeating: "x", count: 400)))
            event.order = 1
        }
    }

    /// Posts other messages.
    mutating func postOthers(_ count: Int) throws {
        for _ in 0..<count {
            others += 1
            try post("other\(others)", "no secret ")
        }
    }

    mutating func maintain() throws { for _ in 0..<60 { _ = try journal.maintain(idle: true) } }

    var log: String { temporary.file("log") }
    /// The segments of its log, in their order.
    var segments: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: log).filter { $0 != "spare" }.sorted() }
    }
    func size(of segment: String) -> Int { FileManager.default.contents(atPath: log + "/" + segment)?.count ?? 0 }
}

@Test
func
    `of a message that is deleted no status, reaction or voice is left in the log, though segments between were packed`()
    throws
{
    var talk = try Talk()
    try talk.post("m", marker(1))
    try talk.say("m", 2) { $0.status = Array("\"\(marker(2))\"".utf8) }
    try talk.say("m", 3) { $0.reactions = Array("[{\"emoji\":\"\(marker(3))\",\"count\":1}]".utf8) }
    try talk.say("m", 4) {
        $0.react = ReaderChoices(reader: try SenderID(marker(4)), emoji: [try ChoiceID("+")])
    }
    // The first segment is mostly bodies, and the second mostly statuses: it is packed.
    while try talk.segments.count < 2 { try talk.postOthers(1) }
    try talk.say("m", 5) { $0.status = Array("\"\(marker(5))\"".utf8) }
    var revision: UInt64 = 5
    while try talk.segments.count < 3 {
        revision += 1
        try talk.say("other1", revision) { $0.status = Array("\"read\"".utf8) }
    }
    try talk.postOthers(20)
    let segments = try talk.segments
    try talk.maintain()
    let sizes = segments.prefix(2).map { talk.size(of: $0) }
    #expect(sizes[0] == 8192 && sizes[1] < 8192)
    // The tables have what entries without a body said.
    #expect(try markers(in: talk.log) == [1])
    try talk.say("m", 1000) { $0.isDeleted = true }
    try talk.postOthers(20)
    try talk.maintain()
    #expect(try markers(in: talk.log) == [])
}

@Test func `the text of a message that another one absorbs goes where it is not shown any more, and only there`()
    throws
{
    var talk = try Talk()
    try talk.post("local1", marker(1))
    try talk.post("local2", marker(2))
    try talk.postOthers(20)
    try talk.maintain()
    #expect(try markers(in: talk.log) == [1, 2])
    // One comes with a text of its own, and the other one is shown with the text of the client.
    try talk.post("m1", marker(3), 2, clientID: "local1")
    try talk.say("m2", 2, clientID: "local2") { $0.order = 7 }
    try talk.postOthers(20)
    try talk.maintain()
    #expect(try markers(in: talk.log) == [2, 3])
    try talk.say("m2", 3) { $0.isDeleted = true }
    #expect(try markers(in: talk.log) == [3])
}

/// Puts a file with three rows aside, so that a new one is begun that has none of them yet.
/// - Returns: the name under which it was put aside.
private func putAside(_ bench: ShardBench) throws -> String {
    do {
        _ = try bench.filled(
            try (1...3).map { try ShardSample.laidOut($0, job: UInt64($0), layout: Array(marker(Int($0)).utf8)) })
    }
    return try ShardPlace(Shard(3), of: bench.edition, in: bench.folder).putAside()
}

@Test func `a message that is deleted before its row is there again goes out of the file that was put aside`() throws {
    let bench = try ShardBench()
    let aside = try putAside(bench)
    var shard = try bench.filled([])
    #expect(try markers(in: bench.temporary.path) == [1, 2, 3])
    _ = try shard.commit([try ShardSample.change(2, job: 9, .removed)], under: bench.epoch)
    // A worker may be killed now, as it may report the batch.
    #expect(try markers(in: bench.temporary.path) == [1, 3])
    let others = try ShardPlace(Shard(3), of: bench.edition, in: bench.folder).putAsides()
    #expect(others.map(\.path) == [aside])
    let job = LayoutJob(
        number: JobNumber(3), message: MessageNumber(3), conversation: try ConversationID("c"),
        messageID: try MessageID("m3"), work: .amend(order: 3, status: nil))
    let carried = try CarriedRows(of: bench.edition, in: bench.folder).row(
        of: job, for: Shard(3), shard: Shard(3), shown: [])
    #expect(carried?.layout == Array(marker(3).utf8))
}

@Test func `a deletion that comes again, as its worker was killed before it was through, has all done again`() throws {
    let bench = try ShardBench()
    let removal = try ShardSample.change(2, job: 9, .removed)
    let path: String
    do {
        path = try putAside(bench)
        var shard = try bench.filled([try ShardSample.laidOut(2, job: 2, layout: Array(marker(2).utf8))])
        let files = ["", "-wal"].map { URL(filePath: path + $0) }
        let kept = try files.map { try Data(contentsOf: $0) }
        _ = try shard.commit([removal], under: bench.epoch)
        // As if the worker had been killed between the commit and this.
        try? FileManager.default.removeItem(atPath: path + "-shm")
        for (file, bytes) in zip(files, kept) { try bytes.write(to: file) }
    }
    let reader = try Database.open(path: bench.path, .read)
    try reader.execute("BEGIN; SELECT count(*) FROM rows")
    var next = try bench.open()
    _ = try next.adopt(LeaseEpoch(2))
    // The reader keeps the row in the log.
    let isOwed = next.rows.care.deletedAt != nil
    #expect(isOwed)
    _ = try next.commit([removal], under: LeaseEpoch(2))
    try reader.execute("COMMIT")
    try next.maintain(idle: true)
    let left = try markers(in: bench.temporary.path)
    #expect(!left.contains(2) && FileManager.default.fileExists(atPath: path))
}

@Test func `a damaged file that was put aside goes as a whole when something is deleted`() throws {
    let bench = try ShardBench()
    let aside = try putAside(bench)
    var shard = try bench.filled([])
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: aside + suffix) }
    try Data(repeating: 7, count: 9000).write(to: URL(filePath: aside))
    _ = try shard.commit([try ShardSample.change(2, job: 9, .removed)], under: bench.epoch)
    #expect(!FileManager.default.fileExists(atPath: aside))
}

@Test func `deleted words leave a log that another thread empties, and it is asked for no more than that`() throws {
    let bench = try ShardBench()
    var shard = try bench.filled(
        try (1...3).map { try ShardSample.laidOut($0, job: UInt64($0), layout: Array(marker(Int($0)).utf8)) })
    var disk = try ShardSync(Shard(3), of: bench.edition, in: bench.folder)
    let isAsked = Flag()
    shard.purges = { isAsked.value = true }
    _ = try shard.commit([try ShardSample.change(2, job: 9, .removed)], under: bench.epoch)
    // Nobody has time, and the minute is not over.
    try shard.maintain()
    #expect(!isAsked.value)
    try shard.maintain(idle: true)
    #expect(isAsked.value)
    #expect(try markers(in: bench.temporary.path) == [1, 2, 3])
    // Another message goes before the thread comes to it.
    _ = try shard.commit([try ShardSample.change(3, job: 10, .removed)], under: bench.epoch)
    try disk.purge()
    #expect(try markers(in: bench.temporary.path) == [1])
    isAsked.value = false
    try shard.maintain(idle: true)
    let isOwed = shard.rows.care.deletedAt != nil
    #expect(!isOwed && !isAsked.value)
}

@Test func `what is deleted after another thread has emptied the log is owed from then on`() throws {
    let bench = try ShardBench()
    var shard = try bench.filled(
        try (1...3).map { try ShardSample.laidOut($0, job: UInt64($0), layout: Array(marker(Int($0)).utf8)) })
    var disk = try ShardSync(Shard(3), of: bench.edition, in: bench.folder)
    shard.purges = {}
    _ = try shard.commit([try ShardSample.change(2, job: 9, .removed)], under: bench.epoch)
    let first = shard.rows.care.deletedAt
    try disk.purge()
    _ = try shard.commit([try ShardSample.change(3, job: 10, .removed)], under: bench.epoch)
    let (second, gone) = (shard.rows.care.deletedAt, shard.rows.care.gone)
    let (earlier, later) = (try #require(first), try #require(second))
    #expect(earlier < later)
    #expect(gone == [MessageNumber(3)])
    #expect(try markers(in: bench.temporary.path) == [1, 3])
}

@Test func `a worker that takes a file over with a log has it emptied at once, by another thread`() throws {
    let bench = try ShardBench()
    do {
        var left = try bench.filled([try ShardSample.laidOut(1, job: 1, layout: Array(marker(1).utf8))])
        _ = try left.commit([try ShardSample.change(1, job: 2, .removed)], under: bench.epoch)
    }
    let isAsked = Flag()
    var shard = try bench.open()
    shard.purges = { isAsked.value = true }
    _ = try shard.adopt(LeaseEpoch(2))
    #expect(isAsked.value)
    #expect(try markers(in: bench.temporary.path) == [1])
    var disk = try ShardSync(Shard(3), of: bench.edition, in: bench.folder)
    try disk.purge()
    #expect(try markers(in: bench.temporary.path) == [])
    try shard.maintain()
    let isOwed = shard.rows.care.deletedAt != nil
    #expect(!isOwed)
}
