import CPowerLoss
import Foundation
import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Storage

/// A copy of a folder as it may be after a power failure: of each file of SQLite and of the log the synced bytes,
/// with any of the blocks that were written since, as the disk pleases.
private func image(of folder: String, using random: inout SplitMix64) throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
        let path = folder + "/" + name
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
        if isFolder.boolValue {
            try FileManager.default.createDirectory(atPath: copy.file(name), withIntermediateDirectories: true)
            continue
        }
        guard !name.hasSuffix(".durable"), !name.hasSuffix(".draft"), !name.hasSuffix("-shm") else { continue }
        let current = FileManager.default.contents(atPath: path) ?? Data()
        let isSynced = name.hasSuffix(".db") || name.hasSuffix("-wal") || name.hasPrefix("log/")
        let left = isSynced ? mixed(synced(path), current, using: &random) : current
        try left.write(to: URL(filePath: copy.file(name)))
    }
    return copy
}

private func synced(_ path: String) -> Data { FileManager.default.contents(atPath: path + ".durable") ?? Data() }

private func mixed(_ durable: Data, _ current: Data, using random: inout SplitMix64) -> Data {
    // A file that was cut since has none of its old blocks under new ones.
    if current.count < durable.count { return Bool.random(using: &random) ? durable : current }
    var left = durable
    let chance = Int.random(in: 0...4, using: &random)
    for start in stride(from: 0, to: current.count, by: 4096) where Int.random(in: 0..<4, using: &random) < chance {
        let block = current[start..<min(start + 4096, current.count)]
        if left.count < start { left += Data(count: start - left.count) }
        left.replaceSubrange(start..<min(block.endIndex, left.count), with: block)
    }
    return left
}

private func vfs() -> String { unsafe String(cString: forme_power_loss_vfs()) }

private func settings(_ durability: JournalSettings.Durability, boot: String, vfs: String?) -> JournalSettings {
    var settings = JournalSettings(
        durability: durability, shards: 3, mergeLength: 25, checkpoint: 200_000, boot: boot)
    settings.vfs = vfs
    settings.segment = 20_000
    if vfs != nil {
        settings.disk = LogDisk(isSynced: { path in
            do { try FileManager.default.contents(atPath: path)?.write(to: URL(filePath: path + ".durable")) } catch {
                Issue.record("\(error)")
            }
        })
    }
    return settings
}

/// Posts a few messages; the last ones are acknowledged when this returns.
private func post(
    _ count: Int, _ journal: inout SQLiteJournal, _ keeper: inout Bookkeeper, _ random: inout SplitMix64
) throws {
    let first = journal.nextPosition.number
    let events = try (0..<count).map { place in
        MessageEvent(
            conversation: try ConversationID("c\(place % 5)"), message: try MessageID("m\(first + Int64(place))"),
            body: MessageBody(
                sender: try SenderID("ada"), time: Timestamp(milliseconds: 1),
                content: MessageEvent.plainText(String(repeating: "z", count: .random(in: 1...900, using: &random)))),
            order: 1)
    }
    keeper.open(room: IngestRoom(live: 1000, backfill: 100, retryAfter: 1))
    _ = try keeper.take(IngestRequest(events: events.map { .success($0) }), from: Peer(route: [1]), in: &journal)
    try journal.commit(keeper.close())
}

@Test func `with full durability nothing that was acknowledged is lost with the power`() {
    forEachSeed(12) { random in
        let temporary = try TemporaryFolder()
        var journal = try SQLiteJournal(
            in: DataFolder(temporary.path), settings: settings(.full, boot: "one", vfs: vfs()))
        var keeper = Bookkeeper(shards: 3)
        for _ in 0..<12 {
            try post(.random(in: 1...30, using: &random), &journal, &keeper, &random)
            if Bool.random(using: &random) { _ = try journal.maintain(steps: 30, idle: .random(using: &random)) }
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            let left = try image(of: temporary.path, using: &random)
            var again = try SQLiteJournal(
                in: DataFolder(left.path), settings: settings(.full, boot: "two", vfs: nil))
            guard again.nextPosition == journal.nextPosition, again.era == journal.era, again.news.isEmpty else {
                return false
            }
            for shard in 0..<3 as Range<UInt16> {
                let kept = try again.messages(in: Shard(shard), after: MessageNumber(-1), limit: 9999)
                guard try kept == journal.messages(in: Shard(shard), after: MessageNumber(-1), limit: 9999) else {
                    return false
                }
            }
        }
        return true
    }
}

