import MessageLayout
import Names
import Pool
import Record
import TestSupport
import Testing
import Typography
import Wire

@testable import Storage

private let epoch = LeaseEpoch(1)

/// A conversation in a shard, and the rows that must be read of it.
private struct Stage: ~Copyable {
    var bench: ShardBench
    var shard: SQLiteShard
    var sealer = RowSealer(style: nil)
    private var job: UInt64 = 0
    /// Height and place of each message.
    private(set) var rows: [Int64: (order: Int64, height: Int32)] = [:]

    /// Whether the heights of a row are listed beside it.
    private let isListed: (Int64) -> Bool

    /// As a rule every other row has a list, as rows of a release before have none.
    init(rest: Duration = .zero, isListed: @escaping (Int64) -> Bool = { $0.isMultiple(of: 2) }) throws {
        self.isListed = isListed
        var bench = try ShardBench()
        bench.settings.sealingRest = rest
        shard = try bench.filled([])
        self.bench = bench
    }

    mutating func put(_ numbers: some Sequence<Int64>, height: Int32 = 40, order: (Int64) -> Int64 = { $0 }) throws {
        var changes: [ShardChange] = []
        for number in numbers {
            job += 1
            let order = order(number)
            rows[number] = (order, height)
            changes.append(
                try ShardSample.laidOut(
                    number, job: job, order: order, layout: SampleRecord.bytes(height: height),
                    heights: isListed(number) ? SampleRecord.heights(height: height) : []))
        }
        _ = try shard.commit(changes, under: epoch)
    }

    mutating func remove(_ number: Int64) throws {
        job += 1
        rows[number] = nil
        _ = try shard.commit([try ShardSample.change(number, job: job, .removed)], under: epoch)
    }

    mutating func touch(_ number: Int64, order: Int64) throws {
        job += 1
        rows[number]?.order = order
        _ = try shard.commit(
            [try ShardSample.change(number, job: job, .touched(ShardSample.facts(order: order)))], under: epoch)
    }

    /// Stores a row whose record nobody can read.
    mutating func putUnreadable(_ number: Int64) throws {
        job += 1
        _ = try shard.commit([try ShardSample.laidOut(number, job: job, order: number, layout: [255])], under: epoch)
    }

    mutating func sealAll() throws { while try shard.seal(&sealer) {} }

    mutating func open() throws -> (blocks: [RowBlock], tail: [RowSealer.Stated]) {
        var reader = try bench.read()
        var walk = ConversationWalk(try ConversationID("c"))
        var blocks: [RowBlock] = []
        while !walk.isDone { blocks += try reader.next(&walk, &sealer) }
        return (blocks, walk.tail)
    }

    /// Whether the numbers and heights that are read are those that must be, in their order.
    mutating func isTold() throws -> Bool {
        let opened = try open()
        var told: [(Int64, Int32)] = []
        for block in opened.blocks {
            var columns = BlockRows()
            try columns.read(block, target: 0)
            for (i, number) in try block.numbers().enumerated() { told.append((number.number, columns[i].heights.own)) }
        }
        told += opened.tail.map { ($0.row.number.number, $0.row.heights[0].own) }
        let wanted = rows.sorted { ($0.value.order, "m\($0.key)") < ($1.value.order, "m\($1.key)") }
        return told.map(\.0) == wanted.map(\.key) && told.map(\.1) == wanted.map { $0.value.height * 3 }
    }

    var sealedCount: Int64 { get throws { try count("torn = 0") } }
    var tornCount: Int64 { get throws { try count("torn = 1") } }

    private func count(_ which: String) throws -> Int64 {
        try shard.rows.tables.database.integer("SELECT count(*) FROM blocks WHERE \(which)")
    }
}

@Test func `rows are sealed 256 at a time, and as many more are left as rows`() throws {
    var stage = try Stage()
    try stage.put(1...511)
    try stage.sealAll()
    #expect(try stage.sealedCount == 0)
    try stage.put(512...1500)
    try stage.sealAll()
    #expect(try stage.sealedCount == 4)
    let opened = try stage.open()
    #expect(opened.blocks.map(\.count) == [256, 256, 256, 256] + Array(repeating: 64, count: 7))
    #expect(opened.tail.count == 1500 - 4 * 256 - 7 * 64)
    #expect(try opened.blocks.allSatisfy { try $0.targets() == SampleRecord.targets })
    #expect(try stage.isTold())
}

