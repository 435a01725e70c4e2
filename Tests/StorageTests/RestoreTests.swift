import Foundation
import Names
import Pool
import Storage
import TestSupport
import Testing
import Wire

/// A diary with a backup of its first thirty entries, and twenty more since.
private struct Kept {
    let diary: Diary
    let backup: String
    let texts: [String]

    init(isKilled: Bool = true) throws {
        diary = try Diary()
        backup = diary.temporary.file(
            "../\(URL(filePath: diary.temporary.path).lastPathComponent).backup")
        var journal = try diary.open()
        try FileManager.default.createDirectory(
            atPath: diary.temporary.file("editions/a1/fonts"), withIntermediateDirectories: true)
        try Data("style".utf8).write(to: URL(filePath: diary.temporary.file("editions/a1/style.json")))
        try Data(count: 3 << 20).write(to: URL(filePath: diary.temporary.file("editions/a1/fonts/x")))
        try ServedEdition(EditionID("a1")).write(in: diary.folder)
        try Diary.post(30, to: &journal)
        texts = try Diary.texts(&journal)
        let made = try StorageBackup.make(of: diary.folder, into: backup)
        #expect(made.entries == 30 && made.parts == 5)
        try Diary.post(20, to: &journal, "later")
        if !isKilled { try journal.close() }
    }

    func remove() { try? FileManager.default.removeItem(atPath: backup) }
}

/// Expects that a restored folder has the backup, and nothing else.
private func expectRestored(
    _ folder: DataFolder, _ kept: Kept, not era: UInt64?, boot: String? = nil
) throws {
    let files = try Diary.files(in: folder.path)
    #expect(
        Set(files.keys.filter { !$0.hasPrefix("restore") }).isSuperset(of: [
            "journal.db", "manifest.json",
        ]))
    #expect(
        !files.keys.contains {
            $0.hasPrefix("restore") || $0.hasPrefix("shards/") && $0.hasSuffix(".db")
        })
    #expect(
        files["editions/a1/style.json"] == Data("style".utf8)
            && files["editions/a1/fonts/x"]?.count == 3 << 20)
    #expect(try ServedEdition.read(in: folder)?.edition == EditionID("a1"))
    #expect(try StorageCheck.files(in: folder).flatMap(\.problems) == [])
    var settings = kept.diary.settings
    settings.boot = boot
    var journal = try SQLiteJournal(in: folder, settings: settings)
    #expect(try Diary.texts(&journal) == kept.texts)
    #expect(journal.era != era && journal.news.isEmpty)
    try Diary.post(5, to: &journal)
    try journal.close()
}

@Test(arguments: [true, false])
func `what was kept is restored exactly, onto a folder that was killed, closed, empty or missing`(
    isKilled: Bool
) throws {
    let kept = try Kept(isKilled: isKilled)
    defer { kept.remove() }
    let era = try kept.diary.era
    let shard = try SQLiteShard(
        Shard(0), of: EditionID("e1"), in: kept.diary.folder, settings: ShardSettings(era: era))
    #expect(shard.origin.number != 0)
    let restored = try StorageRestore.restore(kept.backup, to: kept.diary.folder)
    #expect(restored.entries == 30 && restored.asides == 1)
    try expectRestored(kept.diary.folder, kept, not: era)
    // Its shard is not thrown away at once.
    let asides = try FileManager.default.contentsOfDirectory(atPath: shard.place.directory)
    #expect(!asides.isEmpty && asides.allSatisfy { $0.hasPrefix("00.db.lost-") })
    // The backup is restored once more, onto a folder that has gone on since; and elsewhere, after another start of
    // the machine.
    let second = try kept.diary.era
    _ = try StorageRestore.restore(kept.backup, to: kept.diary.folder)
    try expectRestored(kept.diary.folder, kept, not: second)
    let empty = try TemporaryFolder()
    for path in [empty.path, empty.file("missing")] {
        _ = try StorageRestore.restore(kept.backup, to: DataFolder(path))
        try expectRestored(DataFolder(path), kept, not: era, boot: "elsewhere")
        if path == empty.path {
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                try FileManager.default.removeItem(atPath: path + "/" + name)
            }
        }
    }
}

