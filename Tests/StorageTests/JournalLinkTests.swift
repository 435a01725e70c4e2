import Foundation
import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Storage

extension Diary {
    /// Posts until there is something in the log.
    fileprivate func leaveLog(_ journal: inout SQLiteJournal) throws {
        repeat { try Diary.post(1, to: &journal) } while FileManager.default.contents(atPath: log)?.isEmpty != false
    }
}

/// Opens a journal, and says whether it was refused for its log.
private func isRefused(_ diary: Diary) throws -> Bool {
    do { try opened(diary) } catch {
        guard case StorageError.foreignLog = error else { throw error }
        return true
    }
    return false
}

private func opened(_ diary: Diary) throws { _ = try diary.open() }

@Test func `a log is refused beside every file but its own, and nothing is changed`() {
    forEachSeed(20) { random in
        let diary = try Diary()
        diary.settings.durability = Bool.random(using: &random) ? .full : .process
        var copies: [Data] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            var journal = try diary.open()
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                try Diary.post(.random(in: 1...25, using: &random), to: &journal)
                if Bool.random(using: &random) {
                    _ = try journal.maintain(
                        steps: .random(in: 1...400, using: &random), idle: .random(using: &random))
                }
                // As an operator copies it by hand.
                let copy = try Data(contentsOf: URL(filePath: diary.journal))
                if copies.last != copy { copies.append(copy) }
            }
            if Bool.random(using: &random) { try journal.close() }
        }
        do {
            // Ends as by kill -9, with a log.
            var journal = try diary.open()
            for _ in 0..<Int.random(in: 1...9, using: &random) { try Diary.post(3, to: &journal) }
            while FileManager.default.contents(atPath: diary.log)?.isEmpty != false {
                try Diary.post(1, to: &journal)
            }
        }
        let left = try Diary.files(in: diary.temporary.path)
        guard left["journal.db-wal"]?.isEmpty == false else { return false }
        for copy in copies where copy != left["journal.db"] {
            try Diary.put(left, into: diary.temporary.path)
            try copy.write(to: URL(filePath: diary.journal))
            // An empty file is one that is missing.
            if copy.isEmpty { continue }
            guard try isRefused(diary) else { return false }
            var now = try Diary.files(in: diary.temporary.path)
            now["journal.db-shm"] = left["journal.db-shm"]
            var expected = left
            expected["journal.db"] = copy
            guard now == expected else { return false }
        }
        // The right file goes on where it was.
        try Diary.put(left, into: diary.temporary.path)
        var journal = try diary.open()
        let texts = try Diary.texts(&journal)
        return journal.news.isEmpty && texts.enumerated().allSatisfy { $1.contains("entry \($0) ") }
    }
}

@Test
func
    `a journal of another folder under a log of this one is refused, by a check and a backup, too`()
    throws
{
    let (one, other) = (try Diary(), try Diary())
    for diary in [one, other] {
        do {
            var journal = try diary.open()
            try Diary.post(20, to: &journal)
            try journal.close()
        }
        var journal = try diary.open()
        try diary.leaveLog(&journal)
    }
    try Data(contentsOf: URL(filePath: other.journal)).write(to: URL(filePath: one.journal))
    let refusal = StorageError.foreignLog(path: one.journal)
    #expect(throws: refusal) { try opened(one) }
    #expect(throws: refusal) { _ = try StorageCheck.files(in: one.folder) }
    #expect(throws: refusal) {
        _ = try StorageBackup.make(of: one.folder, into: one.temporary.file("backup"))
    }
}

@Test func `an older build's copy under the log of this one is refused`() throws {
    for golden in GoldenFolder.all where golden.isDurable && golden.isUntied {
        let (copy, diary) = (try golden.unpack(), try Diary())
        try Diary.put(
            Diary.files(in: copy.path).filter { !$0.key.contains("/") }, into: diary.temporary.path)
        let old = try Data(contentsOf: URL(filePath: diary.journal))
        do {
            var journal = try diary.open()
            try diary.leaveLog(&journal)
        }
        try old.write(to: URL(filePath: diary.journal))
        #expect(try isRefused(diary))
    }
}

@Test func `a journal of an earlier time is brought up to its log`() throws {
    let diary = try Diary()
    var copies: [Data] = []
    func stretch() throws {
        var journal = try diary.open()
        try Diary.post(20, to: &journal)
        while try journal.maintain(steps: 1000, idle: true) {}
        try journal.close()
        copies.append(try Data(contentsOf: URL(filePath: diary.journal)))
    }
    for _ in 0..<3 { try stretch() }
    let texts = try diary.texts()
    let left = try Diary.files(in: diary.temporary.path)
    for copy in copies {
        try Diary.put(left, into: diary.temporary.path)
        try copy.write(to: URL(filePath: diary.journal))
        try Data().write(to: URL(filePath: diary.log))
        #expect(try diary.texts() == texts && texts.count == 60)
    }
}