@Test(arguments: [
    (SampleRecord.targets[1], SampleRecord.targets[1]),
    (Target(width: .points(500), scale: Scale(thousandths: 3000)), SampleRecord.targets[0]),
])
func `blocks that are made for a screen are for that one, or for one that their rows are laid out for`(
    screen: Target, told: Target
) throws {
    var stage = try Stage()
    try stage.put(1...100)
    var reader = try stage.bench.read()
    var walk = ConversationWalk(try ConversationID("c"), for: [screen])
    var blocks: [RowBlock] = []
    while !walk.isDone { blocks += try reader.next(&walk, &stage.sealer) }
    #expect(blocks.map(\.count) == [64] && walk.tail.count == 36)
    #expect(try blocks.allSatisfy { try $0.targets() == [told] } && walk.tail.allSatisfy { $0.targets == [told] })
}

@Test func `a block is the same from heights that are listed and from those in records`() throws {
    let blocks = try [true, false].map { isListed in
        var stage = try Stage { _ in isListed }
        for number in 1...(900 as Int64) { try stage.put([number], height: 30 + Int32(number % 5)) }
        try stage.sealAll()
        #expect(try stage.sealedCount == 2)
        return try stage.open().blocks
    }
    #expect(blocks[0] == blocks[1])
}

@Test func `a layout is not read where heights are listed`() throws {
    var stage = try Stage { _ in true }
    try stage.put(1...100)
    try stage.shard.rows.tables.database.execute("UPDATE rows SET layout = x'00' WHERE number > 1")
    let opened = try stage.open()
    #expect(opened.blocks.map(\.count) == [64] && opened.tail.count == 36)
}

@Test func `rows are stored without heights where the release before must be able to read them`() throws {
    for (format, version) in [(4, "03"), (3, "02")] as [(Int64, String)] {
        var bench = try ShardBench()
        bench.settings.format = format
        let row = try ShardSample.laidOut(
            1, job: 1, layout: SampleRecord.bytes(height: 40), heights: SampleRecord.heights(height: 40))
        let shard = try bench.filled([row])
        let heads = try shard.rows.tables.database.integer(
            "SELECT count(*) FROM rows WHERE hex(substr(head, 1, 1)) = '\(version)'")
        #expect(heads == 1)
        #expect(try shard.rows.tables.database.integer("PRAGMA user_version") == format)
    }
}

@Test func `a row that changes, moves, comes or goes tears its block, which is sealed again after a rest`() throws {
    var stage = try Stage(rest: .seconds(3600))
    try stage.put(1...1300)
    try stage.sealAll()
    try stage.put([10], height: 80)
    try stage.remove(300)
    try stage.touch(600, order: 900)
    #expect(try stage.tornCount == 4)
    #expect(try stage.isTold())
    try stage.sealAll()
    #expect(try stage.tornCount == 4)

    // A worker that takes the shard over looks at everything.
    stage.shard = try stage.bench.filled([])
    try stage.sealAll()
    #expect(try stage.tornCount == 0)
    #expect(try stage.isTold())
}

@Test func `a torn block is sealed again from what it was, without a look at rows that have not changed`() throws {
    var stage = try Stage { _ in true }
    try stage.put(1...1300)
    try stage.sealAll()
    try stage.put([10], height: 80)
    try stage.remove(20)
    try stage.touch(600, order: 100)
    #expect(try stage.tornCount == 2)
    // A range that is read as it is would be found damaged here, and stay torn.
    try stage.shard.rows.tables.database.execute(
        "UPDATE rows SET layout = x'00' WHERE number NOT IN (10, 600) AND number < 1000")
    try stage.sealAll()
    #expect(try stage.tornCount == 0)
    #expect(try stage.isTold())
}

@Test func `a torn block is read anew where two rows have claimed one place`() throws {
    var stage = try Stage(rest: .seconds(3600)) { _ in true }
    try stage.put(1...1300)
    try stage.sealAll()
    try stage.put([10], height: 80)
    let end = try #require(try stage.shard.rows.tables.blocks.torn(of: 1, after: nil))
    #expect(try stage.shard.rows.tables.blocks.torn(1, to: end) != nil)
    let place = Position(order: 10, message: try MessageID("m10"))
    try stage.shard.rows.tables.blocks.tear(1, place, MessageNumber(10), keepsBlock: true)
    #expect(try stage.shard.rows.tables.blocks.torn(1, to: end) != nil)
    for number in [11, 10] as [Int64] {
        try stage.shard.rows.tables.blocks.tear(1, place, MessageNumber(number), keepsBlock: true)
        #expect(try stage.shard.rows.tables.blocks.torn(1, to: end) == nil)
    }
    #expect(try stage.isTold())
}

