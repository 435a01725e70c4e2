import Pool
import Wire

/// A memory on its way into the tables, in the order of the keys: a page is written once for all of its cards, and not once for
/// each. It goes by steps, in the transactions that are made anyway.
struct CardMerge {
    let memory: CardMemory
    /// What the tables then are up to.
    let through: LogPosition
    let latest: [JobNumber]
    private let cards: [(key: [UInt8], card: StoredCard)]
    private let fresh: [CardMemory.Fresh]
    private let jobs: [CardMemory.Job]
    private(set) var done = 0

    /// - Parameter isDue: whether a job still waits in some edition; others need no place in the table.
    init(_ memory: CardMemory, latest: [JobNumber], isDue: (CardMemory.Job) -> Bool) {
        (self.memory, self.latest) = (memory, latest)
        through = memory.through
        cards = memory.cards.map { (key: $0.key.stored, card: $0.value) }.sorted { precedes($0.key, $1.key) }
        fresh = memory.fresh.sorted { ($0.shard, $0.number) < ($1.shard, $1.number) }
        jobs = memory.jobs.filter(isDue).sorted { ($0.shard, $0.number) < ($1.shard, $1.number) }
    }

    var count: Int { cards.count + fresh.count + jobs.count }
    var isDone: Bool { done == count }

    /// Writes the next of them; in a transaction. Those count as written when `advance` says so.
    func write(_ limit: Int, into tables: borrowing JournalTables) throws(StorageError) {
        for place in done..<min(count, done + limit) {
            if place < cards.count {
                tables.putCard.bind(cards[place].key, at: 1)
                tables.putCard.bind(cards[place].card.encoded(), at: 2)
                try tables.putCard.run()
            } else if place < cards.count + fresh.count {
                let message = fresh[place - cards.count]
                tables.putMessage.bind(Int64(message.shard.number), at: 1)
                tables.putMessage.bind(message.number.number, at: 2)
                tables.putMessage.bind(message.key.stored, at: 3)
                try tables.putMessage.run()
            } else {
                let job = jobs[place - cards.count - fresh.count]
                tables.putJob.bind(Int64(job.shard.number), at: 1)
                tables.putJob.bind(Int64(bitPattern: job.number.number), at: 2)
                tables.putJob.bind(Int64(job.lane.rawValue), at: 3)
                tables.putJob.bind(job.key.stored, at: 4)
                try tables.putJob.run()
            }
        }
        guard done + limit >= count else { return }
        var writer = PackedWriter()
        for job in latest { writer.number(job.number) }
        tables.setMerged.bind(through.number, at: 1)
        tables.setMerged.bind(through.number + 1, at: 2)
        tables.setMerged.bind(writer.bytes, at: 3)
        try tables.setMerged.run()
    }

    mutating func advance(_ limit: Int) { done = min(count, done + limit) }
}

/// Byte by byte, as SQLite orders blobs.
private func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    let count = min(a.count, b.count)
    var place = 0
    while place < count {
        if a[place] != b[place] { return a[place] < b[place] }
        place += 1
    }
    return a.count < b.count
}
