import Foundation
import Gateway
import HTTP
import JSON
import Names
import Pool
import Secrets
import Storage
import Wire

/// A folder with very many conversations, and a desk that lists them as a gateway does, without its sockets.
struct ListsRun: ~Copyable {
    private let folder: DataFolder
    private let conversations: Int
    private let key: TokenSigningKey
    private var desk: HTTPDesk
    private let start = ContinuousClock.now

    /// Seconds until the list was in memory, and seconds of the slowest slice of that.
    private(set) var loading = 0.0
    private(set) var slowestSlice = 0.0

    private static let shards = 8
    /// Conversations of a team, whose names begin alike.
    private static let team = 1000
    /// The number of events that are posted at once.
    private static let batch = IngestLimits().eventsPerRequest

    /// Fills the folder.
    init(in path: String, conversations: Int) throws {
        let folder = DataFolder(path)
        try Self.fill(folder, conversations)
        let keys = TokenKeyFolder(path + "/tokens")
        _ = try keys.make()
        let key = try keys.signingKey()
        let access = try TokenAccess(keys, limit: RateLimit(burst: 1 << 30, perSecond: 1 << 30))
        (self.folder, self.conversations) = (folder, conversations)
        self.key = key
        desk = HTTPDesk(access: access, fonts: FontFiles([]), windows: WindowDesk(in: folder, style: nil))
    }

    private static func name(_ number: Int) -> String { "team-\(number / team)/conversation-\(number)" }

    /// Posts a message to each conversation, and some more to some; the newest messages are in no order of names.
    private static func fill(_ folder: DataFolder, _ conversations: Int) throws {
        let edition = try EditionID("e1")
        var journal = try SQLiteJournal(in: folder, settings: JournalSettings(durability: .process, shards: shards))
        var keeper = Bookkeeper(shards: shards)
        var stores: [ListShard] = []
        for number in 0..<shards {
            stores.append(ListShard(try SQLiteShard(Shard(UInt16(number)), of: edition, in: folder)))
        }
        var number = 0
        while number < conversations + conversations / 2 {
            let numbers = number..<min(number + batch, conversations + conversations / 2)
            number = numbers.upperBound
            let events = try numbers.map { try event($0, conversations) }
            keeper.open(
                room: IngestRoom(live: batch, backfill: 0, retryAfter: 1), at: Timestamp(milliseconds: 1 << 50))
            let judgements = try keeper.take(
                IngestRequest(events: events.map { .success($0) }), from: Peer(route: [1]), in: &journal)
            guard judgements.allSatisfy({ $0.answer == .accepted }) else { throw Fault.refused }
            let turn = keeper.close()
            try journal.commit(turn)
            var changes: [Int: [ShardChange]] = [:]
            for job in turn.entries.flatMap(\.jobs) {
                changes[Int(Shard(of: job.conversation, among: shards).number), default: []].append(change(job))
            }
            for (shard, changes) in changes { try stores[shard].commit(changes) }
        }
        while try journal.maintain(steps: 1 << 14, idle: true) {}
        for store in stores { try store.close() }
        try ServedEdition(edition).write(in: folder)
        try journal.close()
    }

    private static func event(_ number: Int, _ conversations: Int) throws -> MessageEvent {
        // Each conversation gets one message, and then some of them get more.
        let own = number < conversations ? number : number * 7919 % max(1, conversations / 50) * 50
        let time = 1_600_000_000_000 + Int64(UInt32(truncatingIfNeeded: number) &* 2_654_435_761)
        return MessageEvent(
            conversation: try ConversationID(name(own)), message: try MessageID("m\(number)"),
            body: MessageBody(
                sender: try SenderID("grace"), time: Timestamp(milliseconds: time),
                content: MessageEvent.plainText("Message \(number), which is not long")), order: Int64(number))
    }

    private enum Fault: Error {
        /// A message was refused: a run with fewer conversations than it claims would mislead.
        case refused
    }

    private static func change(_ job: LayoutJob) -> ShardChange {
        guard case .layOut(let state) = job.work else { preconditionFailure("nothing is deleted") }
        let row = ShardRow(
            facts: state.facts, role: RowRole(template: "message", joinsSeries: true),
            key: [UInt8](repeating: 7, count: 32), layout: [UInt8](repeating: 1, count: StorageRun.layout),
            measured: [UInt8](repeating: 2, count: StorageRun.measured))
        return ShardChange(
            job: job.number, message: job.message, conversation: job.conversation, messageID: job.messageID,
            row: .laidOut(row))
    }

    /// The reader whose pages are asked for.
    enum Reader: String, CaseIterable {
        case all, team, nobody

        var scope: TokenScope {
            switch self {
            case .all: .all
            case .team: .prefix("team-7/")
            case .nobody: .prefix("nobody/")
            }
        }
    }

    /// Asks until the list is in memory.
    mutating func load() throws {
        let start = ContinuousClock.now
        var slowest = Duration.zero
        while try ask("?count=1", try token(.all)) == nil {
            let slice = ContinuousClock.now
            desk.proceedWithLists(at: slice)
            slowest = max(slowest, .now - slice)
        }
        loading = (ContinuousClock.now - start) / .seconds(1)
        slowestSlice = slowest / .seconds(1)
    }

    /// Milliseconds that each page took, one behind the other down the list, and from the top again at its end.
    mutating func pages(_ count: Int, for reader: Reader) throws -> [Double] {
        let token = try token(reader)
        var (times, next): ([Double], String?) = ([], nil)
        while times.count < count {
            let query = "?count=50" + (next.map { "&after=\($0)" } ?? "")
            let start = ContinuousClock.now
            let page = try ask(query, token)
            times.append((ContinuousClock.now - start) / .milliseconds(1))
            next = page?.object?["next"]?.string
        }
        return times
    }

    private func token(_ reader: Reader) throws -> String {
        let now = TokenTime.now
        return key.token(
            TokenClaims(
                key: key.publicKey.id, rights: .read, scope: reader.scope, subject: "ada", issued: now,
                expires: now + .seconds(86_400)))
    }

    /// Asks for a page; nil while the list is not in memory yet.
    private mutating func ask(_ query: String, _ token: String) throws -> JSONValue? {
        guard let target = RequestTarget(Array("/v1/conversations\(query)".utf8)) else { return nil }
        let request = Request(method: .get, target: target, headers: ["Authorization": "Bearer \(token)"])
        let times = TokenAccess.Times(calendar: .now, steady: ContinuousClock.now - start)
        _ = desk.answersInTurn()
        guard case .response(let response) = desk.answer(request, Health([]), at: times), response.status == 200,
            case .bytes(let bytes) = response.body
        else { return nil }
        return try JSONValue.parse(bytes)
    }
}

/// A class that holds a shard: shards cannot be copied, and lists need elements that can.
private final class ListShard {
    private var shard: SQLiteShard
    private let epoch = LeaseEpoch(1)

    init(_ shard: consuming SQLiteShard) { self.shard = shard }

    func commit(_ changes: [ShardChange]) throws { _ = try shard.commit(changes, under: epoch) }
    func close() throws { _ = try shard.sync() }
}
