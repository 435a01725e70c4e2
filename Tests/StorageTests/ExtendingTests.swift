import MessageLayout
import Names
import Pool
import Record
import TestSupport
import Testing
import Typography
import Wire

@testable import Storage

private let added = Target(width: .points(397), scale: .three)
private let epoch = LeaseEpoch(1)

/// A shard whose layouts carry the heights of their rows, and a layouter for one more screen.
private struct Stage: ~Copyable {
    var bench: ShardBench
    var shard: SQLiteShard
    var sealer = RowSealer(style: nil)
    private var job: UInt64 = 0
    private(set) var work = 0

    init() throws {
        var bench = try ShardBench()
        bench.settings.sealingRest = .zero
        shard = try bench.filled([])
        self.bench = bench
    }

    static func height(_ number: Int64) -> Int32 { 20 + Int32(number % 40) }

    /// Writes rows, as a worker that knows of these targets.
    mutating func put(
        _ numbers: ClosedRange<Int64>, in conversation: String = "c", for targets: [Target] = SampleRecord.targets
    ) throws {
        let changes = try numbers.map { number in
            job += 1
            let height = Self.height(number)
            let row = try ShardSample.row(
                order: number, key: "k", layout: SampleRecord.bytes(height: height, targets: targets),
                measured: [UInt8(height)], heights: SampleRecord.heights(height: height, targets: targets))
            return try ShardSample.change(number, job: job, conversation: conversation, .laidOut(row))
        }
        shard.prepare(targets.filter { !SampleRecord.targets.contains($0) })
        _ = try shard.commit(changes, under: epoch)
    }

    mutating func sealAll() throws { while try shard.seal(&sealer) {} }

    mutating func extendOnce(for targets: [Target] = [added]) throws -> Bool {
        shard.prepare(targets)
        return try shard.extend(&sealer) { layout, measured in
            work += 1
            do {
                guard try !targets.allSatisfy(LayoutRecord(layout).targets.contains) else { return nil }
                let (height, all) = (Int32(measured[0]), SampleRecord.targets + targets)
                return try (
                    SampleRecord.bytes(height: height, targets: all), SampleRecord.heights(height: height, targets: all)
                )
            } catch {
                Issue.record("\(error)")
                return nil
            }
        }
    }

    mutating func extendAll(for targets: [Target] = [added]) throws { while try extendOnce(for: targets) {} }

    /// Opens the shard as another worker does, after the one before has gone without a word.
    mutating func startAnew() throws {
        shard = try bench.open()
        _ = try shard.adopt(epoch)
    }

    /// The content of the file, but for the columns that need not be equal.
    func content() throws -> [String] {
        var found: [String] = []
        try shard.rows.tables.database.prepare(
            """
            SELECT hex(number) || hex(job) || hex(head) || hex(layout) || hex(measured) FROM rows
            UNION ALL SELECT conversation || ' ' || position || ' ' || torn || hex(block) FROM blocks
            UNION ALL SELECT stamp || hex(list) FROM changes
            """
        ).run { row in found.append(row.text(0)) }
        return found
    }
}

@Test func `rows that are laid out for one more screen are as if they had been from the start, and nobody is told`()
    throws
{
    var stage = try Stage()
    var other = try Stage()
    for (numbers, conversation) in [(1...1500, "c"), (1501...1510, "d"), (1511...2100, "e")]
        as [(ClosedRange<Int64>, String)]
    {
        try stage.put(numbers, in: conversation)
        try other.put(numbers, in: conversation, for: SampleRecord.targets + [added])
    }
    try stage.sealAll()
    try other.sealAll()
    let stamp = stage.shard.rows.standing.stamp
    try stage.extendAll()
    #expect(try stage.content() == other.content())
    #expect(stage.shard.rows.standing.stamp == stamp && stage.work == 2100)
    // The next owner of the shard knows that, and looks at nothing.
    try stage.startAnew()
    try stage.extendAll()
    #expect(stage.work == 2100)
}

