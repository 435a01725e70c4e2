import Names
import Pool
import Replication
import TestSupport
import Testing
import Wire

@testable import Storage

private let map = PartitionMap(partitions: 3, shards: 6)!
private let partitions = (0..<map.partitions).map { Partition(UInt16($0)) }

/// A host with one journal that has the logs of all partitions.
private final class Host {
    let folder: DataFolder
    private let files: TemporaryFolder
    private var open: Open?

    private final class Open {
        var journal: SQLiteJournal
        /// The records of each partition.
        let records: [Held]

        init(_ journal: consuming SQLiteJournal, _ records: [Held]) {
            self.journal = journal
            self.records = records
        }
    }

    private final class Held {
        var records: ReplicaRecords
        init(_ records: consuming ReplicaRecords) { self.records = records }
    }

    init() throws {
        files = try TemporaryFolder()
        folder = DataFolder(files.file("data"))
        try start()
    }

    func start(partitions count: Int = map.partitions) throws {
        open = nil
        var journal = try SQLiteJournal(in: folder, settings: JournalSettings(shards: map.shards))
        let base = try journal.base()
        let file = try RecordsFile(path: folder.file(ReplicaRecords.name), partitions: count, behind: base)
        let records = try partitions.map { Held(try ReplicaRecords(of: $0, in: file, behind: base)) }
        try journal.catchUp(withAllOf: file)
        open = Open(journal, records)
    }

    func last(of partition: Partition) -> LogAnchor { open!.records[Int(partition.number)].records.trail.last }

    /// Judges events, and returns the turns that logs get.
    func judge(_ events: [ChatEvent]) throws -> [(partition: Partition, pieces: [TurnContent])] {
        var keeper = Bookkeeper(shards: map.shards)
        keeper.open(room: IngestRoom(live: 99, backfill: 99, retryAfter: 1))
        _ = try keeper.take(
            IngestRequest(events: events.map { .success($0) }), from: Peer(route: []), in: &open!.journal)
        let places = Dictionary(uniqueKeysWithValues: partitions.map { ($0, last(of: $0).next) })
        return try keeper.close().pieces(among: map, atMost: 300, in: &open!.journal) { places[$0]! }
    }

    /// Takes the next record of a log.
    /// - Parameter isCut: whether its process ends before the journal has the turn.
    func take(_ turn: TurnContent, of partition: Partition, isCut: Bool = false) throws {
        let last = last(of: partition)
        let anchor = LogAnchor(
            sequence: last.sequence.next, link: ChainLink(last.link.number + 1), reign: Reign(1),
            owner: try HostID("a"), next: turn.next)
        try open!.records[Int(partition.number)].records.commit(
            ReplayedTurn(turn, next: turn.next), anchor, at: open!.journal.nextPosition)
        if isCut { try start() } else { try open!.journal.replayAtEnd(turn) }
    }

    func trim(_ partition: Partition) throws {
        let records = open!.records[Int(partition.number)]
        try records.records.drop(before: records.records.trail.last.sequence)
    }

    /// The message under a key, without the places that are this host's own: with the content of its body.
    func known(_ key: MessageKey) throws -> Known? {
        guard let entry = try open!.journal.card(key) else { return nil }
        switch entry {
        case .message(let card):
            let body = try card.body.flatMap { try open!.journal.body(at: $0.value.at)?.content }
            return Known(
                text: body, bodyRevision: card.body?.revision, order: card.order, status: card.status,
                deletion: card.deletion, lastJob: card.lastJob, alias: nil)
        case .alias(let id, let absorbed):
            return Known(lastJob: absorbed?.removal, alias: id)
        }
    }

    struct Known: Equatable {
        var text: [UInt8]?
        var bodyRevision: Revision?
        var order: MessageCard.Register<Int64>?
        var status: MessageCard.Register<[UInt8]>?
        var deletion: Revision?
        var lastJob: JobNumber?
        var alias: MessageID?
    }

    /// The jobs of all messages of a shard, in their order, by numbers and ids.
    func jobs(in shard: Shard) throws -> [String] {
        try open!.journal.messages(in: shard, after: MessageNumber(-1), limit: 999).map {
            "\($0.number.number) \($0.conversation) \($0.messageID)"
        }
    }

    func title(of conversation: ConversationID) throws -> String? {
        try open!.journal.conversation(conversation)?.shownTitle
    }

    var end: LogPosition { open!.journal.nextPosition }
    func backup(to path: String) throws { _ = try StorageBackup.make(of: folder, into: path) }
    func restore(_ path: String) throws {
        open = nil
        _ = try StorageRestore.restore(path, to: folder)
        try start()
    }
}

