import Bytes
import Names
import Pool
import Wire

/// A merge of a memory into the tables, in the order of the keys: a page is written once for all of its cards,
/// and not once for each. It goes in steps, and the last one notes up to which entry the tables are merged.
struct CardMerge {
    /// The state of the tables with the last step.
    struct End {
        /// The end of the frame that has the last entry.
        var place: LogPlace
        var latest: [JobNumber]
        var progress: [SQLiteJournal.ProgressPlace: ShardProgress]
        var forgotten: ForgottenContent
        var term: UInt64
        /// Entries whose words are overwritten as soon as they are merged.
        var wiping: [LogPosition]
    }

    let memory: CardMemory
    let through: LogPosition
    let end: End
    private let keys: [CardKey]
    private let lists: [FreshList]
    private let jobs: [CardMemory.Job]
    private let conversations: ConversationMerge

    /// - Parameter isDue: whether a job still waits in some edition; others need no place in the table.
    init(_ memory: CardMemory, end: End, isDue: (CardMemory.Job) -> Bool) {
        (self.memory, self.end) = (memory, end)
        through = memory.through
        // Sorted by conversation alone: the cards of one lie close together anyway.
        let unsorted = Array(memory.cards.keys)
        let order = unsorted.indices.map { (prefix: unsorted[$0].prefix, place: Int32($0)) }.sorted { $0 < $1 }
        keys = order.map { unsorted[Int($0.place)] }
        lists = FreshList.lists(of: memory.fresh, shards: end.latest.count)
        jobs = memory.jobs.filter(isDue).sorted { ($0.shard, $0.number) < ($1.shard, $1.number) }
        conversations = ConversationMerge(memory.notes)
    }

    private var ownCount: Int { keys.count + lists.count + jobs.count }
    var count: Int { ownCount + conversations.count }

    /// Writes a range of them, in the caller's transaction. Idempotent.
    func write(_ places: Range<Int>, into tables: borrowing JournalTables) throws(StorageError) {
        let (start, end) = (places.lowerBound, places.upperBound)
        if end > ownCount {
            try conversations.write(max(0, start - ownCount)..<(end - ownCount), into: tables.database)
        }
        for place in min(start, ownCount)..<min(ownCount, end) {
            if place < keys.count {
                tables.putCard.bind(keys[place].bytes, at: 1)
                tables.putCard.bind(memory.cards[keys[place]]!.encoded(), at: 2)
                try tables.putCard.run()
            } else if place < keys.count + lists.count {
                let list = lists[place - keys.count]
                tables.putMessages.bind(Int64(list.shard.number), at: 1)
                tables.putMessages.bind(list.last.number, at: 2)
                tables.putMessages.bind(list.bytes, at: 3)
                try tables.putMessages.run()
            } else {
                let job = jobs[place - keys.count - lists.count]
                tables.putJob.bind(Int64(job.shard.number), at: 1)
                tables.putJob.bind(Int64(bitPattern: job.number.number), at: 2)
                tables.putJob.bind(Int64(job.lane.rawValue), at: 3)
                tables.putJob.bind(job.key.bytes, at: 4)
                try tables.putJob.run()
            }
        }
    }

    /// Notes up to which entry the tables are merged, in the transaction of the last step.
    func finish(in tables: borrowing JournalTables) throws(StorageError) {
        var writer = [UInt8]()
        for job in end.latest { writer.number(job.number) }
        tables.setMerged.bind(through.number, at: 1)
        tables.setMerged.bind(through.number + 1, at: 2)
        tables.setMerged.bind(writer, at: 3)
        try tables.setMerged.run()
        try end.place.write(to: tables.database)
        try tables.database.execute("DELETE FROM progress")
        for progress in end.progress.values { try tables.put(progress) }
        try end.forgotten.write(end.term, next: LogPosition(through.number + 1), to: tables.database)
        let wipe = try tables.database.prepare("INSERT OR IGNORE INTO wiping VALUES (?)")
        for place in end.wiping { try wipe.run(.integer(place.number)) }
    }
}

/// Messages of one shard that began between two merges, in the order of their numbers; messages
/// that are gone stay in it.
///
/// | bytes | |
/// |---|---|
/// | number | of each: its number, less the one before |
/// | block | its key |
struct FreshList {
    let shard: Shard
    let last: MessageNumber
    let bytes: [UInt8]

    static func lists(of messages: [CardMemory.Fresh], shards: Int) -> [FreshList] {
        var writers = Array(repeating: [UInt8](), count: shards)
        var last = Array(repeating: 0 as Int64, count: shards)
        for message in messages {
            let shard = Int(message.shard.number)
            writers[shard].number(UInt64(message.number.number - last[shard]))
            writers[shard].block(message.key.bytes)
            last[shard] = message.number.number
        }
        return writers.indices.filter { !writers[$0].isEmpty }.map { shard in
            FreshList(shard: Shard(UInt16(shard)), last: MessageNumber(last[shard]), bytes: writers[shard])
        }
    }

    static func messages(_ bytes: [UInt8]) throws(ByteError) -> [(number: MessageNumber, key: MessageKey)] {
        var reader = PackedReader(bytes)
        var (messages, last): ([(number: MessageNumber, key: MessageKey)], Int64) = ([], 0)
        while !reader.isAtEnd {
            last &+= Int64(truncatingIfNeeded: try reader.number())
            let key = try reader.block(atMost: 2 * Limits.name + 16, of: "key")
            messages.append((MessageNumber(last), try CardKey.message(Array(key))))
        }
        return messages
    }
}
