import Bytes
import Names
import Pool
import Wire

// The newest messages of each conversation, for a walk through what was in a file that is lost.
extension JournalCards {
    /// First what is not in the tables, and then one pass over the cards, from the last key to the first, in which those of a conversation lie
    /// together; conversations of other shards are stepped over. So nothing has to be kept by order that only a lost file needs, and a page
    /// costs the same however many cards there are. From the last: where names rise with time, which is usual, the newest are met first,
    /// and hardly any card behind them is newer than those that are kept.
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

    /// Of what the log has said since the last merge: before the pass, so that a merge meanwhile takes nothing behind it.
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

/// Goes from card to card, and over conversations of other shards.
private struct CardPass {
    /// Cards that a page looks at, at most: some milliseconds of a turn.
    private static let cardsAtOnce = 8192

    let shard: Shard
    let shards: Int
    let limit: Int
    var walk: RecentWalk
    private var looks = 0
    private var found: [NewestMessages.Message] = []
    /// What keys of the conversation at hand begin with.
    private var start: [UInt8]?

    init(shard: Shard, shards: Int, limit: Int, walk: RecentWalk) {
        (self.shard, self.shards, self.limit, self.walk) = (shard, shards, limit, walk)
        start = walk.conversation.map { CardKey.start(of: $0) }
    }

    var isFull: Bool { looks >= Self.cardsAtOnce || found.count >= limit }

    /// - Parameter isUnmerged: whether the log says more of it than the table: that was told before, or comes by itself.
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

    /// The page is at its end, and what was found is the walk's: the first one last.
    mutating func end() {
        if walk.isThrough { endConversation() }
        walk.found = found.reversed()
    }
}
