import Conversation
import MessageLayout
import Names
import Pool
import Rows
import Storage
import TestSupport
import Testing
import Wire

@testable import Gateway

@Test
func `a client that does what it is told holds what one that opens afresh holds, though half of the hints are lost`() {
    forEachSeed(6) { random in
        let stage = try WindowStage()
        try stage.fill(700)
        var readers = try [WindowPlace.newest, .y(-20_000), .date(.init(milliseconds: 1_700_000_000_100))].enumerated()
            .map { try Reader("r\($0)", on: stage, around: $1, count: 30) }
        for number in 701...760 as ClosedRange<Int64> {
            let old = Int64.random(in: 1...700, using: &random)
            let change =
                switch Int.random(in: 0...4, using: &random) {
                case 0: try stage.change(old, .removed)
                case 1: try stage.laidOut(old, height: .random(in: 20...90, using: &random))
                case 2: try stage.laidOut(number, order: .random(in: -5...700, using: &random))
                case 3: try stage.change(old, .touched(ShardSample.facts(order: old, status: "read")))
                default: try stage.laidOut(number)
                }
            try stage.commit([change], isHinted: .random(using: &random))
            stage.tick()
            let who = Int.random(in: 0..<readers.count, using: &random)
            if number % 7 == 0 { try readers[who].page(.random(using: &random) ? .older : .newer) }
        }
        stage.letTimePass()
        for i in readers.indices { try readers[i].listen() }
        return try readers.allSatisfy { try $0.refusal == nil && $0.isAsAfresh() }
    }
}

@Test(arguments: [1, 1 << 53, UInt64(Int64.max) + 1, .max])
func `a cursor is told in numbers that a browser has to the digit`(generation: UInt64) {
    let cursor = WindowCursor(Cursor(generation: Generation(generation), stamp: Stamp(7)))
    #expect(cursor.epoch.number < 1 << 53)
    #expect(cursor == WindowCursor(Cursor(generation: Generation(generation), stamp: Stamp(7))))
}

@Test func `rows come with what is drawn in them, dressed as high as they are`() throws {
    let stage = try WindowStage()
    try stage.fill(600)
    let reader = try Reader("r", on: stage, reader: WindowReader(own: SenderID("me")))
    #expect(reader.mirror.rows.count == 50)
    for row in reader.mirror.rows {
        let body = try #require(row.body)
        #expect(body.decoration.height == row.height)
        let model = try body.model()
        #expect(model.size.height == body.decoration.content.height)
        #expect((body.decoration.variant == .own) == (row.number.number % 5 == 0))
    }
}

@Test func `a window of heights has nothing in its rows, and those that are seen come with all of it when asked for`()
    throws
{
    let stage = try WindowStage()
    try stage.fill(200)
    let whole = try Reader("s", on: stage)
    let client = WindowClient("r")
    let opening = WindowOpening(
        window: WindowID(1), conversation: stage.conversation, target: WindowStage.target, screen: 2000,
        wantsBodies: false)
    guard case .window(let reply)? = stage.say(.open(opening), as: client).first,
        case .window(let page)? = stage.say(.page(WindowID(1), .older, count: 30), as: client).first
    else {
        Issue.record("no window")
        return
    }
    #expect(reply.rows.count == 50 && page.rows.count == 30)
    #expect((reply.rows + page.rows).allSatisfy { $0.body == nil && $0.height > 0 })
    #expect(reply.rows.map(\.height) == whole.mirror.rows.map(\.height))
    #expect(reply.frame.extent == whole.mirror.frame.extent)

    let seen = reply.rows.suffix(12).map(\.number)
    #expect(stage.say(.rows(WindowID(1), seen), as: client) == [.rows(WindowID(1), whole.mirror.rows.suffix(12))])
}

