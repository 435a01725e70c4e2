import Conversation
import Names
import TestSupport
import Testing
import Wire

@testable import Gateway

extension Reader {
    /// Pages until it has more rows than a window should have.
    fileprivate mutating func overfill() throws {
        while mirror.rows.count <= WindowLimit().rows { try page(.older) }
    }

    /// Says that it begins or ends to scroll.
    /// - Returns: the changes of a window that is trimmed for that; nil where nothing is.
    fileprivate func scrolls(_ isBusy: Bool) throws -> ChangeSet? {
        switch stage.say(.busy(WindowID(1), isBusy), as: client).first {
        case .adjusted(_, let set): return set
        case .done: return nil
        default: throw NoWindow()
        }
    }
}

@Test func `a window that is too long is trimmed when its reader comes to rest, and not while he scrolls`() throws {
    let stage = try WindowStage()
    try stage.fill(700)
    var reader = try Reader("r", on: stage)
    try reader.overfill()
    let long = reader.mirror.rows.count
    #expect(try reader.scrolls(true) == nil)
    try stage.commit([try stage.laidOut(701), try stage.laidOut(702)])
    stage.tick()
    try reader.listen()
    #expect(reader.mirror.rows.count == long + 2)
    let trimmed = try reader.scrolls(false)
    try reader.mirror.apply(try #require(trimmed))
    #expect(reader.mirror.rows.count == WindowLimit().afterTrimming)
    #expect(reader.mirror.rows.last?.number == MessageNumber(702))
    #expect(reader.mirror.bottom == reader.mirror.frame.extent.upperBound)
    #expect(try reader.scrolls(false) == nil)
}

@Test(arguments: [0, 250, 500, .max])
func `the rows that go are the farthest from where the reader is`(place: Int) throws {
    let stage = try WindowStage()
    try stage.fill(700)
    var reader = try Reader("r", on: stage)
    try reader.overfill()
    let before = reader.mirror
    let last = before.rows.count - 1
    let place = min(place, last)
    let anchor = WindowAnchor(row: before.rows[place].number)
    #expect(stage.say(.hold(WindowID(1), [anchor]), as: reader.client) == [.done(WindowID(1))])
    let trimmed = try reader.scrolls(false)
    let set = try #require(trimmed)
    try reader.mirror.apply(set)
    #expect(reader.mirror.y(of: anchor) == before.y(of: anchor) && set.anchors.map(\.delta) == [0])
    // The other rows went at both sides, in proportion to their numbers there.
    let share = Double(place) / Double(last)
    let first = try #require(before.index(of: reader.mirror.rows[0].number))
    #expect(abs(Double(first) - share * Double(before.rows.count - WindowLimit().afterTrimming)) < 3)
}

@Test func `a window whose reader said nothing of where he is keeps its newest rows`() throws {
    let stage = try WindowStage()
    try stage.fill(700)
    var reader = try Reader("r", on: stage)
    try reader.overfill()
    let newest = reader.mirror.rows.suffix(WindowLimit().afterTrimming).map(\.number)
    let trimmed = try reader.scrolls(false)
    try reader.mirror.apply(try #require(trimmed))
    #expect(reader.mirror.rows.map(\.number) == newest)
}

@Test func `an adjustment that takes nothing away says so`() throws {
    let stage = try WindowStage()
    try stage.fill(100)
    var reader = try Reader("r", on: stage)
    func adjusted(_ most: Int) -> [GatewayWord] {
        stage.say(.adjust(WindowID(1), maxCount: most, focus: 1000), as: reader.client)
    }
    #expect(adjusted(50) == [.adjusted(WindowID(1), nil)] && adjusted(400) == [.adjusted(WindowID(1), nil)])
    guard case .adjusted(_, let set?)? = adjusted(20).first else {
        Issue.record("nothing went")
        return
    }
    try reader.mirror.apply(set)
    #expect(reader.mirror.rows.count == 20 && adjusted(20) == [.adjusted(WindowID(1), nil)])
}