@Test func `with less durability a journal is whole after the power has failed, and begins a new era`() {
    forEachSeed(12) { random in
        let temporary = try TemporaryFolder()
        var journal = try SQLiteJournal(
            in: DataFolder(temporary.path), settings: settings(.process, boot: "one", vfs: vfs()))
        var keeper = Bookkeeper(shards: 3)
        for _ in 0..<12 { try post(.random(in: 1...30, using: &random), &journal, &keeper, &random) }
        let left = try image(of: temporary.path, using: &random)
        var again = try SQLiteJournal(
            in: DataFolder(left.path), settings: settings(.process, boot: "two", vfs: nil))
        guard again.nextPosition <= journal.nextPosition, again.era != journal.era else { return false }
        var twin = Bookkeeper(shards: 3)
        try post(5, &again, &twin, &random)
        return try StorageCheck.problems(inJournalOf: DataFolder(left.path)).isEmpty
    }
}

@Test func `a journal that was closed has lost nothing, whatever the machine does then`() throws {
    let temporary = try TemporaryFolder()
    var random = SplitMix64(seed: 1)
    let era: UInt64
    do {
        var journal = try SQLiteJournal(
            in: DataFolder(temporary.path), settings: settings(.process, boot: "one", vfs: nil))
        era = journal.era
        var keeper = Bookkeeper(shards: 3)
        try post(9, &journal, &keeper, &random)
        try journal.close()
    }
    let again = try SQLiteJournal(
        in: DataFolder(temporary.path), settings: settings(.process, boot: "two", vfs: nil))
    #expect(again.era == era && again.news.isEmpty && again.nextPosition.number == 9)
}

@Test func `a start for which there is no room begins no new era`() throws {
    let temporary = try TemporaryFolder()
    let (folder, usual) = (DataFolder(temporary.path), settings(.full, boot: "one", vfs: vfs()))
    let era: UInt64
    do {
        var journal = try SQLiteJournal(in: folder, settings: usual)
        era = journal.era
        try journal.close()
    }
    unsafe forme_power_loss_fill(temporary.path, 1)
    #expect(throws: StorageError.full(path: folder.file("journal.db"))) {
        _ = try SQLiteJournal(in: folder, settings: usual)
    }
    unsafe forme_power_loss_fill(temporary.path, 0)
    let again = try SQLiteJournal(in: folder, settings: usual)
    #expect(again.era == era && again.news.isEmpty)
}

@Test func `what a shard has synced survives the power, and readers are told to read anew`() {
    forEachSeed(20) { random in
        var bench = try ShardBench()
        bench.settings.boot = "one"
        bench.settings.vfs = vfs()
        bench.settings.checkpoint = 100_000
        var shard = try bench.filled([])
        var disk = try ShardSync(Shard(3), of: bench.edition, in: bench.folder, settings: bench.settings)
        var (synced, job): (Stamp, UInt64) = (.zero, 0)
        for _ in 0..<20 {
            var changes: [ShardChange] = []
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                job += 1
                changes.append(
                    try ShardSample.laidOut(
                        Int64(job), job: job, layout: .init(repeating: 7, count: .random(in: 1...800, using: &random))))
            }
            _ = try shard.commit(changes, under: bench.epoch)
            if Int.random(in: 0..<4, using: &random) == 0 { synced = try disk.sync().stamp }
            if Int.random(in: 0..<6, using: &random) == 0 { try disk.tidy() }
        }
        var reader = try bench.read()
        let cursor = try reader.cursor()
        let left = try image(of: bench.temporary.path, using: &random)
        var settings = bench.settings
        (settings.boot, settings.vfs) = ("two", nil)
        var again = try SQLiteShard(Shard(3), of: bench.edition, in: DataFolder(left.path), settings: settings)
        guard again.origin == shard.origin, again.news == [.uncleanStart],
            let stamp = try again.adopt(LeaseEpoch(2)), stamp >= synced
        else { return false }
        var late = try ShardReader(Shard(3), of: bench.edition, in: DataFolder(left.path))
        guard case .resync(let now) = try late.changes(since: cursor), now.stamp == stamp else { return false }
        return try late.places(of: ConversationID("c")).places.count >= Int(synced.number)
    }
}

