import Foundation
import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Storage

/// A folder with a journal and one shard of it, with all messages laid out and recorded as such.
private struct Pair {
    let bench: ShardBench
    var settings = JournalSettings(shards: 1, mergeLength: 20)

    init() throws {
        bench = try ShardBench()
        try fill()
    }

    private func fill() throws {
        var journal = try SQLiteJournal(in: bench.folder, settings: settings)
        var keeper = Bookkeeper(shards: 1)
        var shard = try open(era: journal.era)
        _ = try shard.adopt(bench.epoch)
        for turn in 0..<6 {
            let events = try (0..<10).map { place in
                MessageEvent(
                    conversation: try ConversationID("c\(place)"), message: try MessageID("m\(turn)-\(place)"),
                    body: MessageBody(
                        sender: try SenderID("ada"), time: Timestamp(milliseconds: 1),
                        content: MessageEvent.plainText("hello \(turn) \(place)")), order: Int64(turn))
            }
            keeper.open(room: IngestRoom(live: 1000, backfill: 100, retryAfter: 1))
            _ = try keeper.take(
                IngestRequest(events: events.map { .success($0) }), from: Peer(route: [1]), in: &journal)
            let entries = keeper.close().entries
            try journal.commit(JournalTurn(entries: entries))
            let changes = try entries.flatMap(\.jobs).map { job in
                ShardChange(
                    job: job.number, message: job.message, conversation: job.conversation, messageID: job.messageID,
                    row: .laidOut(
                        try ShardSample.row(order: Int64(turn), key: "k", layout: .init(repeating: 9, count: 300))))
            }
            _ = try shard.commit(changes, under: bench.epoch)
        }
        _ = try shard.sync()
        var record = PoolRecord()
        record.progress = [
            ShardProgress(
                edition: bench.edition, shard: Shard(0), through: JobNumber(60), origin: shard.origin)
        ]
        try journal.commit(JournalTurn(record: record))
    }

    func open(era: UInt64) throws -> SQLiteShard {
        try SQLiteShard(Shard(0), of: bench.edition, in: bench.folder, settings: ShardSettings(era: era))
    }

    var era: UInt64 { get throws { try FolderManifest.read(in: bench.folder)!.era } }
    var path: String { ShardPlace(Shard(0), of: bench.edition, in: bench.folder).path }

    /// Takes one more event, and records its job as done.
    func change(_ event: MessageEvent, done job: UInt64) throws {
        var journal = try SQLiteJournal(in: bench.folder, settings: settings)
        var keeper = Bookkeeper(shards: 1)
        keeper.open(room: IngestRoom(live: 1000, backfill: 100, retryAfter: 1))
        _ = try keeper.take(IngestRequest(events: [.success(event)]), from: Peer(route: [1]), in: &journal)
        var record = PoolRecord()
        record.progress = try journal.standing().progress.map {
            var progress = $0
            progress.through = JobNumber(job)
            return progress
        }
        try journal.commit(keeper.close(with: record))
    }

    func problems() throws -> [String] { try StorageCheck.files(in: bench.folder).flatMap(\.problems) }
}

@Test func `a folder that nothing happened to is sound`() throws {
    let pair = try Pair()
    #expect(try pair.problems() == [])
    #expect(try StorageCheck.files(in: pair.bench.folder).map(\.count) == [60, 60])
}

@Test func `a row that is missing, and one of no message, are found`() throws {
    let pair = try Pair()
    var shard = try pair.open(era: try pair.era)
    _ = try shard.commit(
        [
            try ShardSample.change(3, job: 100, conversation: "c3", message: "m0-3", .removed),
            try ShardSample.laidOut(777, job: 101),
        ], under: pair.bench.epoch)
    #expect(try pair.problems().sorted() == ["message 3 is laid out and has no row", "row 777 is of no message"])
}

