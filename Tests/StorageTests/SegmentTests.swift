import Bytes
import Foundation
import Names
import Pool
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Storage

extension Diary {
    fileprivate var segments: String { temporary.file("log") }

    /// The segments of its log, in their order.
    fileprivate func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: segments).filter { $0 != "spare" }.sorted()
    }

    fileprivate func segment(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: segments + "/" + name))
    }

    fileprivate func put(_ bytes: Data, into name: String) throws {
        try bytes.write(to: URL(filePath: segments + "/" + name))
    }

    /// A diary with some entries in a few segments, none of them merged; its journal ends as by `kill -9`.
    fileprivate static func filled(_ turns: Int = 8, segment: Int = 4096) throws -> Diary {
        let diary = try Diary()
        (diary.settings.mergeLength, diary.settings.segment) = (10_000, segment)
        var journal = try diary.open()
        for _ in 0..<turns { try Diary.post(3, to: &journal) }
        return diary
    }

    /// The reason for which the journal is refused; nil where it is not.
    fileprivate func refusal() -> String? {
        do {
            _ = try open()
            return nil
        } catch StorageError.brokenLog(_, let problem) {
            return problem
        } catch {
            return "\(error)"
        }
    }
}

/// Bytes of a segment that are not zeros at its end.
private func used(_ bytes: Data) -> Int { bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0 }

@Test func `segments have all their room from the beginning, and the next one is there before it is needed`() throws {
    let diary = try Diary()
    diary.settings.segment = 4096
    var journal = try diary.open()
    _ = try journal.maintain()
    #expect(try diary.segment("spare") == Data(count: 4096))
    for _ in 0..<6 { try Diary.post(3, to: &journal) }
    let names = try diary.names()
    #expect(names.count > 1)
    for name in names { #expect(try diary.segment(name).count == 4096) }
    // An entry that is longer than a segment has one of its own.
    try Diary.post(30, to: &journal)
    #expect(try diary.segment(diary.names().last!).count > 4096)
    #expect(try Diary.texts(&journal).count == 48)
}

@Test func `an end in the midst of a frame is cut off, wherever it is`() throws {
    let diary = try Diary.filled()
    let left = try Diary.files(in: diary.temporary.path)
    let name = try #require(try diary.names().last)
    let whole = try diary.segment(name)
    var random = SplitMix64(seed: 1)
    let frame: Int
    do {
        var journal = try diary.open()
        try Diary.post(1, to: &journal)
        frame = used(try diary.segment(name)) - used(whole)
    }
    let longer = try diary.segment(name)
    for _ in 0..<25 {
        try Diary.put(left, into: diary.temporary.path)
        // The mark knows of no more than was acknowledged.
        let cut = used(whole) + .random(in: 0..<frame, using: &random)
        try diary.put(longer.prefix(cut) + Data(count: longer.count - cut), into: name)
        var journal = try diary.open()
        #expect(try Diary.texts(&journal).count == 24 && journal.news.isEmpty, "cut at \(cut)")
        try Diary.post(2, to: &journal)
        #expect(try Diary.texts(&journal).count == 26)
    }
}

@Test
func
    `damage before the end, a segment that is missing, and one of another journal are refused, and nothing is changed`()
    throws
{
    let (diary, other) = (try Diary.filled(), try Diary.filled())
    let left = try Diary.files(in: diary.temporary.path)
    let names = try diary.names()
    #expect(names.count > 2)
    func expectRefused(_ what: String, _ change: () throws -> Void) throws {
        try Diary.put(left, into: diary.temporary.path)
        try change()
        let before = try Diary.files(in: diary.segments)
        #expect(diary.refusal() != nil, "\(what)")
        #expect(try Diary.files(in: diary.segments) == before, "\(what)")
        #expect(throws: StorageError.self, "\(what)") {
            _ = try StorageBackup.make(
                of: diary.folder, into: diary.temporary.file("../\(UInt64.random(in: 0 ... .max))"))
        }
        for name in try diary.names() { try FileManager.default.removeItem(atPath: diary.segments + "/" + name) }
    }
    var random = SplitMix64(seed: 4)
    for name in names {
        let end = used(try #require(left["log/" + name]))
        // Of a segment whose entries are in the tables, only the header is looked at.
        for _ in 0..<12 {
            let place = Int.random(in: name == names.last ? end - 500..<end : 0..<64, using: &random)
            // Damage here is no fault: the frames tell the end of a segment, too, and a part that is cut off was not
            // acknowledged.
            if (64..<128).contains(place) { continue }
            try expectRefused("byte \(place) of \(name)") {
                var bytes = try diary.segment(name)
                bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
                try diary.put(bytes, into: name)
            }
        }
        try expectRefused("\(name) is missing") {
            try FileManager.default.removeItem(atPath: diary.segments + "/" + name)
        }
        if try other.names().contains(name) {
            try expectRefused("\(name) of another folder") { try diary.put(other.segment(name), into: name) }
        }
    }
    try expectRefused("an older one") {
        let last = try #require(names.last)
        var bytes = try diary.segment(last)
        bytes.replaceSubrange(128..<bytes.count, with: Data(count: bytes.count - 128))
        bytes[128] = 1
        try diary.put(bytes, into: last)
    }
    try Diary.put(left, into: diary.temporary.path)
    #expect(try diary.texts().count == 24)
}

@Test func `a segment whose last entries are zeros is refused where another one stands behind it`() throws {
    let diary = try Diary.filled(4)
    let names = try diary.names()
    try #require(names.count == 2)
    var reader = FrameReader(try SegmentFile.open(diary.segments + "/" + names[0]))
    var (last, next) = (reader.offset, reader.offset)
    while case .frame = try reader.next() { (last, next) = (next, reader.offset) }
    var bytes = try diary.segment(names[0])
    bytes.replaceSubrange(last..., with: Data(count: bytes.count - last))
    try diary.put(bytes, into: names[0])
    let before = try Diary.files(in: diary.segments)
    #expect(diary.refusal() != nil)
    #expect(try Diary.files(in: diary.segments) == before)
}

/// Paths of the files that a log has synced.
private final class SyncedFiles: Sendable {
    private let paths = Mutex<Set<String>>([])

    var all: Set<String> { paths.withLock { $0 } }

    func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }
}