@Test func `what was stored before a window was opened is no news to it, though others are told of it later`() throws {
    let stage = try WindowStage()
    try stage.fill(3)
    var early = try Reader("early", on: stage)
    try stage.commit([stage.laidOut(4)])
    let late = try Reader("late", on: stage, reader: WindowReader(own: SenderID("me")))
    #expect(late.mirror.rows.count == 4)
    stage.tick()
    #expect(stage.told[late.client] == nil)
    try early.listen()
    #expect(early.mirror.rows.count == 4)
    // The changes that come behind it are told to both.
    try stage.commit([stage.laidOut(4, height: 80), stage.laidOut(5)])
    stage.tick()
    for var reader in [early, late] {
        try reader.listen()
        #expect(try reader.mirror.rows.count == 5 && reader.isAsAfresh())
    }
}

@Test func `who takes nothing is told everything later, at once`() throws {
    let stage = try WindowStage()
    try stage.fill(300)
    var reader = try Reader("r", on: stage)
    stage.slow = [reader.client]
    for number in 301...320 as ClosedRange<Int64> {
        try stage.commit([try stage.laidOut(number)])
        stage.tick()
    }
    #expect(stage.say(.locate(WindowID(1), y: 0), as: reader.client) == [.refused(WindowID(1), .busy)])
    stage.slow = []
    stage.tick()
    #expect(stage.told[reader.client]?.count == 1)
    try reader.listen()
    #expect(try reader.mirror.rows.count == 70 && reader.isAsAfresh())
}

@Test func `a client that takes nothing is tried once in a round, however many windows it has`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    let client = WindowClient("r")
    for window in 1...5 as ClosedRange<UInt32> {
        let opening = WindowOpening(
            window: WindowID(window), conversation: stage.conversation, target: WindowStage.target, screen: 2000)
        #expect(stage.say(.open(opening), as: client).count == 1)
    }
    stage.slow = [client]
    try stage.commit([try stage.laidOut(101)])
    stage.tick()
    var tries = 0
    stage.desk.follow(at: .now + .seconds(1)) { _, _ in
        tries += 1
        return .full
    }
    #expect(tries == 1)
    stage.slow = []
    stage.tick()
    #expect(stage.told[client]?.count == 5)
}

@Test func `clients that are behind are told in slices, and those that hold the same rows the same`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    var readers = try (0..<20).map { try Reader("r\($0)", on: stage) }
    stage.slow = Set(readers.map(\.client))
    for number in 101...103 as ClosedRange<Int64> {
        try stage.commit([try stage.laidOut(number)])
        stage.tick()
    }
    let now = ContinuousClock.now + .seconds(1)
    var (told, calls): (Set<WindowClient>, Int) = ([], 0)
    repeat {
        calls += 1
        stage.desk.follow(at: now, atMost: .zero) { client, _ in
            told.insert(client)
            return .full
        }
    } while told.count < 20 && calls < 100 && stage.desk.isToFollow(at: now)
    #expect(told.count == 20 && calls >= 20)
    stage.slow = []
    stage.tick()
    #expect(stage.frames.count == 1)
    for i in readers.indices { try readers[i].listen() }
    #expect(try readers.allSatisfy { $0.mirror == readers[0].mirror } && readers[0].isAsAfresh())
}

@Test func `those who hold the same rows are told the same, which is made once`() throws {
    let stage = try WindowStage()
    try stage.fill(300)
    var readers = try (0..<40).map { try Reader("r\($0)", on: stage) }
    for number in 301...310 as ClosedRange<Int64> {
        try stage.commit([try stage.laidOut(number)])
        stage.tick()
    }
    #expect(stage.frames.count == 10)
    for i in readers.indices { try readers[i].listen() }
    #expect(try readers.allSatisfy { $0.mirror == readers[0].mirror } && readers[0].isAsAfresh())
}

