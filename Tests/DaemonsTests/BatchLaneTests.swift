import FormeLayout
import Foundation
import MessageLayout
import Names
import Pool
import Record
import Shaping
import Storage
import TestSupport
import Testing
import Transport
import Wire

@testable import Daemons

/// A lane for the standard style, in a folder of its own, with a journal beside it.
private struct Stage: ~Copyable {
    let temporary: TemporaryFolder
    let folder: DataFolder
    let era: UInt64
    let reports: Mailbox<LayoutLane.Report>
    var lane: BatchLane
    /// The figures that the last batch told of itself.
    private(set) var figures = LayoutFigures()
    private var batches: UInt64 = 0

    init() throws {
        let temporary = try TemporaryFolder()
        let folder = DataFolder(temporary.path)
        let era = try SQLiteJournal(in: folder, settings: JournalSettings(shards: 1)).era
        let reports = try Mailbox<LayoutLane.Report>()
        let lane = try BatchLane(
            folder: folder, style: StyleFiles.open(Project.file("config/styles/bubble.json5").path),
            fonts: Self.fonts(), reports: reports)
        (self.temporary, self.folder, self.era, self.reports) = (temporary, folder, era, reports)
        self.lane = lane
    }

    /// The fonts of the first family, which is enough for the texts here.
    static func fonts() throws -> FontList {
        let path = Project.file("config/fonts.json5").path
        let families = try FontConfiguration.families(Array(Data(contentsOf: URL(filePath: path))), from: path)
        return try FontCatalog().open(Array(families.prefix(1)))
    }

    static func layouter() throws -> RowLayouter {
        try RowLayouter(style: StyleFiles.open(Project.file("config/styles/bubble.json5").path), fonts: fonts())
    }

    /// Stores so many rows of one conversation, as an earlier worker may have left them: none of them is sealed.
    func store(_ count: Int64) throws {
        let edition = try Self.layouter().edition.id
        var shard = try SQLiteShard(Shard(0), of: edition, in: folder, settings: ShardSettings(era: era))
        _ = try shard.adopt(LeaseEpoch(1))
        let layout = try SampleRecord.bytes(height: 40)
        let rows = try (1...count).map { try ShardSample.laidOut($0, job: UInt64($0), layout: layout) }
        _ = try shard.commit(rows, under: LeaseEpoch(1))
        try shard.close()
    }

    mutating func run(_ jobs: [LayoutJob], made: MadeRows? = nil) -> BatchReport? {
        lane.run(
            .work(
                Batch(
                    id: BatchID(term: 1, number: batches), shard: Shard(0), epoch: LeaseEpoch(1), place: batches,
                    jobs: jobs, made: made)))
        batches += 1
        for case .done(let report, _, let figures) in reports.takeAll() {
            self.figures = figures
            return report
        }
        return nil
    }
}

private func state(_ text: String) throws -> MessageState {
    MessageState(
        order: 1,
        body: MessageBody(
            sender: try SenderID("ada"), time: Timestamp(milliseconds: 1), content: MessageEvent.plainText(text)),
        revision: Revision(1))
}

/// A text whose length grows with its number, so that no two are laid out alike.
private func text(_ number: Int) throws -> MessageState { try state(String(repeating: "word ", count: 3 * number)) }

private func job(_ number: UInt64, _ state: MessageState) throws -> LayoutJob {
    LayoutJob(
        number: JobNumber(number), message: MessageNumber(Int64(number)), conversation: try ConversationID("c"),
        messageID: try MessageID("m\(number)"), work: .layOut(state))
}

@Test func `a row of the edition that is served is taken over where its key is the same, and no other`() throws {
    var stage = try Stage()
    var states = [try state("same"), try state("other"), try state("new")]
    for place in states.indices { states[place].isFirst = place == 2 }
    let served = try EditionID("aa")
    let layouter = try Stage.layouter()
    func key(_ state: MessageState) throws -> [UInt8] { layouter.key(of: try layouter.checked(state)) }
    var old = try SQLiteShard(Shard(0), of: served, in: stage.folder, settings: ShardSettings(era: stage.era))
    _ = try old.adopt(LeaseEpoch(1))
    // A layout that no worker would make, so that it is recognized.
    let rows = [try key(states[0]), [1, 2, 3], try key(states[2])].map { key in
        ShardRow(
            facts: states[0].facts, role: RowRole(template: "message", joinsSeries: true), key: key, layout: [7, 7, 7],
            measured: [8])
    }
    _ = try old.commit(
        try zip(1..., rows).map { number, row in
            ShardChange(
                job: JobNumber(UInt64(number)), message: MessageNumber(Int64(number)),
                conversation: try ConversationID("c"), messageID: try MessageID("m\(number)"), row: .laidOut(row))
        }, under: LeaseEpoch(1))
    try ServedEdition(served).write(in: stage.folder)
    let report = stage.run(try zip(1..., states).map { number, state in try job(UInt64(number), state) })
    #expect(report?.isCommitted == true)
    var reader = try ShardReader(Shard(0), of: layouter.edition.id, in: stage.folder)
    let stored = try reader.rows([1, 2, 3].map { MessageNumber($0) }).map(\.layout)
    #expect(stored.count == 3 && stored[0] == [7, 7, 7])
    #expect(stored[1].count > 100 && stored[2].count > 100)
}