/// The ways in which a shard may differ from its journal.
enum ShardDifference: CaseIterable {
    case missing, ofNoMessage, older, deleted, gone
}

@Test(arguments: ShardDifference.allCases)
func `of all that a check finds it leaves word, and whoever writes the shard has it laid out again`(
    difference: ShardDifference
) throws {
    let pair = try Pair()
    let era = try pair.era
    var shard = try pair.open(era: era)
    let origin = shard.origin
    let finding: String
    switch difference {
    case .missing:
        let removal = try ShardSample.change(3, job: 100, conversation: "c3", message: "m0-3", .removed)
        _ = try shard.commit([removal], under: pair.bench.epoch)
        finding = "message 3 is laid out and has no row"
    case .ofNoMessage:
        _ = try shard.commit([try ShardSample.laidOut(777, job: 101)], under: pair.bench.epoch)
        finding = "row 777 is of no message"
    case .older:
        try pair.change(
            MessageEvent(
                conversation: ConversationID("c3"), message: MessageID("m0-3"), revision: Revision(5), order: 900),
            done: 61)
        finding = "message 3 is laid out and has an older row"
    case .deleted:
        try pair.change(
            MessageEvent(
                conversation: ConversationID("c3"), message: MessageID("m0-3"), revision: Revision(5), isDeleted: true),
            done: 61)
        finding = "message 3 is deleted and has a row"
    case .gone:
        for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: pair.path + suffix) }
        finding = "it is gone"
    }
    #expect(try pair.problems() == [finding])
    #expect(try ShardPlace.suspected(of: pair.bench.edition, in: pair.bench.folder) == [Shard(0)])
    // A shard that is gone is made anew when it is opened; in the other cases the check renews the open one.
    if difference == .gone { shard = try pair.open(era: era) } else { #expect(try shard.isRenewed()) }
    #expect(shard.origin != origin)
    #expect(try shard.isRenewed() == false || difference == .gone)
    guard difference != .gone else { return }
    // All other rows stay, and nobody has to wait for them.
    var reader = try ShardReader(Shard(0), of: pair.bench.edition, in: pair.bench.folder)
    #expect(try reader.rows((0..<60).map { MessageNumber($0) }).count >= 59)
    #expect(shard.news.count == 1)
}

/// Puts other bytes into a file, somewhere behind its first page.
private func damage(_ path: String, _ random: inout SplitMix64) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    switch Int.random(in: 0..<3, using: &random) {
    case 0: bytes = bytes.prefix(.random(in: 0..<bytes.count, using: &random))
    case 1:
        for _ in 0..<40 {
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            bytes[Int.random(in: 100..<bytes.count, using: &random)] ^= bit
        }
    default:
        let start = Int.random(in: 0..<bytes.count / 2, using: &random)
        bytes.replaceSubrange(start..<min(start + 5000, bytes.count), with: Data(repeating: 0x5A, count: 5000))
    }
    try bytes.write(to: URL(filePath: path))
}

@Test func `a damaged shard is put aside or mends itself, and never answers wrong rows`() {
    forEachSeed(40) { random in
        let pair = try Pair()
        let era = try pair.era
        let origin: ShardOrigin
        do {
            var shard = try pair.open(era: era)
            origin = shard.origin
            if Bool.random(using: &random) { try shard.maintain(idle: true) }
        }
        let isLog =
            Bool.random(using: &random) && FileManager.default.contents(atPath: pair.path + "-wal")?.isEmpty == false
        try damage(isLog ? pair.path + "-wal" : pair.path, &random)
        try? FileManager.default.removeItem(atPath: pair.path + "-shm")
        // The first call that meets the damage reports it, and the next one finds a file that can be used.
        var again = try opened(pair, era)
        for job in 200...203 as ClosedRange<UInt64> {
            try tried { _ = try again.adopt(LeaseEpoch(job)) }
            try tried { _ = try again.commit([try ShardSample.laidOut(Int64(job), job: job)], under: LeaseEpoch(job)) }
        }
        guard try again.adopt(LeaseEpoch(300)) != nil,
            try again.commit([try ShardSample.laidOut(301, job: 301, layout: [5])], under: LeaseEpoch(300)) != nil
        else { return false }
        var reader = try ShardReader(Shard(0), of: pair.bench.edition, in: pair.bench.folder)
        guard try reader.rows([MessageNumber(301)]).map(\.layout) == [[5]] else { return false }
        // Every row is as it was or counted as damaged, or the coordinator is told by another origin.
        let rows = try reader.rows((0..<60).map { MessageNumber($0) })
        let isWhole = rows.allSatisfy { $0.layout == .init(repeating: 9, count: 300) }
        return isWhole && (rows.count + reader.damaged == 60 || again.origin != origin)
    }
}

