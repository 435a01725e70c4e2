import Conversation
import Foundation
import JSON
import MessageLayout
import Names
import Pool
import Rows
import Storage
import TestSupport
import Testing
import Wire

@testable import Gateway

/// The edition that is laid out next, in the same conversation.
final class NextEdition {
    static let id = try! EditionID("0b")
    private var shard: SQLiteShard
    private var job: UInt64 = 1000

    /// - Parameter style: the style of the edition; nil for that of the stage.
    init(on stage: WindowStage, style: StyleSheet? = nil, as id: EditionID = NextEdition.id) throws {
        shard = try SQLiteShard(Shard(of: stage.conversation, among: 4), of: id, in: stage.folder)
        _ = try shard.adopt(LeaseEpoch(1))
        if let text = style?.decorationText { try EditionDecoration.write(text, of: id, in: stage.folder) }
        try ServedEdition(stage.edition, next: id, filler: id).write(in: stage.folder)
    }

    func lay(_ numbers: [Int64], height: Int32) throws {
        try commit(numbers) { number in
            .laidOut(try ShardSample.row(order: number, key: "n", layout: SampleRecord.bytes(height: height)))
        }
    }

    func lay(_ rows: [Int64: ShardRow]) throws { try commit(rows.keys.sorted()) { .laidOut(rows[$0]!) } }

    func remove(_ numbers: [Int64]) throws { try commit(numbers) { _ in .removed } }

    private func commit(_ numbers: [Int64], _ row: (Int64) throws -> ShardChange.Row) throws {
        let changes = try numbers.map { number in
            job += 1
            return try ShardSample.change(number, job: job, row(number))
        }
        _ = try shard.commit(changes, under: LeaseEpoch(1))
    }
}

extension Reader {
    fileprivate var numbers: [Int64] { mirror.rows.map(\.number.number) }

    /// The height of a row's content.
    fileprivate func strip(_ number: Int64) -> Int32? { mirror.rows.first { $0.number.number == number }?.strip }

    /// The edition of a row, where it was told.
    fileprivate func filler(_ number: Int64) -> EditionID? {
        mirror.rows.first { $0.number.number == number }?.body?.filler
    }

    fileprivate mutating func hear() throws {
        stage.letTimePass()
        try listen()
    }
}

extension WindowRow {
    /// The row for readers who do not ask for editions.
    fileprivate var unnamed: WindowRow {
        var row = self
        row.body?.filler = nil
        return row
    }
}

extension StyleSheet {
    /// A style that comes with the service.
    static func shipped(_ name: String) throws -> StyleSheet {
        let path = Project.file("config/styles/\(name).json5").path
        let bytes = Array(FileManager.default.contents(atPath: path) ?? Data())
        return try JSONDocument(name: path, bytes: bytes, dialect: .json5)
            .read { (root) throws(JSONError) in try StyleSheet(root) }
    }
}

