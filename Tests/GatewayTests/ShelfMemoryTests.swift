import Conversation
import Names
import Pool
import Rows
import TestSupport
import Testing
import Wire

@testable import Gateway

extension WindowStage {
    fileprivate var timelines: [SharedTimeline] { desk.shelf.feeds.values.flatMap(\.all) }

    /// Lays out messages at the end of the conversation, and tells of them.
    fileprivate func add(_ numbers: ClosedRange<Int64>, atOnce: Int) throws {
        for start in stride(from: numbers.lowerBound, through: numbers.upperBound, by: atOnce) {
            let end = min(numbers.upperBound, start + Int64(atOnce) - 1)
            try commit((start...end).map { try laidOut($0) })
            tick()
        }
    }
}

@Test func `what happens in a conversation counts as the memory that it takes`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    _ = try Reader("r", on: stage)
    let before = stage.desk.shelf.bytes
    try stage.add(101...1100, atOnce: 100)
    #expect(stage.desk.shelf.bytes > before + 1000 * 64)
    #expect(stage.desk.shelf.bytes == stage.timelines.reduce(0) { $0 + $1.bytes })
}

@Test func `the time zone of a reader counts as the memory that it takes`() throws {
    let stage = try WindowStage()
    try stage.fill(1)
    _ = try Reader("r", on: stage)
    let plain = stage.desk.shelf.bytes
    let changes = (0..<Limits.transitions).map {
        TimeZoneRule.Transition(fromSeconds: Int64($0) << 32, offsetSeconds: 3600)
    }
    _ = try Reader("s", on: stage, reader: WindowReader(zone: TimeZoneRule(transitions: changes)))
    #expect(stage.desk.shelf.bytes >= 2 * plain + Limits.transitions * 12)
    #expect(stage.desk.shelf.bytes == stage.timelines.reduce(0) { $0 + $1.bytes })
}

@Test func `a conversation that grows while somebody looks takes the room of those that nobody looks at`() throws {
    var limits = WindowStage.patience
    limits.bytes = 70_000
    let stage = try WindowStage(limits: limits)
    try stage.fill(100)
    _ = try Reader("r", on: stage)
    for i in 0..<5 {
        let visitor = try Reader("v", on: stage, reader: WindowReader(own: SenderID("gone-\(i)")))
        _ = stage.say(.close(WindowID(1)), as: visitor.client)
    }
    stage.letTimePass()
    #expect(stage.timelines.count == 6)
    try stage.add(101...200, atOnce: 1)
    #expect(stage.desk.shelf.bytes <= limits.bytes)
    #expect(1..<6 ~= stage.timelines.count && stage.timelines.contains(where: \.isWatched))
}

@Test func `what forks share is counted for as long as one of them is there`() throws {
    let stage = try WindowStage()
    try stage.fill(2000)
    for (name, order) in [("r", 1000), ("s", 1500)] as [(String, Int64)] {
        _ = try Reader(name, on: stage, reader: WindowReader(unreadFrom: order))
    }
    let shelf = stage.desk.shelf
    let whole = try #require(stage.timelines.first { !$0.isFork })
    let bytes = whole.bytes
    shelf.remove(whole)
    for left in [2, 1] {
        #expect(stage.timelines.count == left && shelf.bytes == stage.timelines.reduce(0) { $0 + $1.bytes })
        #expect(bytes...bytes + 2 * SharedTimeline.bytesOfFork ~= shelf.bytes)
        let last = try #require(stage.timelines.first { $0.isCountedWhole })
        shelf.remove(last)
    }
    #expect(shelf.bytes == 0)
}

@Test func `what a fork shares counts as its own where the other had to go to make room for it`() throws {
    let reader = WindowReader(unreadFrom: 1000)
    let measured = try WindowStage()
    try measured.fill(2000)
    _ = try Reader("r", on: measured, reader: reader)
    let whole = try #require(measured.timelines.first { !$0.isFork }).bytes
    var limits = WindowStage.patience
    limits.bytes = whole + SharedTimeline.bytesOfFork / 2
    let stage = try WindowStage(limits: limits)
    try stage.fill(2000)
    _ = try Reader("r", on: stage, reader: reader)
    #expect(stage.timelines.map(\.isFork) == [true] && stage.desk.shelf.bytes >= whole)
    #expect(stage.desk.shelf.bytes == stage.timelines.reduce(0) { $0 + $1.bytes })
}