private func opened(_ pair: Pair, _ era: UInt64) throws -> SQLiteShard { try pair.open(era: era) }

/// Damage may be met at any step; anything else is a failure.
private func tried(_ body: () throws -> Void) throws {
    do { try body() } catch {
        guard case StorageError.corrupt = error else { throw error }
    }
}

@Test func `a shard that is gone, or was made for another journal, is begun anew`() throws {
    let pair = try Pair()
    let era = try pair.era
    var reader = try ShardReader(Shard(0), of: pair.bench.edition, in: pair.bench.folder)
    let cursor = try reader.cursor()
    let origin = try pair.open(era: era).origin
    try FileManager.default.removeItem(atPath: pair.path)
    let second = try pair.open(era: era)
    #expect(second.origin != origin)
    guard case .resync = try reader.changes(since: cursor) else { Issue.record("no resync"); return }
    #expect(try reader.places(of: ConversationID("c1")).places.isEmpty)
    let third = try pair.open(era: era + 1)
    #expect(third.origin != second.origin)
    guard case .putAside(let path, let reason) = third.news.first else { Issue.record("not put aside"); return }
    #expect(reason == "it belongs to another journal, or to one that has lost entries since")
    #expect(FileManager.default.fileExists(atPath: path) && third.news.count == 1)
}

@Test func `a reader that meets damage leaves word, the row is to be laid out again, and all others stay`() throws {
    let bench = try ShardBench()
    var shard = try bench.filled(
        try (1...30).map { try ShardSample.laidOut($0, job: UInt64($0), layout: .init(repeating: 9, count: 3000)) })
    // Adopting moves the rows into the file, and out of the log.
    _ = try shard.adopt(LeaseEpoch(2))
    let origin = shard.origin
    #expect(try ShardPlace.suspected(of: bench.edition, in: bench.folder).isEmpty)
    #expect(try !shard.isRenewed())
    var bytes = try Data(contentsOf: URL(filePath: bench.path))
    let place = try #require(bytes.range(of: Data(repeating: 9, count: 2000))).lowerBound
    bytes[place + 1000] = 8
    let file = try #require(FileHandle(forWritingAtPath: bench.path))
    try file.write(contentsOf: bytes)
    var reader = try bench.read()
    _ = try reader.rows((1...30).map { MessageNumber($0) })
    #expect(reader.damaged == 1)
    var other = try bench.read()
    var memory = DrawingMemory()
    let drawn = try other.drawings((1...30).map { MessageNumber($0) }, for: SampleRecord.targets[0], &memory)
    #expect(drawn.count { $0 == nil } == 1 && other.damaged == 1)
    #expect(try ShardPlace.suspected(of: bench.edition, in: bench.folder) == [Shard(3)])
    #expect(try shard.isRenewed())
    #expect(shard.origin != origin && shard.news.count == 1)
    #expect(try ShardPlace.suspected(of: bench.edition, in: bench.folder).isEmpty)
    // Readers of the other rows go on where they were. The jobs come again, and only the row that is gone is written.
    #expect(try reader.ids().count == 29)
    let jobs = try (1...30).map {
        try ShardSample.laidOut($0, job: UInt64($0), layout: .init(repeating: 9, count: 3000))
    }
    #expect(try shard.adopt(LeaseEpoch(3)) != nil)
    let cursor = try reader.cursor()
    _ = try shard.commit(jobs, under: LeaseEpoch(3))
    guard case .notes(let notes, _, _) = try reader.changes(since: cursor) else { Issue.record("resync"); return }
    #expect(notes.count == 1 && reader.damaged == 1)
    #expect(try reader.rows((1...30).map { MessageNumber($0) }).count == 30 && reader.damaged == 1)
    // The new origin was noted: opening the file finds it.
    let again = try bench.open()
    #expect(again.news.isEmpty && again.origin == shard.origin)
}