@Test func `a newer backup is restored onto an older folder`() throws {
    let kept = try Kept()
    defer { kept.remove() }
    let older = try TemporaryFolder()
    do {
        var journal = try SQLiteJournal(in: DataFolder(older.path), settings: kept.diary.settings)
        try Diary.post(4, to: &journal, "something else")
    }
    let era = try #require(try FolderManifest.read(in: DataFolder(older.path))).era
    _ = try StorageRestore.restore(kept.backup, to: DataFolder(older.path))
    try expectRestored(DataFolder(older.path), kept, not: era)
}

@Test func `terms go on rising, so that no worker of before is taken for one of now`() throws {
    let kept = try Kept()
    defer { kept.remove() }
    for _ in 0..<4 { _ = try kept.diary.open() }
    let term = try #require(try FolderManifest.read(in: kept.diary.folder)).term
    _ = try StorageRestore.restore(kept.backup, to: kept.diary.folder)
    #expect(try kept.diary.open().term == term + 1)
}

@Test
func
    `a backup that is short, longer, or has any byte changed is refused, and the folder stays as it was`()
    throws
{
    let kept = try Kept()
    defer { kept.remove() }
    let bytes = try Data(contentsOf: URL(filePath: kept.backup))
    let before = try Diary.files(in: kept.diary.temporary.path)
    let bent = kept.backup + ".bent"
    defer { try? FileManager.default.removeItem(atPath: bent) }
    func expectRefused(_ bent: Data, _ what: String) throws {
        try bent.write(to: URL(filePath: kept.backup + ".bent"))
        var error: StorageError?
        do { error = refusal(kept) }
        switch error {
        case .notABackup, .foreignFormat: break
        default: Issue.record("\(what): \(error.map { "\($0)" } ?? "restored")")
        }
        #expect(try Diary.files(in: kept.diary.temporary.path) == before, "\(what)")
    }
    var random = SplitMix64(seed: 1)
    var places = (0..<60).map { _ in Int.random(in: 0..<bytes.count, using: &random) }
    // The table and the end, byte by byte or nearly.
    places += Array(stride(from: bytes.count - 600, to: bytes.count - 48, by: 13))
    places += Array(bytes.count - 48..<bytes.count)
    for place in places {
        var flipped = bytes
        flipped[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
        try expectRefused(flipped, "byte \(place) of \(bytes.count)")
    }
    for length in [0, 1, 47, 48, 8192, bytes.count / 2, bytes.count - 49, bytes.count - 1] {
        try expectRefused(bytes.prefix(length), "\(length) bytes")
    }
    try expectRefused(bytes + Data([0]), "one byte more")
    try expectRefused(bytes.dropFirst(), "one byte less")
    var newer = bytes
    newer[bytes.count - 16] = 2
    try expectRefused(newer, "a newer format")
    #expect(refusal(kept) == .foreignFormat(path: bent, found: 2, expected: 1))
}

private func refusal(_ kept: Kept) -> StorageError? {
    do throws(StorageError) {
        _ = try StorageRestore.restore(kept.backup + ".bent", to: kept.diary.folder)
        return nil
    } catch {
        return error
    }
}

@Test func `a folder that is in use is not restored, and one that is none of ours neither`() throws {
    let kept = try Kept()
    defer { kept.remove() }
    do {
        var journal = try kept.diary.open()
        let before = try Diary.files(in: kept.diary.temporary.path)
        #expect(throws: StorageError.inUse(path: kept.diary.temporary.file("journal.lock"))) {
            _ = try StorageRestore.restore(kept.backup, to: kept.diary.folder)
        }
        #expect(try Diary.files(in: kept.diary.temporary.path) == before)
        try journal.close()
    }
    let foreign = try TemporaryFolder()
    try Data("x".utf8).write(to: URL(filePath: foreign.file("letters")))
    #expect(throws: StorageError.foreignFolder(path: foreign.path, "letters")) {
        _ = try StorageRestore.restore(kept.backup, to: DataFolder(foreign.path))
    }
    #expect(try Diary.files(in: foreign.path).count == 1)
}

