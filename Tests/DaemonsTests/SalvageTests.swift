import Names
import Pool
import Replication
import Testing
import Wire

@testable import Daemons

private func turn(_ texts: [String]) throws -> ReplayedTurn {
    let entries = try texts.map { text in
        let body = MessageBody(
            sender: try SenderID("ada"), time: Timestamp(milliseconds: 5),
            content: Array(#"{"kind":"text","text":"\#(text)"}"#.utf8))
        let event = MessageEvent(
            conversation: try ConversationID("c"), message: try MessageID(text), revision: Revision(1), body: body,
            order: 1)
        return JournalEntry(event: event, lane: .live, cards: [], jobs: [])
    }
    let content = TurnContent(first: LogPosition(0), entries: entries)
    return ReplayedTurn(content, next: LogPosition(Int64(texts.count)))
}

private func answer(_ answer: EventAnswer) -> [UInt8] {
    EventAnswer.json([answer], warnings: [:], limits: RequestLimits())
}

@Test func `what a log may lack is posted again in its order, and once more until the owner has it or refuses it`()
    throws
{
    var salvage = Salvage([try turn(["m1", "m2"]), try turn(["m3", "m4"])])
    var (posted, now): ([String], Moment) = ([], .start)
    // The owner is busy, does not answer, knows the first already, has another value of the second, and takes the
    // others.
    let conflict = EventAnswer.invalid(field: "body", reason: "revision 1 is known with another value; raise it")
    let answers: [EventAnswer?] = [.busy(retryAfter: 5), nil, .duplicate, conflict, .accepted, .superseded]
    for said in answers {
        let next = salvage.next(at: now)
        let request = try IngestRequest(parsing: try #require(next))
        let second = salvage.next(at: now)
        #expect(salvage.isAway && second == nil)
        for case .success(.message(let message)) in request.events { posted.append(message.message.text) }
        salvage.take(said.map(answer), at: now)
        if said == nil || said == .busy(retryAfter: 5) {
            let early = salvage.next(at: now)
            #expect(early == nil)
        }
        now = now + .seconds(1)
    }
    #expect(posted == ["m1", "m1", "m1", "m2", "m3", "m4"])
    let none = salvage.next(at: now)
    #expect(salvage.isDone && none == nil)
}
