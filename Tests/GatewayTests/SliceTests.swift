import MessageLayout
import Names
import Storage
import TestSupport
import Testing
import Wire

@testable import Gateway

/// A conversation of another shard than the stage's, and a worker who writes it.
private final class OtherShard {
    let conversation: ConversationID
    let place: Shard
    private var shard: SQLiteShard
    private let edition: EditionID

    init(of stage: WindowStage) throws {
        let own = Shard(of: stage.conversation, among: 4)
        let others = try (0..<64).map { try ConversationID("other-\($0)") }
        conversation = try #require(others.first { Shard(of: $0, among: 4) != own })
        (place, edition) = (Shard(of: conversation, among: 4), stage.edition)
        shard = try SQLiteShard(place, of: edition, in: stage.folder)
        _ = try shard.adopt(LeaseEpoch(1))
    }

    func commit(_ number: Int64, heardBy desk: WindowDesk) throws {
        let change = try ShardSample.laidOut(
            1000 + number, job: UInt64(number), conversation: conversation.text, layout: SampleRecord.bytes(height: 40))
        let stamp = try #require(try shard.commit([change], under: LeaseEpoch(1)))
        let row = ReadyWord.Row(
            conversation: conversation, message: try MessageID("m"), revision: nil, shard: place, stamp: stamp)
        desk.hear(ReadyWord(edition: edition, rows: [row]))
    }
}

@Test func `who asks waits for what happens in one shard, not in all of them`() throws {
    let stage = try WindowStage()
    try stage.commit([try stage.laidOut(1)])
    let other = try OtherShard(of: stage)
    try other.commit(1, heardBy: stage.desk)
    let clients = [WindowClient("one"), WindowClient("two")]
    for (client, conversation) in zip(clients, [stage.conversation, other.conversation]) {
        let opening = WindowOpening(
            window: WindowID(1), conversation: conversation, target: WindowStage.target, count: 50, screen: 2000)
        #expect(stage.say(.open(opening), as: client).count == 1)
    }
    stage.letTimePass()
    try stage.commit([try stage.laidOut(2)])
    try other.commit(2, heardBy: stage.desk)
    let now = ContinuousClock.now + .seconds(5)
    var told: [[WindowClient]] = []
    while told.count < 9, stage.desk.isToFollow(at: now) {
        #expect(stage.desk.rest(at: now) == .zero)
        told.append([])
        stage.desk.follow(at: now, atMost: .zero) { client, _ in
            told[told.count - 1].append(client)
            return .done
        }
    }
    #expect(told.map(\.count) == [1, 1] && Set(told.joined()) == Set(clients))
}

@Test func `who opens a conversation waits no longer for others that are answered than for one that comes`() throws {
    var limits = WindowLimits()
    limits.slice = .zero
    let stage = try WindowStage(limits: limits)
    try stage.fill(1000)
    let names = (0..<3).map { WindowClient("r\($0)") }
    for (i, client) in names.enumerated() {
        let reader = WindowReader(own: try SenderID(i < 2 ? "ada" : "bob"))
        let opening = WindowOpening(
            window: WindowID(1), conversation: stage.conversation, target: WindowStage.target, reader: reader,
            count: 50, screen: 2000)
        #expect(stage.desk.answer(.open(opening), from: client, at: .now).isEmpty)
    }
    // Steps of the second one and answers to those who waited for the first: neither waits until the other is done.
    var steps: [Int] = []
    while stage.desk.isComing, steps.count < 1000 {
        var answers = 0
        _ = stage.desk.proceed(at: .now) { _, _ in
            answers += 1
            return .done
        }
        steps.append(answers)
    }
    #expect(steps.reduce(0, +) == 3 && steps.max() == 1)
    let (first, last) = (steps.firstIndex(of: 1), steps.lastIndex(of: 1))
    #expect(try #require(last) - (try #require(first)) > 2)
}

@Test func `a desk that is let go keeps nothing of what was open`() throws {
    weak var shared: SharedTimeline?
    weak var feed: ShardFeed?
    do {
        let stage = try WindowStage()
        try stage.fill(30)
        let reader = try Reader("r", on: stage)
        shared = stage.desk.followers.seats[reader.client]?[WindowID(1)]?.shared
        feed = shared?.feed
        #expect(shared != nil && feed != nil)
    }
    #expect(shared == nil && feed == nil)
}