@Test func `what was lost on the way is told again, and of what is not known any more it is said`() throws {
    let stage = try WindowStage()
    try stage.fill(300)
    var reader = try Reader("r", on: stage)
    try stage.commit([try stage.laidOut(301)])
    stage.tick()
    stage.told = [:]
    let changes = ClientWord.changes(WindowID(1), since: reader.mirror.frame.cursor)
    guard case .changes(let set)? = stage.say(changes, as: reader.client).first else {
        Issue.record("no changes")
        return
    }
    try reader.mirror.apply(set)
    #expect(try reader.isAsAfresh())
    let foreign = WindowCursor(epoch: LeaseEpoch(9), stamp: Stamp(1))
    #expect(
        stage.say(.changes(WindowID(1), since: foreign), as: reader.client) == [.refused(WindowID(1), .resync)])
    #expect(stage.say(changes, as: reader.client) == [.refused(WindowID(1), .unknownWindow)])
}

@Test func `a shard that is begun anew has its windows opened afresh`() throws {
    let stage = try WindowStage()
    try stage.fill(300)
    var reader = try Reader("r", on: stage)
    try stage.loseShard()
    try stage.fill(10)
    stage.letTimePass()
    try reader.listen()
    #expect(reader.refusal == .resync && stage.desk.count == 0)
    #expect(try Reader("r", on: stage).mirror.rows.count == 10)
}

@Test(arguments: [false, true])
func `that a window is closed is told later to one who takes nothing, unless it was opened again`(isOpened: Bool) throws
{
    let stage = try WindowStage()
    try stage.fill(300)
    var reader = try Reader("r", on: stage)
    stage.slow = [reader.client]
    try stage.loseShard()
    try stage.fill(10)
    stage.letTimePass()
    let later = ContinuousClock.now + .seconds(60)
    #expect(stage.desk.count == 0 && stage.desk.isToFollow(at: later))
    if isOpened { reader = try Reader("r", on: stage) }
    stage.slow = []
    stage.tick()
    try reader.listen()
    let refusal: WindowRefusal? = isOpened ? nil : .resync
    #expect(reader.refusal == refusal)
    #expect(stage.desk.isToFollow(at: later) == isOpened)
}

@Test func `windows of an edition that is served no more say that they are old, and new ones are of the new one`()
    throws
{
    let stage = try WindowStage()
    try stage.fill(300)
    var reader = try Reader("r", on: stage)
    try stage.roll(to: "0b", 1...300, height: 200)
    stage.letTimePass()
    try reader.listen()
    #expect(reader.mirror.frame.isOld && reader.mirror.frame.edition.text == "0a")
    let fresh = try Reader("s", on: stage)
    #expect(!fresh.mirror.frame.isOld && fresh.mirror.frame.edition.text == "0b")
    #expect(fresh.mirror.rows[20].height > reader.mirror.rows[20].height)
}

@Test func `what cannot be answered is refused with a reason`() throws {
    var limits = WindowStage.patience
    limits.windowsPerClient = 1
    let stage = try WindowStage(limits: limits)
    let client = WindowClient("r")
    func open(_ window: UInt32, _ target: Target = WindowStage.target) -> [GatewayWord] {
        stage.say(
            .open(
                WindowOpening(
                    window: WindowID(window), conversation: stage.conversation, target: target, screen: 100)),
            as: client)
    }
    try stage.fill(3)
    #expect(stage.say(.locate(WindowID(7), y: 0), as: client) == [.refused(WindowID(7), .unknownWindow)])
    var target = WindowStage.target
    target.isMirrored = true
    #expect(open(1, target) == [.refused(WindowID(1), .unprepared)])
    guard case .window? = open(1).first else {
        Issue.record("not opened")
        return
    }
    #expect(open(2) == [.refused(WindowID(2), .busy)])
    #expect(stage.say(.close(WindowID(1)), as: client) == [.done(WindowID(1))] && stage.desk.count == 0)
}

