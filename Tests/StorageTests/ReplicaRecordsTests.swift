import Foundation
import Names
import Pool
import Replication
import TestSupport
import Testing
import Wire

@testable import Storage

/// A journal that follows a log, and its records.
private struct Disk: ~Copyable {
    var journal: SQLiteJournal
    var records: ReplicaRecords

    init(in folder: DataFolder, settings: JournalSettings) throws {
        var journal = try SQLiteJournal(in: folder, settings: settings)
        let records = try ReplicaRecords(path: folder.file(ReplicaRecords.name), behind: journal.base())
        try journal.catchUp(with: records)
        self.journal = journal
        self.records = records
    }

    var end: LogPosition { journal.nextPosition }

    mutating func commit(_ turn: ReplayedTurn?, _ anchor: LogAnchor) throws {
        try records.commit(turn, anchor)
        if let turn { try journal.replay(turn.content) }
    }
}

/// A disk in a folder of its own, with turns of one event each.
private final class Stage {
    let folder: DataFolder
    private let files: TemporaryFolder
    private let settings: JournalSettings

    init(shards: Int = 4) throws {
        settings = JournalSettings(shards: shards)
        files = try TemporaryFolder()
        folder = DataFolder(files.file("data"))
    }

    /// The path of a file beside the folder.
    func file(_ name: String) -> String { files.file(name) }

    func open() throws -> Disk { try Disk(in: folder, settings: settings) }

    /// The turn that an owner makes of a text.
    func turn(_ text: String, in conversation: String = "c", on disk: inout Disk) throws -> ReplayedTurn {
        let event = try event(text, in: conversation)
        var keeper = Bookkeeper(shards: settings.shards)
        keeper.open(room: IngestRoom(live: 9, backfill: 9, retryAfter: 1))
        let judgements = try keeper.take(
            IngestRequest(events: [.success(event)] as [Result<MessageEvent, EventFault>]), from: Peer(route: []),
            in: &disk.journal)
        #expect(judgements.map(\.answer) == [.accepted])
        let content = TurnContent(first: disk.end, entries: keeper.close().entries)
        return ReplayedTurn(content, next: LogPosition(disk.end.number + 1))
    }

    /// The journal as it was before its folder belonged to a host of a cluster.
    func alone() throws -> SQLiteJournal { try SQLiteJournal(in: folder, settings: settings) }

    func post(_ text: String, to journal: inout SQLiteJournal) throws {
        var keeper = Bookkeeper(shards: settings.shards)
        keeper.open(room: IngestRoom(live: 9, backfill: 9, retryAfter: 1))
        _ = try keeper.take(
            IngestRequest(events: [.success(try event(text))] as [Result<MessageEvent, EventFault>]),
            from: Peer(route: []), in: &journal)
        try journal.commit(keeper.close())
    }

    private func event(_ text: String, in conversation: String = "c") throws -> MessageEvent {
        let body = MessageBody(sender: try SenderID("ada"), time: Timestamp(milliseconds: 5), content: Array(text.utf8))
        return MessageEvent(
            conversation: try ConversationID(conversation), message: try MessageID(text), revision: Revision(1),
            body: body, order: 1)
    }

    func anchor(_ place: UInt64, next: LogPosition, link: UInt64 = 9, reign: UInt64 = 1) throws -> LogAnchor {
        LogAnchor(
            sequence: LogSequence(place), link: ChainLink(link), reign: Reign(reign), owner: try HostID("a"), next: next
        )
    }