@Test func `power that fails between two steps of a copy tears nothing, and takes no commit that was synced`() {
    forEachSeed(6) { random in
        let temporary = try TemporaryFolder()
        let path = temporary.file("rows.db")
        let tuning = Database.Tuning(synchronous: .normal, vfs: vfs())
        let writer = try Database.open(path: path, .write, tuning)
        try writer.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")
        _ = try writer.emptyLog()
        let copier = try Database.open(path: path, .write, tuning)
        let reader = try Database.open(path: path, .read, tuning)
        var count: Int64 = 0
        func put(_ rows: Int) throws {
            for _ in 0..<rows {
                count += 1
                try writer.execute("INSERT INTO rows VALUES (\(count), randomblob(3000))")
            }
        }
        try put(150)
        _ = try reader.integer("SELECT count(*) FROM rows")
        let synced = count
        var steps = try LogSteps(reader)
        try reader.syncLog()
        var isMore = true
        while isMore {
            isMore = try steps.copySome(into: copier, besides: reader)
            try put(.random(in: 0...3, using: &random))
            let left = try image(of: temporary.path, using: &random)
            let again = try Database.open(path: left.file("rows.db"), .write)
            guard try again.quickCheck() == nil, try again.integer("SELECT count(*) FROM rows") >= synced else {
                return false
            }
        }
        try copier.syncFile()
        guard try copier.emptyLog() else { return false }
        return try Database.openAlone(path: path).integer("SELECT count(*) FROM rows") == count
    }
}

@Test func `a shard that was closed is gone on with after a start of the machine`() throws {
    var bench = try ShardBench()
    bench.settings.boot = "one"
    var shard = try bench.filled([try ShardSample.laidOut(1, job: 1)])
    var reader = try bench.read()
    let cursor = try reader.cursor()
    try shard.close()
    bench.settings.boot = "two"
    var again = try bench.open()
    #expect(again.news.isEmpty)
    _ = try again.adopt(LeaseEpoch(2))
    _ = try again.commit([try ShardSample.laidOut(2, job: 2)], under: LeaseEpoch(2))
    guard case .notes(let notes, _, _) = try reader.changes(since: cursor) else { Issue.record("resync"); return }
    #expect(notes.map(\.number.number) == [2])
}

/// Asked again, the kernel says that all is well, whatever it has thrown away.
@Test func `files of which a sync has failed are lost, and others are begun, though the next sync goes well`() throws {
    var bench = try ShardBench()
    bench.settings.vfs = vfs()
    var shard = try bench.filled([try ShardSample.laidOut(1, job: 1)])
    let origin = shard.origin
    var disk = try ShardSync(Shard(3), of: bench.edition, in: bench.folder, settings: bench.settings)
    let first = try disk.sync()
    #expect(first.origin == origin)
    _ = try shard.commit([try ShardSample.laidOut(2, job: 2)], under: bench.epoch)
    unsafe forme_power_loss_fail(bench.temporary.path, 1)
    var error: StorageError?
    do throws(StorageError) { _ = try disk.sync() } catch let trouble { error = trouble }
    unsafe forme_power_loss_fail(bench.temporary.path, 0)
    guard case .notSynced(let path, _)? = error else { Issue.record("it is synced"); return }
    guard case .putAside(let aside, _) = disk.news.last else { Issue.record("it is still there"); return }
    #expect(path == bench.path && FileManager.default.fileExists(atPath: aside))
    #expect(throws: StorageError.absent(path: bench.path)) { _ = try disk.sync() }
    let isRenewed = try shard.isRenewed()
    let point = try disk.sync()
    #expect(isRenewed && shard.origin != origin && point.origin == shard.origin)
}