@Test func `a window whose rows cannot be read stays as it was, or is closed on its way to another screen`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    let reader = try Reader("r", on: stage, count: 20)
    let other = SampleRecord.targets[1]
    #expect(stage.say(.prewarm(stage.conversation, [other]), as: reader.client) == [.done(WindowID(0))])
    stage.removeShard()
    let seat = try #require(stage.desk.followers.seats[reader.client]?[WindowID(1)])
    #expect(stage.say(.page(WindowID(1), .older, count: 20), as: reader.client) == [.refused(WindowID(1), .busy)])
    #expect(seat.window.range == 80..<100)
    // Nobody has a window of which he was told that there is none.
    let opening = WindowOpening(
        window: WindowID(1), conversation: stage.conversation, target: WindowStage.target,
        place: .date(.init(milliseconds: 0)), count: 20, screen: 2000)
    #expect(stage.say(.open(opening), as: WindowClient("s")) == [.refused(WindowID(1), .busy)])
    #expect(stage.desk.count == 1)
    let turn = ClientWord.resize(WindowID(1), other, screen: 1000, nil)
    #expect(stage.say(turn, as: reader.client) == [.refused(WindowID(1), .resync)])
    #expect(stage.desk.count == 0)
}

@Test func `a window goes to another screen with its anchor, and to another place of reading`() throws {
    let stage = try WindowStage()
    try stage.fill(400)
    var reader = try Reader("r", on: stage, reader: WindowReader(own: SenderID("me")))
    let anchor = WindowAnchor(row: reader.mirror.rows[30].number, edge: .top)
    let answer = stage.say(
        .resize(WindowID(1), SampleRecord.targets[1], screen: 1000, anchor), as: reader.client)
    guard case .window(let reply)? = answer.first else {
        Issue.record("\(answer)")
        return
    }
    #expect(reply.rows.map(\.number) == reader.mirror.rows.map(\.number))
    reader.mirror = try WindowMirror(reply)
    #expect(reply.firstVisible?.row == anchor.row && reply.firstVisible?.y == reader.mirror.y(of: anchor))

    let order = reader.mirror.rows[40].order
    guard case .changes(let set)? = stage.say(.read(WindowID(1), from: order), as: reader.client).first else {
        Issue.record("no changes")
        return
    }
    let before = reader.mirror.rows[40].height
    try reader.mirror.apply(set)
    #expect(reader.mirror.rows[40].height > before && reader.mirror.rows[40].body?.decoration.unreadLine != nil)
    try stage.commit([try stage.laidOut(401)])
    stage.tick()
    try reader.listen()
    #expect(reader.mirror.rows.count == 51)
}

@Test func `who is gone without a word is found out, though nothing happens`() throws {
    let stage = try WindowStage()
    try stage.fill(30)
    var there = try Reader("r", on: stage)
    let gone = try Reader("s", on: stage)
    stage.tick()
    stage.gone = [gone.client]
    stage.letMinutePass()
    #expect(stage.desk.count == 1)
    let before = there.mirror
    try there.listen()
    #expect(there.mirror == before)
}

@Test func `screens that were made ready share what is in memory, and go when there is no room`() throws {
    var limits = WindowStage.patience
    limits.bytes = 17_000
    let stage = try WindowStage(limits: limits)
    try stage.fill(250)
    let reader = try Reader("r", on: stage)
    #expect(
        stage.say(.prewarm(stage.conversation, SampleRecord.targets), as: reader.client) == [
            .refused(WindowID(0), .busy)
        ])
    #expect(try Reader("s", on: stage).mirror == reader.mirror)
}

@Test func `screens that have no room in memory together are not made ready again and again`() throws {
    let measured = try WindowStage()
    try measured.fill(100)
    _ = try Reader("r", on: measured)
    var limits = WindowStage.patience
    // One beside the window has room.
    limits.bytes = 5 * measured.desk.shelf.bytes / 2
    let stage = try WindowStage(limits: limits)
    try stage.fill(100)
    let reader = try Reader("r", on: stage)
    let screens = SampleRecord.targets
    #expect(stage.say(.prewarm(stage.conversation, [screens[1]]), as: reader.client) == [.done(WindowID(0))])
    let both = ClientWord.prewarm(stage.conversation, [screens[1], screens[2]])
    #expect(stage.say(both, as: reader.client) == [.refused(WindowID(0), .busy)])
}