@Test func `a copy of the journal and its log begins a new era, older or newer`() throws {
    let diary = try Diary()
    func copy() throws -> [String: Data] {
        try Diary.files(in: diary.temporary.path).filter { $0.key == "journal.db" || $0.key.hasPrefix("log/") }
    }
    func put(_ files: [String: Data]) throws {
        try FileManager.default.removeItem(atPath: diary.temporary.file("log"))
        try Diary.put(files, into: diary.temporary.path)
        try Data().write(to: URL(filePath: diary.log))
    }
    func stretch() throws {
        var journal = try diary.open()
        try Diary.post(20, to: &journal)
        try journal.close()
    }
    try stretch()
    let first = try copy()
    let before = try Diary.files(in: diary.temporary.path)
    let era = try diary.era
    try stretch()
    let second = try copy()
    do {
        try put(first)
        let journal = try diary.open()
        #expect(journal.era != era && journal.news.count == 1 && journal.nextPosition.number == 20)
    }
    // A newer copy comes onto a folder that was closed before.
    try Diary.put(before, into: diary.temporary.path)
    try put(second)
    let journal = try diary.open()
    #expect(journal.era != era && journal.news.count == 1 && journal.nextPosition.number == 40)
}

@Test func `a journal whose log is of an earlier time, or of another life, is refused`() throws {
    let diary = try Diary()
    diary.settings.mergeLength = 10
    func stretch(_ word: String) throws {
        var journal = try diary.open()
        for _ in 0..<5 { try Diary.post(10, to: &journal, word) }
        while try journal.maintain(steps: 1000, idle: true) {}
        try journal.close()
    }
    try stretch("first")
    let first = try Diary.files(in: diary.temporary.path)
    try stretch("second")
    let second = try Diary.files(in: diary.temporary.path)
    for (life, word) in [(first, "earlier"), (second, "another")] {
        try FileManager.default.removeItem(atPath: diary.temporary.file("log"))
        try Diary.put(first, into: diary.temporary.path)
        if word == "another" { try stretch("another life") }
        for (name, bytes) in word == "another" ? second : life where name.hasPrefix("log/") {
            if word == "another" { try bytes.write(to: URL(filePath: diary.temporary.file(name))) }
        }
        if word == "earlier" {
            // The tables know of entries that are not in the log.
            try second["journal.db"]!.write(to: URL(filePath: diary.journal))
        }
        let said = #expect(throws: StorageError.self, "\(word)") { try opened(diary) }
        guard case .brokenLog? = said else { Issue.record("\(word)"); continue }
    }
}

@Test func `a reader knows the conversations of which anything was said, merged or not`() throws {
    let diary = try Diary()
    var journal = try diary.open()
    try Diary.post(2, to: &journal)
    var reader = try CardReader(in: diary.folder)
    #expect(try reader.knows(ConversationID("c0")) && reader.knows(ConversationID("c1")))
    #expect(try !reader.knows(ConversationID("c2")))
    try Diary.post(100, to: &journal)
    // A name that begins like another one is another name.
    for stranger in ["c", "c00", "c3", "C0"] { #expect(try !reader.knows(ConversationID(stranger))) }
    #expect(try reader.knows(ConversationID("c2")))
}

@Test func `rows of a known conversation may be missing until the journal knows their file, and from any other file`()
    throws
{
    let diary = try Diary()
    var journal = try diary.open()
    try Diary.post(2, to: &journal)
    var reader = try CardReader(in: diary.folder)
    let edition = try EditionID("e1")
    func isLaidOutAgain(_ name: String, from origin: UInt64) throws -> Bool {
        try reader.isLaidOutAgain(
            ConversationID(name), in: Shard(0), of: edition, from: ShardOrigin(origin))
    }
    func note(_ origin: UInt64?, walkedTo message: Int64? = nil) throws {
        var record = PoolRecord()
        record.progress = [
            ShardProgress(
                edition: edition, shard: Shard(0), through: JobNumber(1),
                walkedTo: message.map { MessageNumber($0) }, origin: origin.map { ShardOrigin($0) })
        ]
        try journal.commit(JournalTurn(record: record))
    }
    #expect(try isLaidOutAgain("c0", from: 7) && !isLaidOutAgain("nobody", from: 7))
    try note(nil)
    #expect(try isLaidOutAgain("c0", from: 7) && !isLaidOutAgain("nobody", from: 7))
    try note(7)
    #expect(try !isLaidOutAgain("c0", from: 7) && isLaidOutAgain("c0", from: 8))
    try note(8, walkedTo: 1)
    #expect(try isLaidOutAgain("c0", from: 8))
}

@Test func `closing empties the log, also where a reader has just looked`() throws {
    let diary = try Diary()
    diary.settings.checkpoint = 2 << 20
    var journal = try diary.open()
    try Diary.post(30, to: &journal)
    var reader = try CardReader(in: diary.folder)
    #expect(try reader.message(MessageKey(ConversationID("c0"), MessageID("m0"))) != nil)
    #expect(try Data(contentsOf: URL(filePath: diary.log)).count > 0)
    try journal.close()
    #expect(try Data(contentsOf: URL(filePath: diary.log)).isEmpty)
}

@Test func `a journal that is missing is not begun anew, unless its manifest goes, too`() throws {
    let diary = try Diary()
    do {
        var journal = try diary.open()
        try Diary.post(3, to: &journal)
    }
    let shard = ShardPlace(Shard(0), of: try EditionID("e1"), in: diary.folder)
    _ = try SQLiteShard(
        Shard(0), of: EditionID("e1"), in: diary.folder, settings: ShardSettings(era: diary.era))
    for name in ["journal.db", "journal.db-wal", "journal.db-shm"] {
        try FileManager.default.removeItem(atPath: diary.temporary.file(name))
    }
    let left = try Diary.files(in: diary.temporary.path)
    #expect(throws: StorageError.missingJournal(path: diary.journal)) { try opened(diary) }
    #expect(try Diary.files(in: diary.temporary.path) == left)
    try FileManager.default.removeItem(atPath: diary.temporary.file("manifest.json"))
    let journal = try diary.open()
    #expect(journal.nextPosition.number == 0 && journal.term == 1)
    // Rows of a journal that is lost are none of this one, and may be looked at for a day.
    #expect(!FileManager.default.fileExists(atPath: shard.path) && journal.news == [.putAside(shards: 1)])
    let asides = try FileManager.default.contentsOfDirectory(atPath: shard.directory)
    #expect(asides.contains { $0.hasPrefix("00.db.lost-") } && asides.allSatisfy { $0.contains(".lost-") })
}

/// Whether opening, checking and backing up all refuse the journal of this folder, and leave its file and its log as
/// they are.
private func isKeptAsItIs(_ diary: Diary, refused: (StorageError) -> Bool) throws -> Bool {
    func both() throws -> [Data] { try [diary.journal, diary.log].map { try Data(contentsOf: URL(filePath: $0)) } }
    let left = try both()
    let said = #expect(throws: StorageError.self) { try opened(diary) }
    #expect(throws: StorageError.self) { _ = try StorageCheck.files(in: diary.folder) }
    #expect(throws: StorageError.self) {
        _ = try StorageBackup.make(of: diary.folder, into: diary.temporary.file("backup"))
    }
    return try said.map(refused) == true && both() == left
}