@Test func `a folder of a service is no backup, neither of itself nor of another`() throws {
    let kept = try Kept(isKilled: false)
    defer { kept.remove() }
    let (folder, other) = (kept.diary.temporary.path, try TemporaryFolder())
    try FileManager.default.createSymbolicLink(atPath: other.file("link"), withDestinationPath: folder)
    let before = try Diary.files(in: folder)
    for source in [folder, folder + "/", other.file("link")] {
        #expect(throws: StorageError.notABackup(path: source, "it is what is to be restored")) {
            _ = try StorageRestore.restore(source, to: kept.diary.folder)
        }
    }
    let refusal = StorageError.notABackup(
        path: folder, "it is the folder of a service, and not a file that forme backup made of one")
    #expect(throws: refusal) { _ = try StorageRestore.restore(folder, to: DataFolder(other.file("data"))) }
    #expect(try Diary.files(in: folder) == before)
    #expect(!FileManager.default.fileExists(atPath: other.file("data")))
}

@Test func `a backup goes neither into its own folder nor onto what is no backup`() throws {
    let kept = try Kept(isKilled: false)
    defer { kept.remove() }
    let (folder, other) = (kept.diary.temporary, try TemporaryFolder())
    func refusal(_ path: String) -> StorageError? {
        do throws(StorageError) { try StorageBackup.checkTarget(path, of: kept.diary.folder) } catch { return error }
        return nil
    }
    try FileManager.default.createSymbolicLink(atPath: other.file("link"), withDestinationPath: folder.path)
    try FileManager.default.createSymbolicLink(
        atPath: other.file("journal"), withDestinationPath: folder.file("journal.db"))
    let inside = "it is in \(folder.path), of which the backup is to be made"
    let paths = [
        folder.file("manifest.json"), folder.file("new.backup"), folder.file("editions/a1/new.backup"),
        folder.file("editions/../new.backup"), other.file("link/new.backup"), other.file("journal"),
    ]
    for path in paths { #expect(refusal(path) == .notReplaced(path: path, inside)) }

    let letters = other.file("letters")
    let present = StorageError.notReplaced(path: letters, "it is there already, and is no backup")
    for text in ["short", String(repeating: "long ", count: 100)] {
        try Data(text.utf8).write(to: URL(filePath: letters))
        #expect(refusal(letters) == present)
    }
    #expect(refusal("/dev/null") == .notReplaced(path: "/dev/null", "it is there already, and is no backup"))
    try Data().write(to: URL(filePath: letters))
    for path in [letters, kept.backup, other.file("new.backup"), folder.path + ".backup"] {
        #expect(refusal(path) == nil, "\(path)")
    }
}

@Test func `a backup takes the place of the one before, and a damaged journal does not`() throws {
    let kept = try Kept(isKilled: false)
    defer { kept.remove() }
    #expect(try StorageBackup.make(of: kept.diary.folder, into: kept.backup).entries == 50)
    let good = try Data(contentsOf: URL(filePath: kept.backup))
    #expect(try StorageBackup.check(kept.backup).entries == 50)
    var bytes = try Data(contentsOf: URL(filePath: kept.diary.journal))
    bytes.replaceSubrange(8192..<20_000, with: Data(repeating: 0x5A, count: 11_808))
    try bytes.write(to: URL(filePath: kept.diary.journal))
    #expect(throws: StorageError.self) {
        _ = try StorageBackup.make(of: kept.diary.folder, into: kept.backup)
    }
    #expect(try Data(contentsOf: URL(filePath: kept.backup)) == good)
    let names = try FileManager.default.contentsOfDirectory(atPath: "/tmp")
    #expect(!names.contains { $0.hasPrefix(URL(filePath: kept.backup).lastPathComponent + ".new") })
}