private let conversations = (0..<9).map { try! ConversationID("c\($0)") }

private func event(using random: inout SplitMix64) throws -> ChatEvent {
    let conversation = conversations.randomElement(using: &random)!
    let revision = Revision(.random(in: 1...9, using: &random))
    if Int.random(in: 0..<12, using: &random) == 0 {
        return .conversation(
            ConversationEvent(conversation: conversation, revision: revision, title: "title \(revision.number)"))
    }
    let ids = ["m0", "m1", "m2", "m3", "k0", "k1"]
    var event = MessageEvent(
        conversation: conversation, message: try MessageID(ids.randomElement(using: &random)!), revision: revision)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: event.isDeleted = true
    case 1: event.status = Array("\"s\(revision.number)\"".utf8)
    case 2: event.order = Int64(revision.number)
    case let kind:
        let text = "{\"kind\":\"text\",\"text\":\"\(conversation) \(event.message) \(revision.number)\"}"
        event.body = MessageBody(
            sender: try SenderID("ada"), time: Timestamp(milliseconds: 5), content: Array(text.utf8))
        if kind > 4 { event.order = Int64(revision.number) }
        if kind == 8 { event.clientID = try MessageID(ids.randomElement(using: &random)!) }
    }
    return .message(event)
}

/// Compares all that hosts know of messages; returns the first difference.
private func difference(_ one: Host, _ other: Host) throws -> String? {
    for conversation in conversations {
        if try one.title(of: conversation) != other.title(of: conversation) { return "title of \(conversation)" }
        for id in ["m0", "m1", "m2", "m3", "k0", "k1"] {
            let key = MessageKey(conversation, try MessageID(id))
            let (a, b) = (try one.known(key), try other.known(key))
            if a != b { return "\(key): \(String(describing: a)) and \(String(describing: b))" }
        }
    }
    for number in 0..<map.shards {
        let shard = Shard(UInt16(number))
        if try one.jobs(in: shard) != other.jobs(in: shard) { return "jobs of shard \(number)" }
    }
    return nil
}

@Test func `hosts know the same of messages, in whatever order the logs of several partitions come to each`() {
    forEachSeed(12) { random in
        let hosts = try (0..<3).map { _ in try Host() }
        var logs: [Partition: [TurnContent]] = [:]
        var taken = hosts.map { _ in [Partition: Int]() }
        /// Lets a host take records of a log, as many as there are.
        func take(_ host: Int, _ partition: Partition, atMost: Int, using random: inout SplitMix64) throws {
            for _ in 0..<atMost {
                let place = taken[host][partition, default: 0]
                guard let log = logs[partition], place < log.count else { return }
                taken[host][partition] = place + 1
                try hosts[host].take(log[place], of: partition, isCut: Int.random(in: 0..<30, using: &random) == 0)
                if Int.random(in: 0..<20, using: &random) == 0 { try hosts[host].trim(partition) }
            }
        }
        for _ in 0..<40 {
            let owner = Int.random(in: 0..<3, using: &random)
            // An owner has read all of a log before it judges.
            for partition in partitions { try take(owner, partition, atMost: .max, using: &random) }
            let events = try (0..<Int.random(in: 1...12, using: &random)).map { _ in try event(using: &random) }
            for (partition, pieces) in try hosts[owner].judge(events) { logs[partition, default: []] += pieces }
            for host in 0..<3 {
                for partition in partitions.shuffled(using: &random) {
                    try take(host, partition, atMost: .random(in: 0...3, using: &random), using: &random)
                }
            }
        }
        for host in 0..<3 {
            for partition in partitions.shuffled(using: &random) {
                try take(host, partition, atMost: .max, using: &random)
            }
            try hosts[host].start()
        }
        for other in hosts.dropFirst() {
            if let difference = try difference(hosts[0], other) { throw Difference(what: difference) }
        }
        return Set(hosts.map(\.end)).count == 1
    }
}

private struct Difference: Error { var what: String }

