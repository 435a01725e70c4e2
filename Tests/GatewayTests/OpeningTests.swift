import Conversation
import MessageLayout
import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Gateway

/// A stage whose conversation comes into memory a single step at a time.
private func slowStage() throws -> WindowStage {
    var limits = WindowLimits()
    limits.slice = .zero
    return try WindowStage(limits: limits)
}

private func opening(
    _ stage: WindowStage, _ window: UInt32 = 1, own: String? = nil, count: Int = 50
) throws -> ClientWord {
    .open(
        WindowOpening(
            window: WindowID(window), conversation: stage.conversation, target: WindowStage.target,
            reader: WindowReader(own: try own.map { try SenderID($0) }), count: count, screen: 2000))
}

/// Numbers and heights of all rows, as a desk has them.
private func rows(_ desk: WindowDesk, _ stage: WindowStage) throws -> [WindowRow] {
    let client = WindowClient("all")
    var words = desk.answer(try opening(stage, count: 200), from: client, at: .now)
    while words.isEmpty {
        _ = desk.proceed(at: .now) {
            words.append($1.word); return .done
        }
    }
    let timeline = try #require(desk.followers.seats[client]?[WindowID(1)]).shared.timeline
    return timeline.rows(0..<timeline.tree.count)
}

@Test func `a long conversation comes into memory while others are answered`() throws {
    let stage = try slowStage()
    try stage.fill(2000)
    let other = try Reader("other", on: stage)
    let client = WindowClient("r")
    #expect(stage.desk.answer(try opening(stage, own: "me"), from: client, at: .now).isEmpty)
    var (steps, said) = (0, [GatewayWord]())
    repeat {
        steps += 1
        let page = stage.desk.answer(.page(WindowID(1), .older, count: 5), from: other.client, at: .now)
        guard case .window(let reply)? = page.first else {
            Issue.record("\(page)")
            return
        }
        #expect(reply.rows.count == 5)
    } while stage.proceed(hearing: { if $0 == client { said.append($1) } })
    #expect(steps > 5)
    guard case .window(let reply)? = said.first else {
        Issue.record("\(said)")
        return
    }
    #expect(reply.rows.count == 50 && !stage.desk.shelf.isOpening)
}

@Test func `what is said about a window that is not there yet is answered in its order`() throws {
    let stage = try slowStage()
    try stage.fill(1000)
    let client = WindowClient("r")
    for word in [try opening(stage), .page(WindowID(1), .older, count: 7), .close(WindowID(1))] {
        #expect(stage.desk.answer(word, from: client, at: .now).isEmpty)
    }
    var said: [GatewayWord] = []
    while stage.proceed(hearing: { if $0 == client { said.append($1) } }) {}
    guard said.count == 3, case .window(let whole) = said[0], case .window(let page) = said[1] else {
        Issue.record("\(said)")
        return
    }
    #expect(whole.part == .whole && page.part == .older && page.rows.count == 7 && said[2] == .done(WindowID(1)))
}

@Test func `a conversation with a row that cannot be shown is refused to who opens it, until the row can be`() throws {
    let stage = try WindowStage()
    try stage.fill(3)
    var reader = try Reader("r", on: stage)
    _ = try Reader("s", on: stage, reader: WindowReader(unreadFrom: 2))
    try stage.commit([try stage.laidOutElsewhere(4)])
    stage.tick()
    try reader.listen()
    #expect(reader.refusal == .unprepared)
    let refused = [GatewayWord.refused(WindowID(1), .unprepared)]
    for unread in [nil, nil, 2, 3] as [Int64?] {
        let opening = WindowOpening(
            window: WindowID(1), conversation: stage.conversation, target: WindowStage.target,
            reader: WindowReader(unreadFrom: unread), screen: 2000)
        let answers = stage.say(.open(opening), as: reader.client)
        #expect(answers == refused)
    }
    try stage.commit([try stage.laidOut(4)])
    #expect(try Reader("r", on: stage).mirror.rows.map(\.number.number) == [1, 2, 3, 4])
}

