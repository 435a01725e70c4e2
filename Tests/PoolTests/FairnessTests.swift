import Names
import Pool
import TestSupport
import Testing
import Wire

@Test func `who asks for much is served as much as who asks for little, by what it costs`() {
    var queue = FairQueue<String, Int>(quantum: 10, mostOfOne: 1000, most: 10_000)
    for i in 0..<500 { _ = queue.add(i, of: "heavy") }
    for name in ["a", "b", "c"] { for i in 0..<100 { _ = queue.add(i, of: name) } }
    var costs: [String: Int] = [:]
    while let (name, _) = queue.next(), costs["a", default: 0] < 180 {
        let cost = name == "heavy" ? 30 : 2
        queue.charge(name, cost)
        costs[name, default: 0] += cost
    }
    #expect(costs.values.allSatisfy { 150...210 ~= $0 }, "\(costs)")
}

@Test func `a subject that comes back while others wait brings its debts along, and none when nobody waits`() {
    var queue = FairQueue<String, Int>(quantum: 10, mostOfOne: 10, most: 100)
    func turns(of name: String) -> [String] {
        var order: [String] = []
        while let (name, _) = queue.next() {
            queue.charge(name, 10)
            order.append(name)
        }
        return order
    }
    _ = queue.add(0, of: "slow")
    for i in 0..<3 { _ = queue.add(i, of: "other") }
    #expect(queue.next()?.subject == "slow")
    queue.charge("slow", 35)
    _ = queue.add(1, of: "slow")
    #expect(turns(of: "slow") == ["other", "other", "other", "slow"])
    _ = queue.add(0, of: "slow")
    #expect(queue.next()?.subject == "slow")
    queue.charge("slow", 1_000_000)
    for name in ["slow", "other"] { _ = queue.add(0, of: name) }
    #expect(turns(of: "slow") == ["slow", "other"])
}

@Test func `a queue takes so much of one, and so much of all, and serves each in order`() {
    forEachSeed(200) { random in
        var queue = FairQueue<Int, Int>(quantum: 7, mostOfOne: 5, most: 12)
        var model: [Int: [Int]] = [:]
        for step in 0..<200 {
            if Bool.random(using: &random) {
                let subject = Int.random(in: 0..<5, using: &random)
                let waiting = model.values.reduce(0) { $0 + $1.count }
                let fits = model[subject, default: []].count < 5 && waiting < 12
                guard queue.add(step, of: subject) == fits else { return false }
                if fits { model[subject, default: []].append(step) }
            } else if let (subject, item) = queue.next() {
                guard model[subject]?.first == item else { return false }
                model[subject]?.removeFirst()
                queue.charge(subject, Int.random(in: 0...100, using: &random))
            } else if model.values.contains(where: { !$0.isEmpty }) {
                return false
            }
        }
        return queue.count == model.values.reduce(0) { $0 + $1.count }
    }
}

@Test func `who took more than a fair share lately is greedy, unless nobody else takes anything`() {
    var shares = FairShares<String>(halfLife: .seconds(1))
    shares.take(1000, by: "flood")
    #expect(!shares.isGreedy("flood"))
    for name in ["a", "b", "c"] { shares.take(5, by: name) }
    #expect(shares.isGreedy("flood") && !shares.isGreedy("a") && !shares.isGreedy("new"))
    shares.pass(to: .start + .seconds(30))
    #expect(!shares.isGreedy("flood") && shares.count == 0)
}

@Test func `nobody is greedy who is ahead of others that ask for the same by chance`() {
    var shares = FairShares<String>(halfLife: .seconds(1))
    for (name, count) in [("a", 1000), ("b", 1050), ("c", 950)] { shares.take(count, by: name) }
    #expect(!shares.isGreedy("a") && !shares.isGreedy("b") && !shares.isGreedy("c"))
    shares.take(200, by: "b")
    #expect(shares.isGreedy("b") && !shares.isGreedy("a"))
}

