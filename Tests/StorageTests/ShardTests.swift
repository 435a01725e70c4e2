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

/// A shard in a folder of its own.
struct ShardBench {
    let temporary: TemporaryFolder
    let edition: EditionID
    let folder: DataFolder
    var settings = ShardSettings()

    init() throws {
        temporary = try TemporaryFolder()
        edition = try EditionID("e1")
        folder = DataFolder(temporary.path)
    }

    var path: String { ShardPlace(Shard(3), of: edition, in: folder).path }

    func open() throws -> SQLiteShard { try SQLiteShard(Shard(3), of: edition, in: folder, settings: settings) }
    func read() throws -> ShardReader { try ShardReader(Shard(3), of: edition, in: folder) }

    /// Opens the shard, takes it over, and commits the changes.
    func filled(_ changes: [ShardChange]) throws -> SQLiteShard {
        var shard = try open()
        _ = try shard.adopt(epoch)
        _ = try shard.commit(changes, under: epoch)
        return shard
    }

    let epoch = LeaseEpoch(1)
}

private func conversation(_ name: String = "c") throws -> ConversationID { try ConversationID(name) }

extension ShardReader {
    mutating func ids(_ name: String = "c") throws -> [String] {
        try places(of: ConversationID(name)).places.map(\.position.message.text)
    }
}

@Test func `a shard keeps the newest of each row, whatever comes twice or late`() {
    forEachSeed(20) { random in
        let bench = try ShardBench()
        try ShardStoreSuite { try bench.open() }.keepsTheNewest(using: &random)
        return true
    }
}

@Test func `who has an older lease writes nothing, and a sync is for everybody`() throws {
    let first = try ShardBench()
    try ShardStoreSuite { try first.open() }.fencesOlderLeases()
    let second = try ShardBench()
    try ShardStoreSuite { try second.open() }.syncsForEverybody()
}

@Test func `messages that have neither content nor a row are counted, each once`() throws {
    let bench = try ShardBench()
    try ShardStoreSuite { try bench.open() }.countsTheUnavailable()
}

@Test func `a row that may be wrong is made again under the job that made it`() throws {
    let bench = try ShardBench()
    try ShardStoreSuite { try bench.open() }.makesAgain()
}

@Test func `a file whose first commit is not made has nothing to sync`() throws {
    let bench = try ShardBench()
    let place = ShardPlace(Shard(3), of: bench.edition, in: bench.folder)
    try place.create(in: bench.folder)
    _ = try ShardOpening.database(at: place, bench.settings)
    #expect(throws: StorageError.absent(path: place.path)) {
        _ = try ShardSync(Shard(3), of: bench.edition, in: bench.folder, settings: bench.settings)
    }
}

@Test func `a log that grew long is emptied beside the one who writes, and by nobody else before`() throws {
    var bench = try ShardBench()
    bench.settings.checkpoint = 200_000
    var disk: ShardSync?
    var shard = try bench.filled([try ShardSample.laidOut(1, job: 1)])
    disk = try ShardSync(Shard(3), of: bench.edition, in: bench.folder, settings: bench.settings)
    bench.settings.checkpoint = 50_000_000
    shard = try bench.open()
    _ = try shard.adopt(LeaseEpoch(2))
    for number in 2...60 as ClosedRange<Int64> {
        _ = try shard.commit([try ShardSample.laidOut(number, job: UInt64(number))], under: LeaseEpoch(2))
        let before = shard.logBytes
        try disk?.tidy()
        #expect(before < 200_000 ? shard.logBytes == before : shard.logBytes == 0)
    }
    #expect(try disk?.sync().stamp == Stamp(60))
    var reader = try bench.read()
    #expect(try reader.ids().count == 60)
}