@Test(arguments: [false, true])
func `files of which a sync has failed are trusted by nobody, though they could not be put aside`(
    isOpenedAnew: Bool
) throws {
    var bench = try ShardBench()
    bench.settings.vfs = vfs()
    bench.settings.lockWait = .zero
    var shard = try bench.filled([try ShardSample.laidOut(1, job: 1)])
    let origin = shard.origin
    do {
        var disk = try ShardSync(Shard(3), of: bench.edition, in: bench.folder, settings: bench.settings)
        var holder = try ShardLock(ShardPlace(Shard(3), of: bench.edition, in: bench.folder))
        try holder.take(waiting: .zero)
        unsafe forme_power_loss_fail(bench.temporary.path, 1)
        #expect(throws: StorageError.self) { _ = try disk.sync() }
        unsafe forme_power_loss_fail(bench.temporary.path, 0)
        holder.release()
    }
    // The process of that sync has ended, and the disk is well again.
    #expect(FileManager.default.fileExists(atPath: bench.path))
    if isOpenedAnew {
        let other = try bench.open()
        #expect(other.origin != origin)
    } else {
        _ = try shard.adopt(LeaseEpoch(2))
        #expect(shard.origin != origin)
    }
    var disk = try ShardSync(Shard(3), of: bench.edition, in: bench.folder, settings: bench.settings)
    let point = try disk.sync()
    #expect(point.origin != origin)
}

@Test func `files are lost, too, where a sync fails as their log is emptied, or as they are closed`() throws {
    for checkpoint in [1, 2 << 20] as [Int64] {
        var bench = try ShardBench()
        bench.settings.vfs = vfs()
        bench.settings.checkpoint = checkpoint
        var shard = try bench.filled([])
        let origin = shard.origin
        unsafe forme_power_loss_fail(bench.temporary.path, 1)
        var isRefused = false
        do {
            _ = try shard.commit([try ShardSample.laidOut(1, job: 1)], under: bench.epoch)
            try shard.close()
        } catch {
            isRefused = true
        }
        unsafe forme_power_loss_fail(bench.temporary.path, 0)
        #expect(isRefused)
        let stamp = try shard.adopt(LeaseEpoch(2))
        #expect(stamp != nil && shard.origin != origin)
    }
}

@Test func `a file that was left open is lost where a sync fails as it is opened`() throws {
    var bench = try ShardBench()
    bench.settings.vfs = vfs()
    bench.settings.boot = "one"
    let origin: ShardOrigin
    do {
        let left = try bench.filled([try ShardSample.laidOut(1, job: 1)])
        origin = left.origin
    }
    bench.settings.boot = "two"
    unsafe forme_power_loss_fail(bench.temporary.path, 1)
    #expect(throws: StorageError.self) { _ = try bench.open() }
    unsafe forme_power_loss_fail(bench.temporary.path, 0)
    let shard = try bench.open()
    #expect(shard.origin != origin)
}

@Test func `a file that was put aside is not removed as no file can be opened for a while`() throws {
    var bench = try ShardBench()
    bench.settings.vfs = vfs()
    do { _ = try bench.filled(try [1, 2].map { try ShardSample.laidOut($0, job: UInt64($0)) }) }
    let aside = try ShardPlace(Shard(3), of: bench.edition, in: bench.folder).putAside()
    var shard = try bench.filled([])
    let removal = try ShardSample.change(2, job: 9, .removed)
    unsafe forme_power_loss_shut(aside, 1)
    #expect(throws: StorageError.notAccessible(path: aside, code: EMFILE)) {
        _ = try shard.commit([removal], under: bench.epoch)
    }
    unsafe forme_power_loss_shut(aside, 0)
    #expect(FileManager.default.fileExists(atPath: aside))
    let stamp = try shard.commit([removal], under: bench.epoch)
    let left = try Database.openAlone(path: aside).integer("SELECT count(*) FROM rows")
    #expect(stamp != nil && left == 1)
}