@Test func `a message that comes again, or is read meanwhile, is not laid out again`() throws {
    func said(_ text: String, _ status: String) throws -> MessageState {
        var state = try state(text)
        state.status = Array("\"\(status)\"".utf8)
        return state
    }
    var stage = try Stage()
    let first = try said("See you at nine", "sent")
    #expect(stage.run([try job(1, first)])?.isCommitted == true)
    #expect(stage.figures.kinds.map(\.messages) == [1])
    for state in [first, first, try said("See you at nine", "read")] {
        #expect(stage.run([try job(1, state)])?.isCommitted == true)
        #expect(stage.figures[.rows].hits == 1 && stage.figures[.rows].misses == 0)
        #expect(stage.figures.kinds == [], "nothing was laid out")
        #expect(stage.figures[.words] == CacheTally(), "and nothing measured")
    }
    // A message with another text is laid out.
    #expect(stage.run([try job(1, said("See you at ten", "read"))])?.isCommitted == true)
    #expect(stage.figures.kinds.map(\.messages) == [1] && stage.figures[.rows].misses == 1)
}

@Test func `a row is taken over from the edition that fills the served one, too`() throws {
    var stage = try Stage()
    let (older, own) = (try EditionID("aa"), try Stage.layouter().edition.id)
    let message = try state("same")
    let row = ShardRow(
        facts: message.facts, role: RowRole(template: "message", joinsSeries: true),
        key: try Stage.layouter().key(of: Stage.layouter().checked(message)), layout: [7, 7, 7], measured: [8])
    var shard = try SQLiteShard(Shard(0), of: older, in: stage.folder, settings: ShardSettings(era: stage.era))
    _ = try shard.adopt(LeaseEpoch(1))
    let change = ShardChange(
        job: JobNumber(1), message: MessageNumber(1), conversation: try ConversationID("c"),
        messageID: try MessageID("m1"), row: .laidOut(row))
    _ = try shard.commit([change], under: LeaseEpoch(1))
    try ServedEdition(own, filler: older).write(in: stage.folder)
    #expect(stage.run([try job(1, message)])?.isCommitted == true)
    var reader = try ShardReader(Shard(0), of: own, in: stage.folder)
    #expect(try reader.rows([MessageNumber(1)]).map(\.layout) == [[7, 7, 7]])
}

@Test func `rows that were made elsewhere are stored as they came, and those that are looked at are compared`() throws {
    var stage = try Stage()
    var layouter = try Stage.layouter()
    let edition = try layouter.edition.id
    let jobs = try (1...4).map { try job(UInt64($0), text($0)) }
    var rows = try jobs.enumerated().map { place, job -> MadeRow in
        guard case .layOut(let state) = job.work else { throw CancellationError() }
        return MadeRow(try layouter.row(of: layouter.checked(state)), at: UInt16(place))
    }
    let right = rows.map(\.layout)
    // The row of another message, which is not checked.
    rows[2].layout = rows[3].layout
    func made(_ checks: [UInt16]) -> MadeRows { MadeRows(bytes: rows.flatMap { $0.encoded() }, checks: checks) }
    let blind = stage.run(jobs, made: made([0, 3]))
    #expect(blind?.isCommitted == true && blind?.difference == nil)
    var reader = try ShardReader(Shard(0), of: edition, in: stage.folder)
    func stored() throws -> [[UInt8]] { try reader.rows((1...4).map { MessageNumber($0) }).map(\.layout) }
    #expect(try stored() == [right[0], right[1], right[3], right[3]])

    // It is made again, though the key that is stored is right.
    var doubted = jobs
    guard case .layOut(var state) = jobs[2].work else { return }
    state.isDoubted = true
    doubted[2].work = .layOut(state)
    #expect(stage.run([doubted[2]])?.isCommitted == true)
    #expect(try stored() == right)

    // Once it is checked, it is refused, and so are all rows after it; and the difference is told.
    let others = try (1...4).map { try job(UInt64($0 + 10), text($0)) }
    let seen = stage.run(others, made: made([2]))
    #expect(seen?.isCommitted == true && seen?.difference?.text.contains("the layout of the message") == true)
    #expect(try stored() == right)

    // A row of another key is made here, and nobody is accused: it is of a content that this host does not have, or not
    // any more.
    var stale = rows[0]
    (stale.key[0], stale.layout) = (~stale.key[0], right[3])
    let other = stage.run([try job(31, text(1))], made: MadeRows(bytes: stale.encoded(), checks: [0]))
    #expect(other?.isCommitted == true && other?.difference == nil)
    #expect(try reader.rows([MessageNumber(31)]).map(\.layout) == [right[0]])

    // Bytes that are no row are not stored either.
    rows[1].layout = [1, 2, 3]
    let torn = stage.run([try job(21, text(1)), try job(22, text(2))], made: made([]))
    #expect(torn?.isCommitted == true && torn?.difference?.text.contains("is no row") == true)
}