@Test(arguments: [false, true])
func `what a killed process has written is on the disk before the tables name it, and before the journal is closed`(
    isMerged: Bool
) throws {
    let (diary, synced) = (try Diary(), SyncedFiles())
    diary.settings.durability = .process
    (diary.settings.mergeLength, diary.settings.segment) = (10_000, 4096)
    do {
        var journal = try diary.open()
        for _ in 0..<4 { try Diary.post(3, to: &journal) }
    }
    let paths = Set(try diary.names().map { diary.segments + "/" + $0 })
    diary.settings.mergeLength = 12
    diary.settings.disk = LogDisk(isSynced: { synced.add($0) })
    var journal = try diary.open()
    if isMerged { _ = try journal.maintain(idle: true) } else { try journal.close() }
    #expect(paths.count == 2 && synced.all.isSuperset(of: paths))
}

@Test func `where there is no room for the next segment, turns are refused until there is`() throws {
    let isFull = Flag()
    let diary = try Diary()
    diary.settings.segment = 4096
    diary.settings.disk = LogDisk(fault: { step, _ in
        if case .make = step { isFull.value ? .full : nil } else { nil }
    })
    var journal = try diary.open()
    try Diary.post(2, to: &journal)
    isFull.value = true
    #expect(throws: StorageError.full(path: diary.segments + "/spare")) {
        for _ in 0..<9 { try Diary.post(2, to: &journal) }
    }
    let reached = journal.nextPosition
    // The shortest entry is refused, too: else it would fail again with the next one.
    #expect(throws: StorageError.full(path: diary.segments + "/spare")) { try Diary.post(1, to: &journal) }
    #expect(journal.nextPosition == reached)
    _ = try journal.maintain()
    isFull.value = false
    try Diary.post(4, to: &journal)
    #expect(journal.nextPosition.number == reached.number + 4)
    #expect(try Diary.texts(&journal).enumerated().allSatisfy { $1.contains("entry \($0) ") })
}