@Test(
    arguments: [
        (.full(path: "a"), true), (.blocked(path: "a", by: 7), true), (.notAccessible(path: "a", code: EMFILE), true),
        (.notReadable(path: "a", code: ENFILE), true), (.sqlite(path: "a", code: 7, message: "out of memory"), true),
        (.notAccessible(path: "a", code: EACCES), false), (.corrupt(path: "a", "page 3"), false),
        (.sqlite(path: "a", code: 10, message: "disk I/O error"), false), (.absent(path: "a"), false),
    ] as [(StorageError, Bool)])
func `want of room, of descriptors or of memory says nothing against a file`(error: StorageError, isPassing: Bool) {
    #expect(error.isPassing == isPassing)
}

/// The record of a turn is in `journal.db`, which is synced before the log counts its jobs as done.
@Test func `after a sync of the journal's own file that failed nothing is written any more`() throws {
    let temporary = try TemporaryFolder()
    var journal = try SQLiteJournal(
        in: DataFolder(temporary.path), settings: settings(.full, boot: "one", vfs: vfs()))
    var record = PoolRecord()
    record.service = EditionService(current: try EditionID("a1"))
    unsafe forme_power_loss_fail(temporary.path, 1)
    for isFailing in [true, false] {
        let said = #expect(throws: StorageError.self) { try journal.commit(JournalTurn(record: record)) }
        guard case .notSynced? = said else {
            Issue.record("\(isFailing): \(said.map { "\($0)" } ?? "nothing")")
            return
        }
        unsafe forme_power_loss_fail(temporary.path, 0)
    }
    #expect(throws: StorageError.self) { _ = try journal.maintain() }
}

@Test func `a full disk is told as such, leaves nothing half written, and is forgotten when there is room`() throws {
    var bench = try ShardBench()
    bench.settings.vfs = vfs()
    let isFull = Flag()
    var full = settings(.full, boot: "one", vfs: vfs())
    full.disk = LogDisk(fault: { step, _ in
        if case .make = step { isFull.value ? .full : nil } else { nil }
    })
    var journal = try SQLiteJournal(in: bench.folder, settings: full)
    var shard = try bench.filled([try ShardSample.laidOut(1, job: 1)])
    var keeper = Bookkeeper(shards: 3)
    var random = SplitMix64(seed: 3)
    try post(3, &journal, &keeper, &random)
    let standing = try journal.standing()

    unsafe forme_power_loss_fill(bench.temporary.path, 1)
    isFull.value = true
    let big = try ShardSample.laidOut(2, job: 2, layout: .init(repeating: 1, count: 50_000))
    #expect(throws: StorageError.full(path: bench.path)) { _ = try shard.commit([big], under: bench.epoch) }
    #expect(try shard.storedKey(of: MessageNumber(2)) == nil)
    #expect(throws: StorageError.full(path: bench.folder.file("log/spare"))) {
        for _ in 0..<99 { try post(30, &journal, &keeper, &random) }
    }
    let position = journal.nextPosition

    unsafe forme_power_loss_fill(bench.temporary.path, 0)
    isFull.value = false
    #expect(try shard.commit([big], under: bench.epoch) != nil)
    #expect(try shard.storedKey(of: MessageNumber(2)) != nil)
    try post(4, &journal, &keeper, &random)
    #expect(journal.nextPosition.number == position.number + 4)
    #expect(try journal.standing().latest != standing.latest)
    var reader = try bench.read()
    #expect(try reader.places(of: ConversationID("c")).places.map(\.number.number) == [1, 2])
}
