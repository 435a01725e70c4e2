import Foundation
import Names
import Pool
import Record
import TestSupport
import Testing
import Wire

@testable import Storage

/// A shard whose places are merged every few rows, and the rows that must be found in it.
private struct Shelf: ~Copyable {
    var bench: ShardBench
    var shard: SQLiteShard
    var sealer = RowSealer(style: nil)
    private var epoch = LeaseEpoch(1)
    private var job: UInt64 = 0
    private var last: Int64 = 0
    private(set) var rows: [Int64: (conversation: Int, order: Int64)] = [:]

    static let conversations = 5
    /// The conversation of a message, which it stays in whatever happens to it.
    private static func conversation(of number: Int64) -> Int { Int(number &* 7919 >> 3) % conversations }

    init(merge: Int) throws {
        var bench = try ShardBench()
        bench.settings.merge = merge
        shard = try bench.filled([])
        self.bench = bench
    }

    /// Commits random changes: rows come, some of them late, are laid out again, move, or go.
    mutating func commit(_ count: Int, using random: inout SplitMix64) throws {
        var changes: [ShardChange] = []
        for _ in 0..<count {
            job += 1
            let known = rows.keys.sorted().randomElement(using: &random)
            let order = Int64.random(in: 1...1000, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                // The row was withdrawn, or never there.
                guard last > 0 else { continue }
                let number = Int64.random(in: 1...last, using: &random)
                changes.append(try laidOut(number, order))
            case 1, 2:
                guard let known, let row = rows[known] else { continue }
                rows[known]?.order = order
                let facts = try ShardSample.facts(order: order)
                changes.append(try change(known, row.conversation, .touched(facts)))
            case 3:
                guard let known, let row = rows.removeValue(forKey: known) else { continue }
                let isForGood = Bool.random(using: &random)
                changes.append(try change(known, row.conversation, isForGood ? .removed : .withdrawn))
            default:
                last += .random(in: 1...2, using: &random)
                changes.append(try laidOut(last, order))
            }
        }
        _ = try shard.commit(changes, under: epoch)
    }

    private mutating func laidOut(_ number: Int64, _ order: Int64) throws -> ShardChange {
        let conversation = Self.conversation(of: number)
        rows[number] = (conversation, order)
        return try ShardSample.laidOut(
            number, job: job, conversation: "c\(conversation)", order: order,
            layout: SampleRecord.bytes(height: 40))
    }

    private func change(_ number: Int64, _ conversation: Int, _ row: ShardChange.Row) throws -> ShardChange {
        try ShardSample.change(number, job: job, conversation: "c\(conversation)", row)
    }

    mutating func evict(_ count: Int) throws {
        for number in rows.keys.sorted().prefix(count) { rows[number] = nil }
        _ = try shard.evict(
            ShardRetention(rows: rows.count), under: epoch, at: Timestamp(milliseconds: 1_700_000_000_100))
    }

    /// Lets another worker take the shard over, or the same one again.
    mutating func takeOver() throws {
        epoch.number += 1
        shard = try bench.open()
        _ = try shard.adopt(epoch)
    }

    func isFound(by reader: inout ShardReader, in conversations: Range<Int> = 0..<Self.conversations) throws -> Bool {
        for conversation in conversations {
            let wanted = rows.filter { $0.value.conversation == conversation }
                .sorted { ($0.value.order, "m\($0.key)") < ($1.value.order, "m\($1.key)") }.map(\.key)
            let name = try ConversationID("c\(conversation)")
            guard try reader.places(of: name).places.map(\.number.number) == wanted else { return false }
            let messages = try wanted.reversed().map { try MessageID("m\($0)") }
            guard try reader.rows(messages, of: name).map(\.number.number) == wanted.reversed() else { return false }
            var walk = ConversationWalk(name)
            var walked: [Int64] = []
            var sealer = RowSealer(style: nil)
            while !walk.isDone {
                for block in try reader.next(&walk, &sealer) { walked += try block.numbers().map(\.number) }
            }
            guard walked + walk.tail.map(\.row.number.number) == wanted else { return false }
        }
        return true
    }

    var merged: PlaceMerge { shard.rows.tables.recent.merged }

    func problems() throws -> [String] {
        try StorageCheck.trouble(with: shard.place, in: bench.folder).problems
    }
}

