import Bytes
package import Pool
package import Wire

extension SQLiteJournal {
    package mutating func card(_ key: MessageKey) throws(StorageError) -> CardEntry? { try find(CardKey(key))?.entry }

    mutating func find(_ key: CardKey) throws(StorageError) -> StoredCard? {
        if let known = memory.cards[key] { return known }
        return try findMerged(key)
    }

    /// As it was before the entries that are only in memory.
    mutating func findMerged(_ key: CardKey) throws(StorageError) -> StoredCard? {
        if let known = merge?.memory.cards[key] { return known }
        if let known = cache.find(key) { return known }
        guard let found = try tables.card(key) else { return nil }
        cache.put(key, found)
        return found
    }

    package mutating func body(at place: LogPosition) throws(StorageError) -> MessageBody? {
        guard let frame = try frame(with: place) else { return nil }
        let range = frame.body(at: place)
        guard !range.isEmpty else { return nil }
        do throws(ByteError) {
            return try LogBody.body(frame.bytes[range])
        } catch {
            damaged += 1
            return nil
        }
    }

    /// The frame that has the place; nil where it is gone.
    mutating func frame(with place: LogPosition) throws(StorageError) -> LogFrame? {
        if let known = frames.find(place) { return known }
        guard let found = try log.find(place)?.frame else { return nil }
        frames.put(found)
        return found
    }

    /// What an entry changed; nil where that was dropped.
    func change(at place: LogPosition, in frame: LogFrame) throws(StorageError) -> LogChange? {
        let range = frame.change(at: place)
        guard !range.isEmpty else { return nil }
        do throws(ByteError) {
            return try LogChange(decoding: frame.bytes[range])
        } catch {
            throw .damaged(path: log.folder, error)
        }
    }

    /// The job that a message needs as its registers stand; nil where it has no row and never had one.
    mutating func job(
        _ number: JobNumber, of card: MessageCard, _ key: MessageKey
    ) throws(StorageError) -> LayoutJob? {
        var work = LayoutJob.Work.remove
        if card.deletion == nil {
            guard let body = card.body, let order = card.order else { return nil }
            if let content = try self.body(at: body.value.at) {
                work = .layOut(
                    MessageState(
                        order: order.value, body: content, status: card.status?.value,
                        reactions: card.shownReactions, revision: body.revision))
            } else {
                work = .amend(order: order.value, status: card.status?.value)
            }
        }
        return LayoutJob(
            number: number, message: card.number, conversation: key.conversation, messageID: key.message, work: work)
    }

    /// The message that a key leads to, over other ids that it has had.
    package mutating func message(_ key: MessageKey) throws(StorageError) -> (key: MessageKey, card: MessageCard)? {
        var key = key
        for _ in 0..<8 {
            switch try card(key) {
            case nil: return nil
            case .message(let card): return (key, card)
            case .alias(let other, _): key = MessageKey(key.conversation, other)
            }
        }
        return nil
    }
}
