import Names
import Testing
import Wire

@testable import Pool

private func event(_ number: Int) throws -> MessageEvent {
    MessageEvent(
        conversation: try ConversationID("c"), message: try MessageID("m\(number)"),
        body: MessageBody(
            sender: try SenderID("s"), time: Timestamp(milliseconds: 0), content: MessageEvent.plainText("hello")),
        order: Int64(number))
}

private func request(_ numbers: [Int]) throws -> IngestRequest {
    let events: [Result<MessageEvent, EventFault>] = try numbers.map { .success(try event($0)) }
    return IngestRequest(events: events)
}

@Test func `an event that was refused before has room before one that comes for the first time`() throws {
    var (keeper, journal) = (Bookkeeper(shards: 4), MemoryJournal(shards: 4))
    // The events that are kept in a turn, of requests of some connections.
    func kept(room: Int, _ asked: [(peer: UInt8, numbers: [Int])]) throws -> [Int] {
        keeper.open(room: IngestRoom(live: room, backfill: 0, retryAfter: 1, pace: 100))
        let requests = try asked.map { try request($0.numbers) }
        for request in requests { keeper.expect(request) }
        var kept: [Int] = []
        for (request, one) in zip(requests, asked) {
            let judgements = keeper.judge(request, from: Peer(route: [one.peer]), in: &journal)
            for (number, judgement) in zip(one.numbers, judgements) where judgement.answer == .accepted {
                kept.append(number)
            }
        }
        journal.commit(keeper.close())
        return kept
    }
    let first = try kept(room: 2, [(1, [0, 1, 2, 3, 4, 5])])
    let second = try kept(room: 4, [(1, [6, 7]), (1, [2, 3, 4, 5])])
    let third = try kept(room: 5, [(1, [8, 6, 7])])
    #expect(first == [0, 1] && second == [2, 3, 4, 5])
    #expect(third == [8, 6, 7], "the room that is left is for all")
    // A producer that has been refused nothing gives way to nobody.
    let none = try kept(room: 0, [(1, [9])])
    let calm = try kept(room: 1, [(2, [20]), (1, [9])])
    #expect(none == [] && calm == [20])
}

@Test func `a crowd is kept in the order in which it came first, and new events do not pass it`() throws {
    var (keeper, journal) = (Bookkeeper(shards: 4), MemoryJournal(shards: 4))
    // Turns of a twentieth of a second, with room for twenty events on average: workers report in every other one.
    let (turn, room) = (50, 20)
    var due: [Int: [Int]] = [:]
    var (turns, count) = (0, 0)
    var kept: [Int] = []
    func take(fresh: Int) throws {
        let (now, free) = (Moment.start + .milliseconds(turns * turn), turns.isMultiple(of: 2) ? 2 * room : 0)
        keeper.open(room: IngestRoom(live: free, backfill: 0, retryAfter: 1, pace: room * 1000 / turn), turn: now)
        // New ones are read first.
        let lists = [Array(count..<count + fresh), due.removeValue(forKey: turns) ?? []]
        count += fresh
        let requests = try lists.map { try request($0) }
        for request in requests { keeper.expect(request) }
        for (request, numbers) in zip(requests, lists) {
            let judgements = keeper.judge(request, from: Peer(route: [1]), in: &journal)
            for (number, judgement) in zip(numbers, judgements) {
                switch judgement.answer {
                case .busy(let wait, _): due[turns + max(1, (wait + turn - 1) / turn), default: []].append(number)
                default: kept.append(number)
                }
            }
        }
        journal.commit(keeper.close())
        turns += 1
    }
    for _ in 0..<60 { try take(fresh: 2 * room) }
    while kept.count < count, turns < 300 { try take(fresh: 8) }
    #expect(kept.count == count)
    var (newest, passed) = (0, 0)
    for number in kept {
        newest = max(newest, number)
        if newest - number > 200 { passed += 1 }
    }
    #expect(passed < count / 100, "otherwise most of the crowd is passed by new events")
}

@Test func `an event of a conversation that was refused does not wait until no message comes back any more`() throws {
    var (keeper, journal) = (Bookkeeper(shards: 4), MemoryJournal(shards: 4))
    let title = ConversationEvent(conversation: try ConversationID("c"), title: "Friends")
    let titling = IngestRequest(events: [.success(ChatEvent.conversation(title))])
    var accepted: [Bool] = []
    for room in [0, 1] {
        let crowd = try request([1, 2].map { $0 + 10 * room })
        keeper.open(room: IngestRoom(live: room, backfill: 0, retryAfter: 1, pace: 100))
        for request in [crowd, titling] { keeper.expect(request) }
        let peer = Peer(route: [1])
        let messages = keeper.judge(crowd, from: peer, in: &journal)
        let answer = keeper.judge(titling, from: peer, in: &journal)
        accepted += [messages.contains { $0.answer == .accepted }, answer.contains { $0.answer == .accepted }]
        journal.commit(keeper.close())
    }
    #expect(accepted == [false, false, false, true])
}

@Test func `a refused event is known by its conversation, its message and its revision`() throws {
    var refused = RefusedEvents()
    let (first, second) = (ChatEvent.message(try event(1)), ChatEvent.message(try event(2)))
    #expect(!refused.contains(first))
    refused.insert(first)
    var edited = try event(1)
    edited.revision = Revision(2)
    let edit = ChatEvent.message(edited)
    #expect(refused.contains(first) && !refused.contains(second) && !refused.contains(edit))
    let others = try (3..<3000).map { ChatEvent.message(try event($0)) }
    for other in others { refused.insert(other) }
    #expect(others.allSatisfy { refused.contains($0) } && refused.contains(first))
}
