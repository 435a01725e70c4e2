import Names
import Wire

extension Bookkeeper {
    /// Writes down the news of an event, and returns the number of jobs that this causes.
    mutating func write<Log: Journal & ~Copyable>(
        _ news: EventNews, of event: MessageEvent, _ lane: Lane, in journal: inout Log
    ) throws(Log.Failure) -> Int {
        let shard = Shard(of: event.conversation, among: shards)
        // First, as it may fail: a job that has a number must be in the turn.
        let work = try work(for: news, of: event, in: &journal)
        var news = news
        var jobs: [LayoutJob] = []
        var cards: [CardChange] = []
        if let alias = news.alias {
            var absorbed: AbsorbedRow?
            if let row = alias.absorbed, let last = row.lastJob {
                // A message that is deleted has caused the job that removes its row.
                let number = row.deletion == nil ? draft.nextJob(in: shard, journal) : last
                absorbed = AbsorbedRow(number: row.number, removal: number)
                if row.deletion == nil { jobs.append(event.job(number, row.number, alias.id, .remove)) }
            }
            let entry = CardEntry.alias(of: news.id, absorbed: absorbed)
            cards.append(CardChange(key: MessageKey(event.conversation, alias.id), entry: entry))
        }
        if let work {
            let number = draft.nextJob(in: shard, journal)
            news.card.lastJob = number
            jobs.append(event.job(number, news.card.number, news.id, work))
        }
        cards.append(CardChange(key: MessageKey(event.conversation, news.id), entry: .message(news.card)))
        // A time that is yet to come keeps no conversation above all others.
        let activity =
            news.card.deletion == nil
            ? event.body.map {
                Timestamp(milliseconds: min($0.time.milliseconds, places.time.milliseconds))
            } : nil
        draft.append(JournalEntry(event: event, lane: lane, cards: cards, jobs: jobs, activity: activity))
        return jobs.count
    }

    /// Returns the work that the row needs; nil while the message is not complete, or when nothing of the row changes.
    private func work<Log: Journal & ~Copyable>(
        for news: EventNews, of event: MessageEvent, in journal: inout Log
    ) throws(Log.Failure) -> LayoutJob.Work? {
        let card = news.card
        guard card.deletion == nil else {
            return news.before?.deletion == nil && card.lastJob != nil ? .remove : nil
        }
        guard let body = card.body, let order = card.order, card != news.before || news.isRenamed else { return nil }
        let isOwn = event.body != nil && body.value.at == draft.position(in: journal)
        guard let content = isOwn ? event.body : try draft.body(at: body.value.at, in: &journal) else {
            return .amend(order: order.value, status: card.status?.value)
        }
        return .layOut(
            MessageState(
                order: order.value, body: content, status: card.status?.value, reactions: card.shownReactions,
                revision: body.revision, isFirst: card.lastJob == nil))
    }
}

extension MessageEvent {
    fileprivate func job(
        _ number: JobNumber, _ message: MessageNumber, _ id: MessageID, _ work: LayoutJob.Work
    ) -> LayoutJob {
        LayoutJob(number: number, message: message, conversation: conversation, messageID: id, work: work)
    }
}
