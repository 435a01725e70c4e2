import Foundation
import Names
import Pool
import Storage
import TestSupport
import Testing
import Wire

/// The ways in which a file of a shard may be lost behind everybody's back.
private enum Mishap: CaseIterable {
    case removed
    /// Another file of that name, with the bytes that it had some time before.
    case olderCopy
    /// The same file, with the bytes that it had some time before.
    case olderBytes
    case ofAnotherShard

    /// Whether a reader that has the file open sees it. It does not see bytes that are written over in place; the
    /// shard's writer sees them within a second.
    var isSeenByReaders: Bool { self != .olderBytes }
}

/// A shard, the rows that it acknowledged, and everything that may go wrong with its files.
private final class LossyShard {
    let bench: ShardBench
    private var shard: Open?
    private var origin: ShardOrigin
    private var lastJob: UInt64 = 0
    private var epoch: UInt64 = 1
    /// The rows that must be in it: none after it has become another file, as the coordinator then has all laid out
    /// again.
    private(set) var ledger: [MessageNumber: [UInt8]] = [:]
    private var older: [String: Data] = [:]
    private var durable: Bool

    private final class Open {
        var file: SQLiteShard
        init(_ file: consuming SQLiteShard) { self.file = file }
    }

    static let suffixes = [".db", ".db-wal", ".db-shm", ".lock", ".mark"]

    init(using random: inout SplitMix64) throws {
        var bench = try ShardBench()
        bench.settings.boot = "one"
        bench.settings.checkpoint = 100_000
        self.bench = bench
        var other = try SQLiteShard(Shard(4), of: bench.edition, in: bench.folder, settings: bench.settings)
        _ = try other.adopt(LeaseEpoch(1))
        for job in 1...UInt64.random(in: 2...30, using: &random) {
            _ = try other.commit([try ShardSample.laidOut(Int64(job), job: job, layout: [7])], under: LeaseEpoch(1))
        }
        if Bool.random(using: &random) { _ = try other.adopt(LeaseEpoch(2)) }
        durable = Bool.random(using: &random)
        var shard = try bench.open()
        _ = try shard.adopt(LeaseEpoch(epoch))
        origin = shard.origin
        self.shard = Open(shard)
    }

    private func path(_ suffix: String, of shard: String = "03") -> String {
        bench.folder.path + "/shards/\(bench.edition)/\(shard)\(suffix)"
    }

    func keepCopies() {
        for suffix in Self.suffixes { older[suffix] = FileManager.default.contents(atPath: path(suffix)) }
    }

    func write(_ count: Int, using random: inout SplitMix64) throws {
        for _ in 0..<count {
            lastJob += 1
            let number = MessageNumber(Int64.random(in: 0...lastJob.magnitudeOfNumbers, using: &random))
            let isRemoval = ledger[number] != nil && Int.random(in: 0..<4, using: &random) == 0
            let layout = [UInt8](
                repeating: UInt8(truncatingIfNeeded: lastJob), count: .random(in: 1...3000, using: &random))
            let change =
                isRemoval
                ? try ShardSample.change(
                    number.number, job: lastJob, conversation: "c", message: "m\(number.number)", .removed)
                : try ShardSample.laidOut(number.number, job: lastJob, layout: layout)
            try commit(change)
            ledger[number] = isRemoval ? nil : layout
        }
        if durable { try attempt { shard throws(StorageError) in _ = try shard.sync() } }
    }

    /// Commits as a worker does: a change that fails is tried again.
    private func commit(_ change: ShardChange) throws {
        for _ in 0..<5 {
            var isDone = false
            try attempt { shard throws(StorageError) in
                isDone = try shard.commit([change], under: LeaseEpoch(epoch)) != nil
            }
            if isDone { return }
            try adopt()
        }
        Issue.record("it cannot be written")
    }

    private func adopt() throws {
        epoch += 1
        try attempt { shard throws(StorageError) in _ = try shard.adopt(LeaseEpoch(epoch)) }
    }

    private func attempt(_ body: (inout SQLiteShard) throws(StorageError) -> Void) throws {
        let own = try shard ?? Open(bench.open())
        shard = own
        do throws(StorageError) {
            try body(&own.file)
        } catch {
            switch error {
            case .corrupt, .absent: break
            default: throw error
            }
        }
        guard own.file.origin != origin else { return }
        origin = own.file.origin
        ledger = [:]
    }

    func stop() { shard = nil }

    func lookAfter() throws {
        try attempt { shard throws(StorageError) in
            _ = try shard.isRenewed()
            try shard.maintain(idle: true)
        }
    }

    func lose(_ suffix: String, _ mishap: Mishap) throws {
        let bytes: Data?
        switch mishap {
        case .removed: bytes = nil
        case .olderCopy, .olderBytes: bytes = older[suffix]
        case .ofAnotherShard: bytes = FileManager.default.contents(atPath: path(suffix, of: "04"))
        }
        if mishap != .olderBytes { try? FileManager.default.removeItem(atPath: path(suffix)) }
        guard let bytes else { return }
        if mishap == .olderBytes, let file = FileHandle(forUpdatingAtPath: path(suffix)) {
            // An index that others have mapped must not be cut.
            if suffix != ".db-shm" { try file.truncate(atOffset: 0) }
            try file.write(contentsOf: bytes)
        } else {
            try bytes.write(to: URL(filePath: path(suffix)))
        }
    }

    func read(_ reader: inout ShardReader) throws -> [MessageNumber: [UInt8]] {
        let rows = try reader.rows((0...400).map { MessageNumber($0) })
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.number, $0.layout) })
    }

    func open() throws -> ShardReader { try bench.read() }
}