@Test func `rows that are not to be kept go with nothing else to do, and a suspected shard is looked over`() throws {
    var stage = try Stage()
    _ = stage.run(try (1...9).map { try job(UInt64($0), state("text \($0)")) })
    let edition = try Stage.layouter().edition.id
    var reader = try ShardReader(Shard(0), of: edition, in: stage.folder)
    stage.lane.retention = ShardRetention(rows: 4)
    let suspicion = ShardPlace(Shard(0), of: edition, in: stage.folder).path.replacing(".db", with: ".suspect")
    try Data().write(to: URL(filePath: suspicion))
    _ = stage.lane.tidy(idle: true)
    #expect(try reader.places(of: ConversationID("c")).places.map(\.number.number) == [6, 7, 8, 9])
    // It was looked over, and is sound.
    #expect(!FileManager.default.fileExists(atPath: suspicion))
    // Nothing of a file is told, only the time that was spent.
    #expect(stage.reports.takeAll().allSatisfy { if case .spent = $0 { true } else { false } })
}

@Test func `a suspected shard that cannot be opened keeps no other from being looked over`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    let era = try SQLiteJournal(in: folder, settings: JournalSettings(shards: 2)).era
    let (edition, reports) = (try EditionID("e1"), try Mailbox<LayoutLane.Report>())
    _ = try SQLiteShard(Shard(1), of: edition, in: folder, settings: ShardSettings(era: era))
    let places = [Shard(0), Shard(1)].map { ShardPlace($0, of: edition, in: folder) }
    for place in places { place.suspect() }
    try FileManager.default.createDirectory(
        atPath: places[0].path.replacing(".db", with: ".lock"), withIntermediateDirectories: false)
    LaneShards(of: edition, in: folder, reports: reports).renewSuspects()
    var renewed: [Shard] = []
    for case .renewed(let shard, _) in reports.takeAll() { renewed.append(shard) }
    #expect(renewed == [Shard(1)])
}

@Test func `the coordinator is told of a file that was begun anew, whichever chore has met the damage`() throws {
    let temporary = try TemporaryFolder()
    let folder = DataFolder(temporary.path)
    let era = try SQLiteJournal(in: folder, settings: JournalSettings(shards: 1)).era
    let (edition, reports) = (try EditionID("e1"), try Mailbox<LayoutLane.Report>())
    let shards = LaneShards(of: edition, in: folder, reports: reports)
    func renewed() -> [ShardOrigin] {
        var origins: [ShardOrigin] = []
        for case .renewed(_, let point) in reports.takeAll() { origins.append(point.origin) }
        return origins
    }
    let known = try shards.open(Shard(0))
    _ = try known.file.adopt(LeaseEpoch(1))
    _ = try known.file.commit([try ShardSample.laidOut(1, job: 1)], under: LeaseEpoch(1))
    let before = known.file.origin
    shards.maintain(idle: true)
    #expect(renewed() == [])
    // All of it is gone, and another process has begun it anew.
    let path = ShardPlace(Shard(0), of: edition, in: folder).path
    for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
    let new = try SQLiteShard(Shard(0), of: edition, in: folder, settings: ShardSettings(era: era)).origin
    // The first chore that takes the lock finds out, and the look of each second finds the file in place.
    shards.attempt(Shard(0)) { (file) throws(StorageError) in _ = try file.adopt(LeaseEpoch(2)) }
    #expect(known.file.origin == new && new != before)
    shards.maintain(idle: true)
    #expect(renewed() == [new])
    shards.maintain(idle: true)
    #expect(renewed() == [])
}