@Test func `rows are found in their places while these are merged bit by bit`() {
    forEachSeed(40) { random in
        var shelf = try Shelf(merge: .random(in: 1...60, using: &random))
        var reader = try shelf.bench.read()
        for _ in 0..<40 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: try shelf.takeOver()
            case 1: try shelf.evict(.random(in: 0...3, using: &random))
            case 2, 3: _ = try shelf.shard.seal(&shelf.sealer)
            case 4: while try shelf.shard.seal(&shelf.sealer) {}
            default: try shelf.commit(.random(in: 1...20, using: &random), using: &random)
            }
            // One reader has read before, at times long ago, and one is new.
            if Bool.random(using: &random) {
                let conversation = Int.random(in: 0..<Shelf.conversations, using: &random)
                guard try shelf.isFound(by: &reader, in: conversation..<conversation + 1) else { return false }
            }
            var other = try shelf.bench.read()
            guard try shelf.isFound(by: &other) else { return false }
        }
        guard try shelf.isFound(by: &reader) else { return false }
        return try shelf.problems() == []
    }
}

@Test func `where nobody has time to merge, commits do`() {
    forEachSeed(3) { random in
        var shelf = try Shelf(merge: 64)
        var most: Int64 = 0
        for _ in 0..<200 {
            try shelf.commit(10, using: &random)
            most = max(most, shelf.shard.rows.standing.total - shelf.merged.since.total)
        }
        return most < 4 * 64 && shelf.merged.placed > 0
    }
}

@Test func `of two rows that claim one place, the later one has it, whichever of them is merged`() throws {
    var bench = try ShardBench()
    bench.settings.merge = 1
    var shard = try bench.filled([try ShardSample.laidOut(1, job: 1, message: "x", order: 5)])
    var sealer = RowSealer(style: nil)
    while try shard.seal(&sealer) {}
    #expect(shard.rows.tables.recent.merged.placed == 1)
    bench.settings.merge = 1000
    shard = try bench.open()
    _ = try shard.adopt(LeaseEpoch(2))
    var reader = try bench.read()
    let conversation = try ConversationID("c")
    for (number, job) in [(2, 2), (1, 3), (2, 4)] as [(Int64, UInt64)] {
        let row = try ShardSample.laidOut(number, job: job, message: "x", order: 5, layout: [UInt8(job)])
        _ = try shard.commit([row], under: LeaseEpoch(2))
        var other = try bench.read()
        for places in [try reader.places(of: conversation).places, try other.places(of: conversation).places] {
            #expect(places.map(\.number.number) == [number])
        }
    }
}

@Test func `a file of before is read as it is, and goes on as one that merges its places`() throws {
    let bench = try ShardBench()
    var shard = try bench.filled([try ShardSample.laidOut(1, job: 1, order: 2)])
    do {
        let database = try Database.open(path: bench.path, .write, Database.Tuning(forgets: true))
        try database.execute(
            """
            INSERT INTO places VALUES (1, 2, CAST('m1' AS BLOB), 1); DROP TABLE placing; PRAGMA user_version = 2
            """)
    }
    var reader = try bench.read()
    #expect(try reader.ids() == ["m1"])
    // A worker that knows of everything that was written would leave this.
    try FileManager.default.removeItem(atPath: shard.place.lockPath)
    try FileManager.default.removeItem(atPath: shard.place.markPath)
    shard = try bench.open()
    #expect(shard.news == [])
    _ = try shard.adopt(LeaseEpoch(2))
    _ = try shard.commit([try ShardSample.laidOut(2, job: 2, order: 1)], under: LeaseEpoch(2))
    #expect(try reader.ids() == ["m2", "m1"])
    #expect(shard.rows.tables.recent.merged.placed == 1)
    _ = try shard.commit([try ShardSample.change(1, job: 3, .removed)], under: LeaseEpoch(2))
    #expect(try reader.ids() == ["m2"])
    #expect(try StorageCheck.trouble(with: shard.place, in: bench.folder).problems == [])
}

@Test func `a new row writes as few pages, however many conversations there are`() throws {
    func pages(_ conversations: Int64) throws -> Int {
        let bench = try ShardBench()
        var shard = try bench.filled(
            try (1...2000).map { try ShardSample.laidOut($0, job: UInt64($0), conversation: "c\($0 % conversations)") })
        let before = shard.logBytes
        for number in 2001...2100 as ClosedRange<Int64> {
            let rows = try (0..<8 as Range<Int64>).map { i in
                let number = number * 10 + i
                return try ShardSample.laidOut(
                    number, job: UInt64(number), conversation: "c\(number * 7919 % conversations)")
            }
            _ = try shard.commit(rows, under: bench.epoch)
        }
        return Int(shard.logBytes - before) / shard.rows.tables.database.pageSize
    }
    #expect(try pages(1000) < pages(1) * 5 / 4)
}

@Test func `a conversation whose new rows are all gone takes no memory`() throws {
    var list = PlaceList()
    for number in 1...2 as ClosedRange<Int64> {
        list.put(MessageNumber(number), 7, Position(order: number, message: try MessageID("m\(number)")))
    }
    for left in [[7], []] as [[Int64]] {
        list.remove(MessageNumber(Int64(list.count)))
        #expect(list.conversations(after: 0) == left && list.count == left.count)
    }
}