@Test func `a row that the served edition lacks is given from the one that fills it, and no other`() throws {
    let stage = try WindowStage()
    try stage.fill(10)
    let next = try NextEdition(on: stage)
    try next.lay([1, 2, 3, 11, 12], height: 60)
    let reader = try Reader("r", on: stage)
    #expect(reader.numbers == Array(1...12))
    // The first row of a series has a name above, whichever edition it is of.
    let (named, own) = (try #require(reader.strip(1)), try #require(reader.strip(2)))
    #expect(named > own && [2, 3, 4].allSatisfy { reader.strip($0) == own })
    let (namedOther, other) = (try #require(reader.strip(11)), try #require(reader.strip(12)))
    #expect(other > own && namedOther - other == named - own)
    #expect(reader.mirror.frame.edition == stage.edition)
    #expect(reader.mirror.rows.allSatisfy { $0.body != nil })
}

@Test func `what happens in either edition is told as long as one fills the other`() throws {
    let stage = try WindowStage()
    try stage.fill(10)
    let next = try NextEdition(on: stage)
    try next.lay([2, 11, 12], height: 60)
    var reader = try Reader("r", on: stage)
    let before = reader.mirror.frame.cursor
    let own = try #require(reader.strip(6))
    // New.
    try next.lay([13], height: 60)
    try reader.hear()
    #expect(reader.numbers == Array(1...13) && reader.mirror.frame.cursor != before)
    // Changed: the served edition cannot show it as it is by now, and the next one does so a little later.
    try stage.commit([try stage.change(5, .withdrawn)])
    try reader.hear()
    #expect(!reader.numbers.contains(5))
    try next.lay([5], height: 70)
    try reader.hear()
    #expect(reader.numbers == Array(1...13) && reader.strip(5) != own)
    // Rows of the next edition do not show where the served one has them. The message before this one is of the same
    // sender by now, so it has no name.
    let joined = try #require(reader.strip(6))
    #expect(joined < own)
    try next.lay([6, 7], height: 90)
    try reader.hear()
    #expect(reader.strip(6) == joined)
    // Deleted: a row is gone when neither edition has it.
    try stage.commit([try stage.change(2, .removed)])
    try next.remove([2, 12])
    try reader.hear()
    #expect(reader.numbers == [1] + Array(3...11) + [13])
    let afresh = try Reader("s", on: stage)
    #expect([5, 13].allSatisfy { reader.filler($0) == NextEdition.id })
    #expect(afresh.mirror.rows == reader.mirror.rows)
    #expect(afresh.mirror.frame.extent == reader.mirror.frame.extent)
}

@Test func `a window that is open when another edition begins to fill is opened afresh`() throws {
    let stage = try WindowStage()
    try stage.fill(3)
    var reader = try Reader("r", on: stage)
    let next = try NextEdition(on: stage)
    try next.lay([4], height: 60)
    try reader.hear()
    #expect(reader.refusal == .resync)
    #expect(try Reader("r", on: stage).numbers == [1, 2, 3, 4])
}

@Test func `rows of an edition that has just begun to fill look as its style says, whoever looked before`() throws {
    func shown(besideAnother hasOther: Bool) throws -> [WindowRow] {
        let stage = try WindowStage()
        try stage.fill(10)
        let other = hasOther ? try Reader("r", on: stage) : nil
        let next = try NextEdition(on: stage, style: .shipped("flat"))
        try next.lay([11, 12], height: 60)
        // The gateway has noticed the edition, and does not follow it yet.
        let (followers, deadline) = (stage.desk.followers, ContinuousClock.now + patience)
        while followers.editions.filler == nil, .now < deadline { _ = followers.isServing }
        let rows = try Reader("s", on: stage).mirror.rows
        #expect(other?.refusal == nil)
        return rows
    }
    let (alone, beside) = (try shown(besideAnother: false), try shown(besideAnother: true))
    #expect(alone.map(\.number.number) == Array(1...12) && beside == alone)
}

@Test func `a conversation that began while nobody could lay out the served edition is shown`() throws {
    let stage = try WindowStage()
    try stage.fill(1)
    try stage.commit([try stage.change(1, .removed)])
    let next = try NextEdition(on: stage)
    var reader = try Reader("r", on: stage)
    #expect(reader.numbers.isEmpty)
    try next.lay([2, 3], height: 60)
    try reader.hear()
    #expect(reader.numbers == [2, 3])
    // A window that is opened now has the same stamp; the rows of another moment would have another.
    #expect(try Reader("s", on: stage).mirror.frame.cursor.stamp == reader.mirror.frame.cursor.stamp)
}

@Test func `windows of the edition before go on when the one that filled it is served`() throws {
    let stage = try WindowStage()
    try stage.fill(3)
    let next = try NextEdition(on: stage)
    try next.lay([4], height: 60)
    var reader = try Reader("r", on: stage)
    let own = try #require(reader.strip(1))
    try next.lay([1, 2, 3], height: 60)
    try ServedEdition(NextEdition.id).write(in: stage.folder)
    try reader.hear()
    #expect(reader.refusal == nil && reader.mirror.frame.isOld)
    try next.lay([5], height: 60)
    try reader.hear()
    #expect(reader.numbers == [1, 2, 3, 4, 5] && reader.strip(1) == own)
    let afresh = try Reader("s", on: stage)
    #expect(afresh.mirror.frame.edition == NextEdition.id && afresh.strip(1) != own)
}

@Test func `rows name their edition to those who ask, and others read what they read before`() throws {
    let stage = try WindowStage()
    try stage.fill(10)
    let next = try NextEdition(on: stage)
    try next.lay([11], height: 60)
    var asking = try Reader("a", on: stage)
    var other = try Reader("b", on: stage, wantsEditions: false)
    for _ in 0..<2 {
        #expect(asking.filler(11) == NextEdition.id && (1...10).allSatisfy { asking.filler($0) == nil })
        #expect(other.mirror.rows == asking.mirror.rows.map(\.unnamed))
        try next.lay([12], height: 60)
        try asking.hear()
        try other.listen()
        #expect(asking.filler(12) == NextEdition.id && other.numbers == Array(1...12))
    }
    // Later readers of the same rows are answered from memory, with and without editions.
    #expect(try Reader("c", on: stage).mirror.rows == asking.mirror.rows)
    #expect(try Reader("d", on: stage, wantsEditions: false).mirror.rows == other.mirror.rows)
}

/// A message of one of two senders; some of those that the reader sent have failed.
private func said(_ number: Int64) throws -> ShardRow {
    var row = try ShardSample.row(order: number, key: "k", layout: SampleRecord.bytes(height: 10))
    row.facts.sender = try SenderID(4...6 ~= number ? "me" : "ada")
    row.facts.status = number == 5 || number == 6 ? Array(#""failed""#.utf8) : nil
    return row
}

@Test(arguments: [("bubble", "flat"), ("flat", "bubble")], [false, true])
func `rows of the next edition look as its style says, and stand as the served one's do`(
    styles: (served: String, next: String), isSelecting: Bool
) throws {
    let fillers: Set<Int64> = [2, 5, 8, 9, 12]
    func rows(_ numbers: some Sequence<Int64>) throws -> [Int64: ShardRow] {
        try Dictionary(uniqueKeysWithValues: numbers.map { ($0, try said($0)) })
    }
    func stage(_ name: String, _ numbers: [Int64]) throws -> WindowStage {
        let stage = try WindowStage()
        try EditionDecoration.write(
            try #require(StyleSheet.shipped(name).decorationText), of: stage.edition, in: stage.folder)
        try stage.commit(numbers.map { try stage.change($0, .laidOut(said($0))) })
        return stage
    }
    let stages = [
        try stage(styles.served, (1...12).filter { !fillers.contains($0) }), try stage(styles.served, Array(1...12)),
        try stage(styles.next, Array(1...12)),
    ]
    let next = try NextEdition(on: stages[0], style: .shipped(styles.next))
    try next.lay(try rows(fillers))
    let viewer = WindowReader(own: try SenderID("me"), isSelecting: isSelecting)
    let shown = try stages.map { try Reader("r", on: $0, reader: viewer).mirror.rows }
    #expect(shown.allSatisfy { $0.map(\.number.number) == Array(1...12) })
    for i in 0..<12 {
        let (row, served, own) = (shown[0][i], shown[1][i], shown[2][i])
        let look = fillers.contains(row.number.number) ? own : served
        let decorations = try [row, served, look].map { try #require($0.body?.decoration) }
        let (decoration, place, style) = (decorations[0], decorations[1], decorations[2])
        #expect(row.height == decoration.height, "\(i)")
        #expect(decoration.gapAbove == place.gapAbove && decoration.gapBelow == place.gapBelow, "\(i)")
        #expect(decoration.series == place.series && decoration.dateLine?.day == place.dateLine?.day, "\(i)")
        #expect(decoration.dateLine?.frame.height == place.dateLine?.frame.height, "\(i)")
        #expect(decoration.variant == style.variant && decoration.bubble == style.bubble, "\(i)")
        #expect(row.strip == look.strip && decoration.content.left == style.content.left, "\(i)")
        for part in [\Decoration.avatar, \.failedIcon, \.selectionHandle] {
            #expect(decoration[keyPath: part]?.width == style[keyPath: part]?.width, "\(i) \(part)")
            #expect(decoration[keyPath: part]?.left == style[keyPath: part]?.left, "\(i) \(part)")
        }
    }
}

@Test
func
    `an edition that is served before it is whole shows its own rows, and those of the one before it until it has them`()
    throws
{
    let stage = try WindowStage()
    try stage.fill(10)
    var reader = try Reader("r", on: stage)
    let before = try #require(reader.strip(3))
    let next = try NextEdition(on: stage)
    try ServedEdition(stage.edition, next: NextEdition.id, isHurried: true).write(in: stage.folder)
    try reader.hear()
    #expect(reader.refusal == nil && !reader.mirror.frame.isOld)
    // The rows that its reader looks at are to be laid out first.
    #expect(Set(stage.desk.takeWishes().map(\.message.text)) == Set((1...10).map { "m\($0)" }))
    try next.lay([9, 10], height: 60)
    try ServedEdition(NextEdition.id, filler: stage.edition).write(in: stage.folder)
    try reader.hear()
    #expect(reader.refusal == nil && reader.mirror.frame.isOld)
    var other = try Reader("s", on: stage)
    #expect(other.numbers == Array(1...10) && other.strip(3) == before && other.strip(10) != before)
    #expect(other.filler(3) == stage.edition && other.filler(10) == nil)
    // The other rows come one by one, after the changes of the conversation.
    try next.lay([3, 11], height: 60)
    for _ in 0..<2 { stage.letTimePass() }
    try other.hear()
    #expect(other.numbers == Array(1...11) && other.strip(3) == other.strip(10) && other.filler(3) == nil)
    try next.lay([1, 2] + Array(4...8), height: 60)
    for _ in 0..<2 { stage.letTimePass() }
    try other.hear()
    #expect(try Reader("t", on: stage).mirror.rows == other.mirror.rows)
}

@Test func `who looks at rows that the served edition lacks has them laid out first, and soon`() throws {
    let stage = try WindowStage()
    try stage.fill(10)
    let next = try NextEdition(on: stage)
    try next.lay([9, 10], height: 60)
    try ServedEdition(NextEdition.id, filler: stage.edition).write(in: stage.folder)
    var reader = try Reader("r", on: stage)
    #expect(Set(stage.desk.takeWishes().map(\.message.text)) == Set((1...8).map { "m\($0)" }))
    let before = try #require(reader.strip(3))
    try next.lay([3], height: 60)
    stage.letTimePass()
    try reader.listen()
    #expect(reader.strip(3) != before)
}

@Test func `a timeline of an edition that is not whole is the same made of the one before it as of its file`() throws {
    let stage = try WindowStage()
    try stage.fill(3000)
    let next = try NextEdition(on: stage)
    try ServedEdition(stage.edition, next: NextEdition.id, isHurried: true).write(in: stage.folder)
    // The second reader has a name that no timeline is for, so that his is made of the file.
    func isSame(_ name: String) throws -> Bool {
        let here = try Reader(name, on: stage).mirror
        let there = try Reader(name + "'", on: stage, reader: WindowReader(own: try SenderID(name + "'"))).mirror
        return here.rows == there.rows && here.frame.extent == there.frame.extent
            && here.frame.rowsAbove == there.frame.rowsAbove && here.rows.count == 50
    }
    #expect(try isSame("a"))
    try next.lay([1, 7, 1500, 2999, 3000], height: 60)
    try ServedEdition(NextEdition.id, filler: stage.edition).write(in: stage.folder)
    stage.letTimePass()
    // Changes that happened since, and that nobody was told of, are taken up.
    try stage.commit([try stage.change(5, .removed), try stage.change(2990, .removed), try stage.laidOut(3001)])
    #expect(try isSame("b"))
    // A third edition comes before that one is whole, and the first still fills it: some of its rows were not in the
    // timeline before.
    let third = try EditionID("0c")
    let last = try NextEdition(on: stage, as: third)
    try last.lay([2, 3000, 3001], height: 90)
    try ServedEdition(third, filler: stage.edition).write(in: stage.folder)
    stage.letTimePass()
    try stage.commit([try stage.change(2980, .removed), try stage.laidOut(3002)])
    #expect(try isSame("c"))
    let reader = try Reader("d", on: stage)
    #expect([2999, 2998, 3002].allSatisfy { reader.filler($0) == stage.edition } && reader.filler(3001) == nil)
}
