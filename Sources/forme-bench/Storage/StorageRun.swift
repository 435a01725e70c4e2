import Foundation
import JSON
import Names
import Pool
import Storage
import Wire

/// Writes the same as the floor, through the journal and the shards as the daemons use them.
struct StorageRun {
    let folder: DataFolder
    let messages: Int
    let conversations: Int
    let durability: JournalSettings.Durability

    /// Bytes of an event, of a record and of measured texts, as usual messages have them.
    static let (event, layout, measured) = (300, 420, 150)
    private static let batch = 200
    private static let shards = 16

    struct Speed {
        var rate: Double
        /// Microseconds of processor time to a message.
        var cost: Double
    }

    /// Events a second, with the look-up whether each is known, and with the progress of every shard once in five
    /// turns.
    func journal() throws -> Speed {
        var journal = try SQLiteJournal(
            in: folder, settings: JournalSettings(durability: durability, shards: Self.shards))
        var clock = StopWatch()
        for turn in 0..<messages / Self.batch {
            var (entries, jobs): ([JournalEntry], [Int: UInt64]) = ([], [:])
            for place in 0..<Self.batch {
                entries.append(try entry(turn * Self.batch + place, journal, at: place, &jobs))
            }
            var record = PoolRecord()
            if turn % 5 == 4 { record.progress = try progress(journal) }
            clock.start()
            for entry in entries { _ = try journal.card(entry.cards[0].key) }
            try journal.commit(JournalTurn(entries: entries, record: record))
            clock.stop()
        }
        return clock.speed(messages)
    }

    private func entry(
        _ number: Int, _ journal: borrowing SQLiteJournal, at place: Int, _ jobs: inout [Int: UInt64]
    ) throws -> JournalEntry {
        let key = try key(number)
        let shard = Shard(of: key.conversation, among: Self.shards)
        let job = JobNumber(journal.nextJob(in: shard).number + jobs[Int(shard.number), default: 0])
        jobs[Int(shard.number), default: 0] += 1
        let position = LogPosition(journal.nextPosition.number + Int64(place))
        let content = [UInt8](repeating: UInt8(ascii: "x"), count: Self.event - 60)
        let body = MessageBody(
            sender: try SenderID("ada"), time: Timestamp(milliseconds: 1_700_000_000_000 + Int64(number)),
            content: content)
        var card = MessageCard(number: MessageNumber(position.number))
        card.body = MessageCard.Register(
            revision: Revision(1), value: MessageCard.BodyPlace(at: position, hash: UInt64(number)))
        card.order = MessageCard.Register(revision: Revision(1), value: Int64(number))
        card.lastJob = job
        let state = MessageState(order: Int64(number), body: body, revision: Revision(1), isFirst: true)
        return JournalEntry(
            event: MessageEvent(
                conversation: key.conversation, message: key.message, body: body, order: Int64(number)),
            lane: .live, cards: [CardChange(key: key, entry: .message(card))],
            jobs: [
                LayoutJob(
                    number: job, message: card.number, conversation: key.conversation, messageID: key.message,
                    work: .layOut(state))
            ])
    }

    /// The progress of workers that are two thousand messages behind.
    private func progress(_ journal: borrowing SQLiteJournal) throws -> [ShardProgress] {
        try (0..<Self.shards).map { shard in
            let latest = journal.nextJob(in: Shard(UInt16(shard))).number
            return ShardProgress(
                edition: try EditionID("e1"), shard: Shard(UInt16(shard)),
                through: JobNumber(latest > 125 ? latest - 125 : 0))
        }
    }

    private func key(_ number: Int) throws -> MessageKey {
        let conversation = Int(UInt32(truncatingIfNeeded: number) &* 2_654_435_761) % conversations
        return MessageKey(try ConversationID("conversation-\(conversation)"), try MessageID("message-\(number)"))
    }

    /// Rows a second, into as many shards as there are, each in batches; synced some times a second.
    func shards() throws -> Speed {
        let edition = try EditionID("e1")
        var stores: [Shard: ShardHolder] = [:]
        var waiting: [Shard: [ShardChange]] = [:]
        var clock = StopWatch()
        var commits = 0
        for number in 0..<messages {
            let change = try change(number)
            let shard = Shard(of: change.conversation, among: Self.shards)
            waiting[shard, default: []].append(change)
            guard waiting[shard]!.count == Self.batch || number >= messages - Self.shards * Self.batch else { continue }
            let batch = waiting.removeValue(forKey: shard)!
            if stores[shard] == nil { stores[shard] = ShardHolder(try SQLiteShard(shard, of: edition, in: folder)) }
            clock.start()
            try stores[shard]!.commit(batch)
            commits += 1
            if commits % 64 == 0 { for store in stores.values { try store.sync() } }
            clock.stop()
        }
        return clock.speed(messages)
    }

    private func change(_ number: Int) throws -> ShardChange {
        let key = try key(number)
        let row = ShardRow(
            facts: StoredFacts(
                order: Int64(number), sender: try SenderID("ada"), time: Timestamp(milliseconds: Int64(number)),
                revision: Revision(1), status: nil),
            role: RowRole(template: "message", joinsSeries: true),
            key: [UInt8](repeating: 7, count: 40), layout: [UInt8](repeating: 1, count: Self.layout),
            measured: [UInt8](repeating: 2, count: Self.measured))
        return ShardChange(
            job: JobNumber(UInt64(number + 1)), message: MessageNumber(Int64(number + 1)),
            conversation: key.conversation, messageID: key.message, row: .laidOut(row))
    }
}

/// A class that holds a shard: shards cannot be copied, and dictionaries need values that can.
private final class ShardHolder {
    private var shard: SQLiteShard
    private let epoch = LeaseEpoch(1)

    init(_ shard: consuming SQLiteShard) { self.shard = shard }

    func commit(_ changes: [ShardChange]) throws { _ = try shard.commit(changes, under: epoch) }
    func sync() throws { _ = try shard.sync() }
}

/// Adds up wall time and processor time between starts and stops.
private struct StopWatch {
    private var (wall, processor) = (0.0, 0.0)
    private var started = (wall: ContinuousClock.now, processor: 0.0)

    mutating func start() { started = (ContinuousClock.now, ProcessorTime.now) }

    mutating func stop() {
        processor += ProcessorTime.now - started.processor
        wall += (ContinuousClock.now - started.wall) / .seconds(1)
    }

    func speed(_ messages: Int) -> StorageRun.Speed {
        StorageRun.Speed(rate: Double(messages) / wall, cost: processor * 1e6 / Double(messages))
    }
}
