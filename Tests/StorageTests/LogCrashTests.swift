import Foundation
import Names
import Pool
import Storage
import Synchronization
import TestSupport
import Testing
import Wire

/// A simulated end of the process at one step of the log: nothing that comes after it happens.
private final class Stop: Sendable {
    private let left: Mutex<Int>
    private let bytes: Int

    /// - Parameters:
    ///   - steps: the writes, syncs and new names that are still made.
    ///   - bytes: the bytes that the last write still makes.
    init(after steps: Int, bytes: Int = 0) {
        left = Mutex(steps)
        self.bytes = bytes
    }

    var disk: LogDisk {
        LogDisk(fault: { _, _ in
            self.left.withLock { left in
                left -= 1
                return left >= 0 ? nil : .stopped(after: left == -1 ? self.bytes : 0)
            }
        })
    }

    /// Whether all steps from now on fail.
    var isOver: Bool { left.withLock { $0 < 0 } }

    /// The number of steps that were made, of so many that were allowed.
    func made(of steps: Int) -> Int { left.withLock { steps - $0 } }
}

/// The facts about messages: the words of each, and those that are gone for good.
private struct Known: Equatable {
    var words: [Int: Int] = [:]
    var gone: Set<Int> = []
    var next: Int64 = 0
}

/// A script of turns that is the same for a seed, wherever it is stopped.
private struct Script {
    let folder: TemporaryFolder
    private var random: SplitMix64
    private var keeper = Bookkeeper(shards: 2)
    private(set) var acknowledged = Known()
    /// All words that were ever said of a message.
    private(set) var history: [Int: Set<Int>] = [:]
    /// The facts with the turn that is not acknowledged yet.
    private(set) var pending = Known()
    private var word = 0

    static func settings(_ disk: LogDisk?, _ durability: JournalSettings.Durability) -> JournalSettings {
        var settings = JournalSettings(durability: durability, shards: 2, mergeLength: 12, checkpoint: 60_000)
        settings.segment = 6000
        settings.disk = disk
        return settings
    }

    init(seed: UInt64) throws {
        folder = try TemporaryFolder()
        random = SplitMix64(seed: seed)
    }

    static func marker(_ word: Int) -> String { "<word-\(1_000_000 + word)>" }

    /// - Parameter stop: what the journal's disk fails by: a chore that fails would be done again and again.
    mutating func run(
        _ turns: Int, _ journal: inout SQLiteJournal, beside lane: HeldLane? = nil, until stop: Stop? = nil
    ) throws {
        if let lane { journal.givesAway = { lane.take($0) } }
        for _ in 0..<turns {
            try turn(&journal)
            if let lane, Int.random(in: 0..<3, using: &random) == 0 { try lane.perform(&journal) }
            if Int.random(in: 0..<3, using: &random) == 0 {
                _ = try journal.maintain(steps: .random(in: 4...60, using: &random), idle: .random(using: &random))
            }
        }
        repeat {
            if stop?.isOver ?? false { throw CancellationError() }
            try lane?.perform(&journal)
        } while try journal.maintain(idle: true) || journal.isChoreAway
        try journal.close()
    }

