import Names
import Pool
import Replication
import Testing
import Wire

/// An entry of a message that got its order from the service, as a person began it.
private func entry(
    _ place: Int64, _ revision: UInt64 = 1, isFirst: Bool, _ change: (inout MessageEvent) -> Void = { _ in }
) -> JournalEntry {
    let body = Sample.body("version \(place)")
    var event = MessageEvent(
        conversation: Sample.conversation, message: Sample.message("m"), revision: Revision(revision), body: body)
    change(&event)
    var card = MessageCard(number: MessageNumber(0))
    card.body = .init(revision: event.revision, value: .init(at: LogPosition(place), hash: body.hash))
    card.order = .init(revision: Revision(0), value: 9)
    let state = MessageState(
        order: 9, body: body, status: event.status, revision: event.revision, isFirst: isFirst)
    let job = LayoutJob(
        number: JobNumber(UInt64(place) + 1), message: card.number, conversation: event.conversation,
        messageID: event.message, work: .layOut(state))
    let key = MessageKey(event.conversation, event.message)
    return JournalEntry(
        event: event, lane: .live, cards: [CardChange(key: key, entry: .message(card))], jobs: [job])
}

@Test func `what is salvaged is posted by a person only where it gets its order by that`() {
    // Later ones are of a backend: its id of the message, a revision and a status that no person may say.
    let entries = [
        entry(0, isFirst: true), entry(1, 2, isFirst: false) { $0.clientID = Sample.message("k") },
        entry(2, 1 << 40, isFirst: false), entry(3, 1 << 41, isFirst: false) { $0.status = Array("1".utf8) },
    ]
    let requests = SalvagedEvents.requests(TurnContent(first: LogPosition(0), entries: entries))
    #expect(requests.map(\.subject) == [Sample.ada, nil, nil, nil])
    let events: [Result<ChatEvent, EventFault>] = entries.map { .success(.message($0.event)) }
    #expect(requests.map(\.events) == events.map { [$0] })
}
