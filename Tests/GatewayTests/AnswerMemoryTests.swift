import Conversation
import HTTP
import MessageLayout
import Names
import TestSupport
import Testing
import Wire

@testable import Gateway

@Test func `who asks the same is answered the same, until something happens`() throws {
    let stage = try WindowStage()
    try stage.fill(300)
    let first = try Reader("a", on: stage)
    var second = try Reader("b", on: stage)
    #expect(stage.desk.tally == AnswerTally(again: 1, anew: 1))
    #expect(first.mirror == second.mirror)

    try stage.commit([try stage.laidOut(301)])
    stage.tick()
    let third = try Reader("c", on: stage)
    #expect(stage.desk.tally == AnswerTally(again: 1, anew: 2))
    #expect(third.mirror.rows.last?.number == MessageNumber(301))
    // A reader who was answered from memory has a window like any other.
    try second.listen()
    #expect(second.mirror.rows.last?.number == MessageNumber(301))
}

@Test func `a dozen messages are fetched and applied a thousand times faster than in half a second`() throws {
    let stage = try WindowStage()
    try stage.fill(60)
    // Brings the conversation into memory.
    _ = try Reader("first", on: stage, count: 12)
    // Other work of the machine does not disturb every try.
    let fastest = try (0..<50).map { _ in
        try processorTime {
            let reader = try Reader("r", on: stage, count: 12)
            #expect(reader.mirror.rows.count == 12)
        }
    }.min()
    #expect(try #require(fastest) <= .microseconds(500))
}

@Test func `nobody is answered from memory what is true of another edition`() throws {
    let stage = try WindowStage()
    try stage.fill(60)
    _ = try Reader("a", on: stage)
    try stage.roll(to: "0b", 1...60, height: 70)
    stage.letTimePass()
    #expect(try Reader("b", on: stage).mirror.frame.edition == EditionID("0b"))
}

@Test func `what is remembered stays within its bound, and what is wanted stays longest`() throws {
    var limits = WindowStage.patience
    (limits.answers, limits.together) = (100_000, 0)
    let stage = try WindowStage(limits: limits)
    try stage.fill(2_000)
    func ask(_ y: Int64) throws { _ = try Reader("r", on: stage, around: .y(y), count: 20) }
    for y in 1...200 as ClosedRange<Int64> {
        try ask(-y * 300)
        try ask(-300)
    }
    #expect(stage.desk.tally.again >= 195)
    #expect(1...limits.answers ~= stage.desk.rememberedBytes)
}

@Test func `answers take what conversations leave, and give it back when these need it`() throws {
    var limits = WindowStage.patience
    (limits.answers, limits.together) = (20_000, 200_000)
    let stage = try WindowStage(limits: limits)
    try stage.fill(500)
    func ask(_ y: Int64) throws { _ = try Reader("r", on: stage, around: .y(y), count: 20) }
    for y in 1...100 as ClosedRange<Int64> { try ask(-y * 150) }
    #expect(limits.answers * 5...limits.together ~= stage.desk.rememberedBytes)

    try stage.fill(4_000)
    stage.tick()
    for y in 1...30 as ClosedRange<Int64> { try ask(-y * 700) }
    #expect(1...limits.answers ~= stage.desk.rememberedBytes)
}

@Test func `pages over HTTP give back what others need, also while nobody asks for one`() throws {
    var limits = WindowStage.patience
    (limits.pages, limits.together) = (20_000, 4 << 20)
    let stage = try WindowStage(limits: limits)
    try stage.fill(500)
    var desk = HTTPDesk(access: try TokenAccess(nil), fonts: FontFiles([]), windows: stage.desk)
    let health = Health([.init("cache", nil)])
    for y in 1...100 {
        let path = "/v1/conversations/c/window?target=390@3&count=5&around=y:-\(150 * y)"
        let target = try #require(RequestTarget(Array(path.utf8)))
        _ = desk.answer(Request(method: .get, target: target, headers: ["Host": "localhost"]), health, at: .now)
        // The time of the turn of the loop is over, so that the next request comes in another one.
        _ = desk.answersInTurn()
    }
    let before = desk.metrics(health).rememberedBytes
    stage.desk.shelf.listBytes = 1 << 30
    desk.refresh(at: .now, { _, _ in .done }, { _ in })
    let after = desk.metrics(health).rememberedBytes
    #expect(before > 2 * limits.pages && 1...limits.pages ~= after)
}

@Test func `an answer that is kept takes no more memory than its bytes`() throws {
    let stage = try WindowStage()
    try stage.fill(300)
    let opening = WindowOpening(
        window: WindowID(1), conversation: stage.conversation, target: WindowStage.target, count: 200, screen: 2400)
    let frame = Framed(ClientWord.open(opening), request: RequestID(1)).encoded()
    let answer = try #require(stage.answers(to: frame, from: WindowClient("r")).first)
    let (head, word) = (frame.prefix(Framed<ClientWord>.requestPlace), frame.dropFirst(Framed<ClientWord>.wordPlace))
    let kept = try #require(stage.desk.answers.known(AnswerQuestion(Array(head + word)))).given.frame
    #expect(kept == answer && kept.capacity < kept.count + 256)
}

@Test func `a question counts with its answer, however long its sender has made it`() throws {
    let stage = try WindowStage()
    try stage.fill(10)
    _ = try Reader("r", on: stage)
    let shared = try #require(stage.desk.shelf.feeds.values.flatMap(\.all).first)
    var memory = AnswerMemory<Int>(least: 100_000)
    let questions = (0..<100).map { AnswerQuestion([UInt8($0)] + [UInt8](repeating: 0, count: 10_000)) }
    for (number, question) in questions.enumerated() {
        memory.keep(number, bytes: 100, of: shared.moment, to: question, room: 0)
    }
    let (oldest, newest) = (memory.answer(to: questions[0]), memory.answer(to: questions[99]))
    #expect(oldest == nil && newest?.given == 99)
    #expect(1...100_000 ~= memory.bytes)
}

@Test func `a frame of another version is not answered, whatever it asks`() throws {
    let stage = try WindowStage()
    try stage.fill(60)
    let opening = WindowOpening(
        window: WindowID(1), conversation: stage.conversation, target: WindowStage.target, screen: 2400)
    var frame = Framed(ClientWord.open(opening), request: RequestID(1)).encoded()
    let client = WindowClient("r")
    #expect(stage.desk.answer(frame: frame, from: client, at: .now)?.count == 1)
    frame[4] += 1
    #expect(stage.desk.answer(frame: frame, from: client, at: .now) == nil)
}