@Test func `a producer without measure leaves room for the others`() throws {
    var keeper = Bookkeeper(shards: 4)
    var journal = MemoryJournal(shards: 4)
    func post(_ count: Int, as peer: UInt8, from first: Int) throws -> Int {
        let events = try (0..<count).map { i in
            MessageEvent(
                conversation: try ConversationID("c\(peer)"), message: try MessageID("m\(first + i)"),
                body: MessageBody(
                    sender: try SenderID("s"), time: Timestamp(milliseconds: 0),
                    content: Array("{\"kind\":\"text\"}".utf8)),
                order: Int64(first + i))
        }
        let answers = keeper.judge(
            IngestRequest(events: events.map { .success($0) }), from: Peer(route: [peer]), in: &journal)
        return answers.count { $0.answer == .accepted }
    }
    let room = IngestRoom(live: 100, backfill: 0, retryAfter: 1, reserve: 25)
    keeper.open(room: room)
    #expect(try post(200, as: 1, from: 0) == 100, "who is alone has all of it")
    keeper.open(room: room)
    #expect(try post(5, as: 2, from: 0) == 5)
    #expect(try post(200, as: 1, from: 1000) == 70)
    #expect(try post(5, as: 2, from: 100) == 5)
}

@Test func `refused events are told to come one behind the other, and another payer's do not wait for them`() {
    var appointments = Appointments<String>()
    let waits = (0..<5).map { _ in appointments.next(for: "storm", pace: 1000) }
    #expect(waits == [0, 1, 2, 3, 4])
    #expect(appointments.next(for: "calm", pace: 1000) == 0)
    #expect(appointments.next(for: "storm", pace: 1000) == 10, "of two, each has half")
    appointments.pass(to: .start + .milliseconds(10), pace: 1000)
    #expect(appointments.count == 1, "what was expected of the calm one has come")
    #expect(appointments.next(for: "storm", pace: 1000) == 1)
    appointments.pass(to: .start + .seconds(1), pace: 1000)
    #expect(appointments.count == 0 && appointments.next(for: "storm", pace: 1000) == 0)
}

@Test func `nobody is told to come later than it helps, and nothing where no pace is known`() {
    var appointments = Appointments<String>()
    let last = (0..<1000).map { _ in appointments.next(for: "storm", pace: 10) }.last
    #expect(last == 5_000)
    #expect(appointments.next(for: "storm", pace: 0) == 0)
    appointments.pass(to: .start + .milliseconds(10), pace: 0)
    #expect(appointments.count == 0, "where nothing waits, nobody has to")
}

@Test func `a storm of retries is refused hardly more often than it is accepted, and is over when it can be`() throws {
    var (keeper, journal) = (Bookkeeper(shards: 4), MemoryJournal(shards: 4))
    // Turns of a hundredth of a second, each with room for twenty of some thousand events that were sent at once.
    let (count, turn, perTurn) = (4000, 10, 20)
    var due = Dictionary(grouping: 0..<count) { _ in 0 }
    var (asked, accepted, turns) = (0, 0, 0)
    while accepted < count, turns < 2 * count / perTurn {
        let now = Moment.start + .milliseconds(turns * turn)
        let room = IngestRoom(live: perTurn, backfill: 0, retryAfter: turn, pace: perTurn * 1000 / turn)
        keeper.open(room: room, turn: now)
        let lines = due.removeValue(forKey: turns) ?? []
        for part in stride(from: 0, to: lines.count, by: 500).map({ lines[$0..<min($0 + 500, lines.count)] }) {
            let events = try part.map { line in
                MessageEvent(
                    conversation: try ConversationID("c"), message: try MessageID("m\(line)"),
                    body: MessageBody(
                        sender: try SenderID("s"), time: Timestamp(milliseconds: 0),
                        content: MessageEvent.plainText("hello")),
                    order: Int64(line))
            }
            let request = IngestRequest(events: events.map { .success($0) })
            let judgements = keeper.judge(request, from: Peer(route: [1]), in: &journal)
            for (line, judgement) in zip(part, judgements) {
                asked += 1
                switch judgement.answer {
                case .busy(let wait, _): due[turns + max(1, (wait + turn - 1) / turn), default: []].append(line)
                default: accepted += 1
                }
            }
        }
        journal.commit(keeper.close())
        turns += 1
    }
    #expect(accepted == count)
    #expect(asked < 3 * count, "with one wait for all they are asked a hundred times each")
    #expect(turns < count / perTurn * 5 / 4, "what is told leaves no room unused")
}

