import Names
import Pool
import Storage
import TestSupport
import Testing
import Wire

/// A journal of one shard with conversations that an import brought in with their newest messages first.
private func imported(
    _ conversations: Int, of messages: Int, mergedAfter: Int, in temporary: TemporaryFolder
) throws -> SQLiteJournal {
    var journal = try SQLiteJournal(
        in: DataFolder(temporary.path), settings: JournalSettings(shards: 4, mergeLength: mergedAfter))
    for age in 0..<messages {
        var keeper = Bookkeeper(shards: 4)
        keeper.open(room: IngestRoom(live: 9999, backfill: 9999, retryAfter: 20))
        let events = try (0..<conversations).map { conversation in
            Result<MessageEvent, EventFault>.success(
                MessageEvent(
                    conversation: try ConversationID("c\(conversation)"),
                    message: try MessageID("m\(messages - age)"), revision: Revision(1),
                    body: MessageBody(
                        sender: try SenderID("ada"), time: Timestamp(milliseconds: 1),
                        content: MessageEvent.plainText("hello")), order: Int64(messages - age)))
        }
        _ = try keeper.take(IngestRequest(events: events), from: Peer(route: [1]), in: &journal)
        try journal.commit(keeper.close(with: PoolRecord()))
        while try journal.maintain(steps: 1000, idle: true) {}
    }
    return journal
}

@Test(arguments: [200, 100_000])
func `the newest of each conversation are found before the rest, whatever their numbers are`(merged: Int) throws {
    let temporary = try TemporaryFolder()
    var journal = try imported(20, of: 120, mergedAfter: merged, in: temporary)
    var seen: [ConversationID: Set<Int64>] = [:]
    for number in 0..<4 {
        let shard = Shard(UInt16(number))
        var walk: RecentWalk? = RecentWalk()
        while let here = walk {
            let page = try journal.recent(in: shard, after: here, limit: 64)
            #expect(page.jobs.count <= 64)
            for job in page.jobs {
                #expect(Shard(of: job.conversation, among: 4) == shard)
                guard case .layOut(let state) = job.work else { continue }
                seen[job.conversation, default: []].insert(state.order)
            }
            walk = page.rest
        }
    }
    #expect(seen.count == 20)
    for (conversation, orders) in seen {
        #expect(orders.isSuperset(of: 71...120), "\(conversation)")
        // Messages that are not merged yet are listed beside those that are.
        #expect(orders.count <= 100, "\(conversation): \(orders.count)")
    }
}
