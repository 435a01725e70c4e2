import Foundation
import Names
import Pool
import Replication
import Storage
import TestSupport
import Testing
import Wire

/// A partition's disk in a folder of its own, with turns of one event each.
private final class Stage {
    let folder: DataFolder
    private let files: TemporaryFolder
    private let settings = JournalSettings(shards: 4)

    init() throws {
        files = try TemporaryFolder()
        folder = DataFolder(files.file("data"))
    }

    func open() throws -> PartitionDisk { try PartitionDisk(in: folder, settings: settings) }

    /// The turn that an owner makes of a text.
    func turn(_ text: String, on disk: inout PartitionDisk) throws -> ReplayedTurn {
        let body = MessageBody(sender: try SenderID("ada"), time: Timestamp(milliseconds: 5), content: Array(text.utf8))
        let event = MessageEvent(
            conversation: try ConversationID("c"), message: try MessageID(text), revision: Revision(1), body: body,
            order: 1)
        var keeper = Bookkeeper(shards: 4)
        keeper.open(room: IngestRoom(live: 9, backfill: 9, retryAfter: 1))
        let judgements = try keeper.take(
            IngestRequest(events: [.success(event)] as [Result<MessageEvent, EventFault>]), from: Peer(route: []),
            in: &disk.journal)
        #expect(judgements.map(\.answer) == [.accepted])
        let content = TurnContent(first: disk.end, entries: keeper.close().entries)
        return ReplayedTurn(content, next: LogPosition(disk.end.number + 1))
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

@Test func `a disk of a partition has its records, turns and keys when it is opened again`() throws {
    let stage = try Stage()
    let key = RecordKey([UInt8](repeating: 3, count: RecordKey.length))
    var turns: [ReplayedTurn] = []
    do {
        var disk = try stage.open()
        for place in 1...3 as ClosedRange<UInt64> {
            turns.append(try stage.turn("m\(place)", on: &disk))
            try disk.commit(turns.last, try stage.anchor(place, next: disk.end.after(1)))
        }
        try disk.hold(KeyNumber(7), key)
    }
    var disk = try stage.open()
    #expect(disk.end == LogPosition(3) && disk.trail.count == 4 && disk.trail.last.next == LogPosition(3))
    #expect(disk.keys == [KeyNumber(7): key])
    let found = try disk.turns(from: LogPosition(1))
    #expect(found == Array(turns.dropFirst()))
    let body = try disk.journal.body(at: LogPosition(2))
    #expect(body?.content == Array("m3".utf8))
    // Another reign goes on behind the first record: those behind it are not in the log any more, and still in the journal.
    try disk.commit(nil, try stage.anchor(2, next: LogPosition(1), link: 4, reign: 2))
    #expect(disk.trail.last.sequence == LogSequence(2) && disk.end == LogPosition(3))
    let trail = disk.trail
    _ = consume disk
    let again = try stage.open()
    #expect(again.trail == trail && again.end == LogPosition(3))
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

@Test func `what the log has not any more, and keys that are wiped, are overwritten`() throws {
    let stage = try Stage()
    var disk = try stage.open()
    for (place, text) in ["marker-one", "marker-two"].enumerated() {
        let turn = try stage.turn(text, on: &disk)
        try disk.commit(turn, try stage.anchor(UInt64(place + 1), next: turn.next))
    }
    let secret = String(repeating: "k", count: RecordKey.length)
    try disk.hold(KeyNumber(1), RecordKey(Array(secret.utf8)))
    #expect(try stage.contains("marker-one") && stage.contains(secret))
    try disk.drop(before: LogSequence(1))
    try disk.wipe(through: KeyNumber(1))
    #expect(try !stage.contains("marker-one") && stage.contains("marker-two") && !stage.contains(secret))
    #expect(disk.trail.first.sequence == LogSequence(1) && disk.wiped == KeyNumber(1) && disk.keys.isEmpty)
}

extension LogPosition {
    fileprivate func after(_ count: Int64) -> LogPosition { LogPosition(number + count) }
}