    func contains(_ text: String) throws -> Bool {
        for name in ["replica.db", "replica.db-wal"] {
            let bytes = FileManager.default.contents(atPath: folder.file(name)) ?? Data()
            if bytes.range(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }
}

@Test func `a host has the records, turns and keys of its log when it starts again`() throws {
    let stage = try Stage()
    let key = RecordKey([UInt8](repeating: 3, count: RecordKey.length))
    var turns: [ReplayedTurn] = []
    do {
        var disk = try stage.open()
        for place in 1...3 as ClosedRange<UInt64> {
            turns.append(try stage.turn("m\(place)", on: &disk))
            try disk.commit(turns.last, try stage.anchor(place, next: disk.end.after(1)))
        }
        try disk.records.hold(KeyNumber(7), key)
    }
    var disk = try stage.open()
    #expect(
        disk.end == LogPosition(3) && disk.records.trail.count == 4 && disk.records.trail.last.next == LogPosition(3))
    #expect(disk.records.keys == [KeyNumber(7): key])
    let found = try disk.records.turns(from: LogPosition(1))
    #expect(found == Array(turns.dropFirst()))
    let some = try disk.records.turns(from: LogPosition(0), atMost: 2)
    #expect(some == Array(turns.prefix(2)))
    let body = try disk.journal.body(at: LogPosition(2))
    #expect(body?.content == Array("m3".utf8))
    // Another reign goes on behind the first record. Those behind it are no longer in the log, but still in the
    // journal.
    try disk.commit(nil, try stage.anchor(2, next: LogPosition(1), link: 4, reign: 2))
    #expect(disk.records.trail.last.sequence == LogSequence(2) && disk.end == LogPosition(3))
    let trail = disk.records.trail
    _ = consume disk
    let again = try stage.open()
    #expect(again.records.trail == trail && again.end == LogPosition(3))
}

@Test func `a turn that a process could not bring to its journal is there when the next one starts`() throws {
    let stage = try Stage()
    var disk = try stage.open()
    let turn = try stage.turn("m1", on: &disk)
    do {
        var records = try ReplicaRecords(path: stage.folder.file("replica.db"))
        try records.commit(turn, try stage.anchor(1, next: turn.next))
    }
    #expect(disk.end == LogPosition(0))
    _ = consume disk
    var next = try stage.open()
    let body = try next.journal.body(at: LogPosition(0))
    #expect(next.end == LogPosition(1) && body?.content == Array("m1".utf8))
}

@Test(arguments: [(1, 4), (4, 1), (4, 3)])
func `a host with another number of shards than the owner is told so, when a turn shows it and at the next start`(
    theirs: Int, own: Int
) throws {
    let (owner, host) = (try Stage(shards: theirs), try Stage(shards: own))
    var first = try owner.open()
    var refusal: StorageError?
    do {
        var second = try host.open()
        for place in 1...64 as ClosedRange<UInt64> where refusal == nil {
            let turn = try owner.turn("m\(place)", in: "c\(place)", on: &first)
            let anchor = try owner.anchor(place, next: turn.next)
            try first.commit(turn, anchor)
            let end = second.end
            do { try second.commit(turn, anchor) } catch {
                refusal = error as? StorageError
                #expect(second.end == end)
            }
        }
    }
    func isOfShards(_ error: (any Error)?) -> Bool {
        if case .otherShards(_, own)? = error as? StorageError { true } else { false }
    }
    #expect(isOfShards(refusal), "\(refusal.map { "\($0)" } ?? "nothing was refused")")
    var again: (any Error)?
    do { _ = try host.open() } catch { again = error }
    #expect(isOfShards(again))
}

@Test func `journals of services that were alone have one anchor where they are copies, and others where they are not`()
    throws
{
    let (stage, other) = (try Stage(), try Stage())
    do {
        var disk = try stage.alone()
        var wrong = try other.alone()
        let empty = try disk.base()
        #expect(empty == .start)
        try stage.post("m1", to: &disk)
        try other.post("m2", to: &wrong)
        let (own, again, others) = (try disk.base(), try disk.base(), try wrong.base())
        #expect(own.next == LogPosition(1) && own == again)
        #expect(own.link != others.link && others.next == LogPosition(1))
    }
    // Turns from the log stand behind it.
    var disk = try stage.open()
    let base = disk.records.trail.last
    #expect(base.next == LogPosition(1) && base.sequence == .zero)
    let turn = try stage.turn("m3", on: &disk)
    try disk.commit(turn, try stage.anchor(1, next: turn.next))
    _ = consume disk
    let again = try stage.open()
    #expect(again.end == LogPosition(2) && again.records.trail.first == base)
}

@Test func `a host whose journal took events without the log is refused by the next start in its cluster`() throws {
    let stage = try Stage()
    do {
        var disk = try stage.open()
        let turn = try stage.turn("m1", on: &disk)
        try disk.commit(turn, try stage.anchor(1, next: turn.next))
    }
    do {
        var alone = try stage.alone()
        try stage.post("m2", to: &alone)
    }
    var refusal: (any Error)?
    do { _ = try stage.open() } catch { refusal = error }
    guard case .besideLog(_, 2, 1)? = refusal as? StorageError else {
        Issue.record("\(refusal.map { "\($0)" } ?? "it was not refused")")
        return
    }
}

@Test func `a backup of a host has what it knows of its log, and a restore of another service leaves nothing of it`()
    throws
{
    let (host, alone) = (try Stage(), try Stage())
    let (ofHost, ofAlone) = (host.file("host.backup"), alone.file("alone.backup"))
    let trail: AnchorTrail
    do {
        var disk = try host.open()
        let turn = try host.turn("m1", on: &disk)
        try disk.commit(turn, try host.anchor(1, next: turn.next))
        try disk.records.hold(KeyNumber(7), RecordKey([UInt8](repeating: 3, count: RecordKey.length)))
        trail = disk.records.trail
        _ = try StorageBackup.make(of: host.folder, into: ofHost)
        // Turns that came since are read from the log again.
        let second = try host.turn("m2", on: &disk)
        try disk.commit(second, try host.anchor(2, next: second.next))
        var other = try alone.alone()
        try alone.post("m9", to: &other)
        _ = try StorageBackup.make(of: alone.folder, into: ofAlone)
    }
    _ = try StorageRestore.restore(ofHost, to: host.folder)
    do {
        let disk = try host.open()
        #expect(disk.end == LogPosition(1) && disk.records.trail == trail && disk.records.keys.count == 1)
    }
    _ = try StorageRestore.restore(ofAlone, to: host.folder)
    #expect(!FileManager.default.fileExists(atPath: host.folder.file(ReplicaRecords.name)))
    let disk = try host.open()
    #expect(disk.records.trail.count == 1 && disk.records.keys.isEmpty)
}

@Test func `what the log has not any more, and keys that are wiped, are overwritten`() throws {
    let stage = try Stage()
    var disk = try stage.open()
    for (place, text) in ["marker-one", "marker-two"].enumerated() {
        let turn = try stage.turn(text, on: &disk)
        try disk.commit(turn, try stage.anchor(UInt64(place + 1), next: turn.next))
    }
    let secret = String(repeating: "k", count: RecordKey.length)
    try disk.records.hold(KeyNumber(1), RecordKey(Array(secret.utf8)))
    #expect(try stage.contains("marker-one") && stage.contains(secret))
    try disk.records.drop(before: LogSequence(1))
    try disk.records.wipe(through: KeyNumber(1))
    #expect(try !stage.contains("marker-one") && stage.contains("marker-two") && !stage.contains(secret))
    #expect(
        disk.records.trail.first.sequence == LogSequence(1) && disk.records.wiped == KeyNumber(1)
            && disk.records.keys.isEmpty)
}

@Test func `however many keys are wiped, the number of the last one is all that is kept of them`() throws {
    let stage = try Stage()
    do {
        var disk = try stage.open()
        for number in 1...UInt64(3) { try disk.records.wipe(through: KeyNumber(number)) }
    }
    let disk = try stage.open()
    #expect(disk.records.wiped == KeyNumber(3))
    let database = try Database.open(path: stage.folder.file(ReplicaRecords.name), .read)
    let kept = try database.integer("SELECT count(*) FROM wiped")
    #expect(kept == 1)
}

@Test func `records with numbers that nobody can have counted are those of no host`() throws {
    let stage = try Stage()
    let path = stage.file("replica.db")
    var base = LogAnchor.start
    base.sequence = .most
    do {
        var records = try ReplicaRecords(path: path, behind: base)
        try records.commit(nil, stage.anchor(LogSequence.most.number + 1, next: LogPosition(0)))
    }
    #expect(throws: StorageError.self) { _ = try ReplicaRecords(path: path) }
}

extension LogPosition {
    fileprivate func after(_ count: Int64) -> LogPosition { LogPosition(number + count) }
}
