import MessageLayout
package import Names
package import Pool
package import Wire

/// A journal in memory that does all that the seam asks for, in the plainest way. Others are compared with it.
package struct ModelJournal: Journal {
    package let term: UInt64 = 1
    package var entries: [JournalEntry] = []
    package var cards: [MessageKey: CardEntry] = [:]
    package var progress: [ShardProgress] = []
    package var shelf: [ShelvedJob] = []
    package var service: EditionService?
    private var added: [AddedTarget] = []
    package var latest: [JobNumber]
    package private(set) var conversations: [ConversationID: ConversationCard] = [:]
    package private(set) var readings: [ReadingKey: Int64] = [:]
    /// The bodies of all entries of the log; nil for those of conversations.
    private var bodies: [MessageBody?] = []
    /// The position of the first entry.
    private let first: Int64

    package init(shards: Int, first: Int64 = 0) {
        latest = Array(repeating: .zero, count: shards)
        self.first = first
    }

    package var nextPosition: LogPosition { LogPosition(first + Int64(bodies.count)) }
    package func nextJob(in shard: Shard) -> JobNumber { JobNumber(latest[Int(shard.number)].number + 1) }
    package func conversation(_ id: ConversationID) -> ConversationCard? { conversations[id] }
    package func readPlace(_ key: ReadingKey) -> Int64? { readings[key] }
    package func card(_ key: MessageKey) -> CardEntry? { cards[key] }
    package func body(at place: LogPosition) -> MessageBody? { bodies[Int(place.number - first)] }

    package func standing() -> Standing {
        Standing(
            service: service, progress: progress.sorted { ($0.edition, $0.shard) < ($1.edition, $1.shard) },
            latest: latest, added: added)
    }

    package mutating func commit(_ turn: JournalTurn) {
        for entry in turn.entries {
            entries.append(entry)
            bodies.append(entry.event.body)
            for change in entry.cards { cards[change.key] = change.entry }
            for job in entry.jobs {
                latest[shard(of: job.conversation)] = job.number
                shelf.removeAll { $0.message == job.message }
            }
        }
        for note in turn.notes {
            bodies.append(nil)
            switch note.said {
            case .card(let card): conversations[note.conversation] = card
            case .read(let reader, let order): readings[ReadingKey(note.conversation, reader)] = order
            }
        }
        for edition in turn.record.retired {
            progress.removeAll { $0.edition == edition }
            shelf.removeAll { $0.place.edition == edition }
        }
        for new in turn.record.progress {
            progress.removeAll { $0.edition == new.edition && $0.shard == new.shard }
            progress.append(new)
        }
        for new in turn.record.shelved {
            if message(new.key)?.1.lastJob.map({ $0 > new.place.job }) == true { continue }
            shelf.removeAll { $0.place == new.place }
            shelf.append(new)
        }
        shelf = shelf.filter { !turn.record.unshelved.contains($0.place) && !isDeleted($0.key) }
        service = turn.record.service ?? service
        added = turn.record.added?.sorted { $0.target.precedes($1.target) } ?? added
    }

    private func isDeleted(_ key: MessageKey) -> Bool {
        message(key)?.1.deletion != nil
    }

    private func shard(of conversation: ConversationID) -> Int {
        Int(Shard(of: conversation, among: latest.count).number)
    }

    package func unfinished(in shard: Shard, of edition: EditionID, after: JobNumber, limit: Int) -> JobPage {
        let done = progress.first { $0.edition == edition && $0.shard == shard }
        var jobs: [DueJob] = []
        for entry in entries {
            for job in entry.jobs where self.shard(of: job.conversation) == Int(shard.number) && job.number > after {
                let isDone = done.map { job.number <= $0.through || $0.beyond.contains { $0.contains(job.number) } }
                guard isDone != true, let due = resolve(job) else { continue }
                jobs.append(DueJob(due, lane: entry.lane))
            }
        }
        let page = Array(jobs.prefix(limit))
        return JobPage(jobs: page, through: jobs.count > limit ? page.last!.job.number : latest[Int(shard.number)])
    }

    private func resolve(_ job: LayoutJob) -> LayoutJob? {
        let key = MessageKey(job.conversation, job.messageID)
        if case .alias(_, let absorbed?) = cards[key], absorbed.removal == job.number {
            return LayoutJob(
                number: job.number, message: absorbed.number, conversation: job.conversation,
                messageID: job.messageID, work: .remove)
        }
        guard let (key, card) = message(key), card.lastJob == job.number else { return nil }
        return self.job(of: card, key)
    }

    private func message(_ key: MessageKey) -> (MessageKey, MessageCard)? {
        switch cards[key] {
        case nil: nil
        case .message(let card): (key, card)
        case .alias(let other, _): message(MessageKey(key.conversation, other))
        }
    }

    private func job(of card: MessageCard, _ key: MessageKey) -> LayoutJob? {
        guard let number = card.lastJob else { return nil }
        var work = LayoutJob.Work.remove
        if card.deletion == nil {
            guard let place = card.body, let order = card.order else { return nil }
            work =
                body(at: place.value.at).map {
                    .layOut(
                        MessageState(
                            order: order.value, body: $0, status: card.status?.value,
                            reactions: card.shownReactions, revision: place.revision))
                } ?? .amend(order: order.value, status: card.status?.value)
        }
        return LayoutJob(
            number: number, message: card.number, conversation: key.conversation, messageID: key.message, work: work)
    }

    package func messages(in shard: Shard, after: MessageNumber, limit: Int) -> [LayoutJob] {
        let living = cards.compactMap { key, entry -> LayoutJob? in
            guard case .message(let card) = entry, self.shard(of: key.conversation) == Int(shard.number),
                card.deletion == nil, card.number > after
            else { return nil }
            return job(of: card, key)
        }
        return Array(living.sorted { $0.message < $1.message }.prefix(limit))
    }

    /// All jobs in one page, whatever the limit is.
    package func recent(in shard: Shard, after walk: RecentWalk, limit: Int) -> RecentPage {
        let own = cards.lazy.filter { self.shard(of: $0.key.conversation) == Int(shard.number) }
        let newest = NewestMessages.oldestFirst(of: own.map { ($0.key, $0.value) })
        return RecentPage(jobs: newest.compactMap { message($0.key) }.compactMap { job(of: $0.1, $0.0) }, rest: nil)
    }

    package func shelved(after: ShelfPlace?, limit: Int) -> [ShelvedJob] {
        let sorted = shelf.sorted { $0.place < $1.place }
        return Array(sorted.filter { job in after.map { job.place > $0 } ?? true }.prefix(limit))
    }

    package func job(at place: ShelfPlace) -> LayoutJob? {
        guard let shelved = shelf.first(where: { $0.place == place }), let (key, card) = message(shelved.key),
            card.number == shelved.message
        else { return nil }
        return job(of: card, key)
    }
}