@Test func `rows are sealed though batches never end, and the edition's decoration lies beside them`() throws {
    var stage = try Stage()
    let edition = try Stage.layouter().edition.id
    try stage.store(1500)
    var number: UInt64 = 10_000
    var unsealed = Int.max
    for _ in 0..<200 where unsealed > 20 {
        number += 1
        var state = try state("Hi")
        state.order = Int64(number)
        #expect(stage.run([try job(number, state)])?.isCommitted == true)
        unsealed = try unsealedBlocks(edition, stage.folder)
    }
    // There were twenty-three unsealed blocks of 64 rows; each block that is sealed takes the place of four.
    #expect(unsealed <= 20)
    #expect(try EditionDecoration.read(of: edition, in: stage.folder)?.isEmpty == false)
}

@Test func `sealing leaves time to others though nothing comes, and comes to an end all the same`() throws {
    var stage = try Stage()
    let edition = try Stage.layouter().edition.id
    try stage.store(1000)
    var last = try state("Hi")
    last.order = 10_000
    let report = stage.run([try job(10_000, last)])
    #expect(report?.isCommitted == true)
    let pause = stage.lane.tidy(idle: true)
    #expect(pause > .zero && pause <= .milliseconds(100), "there is more to seal, and not at once")
    while stage.lane.tidy(idle: true) < .seconds(1) {}
    // There were fifteen unsealed blocks of 64 rows. At the end fewer than 512 rows are left.
    #expect(try unsealedBlocks(edition, stage.folder) < 8)
}

@Test func `rows are laid out for a screen that is added later as if it had been there from the start`() throws {
    var stage = try Stage()
    var other = try Stage()
    let edition = try Stage.layouter().edition.id
    let added = try ["397@3", "402@2,130"].map { try #require(Target(text: $0)) }
    other.lane.run(.prepare(added))
    let bodies = (1...40).map { String(repeating: "word \($0) ", count: $0) + "https://forme.example" }
    for (place, text) in bodies.enumerated() {
        let job = try job(UInt64(place + 1), state(text))
        _ = (stage.run([job]), other.run([job]))
    }
    // Beside batches that never end, a little at a time.
    stage.lane.run(.prepare(added))
    while stage.lane.tidy(idle: true) < .seconds(1) {}
    let last = try job(100, state("The last"))
    _ = (stage.run([last]), other.run([last]))
    var one = try ShardReader(Shard(0), of: edition, in: stage.folder)
    var two = try ShardReader(Shard(0), of: edition, in: other.folder)
    let numbers = (1...100).map { MessageNumber($0) }
    let (rows, wanted) = (try one.rows(numbers), try two.rows(numbers))
    #expect(rows == wanted && rows.count == 41)
    #expect(try rows.allSatisfy { try LayoutRecord($0.layout).targets.suffix(2) == added })
    #expect(try one.cursor().stamp == two.cursor().stamp)
}

@Test func `what is there is laid out for a screen that is added though batches never end`() throws {
    var stage = try Stage()
    let edition = try Stage.layouter().edition.id
    for number in 1...30 as ClosedRange<UInt64> { _ = stage.run([try job(number, state("text \(number)"))]) }
    let added = [try #require(Target(text: "397@3"))]
    stage.lane.run(.prepare(added))
    var reader = try ShardReader(Shard(0), of: edition, in: stage.folder)
    func lacking() throws -> Int {
        try reader.rows((1...30).map { MessageNumber($0) })
            .count { try !LayoutRecord($0.layout).targets.contains(added[0]) }
    }
    var number: UInt64 = 1000
    while try lacking() > 0, number < 1100 {
        number += 1
        _ = stage.run([try job(number, state("more"))])
    }
    #expect(try lacking() == 0)
}

/// The number of blocks that a reader has to make of rows.
private func unsealedBlocks(_ edition: EditionID, _ folder: DataFolder) throws -> Int {
    var reader = try ShardReader(Shard(0), of: edition, in: folder)
    var walk = ConversationWalk(try ConversationID("c"))
    var sealer = RowSealer(style: nil)
    while !walk.isDone { _ = try reader.next(&walk, &sealer) }
    return walk.madeBlocks
}