extension UInt64 {
    /// The greatest number of a message, so that half of the changes come to messages that are there.
    fileprivate var magnitudeOfNumbers: Int64 { Int64(self / 2 + 1) }
}

private func tried<Value>(_ body: () throws -> Value) throws -> Value? {
    do { return try body() } catch StorageError.corrupt, StorageError.absent, StorageError.blocked { return nil }
}

@Test
func `whatever files of a shard are lost or swapped, two at once: it has all that it had, or is known to be another`() {
    forEachSeed(60) { random in
        let shard = try LossyShard(using: &random)
        try shard.write(.random(in: 1...40, using: &random), using: &random)
        var reader = try shard.open()
        var story: [String] = []
        for _ in 0..<6 {
            shard.keepCopies()
            try shard.write(.random(in: 0...25, using: &random), using: &random)
            if Bool.random(using: &random) { try shard.lookAfter() }
            let isRunning = Bool.random(using: &random)
            if !isRunning { shard.stop() }
            var areSeen = true
            for suffix in LossyShard.suffixes.shuffled(using: &random).prefix(.random(in: 1...2, using: &random)) {
                let mishap = Mishap.allCases.randomElement(using: &random)!
                // Beside a service that runs, nobody writes into an index that all of them have mapped.
                if suffix == ".db-shm", mishap == .olderBytes { continue }
                areSeen = areSeen && mishap.isSeenByReaders
                try shard.lose(suffix, mishap)
                story.append("\(suffix) \(mishap), \(isRunning ? "running" : "stopped")")
            }
            // Until a writer has looked, a reader gets all rows or no answer.
            if areSeen, let found = try tried({ try shard.read(&reader) }), found != shard.ledger {
                Issue.record("\(story): read \(found.count) of \(shard.ledger.count)")
                return false
            }
            switch Int.random(in: 0..<3, using: &random) {
            case 0: try shard.lookAfter()
            case 1: try shard.write(1, using: &random)
            default: try shard.write(.random(in: 2...20, using: &random), using: &random)
            }
            try shard.lookAfter()
            var fresh = try shard.open()
            let found = [try shard.read(&reader), try shard.read(&fresh)]
            guard found.allSatisfy({ $0 == shard.ledger }) else {
                Issue.record("\(story): found \(found.map(\.count)) of \(shard.ledger.count)")
                return false
            }
        }
        return true
    }
}

@Test(arguments: [".db", ".db-wal", ".db-shm", ".lock", ".mark"])
func `what is lost while it is open costs nothing: whoever has it open has all of it`(suffix: String) throws {
    var random = SplitMix64(seed: 1)
    let shard = try LossyShard(using: &random)
    try shard.write(20, using: &random)
    let ledger = shard.ledger
    try shard.lose(suffix, .removed)
    try shard.lookAfter()
    var reader = try shard.open()
    #expect(try shard.read(&reader) == ledger)
    #expect(shard.ledger == ledger)
}

@Test(arguments: 1...6 as ClosedRange<UInt64>)
func `under its own log the file of another shard is known, however often that was emptied`(takeovers: UInt64) throws {
    var bench = try ShardBench()
    bench.settings.boot = "one"
    let path = bench.path
    let other = ShardPlace(Shard(4), of: bench.edition, in: bench.folder).path
    // Both files have the same form, so that nothing in them looks wrong.
    for (number, count) in [(3, 2), (4, takeovers)] as [(UInt16, UInt64)] {
        var shard = try SQLiteShard(Shard(number), of: bench.edition, in: bench.folder, settings: bench.settings)
        _ = try shard.adopt(LeaseEpoch(1))
        for job in 1...20 as ClosedRange<UInt64> {
            _ = try shard.commit(
                [try ShardSample.laidOut(Int64(job), job: job, layout: [UInt8(number)])], under: LeaseEpoch(1))
        }
        for epoch in 2...(count + 1) { _ = try shard.adopt(LeaseEpoch(epoch)) }
        _ = try shard.commit([try ShardSample.laidOut(20, job: 21, layout: [9])], under: LeaseEpoch(count + 1))
    }
    let bytes = try #require(FileManager.default.contents(atPath: other))
    try FileManager.default.removeItem(atPath: path)
    try bytes.write(to: URL(filePath: path))
    let shard = try bench.open()
    #expect(shard.news.count == 1)
    var fresh = try bench.read()
    #expect(try fresh.rows((1...20).map { MessageNumber($0) }).isEmpty)
}

@Test func `a shard that goes from worker to worker with nothing lost stays the file that it is`() {
    forEachSeed(40) { random in
        var bench = try ShardBench()
        bench.settings.boot = "one"
        var shard = try bench.open()
        var (epoch, job) = (1, 0) as (UInt64, UInt64)
        let origin = shard.origin
        _ = try shard.adopt(LeaseEpoch(epoch))
        for _ in 0..<12 {
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                job += 1
                _ = try shard.commit([try ShardSample.laidOut(Int64(job), job: job)], under: LeaseEpoch(epoch))
            }
            // The sync runs beside the writer, and while the shard is on its way from one writer to the next.
            bench.settings.checkpoint = Bool.random(using: &random) ? 1 : 1 << 30
            var disk = try ShardSync(Shard(3), of: bench.edition, in: bench.folder, settings: bench.settings)
            if Bool.random(using: &random) { try shard.close() }
            try disk.tidy()
            if Bool.random(using: &random) { continue }
            var next = try bench.open()
            epoch += 1
            _ = try next.adopt(LeaseEpoch(epoch))
            let news = next.news
            guard next.origin == origin, news.isEmpty else {
                Issue.record("\(news)")
                return false
            }
            swap(&shard, &next)
        }
        var reader = try bench.read()
        return try reader.ids().count == Int(job)
    }
}
