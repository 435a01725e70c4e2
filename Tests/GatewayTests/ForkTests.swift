import Conversation
import Names
import Rows
import TestSupport
import Testing
import Wire

@testable import Gateway

@Test func `where one reader has read up to changes nothing for those who look at the same`() throws {
    let stage = try WindowStage()
    try stage.fill(300)
    var reader = try Reader("r", on: stage)
    let before = reader.mirror
    func unread(_ mirror: WindowMirror) -> [Int64] {
        mirror.rows.filter { $0.body?.decoration.unreadLine != nil }.map(\.number.number)
    }
    for place in [280, 290] as [Int64] {
        let other = try Reader("s\(place)", on: stage, reader: WindowReader(unreadFrom: place))
        #expect(unread(other.mirror) == [place])
    }
    stage.letTimePass()
    try reader.listen()
    #expect(reader.mirror == before && unread(before).isEmpty)
    #expect(try Reader("t", on: stage).mirror == before)
    // A change of the conversation is told to every reader.
    try stage.commit([try stage.laidOut(301)])
    stage.tick()
    try reader.listen()
    #expect(try reader.mirror.rows.count == 51 && unread(reader.mirror).isEmpty && reader.isAsAfresh())
}

@Test func `a reader who reads on and on takes the memory of one place, and others keep theirs`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    let reader = try Reader("r", on: stage)
    _ = try Reader("s", on: stage, reader: WindowReader(unreadFrom: 101))
    // Nothing is drawn otherwise, as none of these messages is there.
    for order in 101...300 as ClosedRange<Int64> {
        guard case .changes(let set)? = stage.say(.read(WindowID(1), from: order), as: reader.client).first else {
            Issue.record("the window did not follow to \(order)")
            return
        }
        #expect(set.changes.isEmpty)
    }
    let timelines = stage.desk.shelf.feeds.values.flatMap(\.all)
    #expect(Set(timelines.map(\.key.reader.unreadFrom)) == [nil, 101, 300] && timelines.count == 3)
    #expect(stage.desk.shelf.bytes == timelines.reduce(0) { $0 + $1.bytes })
}

@Test func `places that nobody reads from any more make room for others`() throws {
    func visited(_ limits: WindowLimits, times: Int64) throws -> WindowStage {
        let stage = try WindowStage(limits: limits)
        try stage.fill(100)
        for order in 0..<times {
            let visitor = try Reader("r", on: stage, reader: WindowReader(unreadFrom: order == 0 ? nil : order))
            _ = stage.say(.close(WindowID(1)), as: visitor.client)
        }
        return stage
    }
    var limits = WindowStage.patience
    // Held until it is asked: a stage that goes takes its places with it.
    let first = try visited(limits, times: 1)
    limits.bytes = 4 * first.desk.shelf.bytes
    #expect(limits.bytes > 0)
    let stage = try visited(limits, times: 100)
    #expect(stage.desk.shelf.bytes <= limits.bytes && stage.desk.shelf.count > 1)
}
