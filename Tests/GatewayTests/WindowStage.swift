import Bytes
import Conversation
import Foundation
import JSON
import MessageLayout
import Names
import Pool
import Record
import Rows
import Storage
import TestSupport
import Typography
import Wire

@testable import Gateway

/// A folder with one conversation, a worker who writes it, and a desk that reads it.
final class WindowStage {
    let temporary: TemporaryFolder
    let folder: DataFolder
    let conversation: ConversationID
    var edition: EditionID
    let desk: WindowDesk
    /// The source with which the desk lays rows out.
    let source: LayoutSource?
    private var shard: SQLiteShard
    private var sealer = RowSealer(style: nil)
    private var job: UInt64 = 0
    private var now = ContinuousClock.now
    private var requests: UInt64 = 0
    /// The words that each client was told and has not taken.
    var told: [WindowClient: [GatewayWord]] = [:]
    /// Clients that went without a word.
    var gone: Set<WindowClient> = []
    /// All words that were told, kept alive so that no two have the same identifier in `frames`.
    private var words: [ToldWord] = []
    private(set) var frames: Set<ObjectIdentifier> = []
    /// Clients that take nothing.
    var slow: Set<WindowClient> = []
    /// The layout of a bubble, by its number and the number of its edits.
    var sheet: (Int64, Int) -> LayoutSheet = { _, _ in .bubble }

    static let target = SampleRecord.targets[0]
    static let shards = 4

    /// Limits with a long slice: builds with all checks are slow, and most tests are not about that.
    static var patience: WindowLimits {
        var limits = WindowLimits()
        limits.slice = .seconds(60)
        return limits
    }

    init(
        limits: WindowLimits = WindowStage.patience, source: LayoutSource? = nil, style: DecorationStyle? = nil,
        sources: @escaping (EditionID) -> LayoutSource? = { _ in nil },
        before: (DataFolder) throws -> Void = { _ in }
    ) throws {
        self.source = source
        temporary = try TemporaryFolder()
        folder = DataFolder(temporary.path)
        try before(folder)
        conversation = try ConversationID("c")
        edition = try EditionID("0a")
        try FolderManifest(shards: Self.shards).write(in: folder)
        shard = try Self.shard(of: conversation, edition, in: folder)
        _ = try shard.adopt(LeaseEpoch(1))
        try ServedEdition(edition).write(in: folder)
        desk = WindowDesk(
            in: folder, style: try style ?? Self.style(), source: source, sources: sources, limits: limits)
    }

    static func desk(
        in folder: DataFolder, _ limits: WindowLimits = WindowLimits(), _ source: LayoutSource? = nil
    ) throws -> WindowDesk {
        WindowDesk(in: folder, style: try style(), source: source, limits: limits)
    }

    private static func shard(
        of conversation: ConversationID, _ edition: EditionID, in folder: DataFolder
    ) throws -> SQLiteShard {
        try SQLiteShard(Shard(of: conversation, among: shards), of: edition, in: folder)
    }

    private static func style() throws -> DecorationStyle? {
        let path = Project.file("config/styles/bubble.json5").path
        let bytes = Array(FileManager.default.contents(atPath: path) ?? Data())
        return try JSONDocument(name: path, bytes: bytes, dialect: .json5)
            .read { (root) throws(JSONError) in try StyleSheet(root) }.decoration()
    }

    func change(_ number: Int64, _ row: ShardChange.Row) throws -> ShardChange {
        job += 1
        return try ShardSample.change(number, job: job, row)
    }

    func laidOut(_ number: Int64, order: Int64? = nil, height: Int32 = 40, sender: String = "ada") throws -> ShardChange
    {
        var row = try ShardSample.row(
            order: order ?? number, key: "k", layout: SampleRecord.bytes(height: height))
        row.facts.sender = try SenderID(sender)
        return try change(number, .laidOut(row))
    }

    /// A row that is not laid out for the screens of readers here.
    func laidOutElsewhere(_ number: Int64) throws -> ShardChange {
        let layout = try SampleRecord.bytes(height: 40, targets: [Target(width: .points(500), scale: .two)])
        return try change(number, .laidOut(ShardSample.row(order: number, key: "e", layout: layout)))
    }

    /// Commits changes, and sends the hint of them.
    func commit(_ changes: [ShardChange], isHinted: Bool = true) throws {
        guard let stamp = try shard.commit(changes, under: LeaseEpoch(1)), isHinted else { return }
        let row = ReadyWord.Row(
            conversation: conversation, message: try MessageID("m"), revision: nil,
            shard: Shard(of: conversation, among: Self.shards), stamp: stamp)
        desk.hear(ReadyWord(edition: edition, rows: [row]))
    }

    func fill(_ count: Int64) throws {
        for start in stride(from: 1, through: count, by: 200) {
            try commit((start...min(count, start + 199)).map { try laidOut($0, sender: $0 % 5 == 0 ? "me" : "ada") })
        }
    }

    /// Lays everything out for another edition, and serves it.
    func roll(to name: String, _ rows: ClosedRange<Int64>, height: Int32) throws {
        edition = try EditionID(name)
        shard = try Self.shard(of: conversation, edition, in: folder)
        _ = try shard.adopt(LeaseEpoch(1))
        try commit(rows.map { try laidOut($0, height: height) }, isHinted: false)
        try ServedEdition(edition).write(in: folder)
    }

    /// Loses the file of the shard, and begins it anew.
    func loseShard() throws {
        removeShard()
        try beginShard()
    }

