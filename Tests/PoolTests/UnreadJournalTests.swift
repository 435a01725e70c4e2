import Names
import Pool
import TestSupport
import Testing
import Wire

/// A journal in memory whose bodies cannot be read for a while.
private struct UnreadJournal: Journal {
    struct Unread: Error {}

    var memory = MemoryJournal()
    var isUnread = false

    var term: UInt64 { memory.term }
    var nextPosition: LogPosition { memory.nextPosition }
    func nextJob(in shard: Shard) -> JobNumber { memory.nextJob(in: shard) }
    func standing() throws(Unread) -> Standing { memory.standing() }
    func card(_ key: MessageKey) throws(Unread) -> CardEntry? { memory.card(key) }
    func conversation(_ id: ConversationID) throws(Unread) -> ConversationCard? { memory.conversation(id) }
    func readPlace(_ key: ReadingKey) throws(Unread) -> Int64? { memory.readPlace(key) }
    func body(at place: LogPosition) throws(Unread) -> MessageBody? {
        if isUnread { throw Unread() }
        return memory.body(at: place)
    }
    mutating func commit(_ turn: JournalTurn) throws(Unread) { memory.commit(turn) }
    func unfinished(
        in shard: Shard, of edition: EditionID, after: JobNumber, limit: Int
    ) throws(Unread) -> JobPage { memory.unfinished(in: shard, of: edition, after: after, limit: limit) }
    func messages(in shard: Shard, after: MessageNumber, limit: Int) throws(Unread) -> [LayoutJob] { [] }
    func recent(in shard: Shard, after walk: RecentWalk, limit: Int) throws(Unread) -> RecentPage {
        RecentPage(jobs: [], rest: nil)
    }
    func shelved(after: ShelfPlace?, limit: Int) throws(Unread) -> [ShelvedJob] { [] }
    func job(at place: ShelfPlace) throws(Unread) -> LayoutJob? { nil }
}

private func post(_ id: String) throws -> MessageEvent {
    MessageEvent(
        conversation: try ConversationID("c"), message: try MessageID(id), revision: Revision(1),
        body: MessageBody(
            sender: try SenderID("ada"), time: Timestamp(milliseconds: 1), content: MessageEvent.plainText("hello")),
        order: 1)
}

/// An event for which the body of the message is read.
private func statusOf(_ id: String, as clientID: String? = nil) throws -> MessageEvent {
    MessageEvent(
        conversation: try ConversationID("c"), message: try MessageID(id),
        clientID: try clientID.map { try MessageID($0) }, revision: Revision(2), status: Array("read".utf8))
}

/// The answers while bodies cannot be read, nil for events that were not judged, and those when all is sent again.
private func answers(
    _ first: [MessageEvent], to events: [MessageEvent]
) throws -> (unread: [EventAnswer?], again: [EventAnswer]) {
    var (keeper, journal) = (Bookkeeper(shards: 16), UnreadJournal())
    func judge(_ events: [MessageEvent]) throws -> [EventAnswer?] {
        keeper.open(room: IngestRoom(live: 100, backfill: 100, retryAfter: 20))
        let request = IngestRequest(events: events.map { .success($0) })
        var judged: [Judgement]
        do throws(Bookkeeper.Interruption<UnreadJournal.Unread>) {
            judged = try keeper.take(request, from: Peer(route: [1]), in: &journal)
        } catch {
            judged = error.judgements
        }
        try journal.commit(keeper.close())
        return judged.map(\.answer) + Array(repeating: nil, count: events.count - judged.count)
    }
    _ = try judge(first)
    journal.isUnread = true
    let unread = try judge(events)
    journal.isUnread = false
    return (unread, try judge(events).compactMap(\.self))
}

@Test func `an event that is in the turn is never said to be busy, whatever cannot be read behind it`() throws {
    let found = try answers([post("old")], to: [post("new"), statusOf("old"), post("newer")])
    #expect(found.unread == [.accepted, nil, nil])
    #expect(found.again == [.duplicate, .accepted, .accepted])
}

@Test func `what could not be read has taken no number of a job`() throws {
    // Two messages become one: the row of the other goes with a job of its own, before the body is read.
    let found = try answers([post("one"), post("two")], to: [post("new"), statusOf("one", as: "two")])
    #expect(found.unread == [.accepted, nil])
    #expect(found.again.count == 2)
}