@Test func `a crowd of retries comes as fast as there is room, and is gone soon after the load that made it`() {
    var appointments = Appointments<Int>()
    // Turns of a twentieth of a second, each with room for twenty events of four payers.
    let (turn, room, pace) = (50, 20, 400)
    var due: [Int: [Int]] = [:]
    var (turns, asked, waiting) = (0, 0, 0)
    func take(fresh: Int) {
        appointments.pass(to: .start + .milliseconds(turns * turn), pace: pace)
        let retries = due.removeValue(forKey: turns) ?? []
        let payers = retries + (0..<fresh).map { $0 % 4 }
        asked += payers.count
        waiting -= retries.count
        for payer in payers.dropFirst(room) {
            let wait = appointments.next(for: payer, pace: pace)
            due[turns + max(1, (wait + turn - 1) / turn), default: []].append(payer)
            waiting += 1
        }
        turns += 1
    }
    // Twice as many come for twenty seconds as there is room for.
    for _ in 0..<400 { take(fresh: 40) }
    #expect(waiting > 15 * pace, "more wait than have room in a quarter of a minute")
    asked = 0
    let (crowd, end) = (waiting, turns)
    // Then two fifths of the room are for others, and the rest of it is for the crowd.
    while waiting > 0, turns < end + 1000 { take(fresh: 8) }
    #expect(waiting == 0 && turns < end + crowd / (room - 8) * 5 / 4, "what is told leaves no room unused")
    #expect(asked < 3 * crowd, "where all come after five seconds, most of them are refused each time")
}

@Test func `a crowd is told to come at a steady pace of the pool, and soon again where that is not known`() {
    func told(_ count: Int, by appointments: inout Appointments<String>, pace: Int) -> Int {
        (0..<count).reduce(0) { _, _ in appointments.next(for: "crowd", pace: pace) }
    }
    var appointments = Appointments<String>()
    appointments.pass(from: 0, to: 10, pace: 100)
    let (near, far) = (told(2000, by: &appointments, pace: 100), told(2000, by: &appointments, pace: 100))
    #expect(near == 19_990 && far == 30_000)
    // A worker is killed: there may be another in a second.
    appointments.pass(to: .start + .milliseconds(10_050), pace: 10)
    let amidTrouble = told(1, by: &appointments, pace: 10)
    appointments.pass(from: 11, to: 14, pace: 100)
    let soonAfter = told(1, by: &appointments, pace: 100)
    appointments.pass(from: 15, to: 17, pace: 100)
    let later = told(1, by: &appointments, pace: 100)
    #expect(amidTrouble == 5_000 && soonAfter == 5_000)
    #expect(later > 20_000 && later < 25_000)
}

@Test func `no event is told to wait for longer than all that are expected need`() {
    var appointments = Appointments<String>()
    appointments.pass(from: 0, to: 10, pace: 1000)
    for reader in 0..<100 { _ = appointments.next(for: "reader \(reader)", pace: 1000) }
    let last = (0..<1000).map { _ in appointments.next(for: "crowd", pace: 1000) }.last
    #expect(last == 5_000, "and not a hundred times as long as the crowd needs by itself")
}

extension Appointments {
    /// Lets seconds pass, in steps of a twentieth.
    fileprivate mutating func pass(from start: Int, to end: Int, pace: Int) {
        for step in start * 20...end * 20 { pass(to: .start + .milliseconds(step * 50), pace: pace) }
    }
}