@Test func `a conversation whose row changes, while it is opened, to one that cannot be shown is refused`() throws {
    let stage = try slowStage()
    try stage.fill(2000)
    let client = WindowClient("r")
    #expect(stage.desk.answer(try opening(stage), from: client, at: .now).isEmpty)
    // The first rows were read by now.
    try stage.commit([try stage.laidOutElsewhere(1)])
    var said: [GatewayWord] = []
    while stage.proceed(hearing: { if $0 == client { said.append($1) } }) {}
    #expect(said == [.refused(WindowID(1), .unprepared)] && stage.desk.count == 0 && stage.desk.shelf.count == 0)
}

@Test func `of words about one window so many wait, and the others are refused`() throws {
    var limits = WindowLimits()
    (limits.slice, limits.waitingWords) = (.zero, 4)
    let stage = try WindowStage(limits: limits)
    try stage.fill(1000)
    let client = WindowClient("r")
    let words = try [opening(stage)] + (1...5).map { .page(WindowID(1), .older, count: $0) }
    let answers = words.map { stage.desk.answer($0, from: client, at: .now) }
    #expect(answers == [[], [], [], [], [.refused(WindowID(1), .busy)], [.refused(WindowID(1), .busy)]])
    var said: [GatewayWord] = []
    while stage.proceed(hearing: { if $0 == client { said.append($1) } }) {}
    #expect(said.count == 4)
}