    private mutating func turn(_ journal: inout SQLiteJournal) throws {
        pending = acknowledged
        var events: [MessageEvent] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let message = Int.random(in: 0..<40, using: &random)
            word += 1
            var event = MessageEvent(
                conversation: try ConversationID("c\(message % 3)"), message: try MessageID("m\(message)"),
                revision: Revision(UInt64(word)))
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                event.isDeleted = true
                pending.words[message] = nil
                pending.gone.insert(message)
            case 1: event.status = Array("\"read\"".utf8)
            default:
                let filler = String(repeating: "x", count: .random(in: 0...500, using: &random))
                event.body = MessageBody(
                    sender: try SenderID("ada"), time: Timestamp(milliseconds: 1),
                    content: MessageEvent.plainText(Self.marker(word) + filler))
                event.order = 1
                history[message, default: []].insert(word)
                if !pending.gone.contains(message) { pending.words[message] = word }
            }
            events.append(event)
        }
        keeper.open(room: IngestRoom(live: 100, backfill: 100, retryAfter: 1))
        _ = try keeper.take(IngestRequest(events: events.map { .success($0) }), from: Peer(route: [1]), in: &journal)
        let turn = keeper.close()
        pending.next = acknowledged.next + Int64(turn.entries.count)
        try journal.commit(turn)
        acknowledged = pending
    }

    /// The facts that a journal has after it was opened again.
    func found(in journal: inout SQLiteJournal) throws -> Known {
        var known = Known(next: journal.nextPosition.number)
        for message in 0..<40 {
            let key = MessageKey(try ConversationID("c\(message % 3)"), try MessageID("m\(message)"))
            guard case .message(let card)? = try journal.card(key) else { continue }
            if card.deletion != nil { known.gone.insert(message) }
            guard let place = card.body?.value.at else { continue }
            guard let body = try journal.body(at: place) else {
                known.words[message] = -1
                continue
            }
            let text = String(decoding: body.content, as: UTF8.self)
            known.words[message] = text.firstMatch(of: /<word-(\d+)>/).flatMap { Int($0.1) }.map { $0 - 1_000_000 }
        }
        return known
    }

    /// Whether all files together have the words that are shown, and none of messages that are gone.
    func areWordsRight(_ known: Known) throws -> Bool {
        let words = try words()
        let gone = known.gone.reduce(into: Set()) { $0.formUnion(history[$1] ?? []) }
        return words.isSuperset(of: known.words.values) && words.isDisjoint(with: gone)
    }

    /// All words that stand in any file.
    func words() throws -> Set<Int> {
        var found: Set<Int> = []
        for (_, file) in try Diary.files(in: folder.path) {
            var rest = file[...]
            while let range = rest.range(of: Data("<word-".utf8)) {
                let digits = file[range.upperBound..<min(range.upperBound + 7, file.endIndex)]
                if let number = Int(String(decoding: digits, as: UTF8.self)) { found.insert(number - 1_000_000) }
                rest = file[range.upperBound...]
            }
        }
        return found
    }
}

private func opened(_ script: Script, _ disk: LogDisk?, _ durability: JournalSettings.Durability) throws
    -> SQLiteJournal
{
    try SQLiteJournal(in: DataFolder(script.folder.path), settings: Script.settings(disk, durability))
}

/// The number of steps of the log that a script makes.
private func steps(of seed: UInt64, _ durability: JournalSettings.Durability) throws -> Int {
    var script = try Script(seed: seed)
    let stop = Stop(after: 1 << 30)
    var journal = try opened(script, stop.disk, durability)
    try script.run(25, &journal)
    return stop.made(of: 1 << 30)
}

/// Runs a script, drops everything that it has open, and returns whether it was stopped.
private func stopped(
    _ script: inout Script, at step: Int, bytes: Int, _ durability: JournalSettings.Durability, isBeside: Bool
) -> Bool {
    do {
        let stop = Stop(after: step, bytes: bytes)
        var journal = try opened(script, stop.disk, durability)
        let lane = isBeside ? HeldLane(script.folder.path, Script.settings(nil, durability)) : nil
        try script.run(25, &journal, beside: lane, until: stop)
    } catch {
        return true
    }
    return false
}

@Test(arguments: [JournalSettings.Durability.full, .process], [false, true])
func `a journal that ends at any step has all that it acknowledged, and no more than was said`(
    durability: JournalSettings.Durability, isBeside: Bool
) throws {
    for seed in isBeside ? 2..<3 : 0..<2 as Range<UInt64> {
        let count = try steps(of: seed, durability)
        var random = SplitMix64(seed: seed)
        for step in stride(from: Int(seed), to: count, by: 3) {
            var script = try Script(seed: seed)
            let bytes = Int.random(in: 0..<600, using: &random)
            // A write beside the log that fails is tried again, so not every stop is noticed.
            _ = stopped(&script, at: step, bytes: bytes, durability, isBeside: isBeside)
            var journal = try opened(script, nil, durability)
            let found = try script.found(in: &journal)
            #expect(
                found == script.acknowledged || found == script.pending, "seed \(seed), step \(step), \(bytes) bytes")
            while try journal.maintain(idle: true) {}
            #expect(try script.found(in: &journal) == found, "seed \(seed), step \(step), after care")
            #expect(try script.areWordsRight(found), "seed \(seed), step \(step)")
            try journal.close()
            let problems = try StorageCheck.problems(inJournalOf: DataFolder(script.folder.path))
            #expect(problems == [], "seed \(seed), step \(step)")
        }
    }
}

@Test(arguments: [false, true])
func `a script that is not stopped leaves no words but those that are shown`(isBeside: Bool) throws {
    for seed in 0..<6 as Range<UInt64> {
        var script = try Script(seed: seed)
        var journal = try opened(script, nil, .process)
        let lane = isBeside ? HeldLane(script.folder.path, Script.settings(nil, .process)) : nil
        try script.run(60, &journal, beside: lane)
        #expect(try script.found(in: &journal) == script.acknowledged)
        #expect(try script.areWordsRight(script.acknowledged))
    }
}