@Test func `no commit is lost while another thread copies the log in steps and empties it`() throws {
    var bench = try ShardBench()
    (bench.settings.checkpoint, bench.settings.lockWait) = (600_000, .seconds(10))
    let (folder, edition, often) = (bench.folder, bench.edition, bench.settings)
    bench.settings.checkpoint = 50_000_000
    var shard = try bench.filled([])
    let log = shard.rows.tables.database.path + "-wal"
    let (isOver, hasEmptied, hasEnded) = (Flag(), Flag(), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
        do {
            var disk = try ShardSync(Shard(3), of: edition, in: folder, settings: often)
            while !isOver.value {
                let before = FileFacts(log)?.size ?? 0
                try disk.tidy()
                if FileFacts(log)?.size ?? 0 < before { hasEmptied.value = true }
            }
        } catch {
            Issue.record("\(error)")
        }
        hasEnded.signal()
    }
    let rows = 50
    var rounds = 0
    // Until the other thread has had a processor, and emptied the log at least once.
    while rounds < 40 || !hasEmptied.value && rounds < 250 {
        let numbers = (Int64(rounds * rows) + 1)...Int64((rounds + 1) * rows)
        rounds += 1
        let changes = try numbers.map {
            try ShardSample.laidOut($0, job: UInt64($0), layout: .init(repeating: 7, count: 3000))
        }
        _ = try shard.commit(changes, under: bench.epoch)
    }
    isOver.value = true
    hasEnded.wait()
    #expect(hasEmptied.value)
    var reader = try bench.read()
    #expect(try reader.ids().count == rounds * rows)
    // Whatever is left of the log is short, and nobody else has emptied it.
    var disk = try ShardSync(Shard(3), of: edition, in: folder, settings: often)
    try disk.tidy()
    let left = shard.logBytes
    #expect(left < 600_000)
    #expect(try shard.rows.tables.database.quickCheck() == nil)
}

@Test func `a log that a reader keeps from being emptied is told once, and again when it was short meanwhile`() throws {
    var bench = try ShardBench()
    (bench.settings.checkpoint, bench.settings.logAlarm) = (50_000, 200_000)
    var shard = try bench.filled([try ShardSample.laidOut(1, job: 1)])
    var next: Int64 = 2
    func tellings(_ shard: inout SQLiteShard) throws -> Int {
        for _ in 0..<40 {
            _ = try shard.commit([try ShardSample.laidOut(next, job: UInt64(next))], under: bench.epoch)
            next += 1
        }
        defer { shard.news = [] }
        return shard.news.count { if case .longLog(let bytes) = $0 { bytes >= 200_000 } else { false } }
    }
    for _ in 0..<2 {
        let before = try tellings(&shard)
        #expect(before == 0)
        let reader = try Database.open(path: bench.path, .read)
        try reader.execute("BEGIN; SELECT count(*) FROM rows")
        let during = try tellings(&shard)
        let again = try tellings(&shard)
        #expect(during == 1 && again == 0)
        try reader.execute("COMMIT")
    }
}

@Test func `measured texts are read of any rows in any order`() throws {
    let bench = try ShardBench()
    let numbers = (1...90 as ClosedRange<Int64>).filter { $0 < 20 || $0 % 3 == 0 || $0 > 70 }
    _ = try bench.filled(
        numbers.map { number in
            let row = try ShardSample.row(order: number, key: "k", measured: [UInt8(number)])
            return try ShardSample.change(number, job: UInt64(number), .laidOut(row))
        })
    var reader = try bench.read()
    var random = SplitMix64(seed: 2)
    let all = Array(1...95 as ClosedRange<Int64>)
    let lists: [[Int64]] = [
        all, all.reversed(), numbers, all.filter { $0 % 9 == 0 }, all.shuffled(using: &random), [5, 5, 6],
    ]
    for wanted in lists {
        var found: [Int: [UInt8]] = [:]
        try reader.measured(wanted.map(MessageNumber.init)) { i, bytes in
            found[i] = bytes.indices.map { bytes[$0] }
        }
        let there = wanted.enumerated().filter { numbers.contains($0.element) }
        #expect(found == Dictionary(uniqueKeysWithValues: there.map { ($0.offset, [UInt8($0.element)]) }))
    }
}