@Test func `who has many windows wait for one conversation leaves room for those of others`() throws {
    var limits = WindowLimits()
    (limits.slice, limits.waiting, limits.waitingOfOne) = (.zero, 8, 4)
    let stage = try WindowStage(limits: limits)
    try stage.fill(1000)
    func open(_ window: UInt32, as name: String) throws -> [GatewayWord] {
        stage.desk.asking = Asker(.key(name))
        return stage.desk.answer(try opening(stage, window), from: WindowClient(name), at: .now)
    }
    for window in 1...6 as ClosedRange<UInt32> {
        let refused: [GatewayWord] = window > 4 ? [.refused(WindowID(window), .busy)] : []
        #expect(try open(window, as: "flood") == refused)
    }
    for name in ["a", "b", "c", "d"] { #expect(try open(1, as: name).isEmpty) }
    #expect(try open(1, as: "e") == [.refused(WindowID(1), .busy)])
    var said = 0
    while stage.proceed(hearing: { _, word in if case .window = word { said += 1 } }) {}
    #expect(said == 8 && stage.desk.count == 8)
}

@Test func `words that open one window again and again are answered one after the other`() throws {
    let stage = try slowStage()
    try stage.fill(1000)
    let client = WindowClient("r")
    for reader in 0..<20 { _ = stage.desk.answer(try opening(stage, own: "own-\(reader)"), from: client, at: .now) }
    var said: [GatewayWord] = []
    while stage.proceed(hearing: { said.append($1) }) {}
    #expect(said.count == 20 && stage.desk.count == 1)
}

@Test func `who asks the same again before it is answered is answered from memory, though in its turn`() throws {
    let stage = try slowStage()
    try stage.fill(1000)
    let client = WindowClient("r")
    func ask(_ request: UInt64) throws -> [[UInt8]] {
        let frame = Framed(try opening(stage), request: RequestID(request)).encoded()
        return try #require(stage.desk.answer(frame: frame, from: client, at: .now))
    }
    for request in 1...3 as ClosedRange<UInt64> { #expect(try ask(request).isEmpty) }
    var (told, next) = ([[UInt8]](), 4 as UInt64)
    while told.count < 20 {
        _ = stage.desk.proceed(at: .now) { _, word in
            told.append(word.frame)
            return .done
        }
        // There is always one more that waits, behind those before.
        while next < UInt64(told.count) + 4 {
            #expect(try ask(next).isEmpty)
            next += 1
        }
    }
    let read = try told.map { try Framed<GatewayWord>(decoding: $0) }
    #expect(read.map(\.request) == (1...UInt64(told.count)).map { RequestID($0) })
    #expect(read.allSatisfy { $0.word == read[0].word })
    #expect(stage.desk.tally == AnswerTally(again: told.count - 1, anew: 1))
    guard case .window(let reply) = read[0].word else {
        Issue.record("\(read[0].word)")
        return
    }
    #expect(reply.rows.count == 50 && stage.desk.count == 1)
}

@Test func `a refusal is nobody else's answer, whatever window its client has`() throws {
    var limits = WindowLimits()
    (limits.slice, limits.waitingWords) = (.zero, 3)
    let stage = try WindowStage(limits: limits)
    try stage.fill(1000)
    func ask(_ word: ClientWord, as client: String) throws -> [GatewayWord] {
        let frame = Framed(word, request: RequestID(1)).encoded()
        let answers = try #require(stage.desk.answer(frame: frame, from: WindowClient(client), at: .now))
        return try answers.map { try Framed<GatewayWord>(decoding: $0).word }
    }
    for _ in 1...3 { #expect(try ask(opening(stage), as: "r").isEmpty) }
    // The client has a window, and words about that wait.
    while stage.desk.count == 0 { _ = stage.proceed() }
    while try ask(opening(stage), as: "r").isEmpty {}
    let other = try opening(stage, count: 7)
    #expect(try ask(other, as: "r") == [.refused(WindowID(1), .busy)])
    while stage.proceed() {}
    guard case .window(let reply)? = try ask(other, as: "s").first else {
        Issue.record("a refusal was kept")
        return
    }
    #expect(reply.rows.count == 7)
}

@Test func `who waits for the same conversation is answered in turn, not all at once`() throws {
    let stage = try slowStage()
    try stage.fill(1000)
    for client in 0..<50 {
        #expect(stage.desk.answer(try opening(stage), from: WindowClient("\(client)"), at: .now).isEmpty)
    }
    var (most, all, isGoingOn) = (0, 0, true)
    while isGoingOn {
        var said = 0
        isGoingOn = stage.proceed(hearing: { _, _ in said += 1 })
        (most, all) = (max(most, said), all + said)
    }
    #expect(all == 50 && most == 1)
}

@Test func `a conversation that changes while it comes into memory is what it is afterwards`() {
    forEachSeed(8) { random in
        let stage = try slowStage()
        try stage.fill(1600)
        while Int.random(in: 0...4, using: &random) > 0, try stage.seal() {}
        let client = WindowClient("r")
        _ = stage.desk.answer(try opening(stage), from: client, at: .now)
        var number: Int64 = 1600
        repeat {
            for _ in 0..<3 {
                let old = Int64.random(in: 1...1600, using: &random)
                let order = Int64.random(in: -20...1700, using: &random)
                number += 1
                let change =
                    switch Int.random(in: 0...4, using: &random) {
                    case 0: try stage.change(old, .removed)
                    case 1: try stage.laidOut(old, height: .random(in: 20...90, using: &random))
                    case 2: try stage.laidOut(number, order: order)
                    // It moves, perhaps to where nothing was read yet.
                    case 3: try stage.change(old, .touched(ShardSample.facts(order: order)))
                    default: try stage.laidOut(number)
                    }
                try stage.commit([change])
            }
            if Bool.random(using: &random) { _ = try stage.seal() }
        } while stage.proceed()
        return try rows(stage.desk, stage) == rows(WindowStage.desk(in: stage.folder), stage)
    }
}

@Test func `who opens much keeps nobody from opening something`() throws {
    var limits = WindowLimits()
    limits.slice = .zero
    let stage = try WindowStage(limits: limits)
    try stage.fill(2000)
    let desk = stage.desk
    func open(_ order: Int64, as subject: Subject) throws -> [GatewayWord] {
        desk.asking = Asker(subject)
        let opening = WindowOpening(
            window: WindowID(1), conversation: stage.conversation, target: WindowStage.target,
            reader: WindowReader(own: try SenderID("own-\(order)")), screen: 1000)
        return desk.answer(.open(opening), from: WindowClient("\(subject) \(order)"), at: .now)
    }
    let flood = try (0..<100).map { try open($0, as: .key("flood")) }
    #expect(flood.prefix(limits.openingsOfOne).allSatisfy { $0.isEmpty })
    let refused: [GatewayWord] = [.refused(WindowID(1), .busy)]
    #expect(flood.dropFirst(limits.openingsOfOne).allSatisfy { $0 == refused })
    for reader in 0..<20 {
        let said = try open(1000 + Int64(reader), as: .connection([UInt8(reader)]))
        #expect(said.isEmpty)
    }
    // The flood is opened in turn: the others come in the time of one or two of its windows.
    var come: [WindowClient] = []
    while stage.proceed(hearing: { client, _ in come.append(client) }) {}
    #expect(come.count == 20 + limits.openingsOfOne)
    #expect(
        Set(come.prefix(21)).count { client in flood.indices.contains { client == WindowClient("key(\"flood\") \($0)") }
        } <= 2)
}