@Test func `history that comes in where the last block is gone with all of its rows is read, and sealed`() throws {
    var stage = try Stage()
    try stage.put(1...800)
    try stage.sealAll()
    #expect(try stage.sealedCount == 2)
    for number in 257...512 as ClosedRange<Int64> { try stage.remove(number) }
    try stage.sealAll()
    #expect(try stage.sealedCount == 1)
    try stage.put(901...1000, order: { $0 - 600 })
    try stage.put(1001...1600)
    try stage.sealAll()
    #expect(try stage.isTold())
}

@Test func `a block in which too many rows have changed is read anew`() throws {
    var stage = try Stage(rest: .seconds(3600)) { _ in true }
    try stage.put(1...1300)
    try stage.sealAll()
    try stage.put(1...256, height: 80)
    let end = try #require(try stage.shard.rows.tables.blocks.torn(of: 1, after: nil))
    #expect(try stage.shard.rows.tables.blocks.torn(1, to: end) != nil)
    try stage.touch(900, order: 100)
    #expect(try stage.shard.rows.tables.blocks.torn(1, to: end) == nil)
    #expect(try stage.isTold())
}

@Test func `a conversation is read from torn blocks without a look at rows that have not changed`() throws {
    var stage = try Stage(rest: .seconds(3600)) { _ in true }
    try stage.put(1...1300)
    try stage.sealAll()
    try stage.put([10], height: 80)
    try stage.remove(20)
    try stage.touch(600, order: 100)
    #expect(try stage.tornCount == 2)
    // Also by a worker that takes the shard over.
    stage.shard = try stage.bench.filled([])
    try stage.put([11], height: 90)
    try stage.shard.rows.tables.database.execute(
        "UPDATE rows SET head = x'00' WHERE number NOT IN (10, 11, 600) AND number < 1000")
    #expect(try stage.isTold())
}

@Test func `a release before finds no block of a torn range`() throws {
    var bench = try ShardBench()
    bench.settings.format = 3
    var shard = try bench.filled([])
    var sealer = RowSealer(style: nil)
    let changes = try (1...1300 as ClosedRange<Int64>).map {
        try ShardSample.laidOut($0, job: UInt64($0), order: $0, layout: SampleRecord.bytes(height: 40))
    }
    _ = try shard.commit(changes, under: epoch)
    while try shard.seal(&sealer) {}
    let edit = try ShardSample.laidOut(10, job: 2000, order: 10, layout: SampleRecord.bytes(height: 80))
    _ = try shard.commit([edit], under: epoch)
    let bytes = try shard.rows.tables.database.integer("SELECT sum(length(block)) FROM blocks WHERE torn = 1")
    #expect(bytes == 0)
}

@Test func `however rows of torn blocks change, they are read as they are`() {
    forEachSeed(30) { random in
        var stage = try Stage(rest: .seconds(3600)) { _ in true }
        try stage.put(1...1100)
        try stage.sealAll()
        var next: Int64 = 1101
        for round in 0..<30 {
            let number = Int64.random(in: 1..<next, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: try stage.remove(number)
            case 1 where stage.rows[number] != nil:
                try stage.touch(number, order: .random(in: 1...1200, using: &random))
            case 2:
                try stage.put([next]) { _ in .random(in: 1...1200, using: &random) }
                next += 1
            case 3 where round % 5 == 0:
                stage.shard = try stage.bench.filled([])
                try stage.sealAll()
            case _ where stage.rows[number] != nil:
                let order = stage.rows[number]!.order
                try stage.put([number], height: .random(in: 20...200, using: &random)) { _ in order }
            default: break
            }
            if round % 6 == 0, try !stage.isTold() { return false }
        }
        return try stage.isTold()
    }
}