@Test func `a reader finds rows in order, by number and by id, and follows what becomes of them`() throws {
    let bench = try ShardBench()
    var shard = try bench.filled([
        try ShardSample.laidOut(1, job: 1, order: 30), try ShardSample.laidOut(2, job: 2, order: 10),
        try ShardSample.laidOut(3, job: 3, conversation: "d", order: 20),
        try ShardSample.laidOut(4, job: 4, order: 20, layout: [9]),
    ])
    var reader = try bench.read()
    #expect(try reader.ids() == ["m2", "m4", "m1"])
    #expect(try reader.ids("d") == ["m3"])
    #expect(try reader.ids("e") == [])
    #expect(try reader.rows([MessageNumber(4), MessageNumber(99)]).map(\.layout) == [[9]])
    #expect(try reader.rows([MessageID("m1"), MessageID("m4")], of: conversation()).map(\.number.number) == [1, 4])
    var measured: [Int: [UInt8]] = [:]
    try reader.measured([MessageNumber(99), MessageNumber(2)]) { i, bytes in
        measured[i] = bytes.indices.map { bytes[$0] }
    }
    #expect(measured == [1: [4, 5]])
    #expect(try reader.rows([MessageNumber(2)], for: [SampleRecord.targets[0]]).map(\.measured) == [[4, 5]])

    let cursor = try reader.cursor()
    _ = try shard.commit(
        [
            try ShardSample.change(1, job: 5, .touched(ShardSample.facts(order: 5, revision: 2, status: "read"))),
            try ShardSample.change(4, job: 6, message: "server", .amended(order: 40, status: Array("sent".utf8))),
            try ShardSample.change(2, job: 7, .removed),
        ], under: bench.epoch)
    #expect(try reader.ids() == ["m1", "server"])
    let row = try #require(try reader.rows([MessageNumber(4)]).first)
    #expect(row.facts.order == 40 && row.facts.status == Array("sent".utf8) && row.layout == [9])
    guard case .notes(let notes, let reached, more: false) = try reader.changes(since: cursor) else {
        Issue.record("no notes")
        return
    }
    #expect(notes.map(\.kind) == [.touched, .touched, .removed])
    #expect(notes.map(\.message.text) == ["m1", "server", "m2"])
    #expect(notes.map(\.order) == [5, 40, 10])
    #expect(try reader.changes(since: reached) == .notes([], cursor: reached, more: false))
}

@Test func `what is drawn in rows comes as it is asked for, with texts where it is not laid out for the screen`() throws
{
    let bench = try ShardBench()
    let ours = try SampleRecord.bytes(height: 40)
    let others = try SampleRecord.bytes(
        height: 40, targets: [Target(width: .points(500), scale: Scale(thousandths: 3000))])
    _ = try bench.filled([
        try ShardSample.laidOut(1, job: 1, layout: ours), try ShardSample.laidOut(2, job: 2, layout: others),
        try ShardSample.laidOut(4, job: 3, layout: [9]), try ShardSample.laidOut(9, job: 4, layout: ours),
    ])
    var reader = try bench.read()
    var memory = DrawingMemory()
    for numbers in [[9, 3, 1, 2, 4], [1, 2, 3, 4, 9]] as [[Int64]] {
        let found = try reader.drawings(numbers.map { MessageNumber($0) }, for: SampleRecord.targets[1], &memory)
        let jobs: [Int64: UInt64] = [1: 1, 2: 2, 4: 3, 9: 4]
        let records: [Int64: [UInt8]] = [1: ours, 2: others, 9: ours]
        for (number, drawing) in zip(numbers, found) {
            #expect(drawing?.job.number == jobs[number] && drawing?.record?.bytes == records[number])
            #expect(drawing?.target == (records[number] == ours ? 1 : nil))
            #expect(drawing.map(\.measured) == jobs[number].map { _ in number == 2 ? [4, 5] : [] })
        }
    }
}