@Test func `what a killed backup left is in no way of the next one, also where both have one process id`() throws {
    let (diary, target) = (try Diary(), try TemporaryFolder())
    var journal = try diary.open()
    try Diary.post(3, to: &journal)
    let draft = target.file("forme.backup.new-\(ProcessInfo.processInfo.processIdentifier)")
    for path in [draft, draft + ".replica"] { try Data(repeating: 0x5A, count: 9000).write(to: URL(filePath: path)) }
    #expect(try StorageBackup.make(of: diary.folder, into: target.file("forme.backup")).entries == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == ["forme.backup"])
}

@Test(arguments: GoldenFolder.all.filter { !$0.saysFormats })
func `a folder that an older build left is restored as the copy that older builds made`(
    golden: GoldenFolder
) throws {
    let (copy, target) = (try golden.unpack(), try TemporaryFolder())
    let before = try Diary.files(in: copy.path)
    _ = try StorageRestore.restore(copy.path, to: DataFolder(target.path))
    var journal = try SQLiteJournal(in: DataFolder(target.path))
    for message in try golden.contents.messages {
        let key = MessageKey(try ConversationID(message.conversation), try MessageID(message.message))
        guard case .message(let card)? = try journal.card(key) else {
            Issue.record("no \(key)")
            continue
        }
        #expect(
            card.body?.revision.number == message.body?.revision
                && card.deletion?.number == message.deleted)
    }
    let after = try Diary.files(in: copy.path)
    for name in ["journal.db", "journal.db-wal", "manifest.json"] {
        #expect(after[name] == before[name])
    }
}

@Test func `a restore that is killed leaves the one journal or the other`() throws {
    let (one, two) = (try Kept(), try Kept())
    defer {
        one.remove()
        two.remove()
    }
    var random = SplitMix64(seed: 5)
    let target = try TemporaryFolder()
    _ = try StorageRestore.restore(one.backup, to: DataFolder(target.path))
    for _ in 0..<8 {
        let probe = try Probe(["restore", target.path, one.backup, two.backup])
        _ = try probe.lines(.random(in: 1...3, using: &random))
        // The kill comes somewhere in the next restore.
        poll(nil, 0, .random(in: 0...30, using: &random))
        _ = probe.killed()
        var journal = try SQLiteJournal(in: DataFolder(target.path), settings: one.diary.settings)
        #expect(try Diary.texts(&journal) == one.texts && journal.news.isEmpty)
        try Diary.post(3, to: &journal)
    }
}

@Test func `where files may not grow a restore and a backup are refused, and all stays as it was`()
    throws
{
    let kept = try Kept()
    defer { kept.remove() }
    // Reading a log makes an index of it.
    func files() throws -> [String: Data] {
        try Diary.files(in: kept.diary.temporary.path).filter { !$0.key.hasSuffix("-shm") }
    }
    let before = try files()
    let good = try Data(contentsOf: URL(filePath: kept.backup))
    for limit in [0, 4096, 100_000, 1 << 20] {
        let restore = try Probe(["limited-restore", kept.diary.temporary.path, kept.backup, "\(limit)"])
        #expect(restore.line() == "full")
        #expect(try files() == before, "restore under \(limit) bytes")
        let backup = try Probe(["limited-backup", kept.diary.temporary.path, kept.backup, "\(limit)"])
        #expect(backup.line() == "full")
        #expect(try Data(contentsOf: URL(filePath: kept.backup)) == good, "backup under \(limit) bytes")
    }
}
