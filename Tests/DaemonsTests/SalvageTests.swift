import Names
import Pool
import Replication
import Testing
import Wire

@testable import Daemons

private func turn(_ texts: [String], _ lane: Lane = .live) throws -> ReplayedTurn {
    let entries = try texts.map { text in
        let body = MessageBody(
            sender: try SenderID("ada"), time: Timestamp(milliseconds: 5),
            content: Array(#"{"kind":"text","text":"\#(text)"}"#.utf8))
        let event = MessageEvent(
            conversation: try ConversationID("c"), message: try MessageID(text), revision: Revision(1), body: body,
            order: 1)
        return JournalEntry(event: event, lane: lane, cards: [], jobs: [])
    }
    let content = TurnContent(first: LogPosition(0), entries: entries)
    return ReplayedTurn(content, next: LogPosition(Int64(texts.count)))
}

private func json(_ answers: [EventAnswer]) -> [UInt8] {
    EventAnswer.json(answers, warnings: [:], limits: RequestLimits())
}

extension Salvage {
    /// The names of the messages of the next request, and its lane; nil where there is none.
    fileprivate mutating func names(at now: Moment) throws -> (names: [String], lane: Lane)? {
        guard let bytes = next(at: now) else { return nil }
        let request = try IngestRequest(parsing: bytes)
        return (try request.events.compactMap { try $0.get().message?.message.text }, request.lane)
    }
}

@Test func `what a log may lack is posted again in its order, and once more until the owner has it or refuses it`()
    throws
{
    var salvage = Salvage([try turn(["m1", "m2"]), try turn(["m3", "m4", "m5"])])
    let conflict = EventAnswer.invalid(field: "body", reason: "revision 1 is known with another value; raise it")
    let tooMany = EventAnswer.invalid(field: "events", reason: "expected at most 2 in one request")
    // The owner does not answer; has another value of the second, and no room for the third; takes two at once; and
    // knows the last.
    let rounds: [(posted: [String], answers: [EventAnswer]?)] = [
        (["m1", "m2", "m3", "m4", "m5"], nil),
        (["m1", "m2", "m3", "m4", "m5"], [.accepted, conflict, .busy(retryAfter: 5), .accepted, .accepted]),
        (["m3", "m4", "m5"], [.accepted, .superseded, tooMany]), (["m5"], [.busy(retryAfter: 5)]),
        (["m5"], [.duplicate]),
    ]
    var now = Moment.start
    for (posted, answers) in rounds {
        let next = try salvage.names(at: now)
        #expect(next?.names == posted)
        let second = salvage.next(at: now)
        #expect(salvage.isAway && second == nil)
        salvage.take(answers.map(json), at: now)
        if answers == nil || answers == [.busy(retryAfter: 5)] {
            let early = salvage.next(at: now)
            #expect(early == nil)
            now = now + .seconds(1)
        }
    }
    let none = salvage.next(at: now)
    #expect(salvage.isDone && none == nil)
}

@Test func `a salvage posts many events at once, and those of another lane by themselves`() throws {
    let names = (0..<100).map { "m\($0)" }
    var salvage = Salvage([try turn(names), try turn(["old"], .backfill)])
    var posted: [(names: [String], lane: Lane)] = []
    while let next = try salvage.names(at: .start) {
        posted.append(next)
        salvage.take(json(next.names.map { _ in .accepted }), at: .start)
    }
    #expect(posted.map { $0.names.count } == [64, 36, 1] && posted.flatMap { $0.names } == names + ["old"])
    #expect(posted.map { $0.lane } == [.live, .live, .backfill] && salvage.isDone)
}