@Test func `after a sync that failed nothing is written any more, and the next start has what was acknowledged`() throws
{
    let fails = Flag()
    let diary = try Diary()
    diary.settings.disk = LogDisk(fault: { step, _ in
        if case .sync = step { fails.value ? .notSynced : nil } else { nil }
    })
    do {
        var journal = try diary.open()
        try Diary.post(2, to: &journal)
        fails.value = true
        for _ in 0..<2 {
            let said = #expect(throws: StorageError.self) { try Diary.post(2, to: &journal) }
            guard case .notSynced? = said else { Issue.record("\(said.map { "\($0)" } ?? "nothing")"); return }
            fails.value = false
        }
    }
    #expect(try diary.texts().count >= 2)
}

@Test func `a sync that failed is told as such, also that of a folder and those of SQLite`() {
    // Nothing of this file can be synced.
    #expect(throws: StorageError.notSynced(path: "/dev/null", code: EINVAL)) { try FileFacts.sync("/dev/null") }
    // SQLite's codes for a file, and for the names in a folder.
    for code in [10 | 4 << 8, 10 | 5 << 8] as [Int32] {
        #expect(StorageError.sqlite("journal.db", code, nil) == .notSynced(path: "journal.db", code: EIO))
    }
}

@Test func `a segment of which little is left is written anew, and one of which nothing is left goes`() throws {
    let diary = try Diary()
    (diary.settings.mergeLength, diary.settings.segment) = (20, 4096)
    let texts = try dropped(diary)
    #expect(try StorageCheck.problems(inJournalOf: diary.folder) == [])
    var again = try diary.open()
    #expect(try Diary.texts(&again) == texts && again.news.isEmpty)
}

@Test func `a segment in which only progress was noted goes`() throws {
    let diary = try Diary()
    (diary.settings.mergeLength, diary.settings.segment) = (20, 4096)
    var journal = try diary.open()
    try Diary.post(3, to: &journal)
    for job in 1...600 as ClosedRange<UInt64> {
        var record = PoolRecord()
        record.progress = [ShardProgress(edition: try EditionID("e1"), shard: Shard(0), through: JobNumber(job))]
        try journal.commit(JournalTurn(record: record))
    }
    let before = try diary.names().count
    for _ in 0..<2 * before { _ = try journal.maintain(idle: true) }
    try Diary.post(3, to: &journal)
    // The one with entries, and those that are not in the tables.
    let left = try diary.names().count
    #expect(before > 5 && left <= 4)
    #expect(try StorageCheck.problems(inJournalOf: diary.folder) == [])
    #expect(try Diary.texts(&journal).enumerated().allSatisfy { $1.contains("entry \($0) ") })
}