/// Where many rows change, a conversation would be sealed without end, and each block for a moment.
@Test func `a block that is torn again while others of its conversation are sealed has a rest of its own`() throws {
    var stage = try Stage(rest: .seconds(3600))
    try stage.put(1...1300)
    try stage.sealAll()
    try stage.put([10, 300], height: 80)
    // A worker that takes the shard over looks at everything.
    stage.shard = try stage.bench.filled([])
    while try stage.tornCount == 2 { try #require(try stage.shard.seal(&stage.sealer)) }
    try stage.put([10], height: 90)
    try stage.sealAll()
    #expect(try stage.tornCount == 1)
    #expect(try stage.isTold())
}

@Test func `a block that cannot be made keeps no other from its turn, and is made once its row can be read`() throws {
    var stage = try Stage { _ in false }
    try stage.put(1...1300)
    try stage.sealAll()
    try stage.putUnreadable(10)
    try stage.put([300], height: 80)
    try stage.sealAll()
    #expect(try stage.tornCount == 1)
    try stage.put([10], height: 90)
    try stage.sealAll()
    #expect(try stage.tornCount == 0)
    #expect(try stage.isTold())
}

@Test func `blocks that were sealed in a transaction that was rolled back have their turn once more`() throws {
    var care = SealingCare()
    care.noteDue(1)
    care.note(passed: Position(order: 5, message: try MessageID("m5")), in: 1)
    care.rollBack()
    #expect(care.passed(in: 1) == nil)
    let next = care.next(at: .now)
    #expect(next == 1)
}

@Test func `a status that says nothing new to readers of a block leaves it whole`() throws {
    var stage = try Stage()
    try stage.put(1...600)
    try stage.sealAll()
    try stage.touch(5, order: 5)
    #expect(try stage.tornCount == 0)
}

@Test func `history that comes in before what is there is sealed, too`() throws {
    var stage = try Stage()
    try stage.put(1...600)
    try stage.sealAll()
    try stage.put(601...2000, order: { $0 - 3000 })
    #expect(try stage.isTold())
    try stage.sealAll()
    #expect(try stage.sealedCount == 6)
    #expect(try stage.isTold())
}

@Test func `whatever happens to rows, a conversation is read as it is`() {
    forEachSeed(4) { random in
        var stage = try Stage()
        try stage.put(1...900)
        for number in 901...1000 as ClosedRange<Int64> {
            switch Int.random(in: 0...4, using: &random) {
            case 0: try stage.remove(.random(in: 1...900, using: &random))
            case 1:
                let height = Int32.random(in: 20...90, using: &random)
                try stage.put([.random(in: 1...900, using: &random)], height: height)
            case 2:
                let old = Int64.random(in: 1...900, using: &random)
                if stage.rows[old] != nil { try stage.touch(old, order: .random(in: -50...1100, using: &random)) }
            case 3: try stage.put([number], order: { _ in .random(in: -50...1100, using: &random) })
            default: _ = try stage.shard.seal(&stage.sealer)
            }
            guard try number % 20 > 0 || stage.isTold() else { return false }
        }
        try stage.sealAll()
        return try stage.isTold()
    }
}

@Test func `a block that is damaged is made again from its rows`() throws {
    var stage = try Stage()
    try stage.put(1...700)
    try stage.sealAll()
    #expect(try stage.sealedCount == 1)
    try stage.shard.rows.tables.database.execute("UPDATE blocks SET block = x'01020304'")
    #expect(try stage.isTold())
}

/// A row with a list of its heights, whose layout is read for the checksum alone, and one without.
@Test(arguments: [8, 7])
func `no block is made that hides a damaged row, and word of the damage is left`(number: Int64) throws {
    var stage = try Stage()
    try stage.put(1...700)
    try stage.shard.rows.tables.database.execute("UPDATE rows SET layout = layout || x'00' WHERE number = \(number)")
    try stage.sealAll()
    #expect(try stage.sealedCount == 0)
    let (folder, edition) = (stage.bench.folder, stage.bench.edition)
    #expect(try ShardPlace.suspected(of: edition, in: folder).count == 1)
    #expect(try stage.shard.isRenewed())
}

@Test func `who has an older lease seals nothing`() throws {
    var stage = try Stage()
    try stage.put(1...700)
    var other = try stage.bench.open()
    _ = try other.adopt(LeaseEpoch(2))
    #expect(try !stage.shard.seal(&stage.sealer))
    #expect(try stage.sealedCount == 0)
}

@Test func `conversations have their turn in the order in which they came, however often one comes again`() {
    var care = SealingCare()
    for conversation in 1...3 as ClosedRange<Int64> { care.noteDue(conversation) }
    var turns: [Int64] = []
    for _ in 0..<7 {
        guard let next = care.next(at: .now) else { break }
        turns.append(next)
        care.noteDone(next)
        care.noteDue(next)
    }
    #expect(turns == [1, 2, 3, 1, 2, 3, 1])
    #expect(care.waiting == 3)
}