    func removeShard() {
        let path = ShardPlace(Shard(of: conversation, among: Self.shards), of: edition, in: folder).path
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    }

    func beginShard() throws {
        shard = try Self.shard(of: conversation, edition, in: folder)
        _ = try shard.adopt(LeaseEpoch(1))
    }

    /// Lets a minute pass in which nothing happens.
    func letMinutePass() {
        now += .seconds(60)
        tick()
        tick()
    }

    /// Lets a second pass, in ticks.
    func letTimePass() {
        for _ in 0..<4 {
            now += .milliseconds(260)
            tick()
        }
    }

    func tick() {
        now += .milliseconds(10)
        desk.follow(at: now) { client, word in
            if slow.contains(client) { return .full }
            if gone.contains(client) { return .gone }
            frames.insert(ObjectIdentifier(word))
            words.append(word)
            told[client, default: []].append(word.word)
            return .done
        }
    }

    /// The answers to a word, at once or later.
    func say(_ word: ClientWord, as client: WindowClient) -> [GatewayWord] {
        requests += 1
        let request = RequestID(requests)
        let answers = desk.answer(frame: Framed(word, request: request).encoded(), from: client, at: now) ?? []
        var words: [GatewayWord] = []
        do {
            words = try answers.map { bytes throws(ByteError) in
                let framed = try Framed<GatewayWord>(decoding: bytes)
                precondition(framed.request == request)
                return framed.word
            }
        } catch {
            preconditionFailure("a desk says what can be read: \(error)")
        }
        var later: [GatewayWord] = []
        while words.isEmpty, later.isEmpty, proceed(hearing: { if $0 == client { later.append($1) } }) {}
        return words + later
    }

    /// The answers to a frame, in bytes, from a desk that has the conversation in memory.
    func answers(to frame: [UInt8], from client: WindowClient) -> [[UInt8]] {
        desk.answer(frame: frame, from: client, at: now) ?? []
    }

    /// Goes on with conversations that come into memory; false when there are no more.
    func proceed(hearing: (WindowClient, GatewayWord) -> Void = { _, _ in }) -> Bool {
        _ = desk.proceed(at: now) { client, word in
            hearing(client, word.word)
            return .done
        }
        return desk.shelf.isOpening || desk.openings.room.isCalling
    }

    /// Brings the conversation into memory.
    func prepare(_ opening: WindowOpening) {
        while desk.openings.prepare(opening, at: now) != nil { _ = proceed() }
    }

    /// Seals rows, as a worker does when there is time.
    func seal() throws -> Bool { try shard.seal(&sealer) }

    /// Lays rows out for added screens, as a worker does when there is time.
    func extend(for targets: [Target], _ extend: SQLiteShard.Extend) throws -> Bool {
        shard.prepare(targets)
        return try shard.extend(&sealer, extend)
    }
}

extension WindowClient {
    init(_ name: String) { self = .peer(Array(name.utf8)) }
}

/// A client with one window.
struct Reader {
    let client: WindowClient
    let stage: WindowStage
    var mirror: WindowMirror
    /// The reason for which the window was taken away.
    var refusal: WindowRefusal?

    init(
        _ name: String, on stage: WindowStage, around place: WindowPlace = .newest, count: Int = 50,
        reader: WindowReader = WindowReader(), target: Target = WindowStage.target, screen: Int32 = 2000,
        wantsEditions: Bool = true, rowVersion: RowVersion = .first
    ) throws {
        client = WindowClient(name)
        self.stage = stage
        let opening = WindowOpening(
            window: WindowID(1), conversation: stage.conversation, target: target, reader: reader, place: place,
            count: count, screen: screen, wantsEditions: wantsEditions, rowVersion: rowVersion)
        guard case .window(let reply)? = stage.say(.open(opening), as: client).first else { throw NoWindow() }
        mirror = try WindowMirror(reply)
    }

    struct NoWindow: Error {}

    mutating func page(_ side: WindowSide) throws {
        try listen()
        guard case .window(let reply)? = stage.say(.page(WindowID(1), side, count: 20), as: client).first else {
            throw NoWindow()
        }
        try mirror.apply(reply)
    }

    /// Does all that it was told.
    mutating func listen() throws {
        for word in stage.told.removeValue(forKey: client) ?? [] {
            switch word {
            case .changes(let set): try mirror.apply(set)
            case .refused(_, let because): refusal = because
            default: throw NoWindow()
            }
        }
    }

    /// Whether it has the same as a reader who opens these rows now.
    func isAsAfresh() throws -> Bool {
        guard let first = mirror.rows.first else { return true }
        var other = try Reader(
            "afresh", on: stage, around: .y(mirror.top(of: mirror.rows.count / 2)), count: max(1, mirror.rows.count))
        defer { _ = stage.say(.close(WindowID(1)), as: other.client) }
        // The same middle may lie one row off: the window is moved until it begins with the same row.
        for _ in 0..<8
        where other.mirror.rows.first?.number != first.number || other.mirror.rows.count < mirror.rows.count {
            if other.mirror.frame.hasOlder { try other.page(.older) }
            if other.mirror.frame.hasNewer { try other.page(.newer) }
        }
        guard let start = other.mirror.index(of: first.number) else { return false }
        let rows = Array(other.mirror.rows[start..<min(start + mirror.rows.count, other.mirror.rows.count)])
        return rows == mirror.rows && other.mirror.top(of: start) == mirror.frame.top
            && other.mirror.frame.extent == mirror.frame.extent
    }
}