@Test func `a message that moves leaves no second row`() throws {
    let bench = try ShardBench()
    var shard = try bench.filled([try ShardSample.laidOut(1, job: 1, order: 1), try ShardSample.laidOut(2, job: 2)])
    _ = try shard.commit([try ShardSample.laidOut(1, job: 3, order: 9)], under: bench.epoch)
    var reader = try bench.read()
    #expect(try reader.ids() == ["m2", "m1"])
    _ = try shard.commit([try ShardSample.laidOut(1, job: 4, message: "renamed", order: 9)], under: bench.epoch)
    #expect(try reader.ids() == ["m2", "renamed"])
}

@Test func `a reader misses no change, or is told to read anew`() {
    forEachSeed(30) { random in
        var bench = try ShardBench()
        bench.settings.changesKept = 12
        var shard = try bench.filled([])
        var reader = try bench.read()
        var (cursor, known): (Cursor, [Int64: Int64]) = (try reader.cursor(), [:])
        var job: UInt64 = 0
        for _ in 0..<30 {
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                var changes: [ShardChange] = []
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    job += 1
                    let number = Int64.random(in: 1...9, using: &random)
                    let isRemoval = Int.random(in: 0..<3, using: &random) == 0
                    changes.append(
                        isRemoval
                            ? try ShardSample.change(number, job: job, .removed)
                            : try ShardSample.laidOut(number, job: job, order: Int64(job)))
                }
                _ = try shard.commit(changes, under: bench.epoch)
            }
            switch try reader.changes(since: cursor, limit: .random(in: 1...9, using: &random)) {
            case .resync(let now):
                known = Dictionary(
                    uniqueKeysWithValues: try reader.places(of: conversation()).places
                        .map { ($0.number.number, $0.position.order) })
                cursor = now
            case .notes(let notes, let reached, let more):
                for note in notes {
                    switch note.kind {
                    case .laidOut, .touched: known[note.number.number] = note.order
                    case .removed, .evicted: known[note.number.number] = nil
                    }
                }
                cursor = reached
                if more { continue }
            }
            let places = try reader.places(of: conversation()).places
            let stored = Dictionary(uniqueKeysWithValues: places.map { ($0.number.number, $0.position.order) })
            guard stored == known else { return false }
        }
        return true
    }
}

@Test func `tombstones go with the changes that tell of them`() throws {
    var bench = try ShardBench()
    bench.settings.changesKept = 3
    var shard = try bench.filled([try ShardSample.laidOut(1, job: 1)])
    _ = try shard.commit([try ShardSample.change(1, job: 2, .removed)], under: bench.epoch)
    _ = try shard.commit([try ShardSample.laidOut(1, job: 2)], under: bench.epoch)
    #expect(try shard.storedKey(of: MessageNumber(1)) == nil)
    for job in 3...9 as ClosedRange<UInt64> {
        _ = try shard.commit([try ShardSample.laidOut(2, job: job)], under: bench.epoch)
    }
    var reader = try bench.read()
    let start = Cursor(generation: try reader.cursor().generation, stamp: Stamp(1))
    guard case .resync = try reader.changes(since: start) else { Issue.record("no resync"); return }
}

@Test func `a row is given away as a job left it: one of another job is not there, or not any more`() throws {
    let bench = try ShardBench()
    let change = try ShardSample.laidOut(1, job: 4)
    _ = try bench.filled([change])
    guard case .laidOut(let row) = change.row else {
        Issue.record("no row")
        return
    }
    var reader = try bench.read()
    let found = try reader.rows(of: [(1, 4), (1, 3), (1, 5), (2, 4)].map { (MessageNumber($0), JobNumber($1)) })
    #expect(found == [.row(row), .passed, nil, nil])
}