@Test func `an empty file is no journal, and keeps the log that lies beside it`() throws {
    let diary = try Diary()
    diary.settings.checkpoint = 2 << 20
    do {
        var journal = try diary.open()
        try Diary.post(3, to: &journal)
    }
    let left = try Diary.files(in: diary.temporary.path)
    // A copy for which there was no room leaves an empty file.
    try Data().write(to: URL(filePath: diary.journal))
    #expect(try isKeptAsItIs(diary) { $0 == .missingJournal(path: diary.journal) })
    // From the first entry on the tables are in the file, so its first page alone is a damaged journal and not a new
    // one.
    try left["journal.db"]!.prefix(8192).write(to: URL(filePath: diary.journal))
    try Data().write(to: URL(filePath: diary.log))
    #expect(
        try isKeptAsItIs(diary) {
            if case .corrupt(diary.journal, _) = $0 { true } else { false }
        })
    try Diary.put(left, into: diary.temporary.path)
    #expect(try diary.texts().count == 3)
}

/// A reader that looks a moment too soon finds a file without tables, and no manifest.
@Test func `a journal that is being made is not there yet, rather than lost or of another version`() throws {
    let diary = try Diary()
    func isAbsent(_ read: () throws -> Void) -> Bool {
        do { try read() } catch { return error as? StorageError == .absent(path: diary.journal) }
        return false
    }
    func isNowhere() -> Bool {
        isAbsent { _ = try StorageCheck.files(in: diary.folder) } && isAbsent { _ = try CardReader(in: diary.folder) }
    }
    try Data().write(to: URL(filePath: diary.journal))
    #expect(isNowhere())
    let maker = try Database.open(path: diary.journal, .write)
    #expect(isNowhere())
    try maker.execute("BEGIN; CREATE TABLE a (b)")
    #expect(isNowhere())
}

@Test func `a file of an older build is no journal without the log that has its tables`() throws {
    // A service that was stopped then left everything in its log.
    for golden in GoldenFolder.all where !golden.isKilled && golden.isUntied {
        let (copy, diary) = (try golden.unpack(), try Diary())
        try Diary.put(
            Diary.files(in: copy.path).filter { !$0.key.contains("/") }, into: diary.temporary.path)
        try Data().write(to: URL(filePath: diary.log))
        #expect(try isKeptAsItIs(diary) { $0 == .missingJournal(path: diary.journal) }, "\(golden)")
    }
}

@Test func `a manifest that is missing costs no more than laying out anew`() throws {
    let diary = try Diary()
    var texts: [String] = []
    do {
        var journal = try diary.open()
        try Diary.post(9, to: &journal)
        texts = try Diary.texts(&journal)
    }
    try FileManager.default.removeItem(atPath: diary.temporary.file("manifest.json"))
    diary.settings.shards = 16
    var journal = try diary.open()
    #expect(try Diary.texts(&journal) == texts && journal.shardCount == 2)
}