/// An edit asks for the key that the row has, outside the transactions that put a damaged file aside.
@Test func `a worker that meets a damaged page as it looks a row up leaves word, and the file is begun anew`() throws {
    let bench = try ShardBench()
    let origin: ShardOrigin
    do {
        var shard = try bench.filled(
            try (1...30).map { number in
                try ShardSample.laidOut(
                    number, job: UInt64(number), layout: .init(repeating: UInt8(number), count: 3000))
            })
        // Adopting moves the rows into the file, and out of the log.
        _ = try shard.adopt(LeaseEpoch(2))
        origin = shard.origin
    }
    var bytes = try Data(contentsOf: URL(filePath: bench.path))
    let place = try #require(bytes.range(of: Data(repeating: 15, count: 2000))).lowerBound
    // The kind of the page: there is none of that number.
    bytes[place / 4096 * 4096] = 0
    let file = try #require(FileHandle(forWritingAtPath: bench.path))
    try file.write(contentsOf: bytes)
    var shard = try bench.open()
    #expect(shard.origin == origin)
    #expect(throws: StorageError.self) { _ = try shard.storedKey(of: MessageNumber(15)) }
    #expect(try ShardPlace.suspected(of: bench.edition, in: bench.folder) == [Shard(3)])
    let isRenewed = try shard.isRenewed()
    #expect(isRenewed && shard.origin != origin)
}

@Test func `a word of damage stays until the file is looked over, and one looks at a time`() throws {
    let bench = try ShardBench()
    var shard = try bench.filled([try ShardSample.laidOut(1, job: 1)])
    let place = ShardPlace(Shard(3), of: bench.edition, in: bench.folder)
    func suspected() throws -> [Shard] { try ShardPlace.suspected(of: bench.edition, in: bench.folder) }
    let other = try Database.open(path: bench.path, .write, Database.Tuning())
    try other.execute("UPDATE rows SET layout = x'00'")
    place.suspect()
    do {
        let suspicion = try place.takeSuspicion()
        let isTaken = suspicion != nil
        #expect(isTaken)
        // Damage that is found meanwhile leaves another mark, and nobody else may look at the file now.
        place.suspect()
        let isTakenTwice = try place.takeSuspicion() != nil
        #expect(!isTakenTwice)
        #expect(try !shard.isRenewed())
        #expect(try suspected() == [Shard(3), Shard(3)])
    }
    // The first check ended without a result, and both marks stay.
    #expect(try suspected() == [Shard(3), Shard(3)])
    let mended = try FileLock.open(path: place.lockPath).during { () throws(StorageError) -> Bool? in
        do throws(StorageError) { return try shard.isRenewed() } catch .blocked { return nil }
    }
    #expect(mended == nil)
    // The second check was blocked, and both marks stay.
    #expect(try suspected() == [Shard(3), Shard(3)])
    #expect(try shard.isRenewed())
    #expect(try suspected() == [Shard(3)])
    // The file is sound by now.
    #expect(try !shard.isRenewed())
    #expect(try suspected().isEmpty)
}