/// Posts, deletes most messages, closes, and returns the texts that are left.
private func dropped(_ diary: Diary) throws -> [String] {
    var journal = try diary.open()
    for _ in 0..<20 { try Diary.post(3, to: &journal) }
    let before = try diary.names().count
    for number in 0..<60 where number % 9 != 0 { try Diary.delete(number, in: &journal) }
    for _ in 0..<10 { try Diary.post(3, to: &journal) }
    while try journal.maintain(idle: true) {}
    #expect(try diary.names().count < before + 8)
    let texts = try Diary.texts(&journal)
    for number in stride(from: 0, to: 60, by: 9) { #expect(texts[number].contains("entry \(number) ")) }
    let files = try Diary.files(in: diary.segments)
    #expect(!files.values.contains { $0.range(of: Data("entry 10 ".utf8)) != nil })
    try journal.close()
    return texts
}

@Test func `a segment of which most is left stays as it is, whoever looks it through`() throws {
    let diary = try Diary.filled()
    let (names, folder) = (try diary.names(), diary.segments)
    let name = try #require(SegmentName(names[0]))
    let outcome = try looked(through: name, in: folder)
    #expect(outcome == .full)
    #expect(try diary.names() == names)
}

/// The outcome where a segment is looked through to be packed.
private func looked(through name: SegmentName, in folder: String) throws -> SegmentPack.Outcome {
    let source = try SegmentLinks.header(of: name, in: folder)
    var header = source
    header.isPacked = true
    return try SegmentPack(name: name, folder: folder, source: source, header: header, disk: nil).write()
}

/// Zeros the length of a frame, so that its segment seems to end there.
private func zeroLength(at offset: Int, of bytes: inout Data) {
    for place in offset..<offset + 4 { bytes[place] = 0 }
}

@Test func `a frame that is damaged is no end of its segment, wherever it stands`() throws {
    let diary = try Diary.filled()
    let text = try diary.names()[0]
    let (name, folder, whole) = (try #require(SegmentName(text)), diary.segments, try diary.segment(text))
    var offsets: [Int] = []
    var reader = FrameReader(try SegmentFile.open(folder + "/" + text))
    var offset = reader.offset
    while case .frame = try reader.next() {
        offsets.append(offset)
        offset = reader.offset
    }
    #expect(offsets.count > 1)
    for offset in offsets {
        // Its length is zeros; its version, its chain and a row of its table are wrong; it is longer than the segment.
        for place in [nil, offset + 24, offset + 16, offset + LogFrame.headLength + 4, offset + 3] {
            var bytes = whole
            if let place { bytes[place] ^= 0x10 } else { zeroLength(at: offset, of: &bytes) }
            try diary.put(bytes, into: text)
            let damage = StorageError.brokenLog(path: folder, "\(text) is damaged at byte \(offset)")
            let outcome = try looked(through: name, in: folder)
            #expect(outcome == .damaged(damage), "byte \(place ?? offset)")
        }
    }
    try diary.put(whole, into: text)
    let outcome = try looked(through: name, in: folder)
    #expect(outcome == .full)
}

@Test func `a damaged frame is no end of a segment that was packed before`() throws {
    let diary = try Diary()
    (diary.settings.mergeLength, diary.settings.segment) = (20, 4096)
    _ = try dropped(diary)
    var packed = 0
    for text in try diary.names() {
        let name = try #require(SegmentName(text))
        guard try SegmentLinks.header(of: name, in: diary.segments).isPacked else { continue }
        packed += 1
        let sound = try looked(through: name, in: diary.segments)
        if case .damaged = sound { Issue.record("\(text)") }
        var bytes = try diary.segment(text)
        zeroLength(at: SegmentHeader.length, of: &bytes)
        try diary.put(bytes, into: text)
        let outcome = try looked(through: name, in: diary.segments)
        guard case .damaged = outcome else { Issue.record("\(text)"); continue }
    }
    #expect(packed > 0)
}

@Test func `a damaged segment stays, a check finds the damage, and the journal goes on`() throws {
    let diary = try Diary()
    (diary.settings.mergeLength, diary.settings.segment) = (20, 4096)
    do {
        var journal = try diary.open()
        for _ in 0..<20 { try Diary.post(3, to: &journal) }
    }
    let text = try diary.names()[0]
    var reader = FrameReader(try SegmentFile.open(diary.segments + "/" + text))
    _ = try reader.next()
    var bytes = try diary.segment(text)
    #expect(bytes.range(of: Data("entry 4 ".utf8)) != nil)
    zeroLength(at: reader.offset, of: &bytes)
    try diary.put(bytes, into: text)
    var journal = try diary.open()
    // Nothing is left of the frame before the damage.
    for number in 0..<3 { try Diary.delete(number, in: &journal) }
    for _ in 0..<60 { _ = try journal.maintain(idle: true) }
    #expect(try diary.segment(text).range(of: Data("entry 4 ".utf8)) != nil)
    let damage = journal.takeDamage()
    let again = journal.takeDamage()
    #expect(damage.count == 1 && again.isEmpty && journal.upkeep.trouble == nil)
    // More than may wait for a merge.
    for _ in 0..<40 { try Diary.post(3, to: &journal) }
    for _ in 0..<60 { _ = try journal.maintain(idle: true) }
    try journal.close()
    #expect(try diary.segment(text).range(of: Data("entry 4 ".utf8)) != nil)
    #expect(try !StorageCheck.problems(inJournalOf: diary.folder).isEmpty)
}

@Test(arguments: [(true, [4, 30]), (false, [30])])
func `an entry that cannot be read keeps no message from being deleted, and no other entry from being looked at`(
    isTable: Bool, deleted: [Int]
) throws {
    let diary = try Diary()
    (diary.settings.mergeLength, diary.settings.segment) = (20, 4096)
    do {
        var journal = try diary.open()
        for _ in 0..<20 { try Diary.post(3, to: &journal) }
    }
    let text = try diary.names()[0]
    var reader = FrameReader(try SegmentFile.open(diary.segments + "/" + text))
    _ = try reader.next()
    let offset = reader.offset
    guard case .frame(let frame) = try reader.next() else { Issue.record("the segment has one frame"); return }
    var bytes = try diary.segment(text)
    // A row of the table, or a byte of the change that says whose body it is.
    let place = isTable ? LogFrame.headLength + 4 : frame.change(at: LogPosition(4)).upperBound - 1
    bytes[offset + place] ^= 0x10
    try diary.put(bytes, into: text)

    var journal = try diary.open()
    for number in deleted { try Diary.delete(number, in: &journal) }
    for _ in 0..<60 { _ = try journal.maintain(idle: true) }
    let (swept, merged) = (journal.care.swept, journal.cards.merged)
    #expect(swept.number >= merged.number - 1)
    let damage = journal.takeDamage()
    #expect(damage.count == 1 && journal.upkeep.trouble == nil)
    #expect(try diary.segment(text).range(of: Data("entry 4 ".utf8)) != nil)
    for other in try diary.names() where other != text {
        #expect(try diary.segment(other).range(of: Data("entry 30 ".utf8)) == nil)
    }
    try journal.close()
    #expect(try !StorageCheck.problems(inJournalOf: diary.folder).isEmpty)
}

@Test(arguments: [false, true])
func `a check finds that the last entries of a segment are gone, whether or not it says where it ends`(
    saysEnd: Bool
) throws {
    let diary = try Diary()
    (diary.settings.mergeLength, diary.settings.segment) = (20, 4096)
    do {
        var journal = try diary.open()
        for _ in 0..<20 { try Diary.post(3, to: &journal) }
        while try journal.maintain(idle: true) {}
        try journal.close()
    }
    #expect(try StorageCheck.problems(inJournalOf: diary.folder) == [])
    let text = try diary.names()[0]
    var reader = FrameReader(try SegmentFile.open(diary.segments + "/" + text))
    var (last, next) = (reader.offset, reader.offset)
    while case .frame = try reader.next() { (last, next) = (next, reader.offset) }
    var bytes = try diary.segment(text)
    bytes.replaceSubrange(last..., with: Data(count: bytes.count - last))
    if !saysEnd { bytes.replaceSubrange(64..<96, with: Data(count: 32)) }
    try diary.put(bytes, into: text)
    #expect(try !StorageCheck.problems(inJournalOf: diary.folder).isEmpty)
}

@Test func `a frame that is cut, flipped or longer is refused, and traps nowhere`() {
    forEachSeed(200) { random in
        var draft = LogFrameDraft(first: LogPosition(.random(in: 0...1 << 40, using: &random)), count: 3)
        for _ in 0..<6 {
            let count = Bool.random(using: &random) ? Int.random(in: 8...40, using: &random) : 0
            if count > 0 { draft.writer += [1] + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
            draft.endPart()
        }
        draft.writer += (0..<Int.random(in: 0...20, using: &random)).map { UInt8($0) }
        let chain = UInt64.random(in: 0 ... .max, using: &random)
        let bytes = draft.ended(after: chain)
        let frame = try LogFrame(bytes)
        guard frame.follows(chain), !frame.follows(chain ^ 1), frame.areContentsWhole, frame.count == 3 else {
            return false
        }
        if let shorter = try? LogFrame(Array(bytes.dropLast(.random(in: 1...bytes.count, using: &random)))) {
            return shorter.bytes.isEmpty
        }
        if (try? LogFrame(bytes + [0])) != nil { return false }
        var flipped = bytes
        let place = Int.random(in: 0..<bytes.count, using: &random)
        flipped[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
        guard let other = try? LogFrame(flipped) else { return true }
        return !other.follows(chain) || !other.areContentsWhole
    }
}

@Test func `words can be wiped in a frame, and the chain still holds`() throws {
    var draft = LogFrameDraft(first: LogPosition(7), count: 1)
    draft.writer += [1, 2, 3, 4]
    draft.endPart()
    draft.writer += [1, 9]
    draft.endPart()
    var bytes = draft.ended(after: 5)
    let body = try LogFrame(bytes).body(at: LogPosition(7))
    bytes.replaceSubrange(body, with: [0, 0, 0, 0])
    let frame = try LogFrame(bytes)
    #expect(frame.follows(5) && frame.areContentsWhole && frame.body(at: LogPosition(7)).isEmpty)
    #expect(frame.change(at: LogPosition(7)).count == 2)
}

@Test func `bodies are read one by one, as they stand in their frames`() throws {
    let diary = try Diary.filled(12)
    var index = LogIndex(in: diary.segments)
    try index.refresh()
    #expect(index.names.count > 1)
    let places = (0..<36).map { LogPosition($0) }
    let bodies = try index.bodies(at: places.reversed() + [LogPosition(36), LogPosition(1 << 40)])
    #expect(bodies.count == 36)
    for place in places {
        let frame = try #require(try index.find(place)).frame
        #expect(bodies[place] == Array(frame.bytes[frame.body(at: place)]))
        let bytes = try #require(bodies[place])
        let body = try #require(try LogBody.body(bytes[...]))
        #expect(String(decoding: body.content, as: UTF8.self).contains("entry \(place.number) "))
    }
}

@Test func `what stands behind the frame that is asked for may be on its way, and is looked at when it is asked for`()
    throws
{
    let diary = try Diary.filled(2, segment: 1 << 16)
    var index = LogIndex(in: diary.segments)
    try index.refresh()
    let name = try #require(diary.names().last)
    let whole = try diary.segment(name)
    // A turn whose head came to the disk and nothing else: the next start cuts it off, and writes another one there.
    var draft = LogFrameDraft(first: LogPosition(6), count: 3)
    for _ in 0..<6 { draft.endPart() }
    draft.writer += [UInt8](repeating: 1, count: 700)
    var torn = whole
    torn.replaceSubrange(
        used(whole)..<used(whole) + LogFrame.headLength, with: draft.ended(after: 1)[..<LogFrame.headLength])
    try diary.put(torn, into: name)
    #expect(try index.bodies(at: [LogPosition(2)]).count == 1)
    try diary.put(whole, into: name)
    var journal = try diary.open()
    try Diary.post(3, to: &journal)
    let later = try #require(try index.bodies(at: [LogPosition(7)])[LogPosition(7)])
    #expect(String(decoding: later, as: UTF8.self).contains("entry 7 "))
}

@Test func `a name says which segment it is, and nothing else is one`() {
    let name = SegmentName(number: 12, first: LogPosition(34_567))
    #expect(SegmentName(name.text) == name)
    #expect(name.text == "00000000000000000012-00000000000000034567")
    for other in ["spare", "", "12-34567", name.text + ".new", "0" + name.text, name.text.replacing("-", with: "+")] {
        #expect(SegmentName(other) == nil)
    }
}

@Test func `a segment that was begun is gone on in, though the one before it could not be closed`() throws {
    let (diary, isFull) = (try Diary(), Flag())
    diary.settings.segment = 4096
    diary.settings.disk = LogDisk(fault: { step, path in
        guard case .write(bytes: SegmentHeader.length) = step, !path.hasSuffix(SegmentName.spare) else { return nil }
        return isFull.value ? .full : nil
    })
    var texts: [String] = []
    do {
        var journal = try diary.open()
        isFull.value = true
        #expect(throws: StorageError.self) { for _ in 0..<9 { try Diary.post(3, to: &journal) } }
        isFull.value = false
        // It would still fit into the one before.
        for count in [1, 3, 3, 3] { try Diary.post(count, to: &journal) }
        texts = try Diary.texts(&journal)
        try journal.close()
    }
    let numbers = try LogIndex.names(in: diary.folder.file(SegmentName.folder)).map(\.number)
    #expect(numbers.count > 2 && Set(numbers).count == numbers.count)
    #expect(texts.enumerated().allSatisfy { $1.contains("entry \($0) ") })
    #expect(try diary.texts() == texts)
}
