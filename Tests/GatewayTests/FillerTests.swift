import Conversation
import MessageLayout
import Pool
import Storage
import TestSupport
import Testing
import Wire

@testable import Gateway

/// The edition that is laid out next, in the same conversation.
private final class NextEdition {
    static let id = try! EditionID("0b")
    private var shard: SQLiteShard
    private var job: UInt64 = 1000

    init(on stage: WindowStage) throws {
        shard = try SQLiteShard(Shard(of: stage.conversation, among: 4), of: Self.id, in: stage.folder)
        _ = try shard.adopt(LeaseEpoch(1))
        try ServedEdition(stage.edition, next: Self.id, filler: Self.id).write(in: stage.folder)
    }

    func lay(_ numbers: [Int64], height: Int32) throws {
        try commit(numbers) { number in
            .laidOut(try ShardSample.row(order: number, key: "n", layout: SampleRecord.bytes(height: height)))
        }
    }

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

    /// How high the content of a row is.
    fileprivate func strip(_ number: Int64) -> Int32? { mirror.rows.first { $0.number.number == number }?.strip }

    /// Which edition a row is of, where that was told.
    fileprivate func filler(_ number: Int64) -> EditionID? {
        mirror.rows.first { $0.number.number == number }?.body?.filler
    }

    fileprivate mutating func hear() throws {
        stage.letTimePass()
        try listen()
    }
}

extension WindowRow {
    /// As it comes in a frame, which an opened window does here and a told change does not: frames say nothing of fillers.
    fileprivate var framed: WindowRow {
        var row = self
        row.body?.filler = nil
        return row
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
    // What the next one does with rows that the served one has is nothing to see.
    try next.lay([6, 7], height: 90)
    try reader.hear()
    #expect(reader.strip(6) == own)
    // Deleted: gone when it is in neither.
    try stage.commit([try stage.change(2, .removed)])
    try next.remove([2, 12])
    try reader.hear()
    #expect(reader.numbers == [1] + Array(3...11) + [13])
    let afresh = try Reader("s", on: stage)
    #expect([5, 13].allSatisfy { reader.filler($0) == NextEdition.id })
    #expect(afresh.mirror.rows == reader.mirror.rows.map(\.framed))
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
    // The same at another moment has another name.
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