@Test func `a host goes on with the copy of another one's journal, in all logs`() throws {
    var random = SplitMix64(seed: 7)
    let (one, other, files) = (try Host(), try Host(), try TemporaryFolder())
    for round in 0..<30 {
        let events = try (0..<5).map { _ in try event(using: &random) }
        for (partition, pieces) in try one.judge(events) {
            for piece in pieces { try one.take(piece, of: partition) }
            if round == 20 { try one.trim(partition) }
        }
    }
    try one.backup(to: files.file("copy"))
    try other.restore(files.file("copy"))
    #expect(try difference(one, other) == nil && one.end == other.end)
    for partition in partitions { #expect(one.last(of: partition) == other.last(of: partition)) }
    for (partition, pieces) in try one.judge([try event(using: &random), try event(using: &random)]) {
        for piece in pieces {
            try one.take(piece, of: partition)
            try other.take(piece, of: partition)
        }
    }
    #expect(try difference(one, other) == nil)
}

@Test func `a turn that builds on messages which a journal lacks is refused, now and at the next start`() throws {
    let (owner, host) = (try Host(), try Host())
    let key = MessageKey(conversations[0], try MessageID("m0"))
    let partition = map.partition(of: key.conversation)
    func post(_ event: MessageEvent) throws -> TurnContent {
        let turns = try owner.judge([.message(event)])
        let turn = try #require(turns.first?.pieces.first)
        try owner.take(turn, of: partition)
        return turn
    }
    let body = MessageBody(sender: try SenderID("ada"), time: Timestamp(milliseconds: 5), content: Array("{}".utf8))
    let text = MessageEvent(
        conversation: key.conversation, message: key.message, revision: Revision(1), body: body, order: 1)
    var status = MessageEvent(conversation: key.conversation, message: key.message, revision: Revision(2))
    status.status = Array("\"read\"".utf8)
    _ = try post(text)
    var second = try post(status)
    // As if the first had been in the log before this host came.
    second.first = LogPosition(0)
    let refusal = StorageError.brokenLog(
        path: host.folder.file(ReplicaRecords.name), "a turn changes messages that this journal does not have")
    #expect(throws: refusal) { try host.take(second, of: partition) }
    #expect(host.end == LogPosition(0))
    #expect(throws: refusal) { try host.start() }
    // Its part in the cluster comes anew with the journal of another host.
    let files = try TemporaryFolder()
    try owner.backup(to: files.file("copy"))
    try host.restore(files.file("copy"))
    #expect(try host.end == owner.end && host.known(key) == owner.known(key))
}

@Test func `a folder keeps the number of partitions that it began with`() throws {
    let host = try Host()
    #expect(throws: StorageError.otherPartitions(path: host.folder.file(ReplicaRecords.name), own: 3, asked: 6)) {
        try host.start(partitions: 6)
    }
    #expect(throws: StorageError.otherPartitions(path: host.folder.file(ReplicaRecords.name), own: 3, asked: 1)) {
        try host.start(partitions: 1)
    }
    try host.start()
}

private func format(of path: String) throws -> Int64 {
    try Database.open(path: path, .read).integer("PRAGMA user_version")
}

private func write(format: Int64, to path: String) throws {
    try Database.open(path: path, .write).execute("PRAGMA user_version = \(format)")
}

@Test func `records of several logs are of another format than those of one, and a newer one is refused and left`()
    throws
{
    let (host, files) = (try Host(), try TemporaryFolder())
    #expect(try format(of: host.folder.file(ReplicaRecords.name)) == 2)
    let path = files.file("replica.db")
    // The first builds with a cluster gave their files no number.
    for number in [nil, 0] as [Int64?] {
        if let number { try write(format: number, to: path) }
        _ = try RecordsFile(path: path)
        #expect(try format(of: path) == 1)
    }
    try write(format: 3, to: path)
    let before = [try FileFacts.contents(of: path), try FileFacts.contents(of: path + "-wal")]
    #expect(throws: StorageError.foreignFormat(path: path, found: 3, expected: 2)) { _ = try RecordsFile(path: path) }
    #expect(try [FileFacts.contents(of: path), FileFacts.contents(of: path + "-wal")] == before)
}

@Test func `builds that know a single log refuse a folder with the records of several, whatever it is committed to`()
    throws
{
    let files = try TemporaryFolder()
    let folder = DataFolder(files.path)
    try FolderFormats.previous().write(in: folder)
    try FolderManifest(shards: map.shards, format: 1).write(in: folder)
    try FolderFormats.noteSeveralLogs(in: folder)
    // The first release looks into the manifest alone.
    #expect(try FolderManifest.read(in: folder)?.format == 2)
    let noted = try #require(try FolderFormats.read(in: folder))
    #expect(noted.version(of: .replica) == 2 && noted.version(of: .shards) == StoredFormat.shards.previous)
    let earlier = StoredFormat.all.map { one in
        one.name == "replica" ? StoredFormat(one.name, one.subject, newest: 1) : one
    }
    #expect(
        throws: StorageError.newerFormat(
            path: folder.file(FolderFormats.name), format: "replica", found: 2, newest: 1)
    ) { _ = try FolderFormats.read(in: folder, known: earlier) }
}