@Test func `rows of an edition that fills another count as memory`() throws {
    let stage = try WindowStage()
    try stage.fill(10)
    let next = try NextEdition(on: stage)
    for start in [11, 211, 411] as [Int64] { try next.lay(Array(start..<start + 200), height: 60) }
    _ = try Reader("r", on: stage)
    #expect(stage.desk.shelf.bytes > 600 * 64)
}

@Test func `conversations without a message take room, and go like others`() throws {
    var limits = WindowStage.patience
    limits.bytes = 10 * SharedTimeline.leastBytes
    let stage = try WindowStage(limits: limits)
    try stage.fill(1)
    let kept = try visitNobody(on: stage)
    #expect(1...10 ~= kept)
}

/// Looks at four hundred conversations without a message, one after the other. Returns how many are kept.
private func visitNobody(on stage: WindowStage) throws -> Int {
    let client = WindowClient("r")
    for i in 0..<400 {
        let opening = WindowOpening(
            window: WindowID(1), conversation: try ConversationID("nobody-\(i)"), target: WindowStage.target,
            screen: 2000)
        _ = stage.say(.open(opening), as: client)
        _ = stage.say(.close(WindowID(1)), as: client)
    }
    return stage.desk.shelf.count
}

@Test func `the list of conversations takes room from conversations that nobody looks at, and leaves them half`()
    throws
{
    var limits = WindowStage.patience
    limits.bytes = 16 * SharedTimeline.leastBytes
    let stage = try WindowStage(limits: limits)
    try stage.fill(1)
    let alone = try visitNobody(on: stage)
    let room = stage.desk.answers.room
    stage.desk.shelf.listBytes = 4 * SharedTimeline.leastBytes
    #expect(stage.desk.answers.room == room - stage.desk.shelf.listBytes)
    let beside = try visitNobody(on: stage)
    stage.desk.shelf.listBytes = 1000 * SharedTimeline.leastBytes
    let besideMany = try visitNobody(on: stage)
    #expect(alone <= 16 && beside < alone && besideMany < beside && besideMany >= 4)
}

@Test func `changes are kept for a client that is behind, and forgotten when all were told`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    var readers = try ["r", "s"].map { try Reader($0, on: stage) }
    stage.slow = [readers[1].client]
    try stage.add(101...160, atOnce: 1)
    stage.slow = []
    try stage.add(161...200, atOnce: 1)
    for i in readers.indices {
        try readers[i].listen()
        let isAsAfresh = try readers[i].isAsAfresh()
        #expect(readers[i].mirror.rows.last?.number == MessageNumber(200) && isAsAfresh)
    }
    let shared = try #require(stage.timelines.first)
    #expect(1..<25_000 ~= shared.timeline.bytes - shared.timeline.tree.bytes)
}

@Test func `files of an edition that is not shown any more are closed when no conversation of theirs is open`() throws {
    let stage = try WindowStage()
    try stage.fill(30)
    let reader = try Reader("r", on: stage)
    let old = try #require(stage.timelines.first)
    try stage.roll(to: "0b", 1...30, height: 50)
    stage.letTimePass()
    #expect(stage.desk.shelf.feeds.count == 1)
    _ = stage.say(.close(WindowID(1)), as: reader.client)
    _ = try Reader("s", on: stage)
    stage.letTimePass()
    #expect(stage.desk.shelf.feeds.count == 2)
    // As when its room is needed.
    stage.desk.shelf.remove(old)
    stage.letTimePass()
    #expect(stage.desk.shelf.feeds.values.map(\.edition) == [stage.edition])
}

@Test func `the latest changes are forgotten when nobody is left to be told`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    let reader = try Reader("r", on: stage)
    try stage.add(101...120, atOnce: 1)
    let shared = try #require(stage.timelines.first)
    #expect(shared.timeline.bytes > shared.timeline.tree.bytes)
    _ = stage.say(.close(WindowID(1)), as: reader.client)
    stage.letTimePass()
    try stage.add(121...121, atOnce: 1)
    #expect(shared.timeline.bytes == shared.timeline.tree.bytes)
    // Who opens it now is told of what comes next.
    var other = try Reader("s", on: stage)
    try stage.add(122...125, atOnce: 1)
    try other.listen()
    #expect(try other.mirror.rows.last?.number == MessageNumber(125) && other.isAsAfresh())
}