@Test func `a file with more wrong rows than it is worth is put aside`() throws {
    let bench = try ShardBench()
    var shard = try bench.filled(
        try (1...1100).map { try ShardSample.laidOut($0, job: UInt64($0), layout: .init(repeating: 9, count: 50)) })
    let origin = shard.origin
    let other = try Database.open(path: bench.path, .write, Database.Tuning())
    try other.execute("UPDATE rows SET layout = x'00'")
    #expect(try shard.verify() && shard.origin != origin)
    guard case .putAside = shard.news.last else { Issue.record("\(shard.news)"); return }
}

@Test func `a file that is gone is missed, though nobody writes to it`() throws {
    let bench = try ShardBench()
    var shard = try bench.filled([try ShardSample.laidOut(1, job: 1)])
    let origin = shard.origin
    #expect(try !shard.isRenewed())
    try FileManager.default.removeItem(atPath: bench.path)
    // The process that has the file open still has all of it.
    #expect(try !shard.isRenewed() && shard.origin == origin)
    var reader = try bench.read()
    #expect(try reader.ids() == ["m1"])
    for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: bench.path + suffix) }
    #expect(try bench.open().origin != origin)
    #expect(try shard.isRenewed() && shard.origin != origin)
    #expect(try !shard.isRenewed())
}

@Test func `a file that is put aside takes the place of no other, also within a second`() throws {
    let bench = try ShardBench()
    let place = ShardPlace(Shard(3), of: bench.edition, in: bench.folder)
    var asides: Set<String> = []
    for number in 1...3 as ClosedRange<Int64> {
        do { _ = try bench.filled([try ShardSample.laidOut(number, job: UInt64(number))]) }
        asides.insert(try place.putAside())
    }
    let found = Set(try place.putAsides().map(\.path))
    #expect(asides.count == 3 && asides == found)
}

@Test func `what was put aside goes after a day`() throws {
    let bench = try ShardBench()
    _ = try bench.open()
    let (old, fresh) = (bench.path + ".lost-1700000000", bench.path + ".lost-\(WallClock.seconds)")
    for path in [old, old + "-wal", fresh] { try Data([1]).write(to: URL(filePath: path)) }
    try ShardPlace.removePutAside(in: bench.folder, before: WallClock.seconds - ShardPlace.timeAside)
    #expect(FileManager.default.fileExists(atPath: bench.path))
    let left = [old, old + "-wal", fresh].map { FileManager.default.fileExists(atPath: $0) }
    #expect(left == [false, false, true])
}

@Test func `damage of which no word can be left in the folder is there to be passed on, each shard once`() throws {
    let bench = try ShardBench()
    do { _ = try bench.filled([try ShardSample.laidOut(1, job: 1)]) }
    let suspicions = Suspicions()
    let folder = DataFolder(bench.folder.path, suspicions: suspicions)
    // A folder has the name of the mark, so no mark can be left, as in a folder that is read-only.
    let word = String(bench.path.dropLast(3)) + ".suspect"
    try FileManager.default.createDirectory(atPath: word, withIntermediateDirectories: false)
    for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: bench.path + suffix) }
    for _ in 0..<2 {
        #expect(throws: StorageError.self) { _ = try ShardReader(Shard(3), of: bench.edition, in: folder) }
    }
    #expect(suspicions.take(atMost: 9) == [ShardOfEdition(edition: bench.edition, shard: Shard(3))])
    #expect(suspicions.take(atMost: 9).isEmpty)
}

@Test func `a file aside that cannot be removed keeps no other from going`() throws {
    let temporary = try TemporaryFolder()
    let directory = temporary.file("shards/e1")
    // A folder cannot be removed as a file is.
    try FileManager.default.createDirectory(atPath: directory + "/00.db.lost-1", withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: directory + "/01.db.lost-1"))
    #expect(throws: StorageError.self) {
        try ShardPlace.removePutAside(in: DataFolder(temporary.path), before: 2)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["00.db.lost-1"])
}
