import Bytes
import Names
import Pool
import Wire

// The newest messages of each conversation, for a walk through the rows of a lost file.
extension JournalCards {
    /// A page of the newest messages: first those that are not in the tables, then those of one pass over the
    /// cards, from the last key to the first. The cards of a conversation lie together, and conversations of other
    /// shards are stepped over. So no order has to be kept that only a lost file needs, and a page costs the same
    /// however many cards there are. The pass begins with the last key because names mostly rise with time: the
    /// newest messages are met first, and hardly any card behind them is newer than those that are kept.
    mutating func recent(in shard: Shard, after walk: RecentWalk, limit: Int) throws(StorageError) -> RecentPage {
        var walk = walk
        if walk.found == nil { walk.found = try newestUnmerged(in: shard) }
        if walk.found!.isEmpty { try pass(over: shard, &walk, until: limit) }
        var jobs: [LayoutJob] = []
        while jobs.count < limit, let next = walk.found!.popLast() {
            guard let (key, card) = try message(next.key), card.number == next.number, card.isShown else { continue }
            if let job = try job(card.lastJob!, of: card, key) { jobs.append(job) }
        }
        return RecentPage(jobs: jobs, rest: walk.isThrough && walk.found!.isEmpty ? nil : walk)
    }

    /// The newest messages of entries since the last merge, found before the pass, so that a merge
    /// meanwhile moves none behind it.
    private func newestUnmerged(in shard: Shard) throws(StorageError) -> [NewestMessages.Message] {
        var entries: [(MessageKey, CardEntry)] = []
        for memory in [merge?.memory, memory] {
            for (key, card) in memory?.cards ?? [:] {
                let key = try messageKey(key)
                if self.shard(of: key.conversation) == shard { entries.append((key, card.entry)) }
            }
        }
        return NewestMessages.oldestFirst(of: entries)
    }

    private func shard(of conversation: ConversationID) -> Shard { Shard(of: conversation, among: latest.count) }

    /// Finds the newest of as many conversations as make a page, or looks at as many cards as a page may.
    private func pass(over shard: Shard, _ walk: inout RecentWalk, until limit: Int) throws(StorageError) {
        var pass = CardPass(shard: shard, shards: latest.count, limit: limit, walk: walk)
        try tables.enter()
        repeat {
            pass.walk.isThrough = true
            tables.cardsBefore.bind(pass.walk.reached ?? CardKey.behindAll, at: 1)
            try tables.cardsBefore.each { row throws(StorageError) in
                do throws(ByteError) {
                    return try pass.look(at: row) { key in memory.cards[key] != nil || merge?.memory.cards[key] != nil }
                } catch {
                    throw .damaged(path: tables.database.path, error)
                }
            }
        } while !pass.walk.isThrough && !pass.isFull
        pass.end()
        walk = pass.walk
    }
}

/// A pass from card to card, which steps over conversations of other shards.
private struct CardPass {
    /// The most cards that a page looks at: some milliseconds of a turn.
    private static let cardsAtOnce = 8192

    let shard: Shard
    let shards: Int
    let limit: Int
    var walk: RecentWalk
    private var looks = 0
    private var found: [NewestMessages.Message] = []
    /// The bytes with which the keys of the current conversation begin.
    private var start: [UInt8]?

    init(shard: Shard, shards: Int, limit: Int, walk: RecentWalk) {
        (self.shard, self.shards, self.limit, self.walk) = (shard, shards, limit, walk)
        start = walk.conversation.map { CardKey.start(of: $0) }
    }

    var isFull: Bool { looks >= Self.cardsAtOnce || found.count >= limit }

    /// - Parameter isUnmerged: whether the log has a newer card than the table: that message was
    ///   given before, or comes by itself.
    /// - Returns: whether the next row is to be looked at.
    mutating func look(at row: Statement.Row, isUnmerged: (CardKey) -> Bool) throws(ByteError) -> Bool {
        looks += 1
        let key = row.blob(0)
        if start.map({ !key.starts(with: $0) }) ?? true {
            endConversation()
            guard try begin(with: key), !isFull else {
                walk.isThrough = false
                return false
            }
        }
        walk.reached = key
        if let card = try StoredCard.shownHead(in: row.blob(1)) {
            let order = card.order!.value
            if walk.newest.has(roomFor: order, card.number) {
                let name = try CardKey.message(key)
                if !isUnmerged(CardKey(name)) { walk.newest.take(name, order: order, card.number) }
            }
        }
        if isFull { walk.isThrough = false }
        return !isFull
    }

    /// - Returns: whether it is of the shard. If not, the pass goes on before all keys of the conversation.
    private mutating func begin(with key: [UInt8]) throws(ByteError) -> Bool {
        let conversation = try CardKey.message(key).conversation
        let start = CardKey.start(of: conversation)
        guard Shard(of: conversation, among: shards) == shard else {
            walk.reached = start
            return false
        }
        (walk.conversation, self.start) = (conversation, start)
        return true
    }

    private mutating func endConversation() {
        found += walk.newest.all
        (walk.conversation, walk.newest, start) = (nil, NewestMessages(), nil)
    }

    /// Ends the page, and gives the walk the messages that were found, the first one last.
    mutating func end() {
        if walk.isThrough { endConversation() }
        walk.found = found.reversed()
    }
}
