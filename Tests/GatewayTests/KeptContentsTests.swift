import Conversation
import MessageLayout
import Names
import Pool
import Record
import Rows
import Storage
import TestSupport
import Testing
import Wire

@testable import Gateway

extension WindowStage {
    /// The number of rows that were cut out of stored records.
    fileprivate var cuts: UInt64 { desk.answers.cutter.tally.misses }
}

extension Reader {
    fileprivate func row(_ number: Int64) -> WindowRow? { mirror.rows.first { $0.number.number == number } }

    fileprivate mutating func hear() throws {
        stage.tick()
        try listen()
    }
}

@Test func `what is drawn in a row is read once, whatever happens to others`() throws {
    let stage = try WindowStage()
    try stage.fill(50)
    var reader = try Reader("a", on: stage)
    #expect(reader.mirror.rows.count == 50 && stage.cuts == 50)
    for number in 51...60 as ClosedRange<Int64> {
        try stage.commit([try stage.laidOut(number)])
        try reader.hear()
    }
    try stage.commit([try stage.laidOut(23, height: 60)])
    try reader.hear()
    try stage.commit([try stage.change(7, .removed)])
    try reader.hear()
    #expect(reader.mirror.rows.count == 59)
    // Ten new rows and an edited one, for every reader.
    for name in ["b", "c"] {
        let other = try Reader(name, on: stage, count: 59)
        #expect(other.mirror.rows == reader.mirror.rows)
    }
    #expect(stage.cuts == 50 + 10 + 1)
}

@Test func `a row that is edited is told with what is drawn in it now`() throws {
    let stage = try WindowStage()
    try stage.fill(50)
    // After the first row of her series come two with the same layout, and one with another.
    let heights: [(Int64, Int32)] = [(51, 40), (52, 40), (53, 40), (54, 60)]
    try stage.commit(heights.map { try stage.laidOut($0, height: $1) })
    var reader = try Reader("a", on: stage)
    let (before, other) = (try #require(reader.row(53)?.body), try #require(reader.row(54)?.body))
    #expect(reader.row(52)?.body?.layout == before.layout && other.layout != before.layout)
    try stage.commit([try stage.laidOut(53, height: 60)])
    try reader.hear()
    #expect(reader.row(53)?.body?.layout == other.layout)
    #expect(reader.row(52)?.body?.layout == before.layout)
    // A reader who opens it now gets the same.
    #expect(try Reader("b", on: stage).row(53) == reader.row(53))
}

/// The time of a page in a conversation of so many rows, none of which was touched since it was sealed. The contents
/// of the rows are not asked for.
private func timeOfPage(among rows: Int64) throws -> Duration {
    let stage = try WindowStage()
    try stage.fill(1)
    let client = WindowClient("ada")
    let opening = WindowOpening(
        window: WindowID(1), conversation: stage.conversation, target: WindowStage.target, screen: 2000,
        wantsBodies: false)
    _ = stage.say(.open(opening), as: client)
    let seat = try #require(stage.desk.followers.seats[client]?[WindowID(1)])
    let all = try (1...rows).map { number in
        SealedRow(
            number: MessageNumber(number), message: try MessageID("m\(number)"), order: number,
            sender: try SenderID("ada"), time: Timestamp(milliseconds: number * 1000),
            look: RowLook(template: "message"), heights: [ContentHeights(all: 40)])
    }
    let blocks = try stride(from: 0, to: all.count, by: 256).map { start in
        try RowBlock(sealing: Array(all[start..<min(start + 256, all.count)]), for: [WindowStage.target])
    }
    let tree = try RowTree(
        opening: blocks, style: .messages, viewer: Viewer(), own: nil, target: WindowStage.target)
    let timeline = Timeline(tree, edition: stage.edition, cursor: seat.shared.timeline.cursor)
    seat.shared.timeline = timeline
    let place = RowPlace.row(MessageNumber(rows / 2))
    let (window, _) = try #require(
        Window.open(WindowID(1), on: timeline, around: place, count: 50, screen: 2000))
    // Other work of the machine does not disturb every try.
    let times = (0..<20).map { _ in
        seat.window = window
        return processorTime {
            guard case .window(let page)? = stage.say(.page(WindowID(1), .older, count: 50), as: client).first else {
                Issue.record("no page")
                return
            }
            #expect(page.rows.count == 50 && page.frame.rowsAbove == Int(rows) / 2 - 1 - 75)
        }
    }
    return try #require(times.min())
}

@Test func `a page takes no longer in a long conversation than in a short one`() throws {
    let (short, long) = (try timeOfPage(among: 1_000), try timeOfPage(among: 60_000))
    #expect(long < short * 5, "\(short) of a thousand rows, \(long) of sixty thousand")
}
