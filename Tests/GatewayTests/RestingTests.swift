import Conversation
import MessageLayout
import Names
import Pool
import Rows
import TestSupport
import Testing
import Wire

@testable import Gateway

private let watcher = "watcher"

extension WindowStage {
    /// Opens a window, and closes it again.
    fileprivate func visit(own: String? = nil, unreadFrom: Int64? = nil) throws {
        let reader = WindowReader(own: try own.map { try SenderID($0) }, unreadFrom: unreadFrom)
        let visitor = try Reader("visitor", on: self, reader: reader)
        _ = say(.close(WindowID(1)), as: visitor.client)
    }

    fileprivate var timelines: [SharedTimeline] { desk.shelf.feeds.values.flatMap(\.all) }

    fileprivate func cursor(own: String) throws -> WindowCursor? {
        let name = try SenderID(own)
        return timelines.first { $0.key.reader.own == name }?.timeline.cursor
    }
}

@Test func `what happens is not done to what nobody looks at any more`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    let reader = try Reader(watcher, on: stage)
    for i in 0..<20 { try stage.visit(own: "gone-\(i)") }
    // Somebody may come back at once.
    let before = try stage.cursor(own: "gone-7")
    try stage.commit([try stage.laidOut(101)])
    stage.tick()
    let after = try stage.cursor(own: "gone-7")
    #expect(before != after)
    stage.letTimePass()
    for number in 102...120 as ClosedRange<Int64> {
        try stage.commit([try stage.laidOut(number)])
        stage.tick()
    }
    #expect(try stage.cursor(own: "gone-7") == after)
    #expect(stage.told[reader.client]?.count == 20)
}

@Test func `what rested is as it is afterwards when somebody looks again`() {
    forEachSeed(12) { random in
        let stage = try WindowStage()
        try stage.fill(200)
        _ = try Reader(watcher, on: stage)
        var number: Int64 = 200
        for _ in 0..<3 {
            try stage.visit(own: "me")
            stage.letTimePass()
            for _ in 0..<Int.random(in: 0...200, using: &random) {
                let old = Int64.random(in: 1...200, using: &random)
                number += 1
                let change =
                    switch Int.random(in: 0...3, using: &random) {
                    case 0: try stage.change(old, .removed)
                    case 1: try stage.laidOut(old, height: .random(in: 20...90, using: &random))
                    case 2:
                        try stage.change(old, .touched(ShardSample.facts(order: .random(in: 0...300, using: &random))))
                    default: try stage.laidOut(number)
                    }
                try stage.commit([change])
                if Int.random(in: 0...5, using: &random) == 0 { stage.tick() }
            }
            stage.tick()
            let rows = try [stage.desk, WindowStage.desk(in: stage.folder, WindowStage.patience)].map { desk in
                let timeline = try desk.openings.timeline(
                    stage.conversation, WindowStage.target, WindowReader(own: SenderID("me")), at: .now
                ).timeline
                return timeline.rows(0..<timeline.tree.count)
            }
            guard rows[0] == rows[1] else { return false }
        }
        return true
    }
}

@Test func `a conversation that has changed much is not kept for those who do not look`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    _ = try Reader(watcher, on: stage)
    try stage.visit(own: "gone")
    stage.letTimePass()
    for number in 101...400 as ClosedRange<Int64> { try stage.commit([try stage.laidOut(number)]) }
    stage.tick()
    #expect(try stage.timelines.count == 1 && stage.cursor(own: "gone") == nil)
    #expect(stage.desk.shelf.bytes == stage.timelines.reduce(0) { $0 + $1.bytes })
}

@Test func `a window is not taken away for what happened while no conversation of its shard was open`() throws {
    let stage = try WindowStage()
    try stage.fill(30)
    try stage.visit()
    // As when its room is needed.
    for shared in stage.timelines { stage.desk.shelf.remove(shared) }
    try stage.loseShard()
    try stage.fill(20)
    var reader = try Reader(watcher, on: stage)
    stage.letTimePass()
    try reader.listen()
    #expect(reader.refusal == nil && reader.mirror.rows.count == 20)
    try stage.commit([try stage.laidOut(21)])
    stage.tick()
    try reader.listen()
    #expect(try reader.mirror.rows.count == 21 && reader.isAsAfresh())
}

@Test func `readers who have read up to different messages share what comes into memory`() throws {
    var limits = WindowLimits()
    limits.slice = .zero
    let stage = try WindowStage(limits: limits)
    try stage.fill(2000)
    _ = try Reader("first", on: stage, reader: WindowReader(unreadFrom: 1000))
    for order in 1001...1020 as ClosedRange<Int64> {
        let opening = WindowOpening(
            window: WindowID(1), conversation: stage.conversation, target: WindowStage.target,
            reader: WindowReader(unreadFrom: order), place: .unread, screen: 1000)
        let words = stage.desk.answer(.open(opening), from: WindowClient("\(order)"), at: .now)
        guard case .window? = words.first else {
            Issue.record("\(words)")
            return
        }
        #expect(stage.timelines.last?.timeline.tree.viewer.unreadFrom == order)
    }
    let forks = stage.timelines.filter(\.isFork)
    let whole = try #require(stage.timelines.first { !$0.isFork })
    #expect(forks.count == 21 && stage.timelines.count == 22)
    #expect(stage.desk.shelf.bytes == whole.bytes + forks.count * SharedTimeline.bytesOfFork)
}