@Test func `a file says how many of its rows are extended, while they are and afterwards`() throws {
    var stage = try Stage()
    for (numbers, conversation) in [(1...1500, "c"), (1501...1510, "d"), (1511...2100, "e")]
        as [(ClosedRange<Int64>, String)]
    {
        try stage.put(numbers, in: conversation)
    }
    try stage.sealAll()
    let (edition, folder) = (stage.bench.edition, stage.bench.folder)
    func share(_ targets: [Target] = [added]) throws -> Double {
        try ExtensionShare.measure(targets, of: edition, in: folder)
    }
    #expect(try share() == 0)
    var shares: [Double] = [0]
    while try stage.extendOnce() { shares.append(try share()) }
    #expect(try share() == 1)
    // It rises step by step, also within a conversation, of which there are three.
    #expect(shares == shares.sorted() && Set(shares).count > 10 && shares.contains { $0 > 0.1 && $0 < 0.3 })
    // For other screens nothing is done.
    #expect(try share([added, Target(width: .points(401), scale: .two)]) == 0)
    #expect(try ExtensionShare.measure([added], of: EditionID("e2"), in: folder) == 1)
}

/// A step looks at 32 rows, the first one at 31. The conversation before takes what is left of the first, so that the
/// last row of the first block is the last one of a step.
@Test func `a block whose last row ends a step is sealed anew, too`() throws {
    var stage = try Stage()
    var other = try Stage()
    for (numbers, conversation) in [(1...30, "a"), (31...630, "c")] as [(ClosedRange<Int64>, String)] {
        try stage.put(numbers, in: conversation)
        try other.put(numbers, in: conversation, for: SampleRecord.targets + [added])
    }
    try stage.sealAll()
    try other.sealAll()
    try stage.extendAll()
    #expect(try stage.content() == other.content())
    #expect(stage.work == 630)
}

@Test func `who goes on after somebody who was killed does what is left`() throws {
    var stage = try Stage()
    var other = try Stage()
    try stage.put(1...1500)
    try other.put(1...1500, for: SampleRecord.targets + [added])
    try stage.sealAll()
    try other.sealAll()
    var isMore = true
    while isMore {
        isMore = try stage.extendOnce()
        try stage.startAnew()
    }
    #expect(stage.work == 1500)
    #expect(try stage.content() == other.content())
}

@Test func `whatever is written meanwhile, blocks have the targets that all of their rows have`() throws {
    var stage = try Stage()
    try stage.put(1...1200)
    try stage.sealAll()
    for number in 0..<6 as Range<Int64> {
        if try stage.extendOnce() { try stage.put(200 * number + 1...200 * number + 3) }
    }
    try stage.sealAll()
    var reader = try stage.bench.read()
    var walk = ConversationWalk(try ConversationID("c"))
    var blocks: [RowBlock] = []
    while !walk.isDone { blocks += try reader.next(&walk, &stage.sealer) }
    #expect(walk.madeBlocks == 6 && blocks.map(\.count).reduce(0, +) + walk.tail.count == 1200)
    for block in blocks {
        for (column, target) in try block.targets().enumerated() {
            var rows = BlockRows()
            try rows.read(block, target: column)
            for (i, number) in try block.numbers().enumerated() {
                #expect(rows[i].heights.own == Stage.height(number.number) * target.scale.thousandths / 1000)
            }
        }
    }
    // Rows that were written without the screen are found again, and no others are laid out.
    try stage.extendAll()
    try stage.sealAll()
    let rows = try reader.rows((1...1200).map { MessageNumber($0) })
    #expect(try rows.allSatisfy { try LayoutRecord($0.layout).targets.contains(added) })
}

@Test func `another list is another look, and an empty one is none`() throws {
    var stage = try Stage()
    try stage.put(1...600)
    try stage.sealAll()
    try stage.extendAll()
    let work = stage.work
    try stage.extendAll(for: [])
    #expect(stage.work == work)
    // A worker that knows of no added screen writes rows, which may lack the screen.
    try stage.put(601...602)
    try stage.extendAll()
    #expect(stage.work > work)
    let second = Target(width: .points(402), scale: .two)
    try stage.extendAll(for: [added, second])
    var reader = try stage.bench.read()
    let rows = try reader.rows((1...602).map { MessageNumber($0) })
    #expect(try rows.allSatisfy { try LayoutRecord($0.layout).targets == SampleRecord.targets + [added, second] })
}

@Test func `who has an older lease extends nothing`() throws {
    var stage = try Stage()
    try stage.put(1...10)
    var other = try stage.bench.open()
    _ = try other.adopt(LeaseEpoch(2))
    #expect(try !stage.extendOnce())
    #expect(stage.work == 0)
}

@Test func `a file of before has no mark, and gets one`() throws {
    var stage = try Stage()
    try stage.put(1...10)
    try stage.shard.rows.tables.database.execute("DROP TABLE extended")
    try stage.startAnew()
    try stage.extendAll()
    #expect(stage.work == 10)
}
