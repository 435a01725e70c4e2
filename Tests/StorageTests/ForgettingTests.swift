import Foundation
import Names
import Pool
import Storage
import TestSupport
import Testing
import Wire

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
