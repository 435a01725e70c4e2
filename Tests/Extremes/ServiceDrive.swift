import Conversation
import Foundation
import Gateway
import HTTP
import JSON
import MessageLayout
import Names
import Pool
import Rows
import Secrets
import Storage
import TestSupport
import Wire

/// A gateway and the deciding parts of a coordinator in one thread, without sockets: tens of thousands of words a
/// second. Messages that the coordinator keeps are laid out as small boxes, so that their orders and times reach the
/// windows.
final class ServiceDrive {
    private let temporary: TemporaryFolder
    private let folder: DataFolder
    private let edition: EditionID
    private let desk: WindowDesk
    private var web: HTTPDesk
    private var shards: [Shard: ShardBox] = [:]
    private var journal: SQLiteJournal
    private var keeper: Bookkeeper
    private var dispatcher: Dispatcher
    private var job: UInt64 = 0
    private var now = ContinuousClock.now
    private var moment = Moment.start
    private let health = Health([.init("cache", nil)])

    private static let shardCount = 4
    private static let epoch = LeaseEpoch(1)

    init(_ numbers: inout ExtremeNumbers) throws {
        temporary = try TemporaryFolder()
        folder = DataFolder(temporary.path)
        edition = try EditionID("0a")
        try FolderManifest(shards: Self.shardCount).write(in: folder)
        journal = try SQLiteJournal(in: folder)
        let standing = try journal.standing()
        keeper = Bookkeeper(shards: standing.latest.count)
        dispatcher = Dispatcher(term: journal.term, standing: standing, seed: 1)
        try ServedEdition(edition).write(in: folder)
        var limits = WindowLimits()
        limits.slice = .seconds(1)
        // Smaller than a page.
        limits.contents = 10_000
        let path = Project.file("config/styles/bubble.json5").path
        let style = try JSONDocument(
            name: path, bytes: Array(try String(contentsOfFile: path, encoding: .utf8).utf8), dialect: .json5
        )
        .read { (root) throws(JSONError) in try StyleSheet(root) }
        desk = WindowDesk(in: folder, style: try style.decoration(), limits: limits)
        web = HTTPDesk(access: try TokenAccess(nil), fonts: FontFiles([]), windows: desk)
        for conversation in ExtremeNumbers.conversations {
            let shard = Shard(of: try ConversationID(conversation), among: Self.shardCount)
            if shards[shard] == nil { shards[shard] = try ShardBox(shard, edition, folder, Self.epoch) }
        }
        // Rows of both signs, so that there is something to look at.
        var events = numbers
        try post(
            (0..<300).map {
                "{\"conversation\":\"c\",\"message\":\"m\($0)\",\"order\":\(($0 - 150) * 1000),\"sender\":\"s\(events.below(3))\",\"time\":\($0),\"text\":\"x\"}"
            })
        numbers = events
    }

    /// A file, to be found under its shard.
    private final class ShardBox {
        var file: SQLiteShard
        init(_ shard: Shard, _ edition: EditionID, _ folder: DataFolder, _ epoch: LeaseEpoch) throws {
            file = try SQLiteShard(shard, of: edition, in: folder)
            _ = try file.adopt(epoch)
        }
    }

    func run(words: Int, _ numbers: inout ExtremeNumbers, _ told: inout Tally) throws {
        for _ in 0..<words {
            told.words += 1
            switch numbers.below(100) {
            case 0..<62: try sayFramed(&numbers, &told)
            case 62..<80: try ask(&numbers, &told)
            case 80..<85: sayJSON(&numbers, &told)
            case 85..<97:
                told.events += 1
                events.append(numbers.event())
                if events.count >= 50 {
                    told.changes += try post(events)
                    events = []
                }
            default: try operate(&numbers, &told)
            }
            if told.words % 64 == 0 { tick() }
        }
    }

    private var events: [String] = []

    private func client(_ numbers: inout ExtremeNumbers) -> WindowClient { .peer([UInt8(numbers.below(6))]) }

    private func sayFramed(_ numbers: inout ExtremeNumbers, _ told: inout Tally) throws {
        told.framed += 1
        let frame = Framed(numbers.clientWord(), request: RequestID(UInt64(bitPattern: numbers.wide()))).encoded()
        for answer in desk.answer(frame: frame, from: client(&numbers), at: now) ?? [] {
            // Every answer must be readable.
            _ = try Framed<GatewayWord>(decoding: answer)
            told.answers += 1
        }
    }

    private func sayJSON(_ numbers: inout ExtremeNumbers, _ told: inout Tally) {
        told.framed += 1
        guard let word = try? ClientWord(parsing: Array(numbers.jsonWord().utf8)) else { return }
        told.answers += desk.answer(word, from: client(&numbers), at: now).count
    }

    private func ask(_ numbers: inout ExtremeNumbers, _ told: inout Tally) throws {
        told.http += 1
        guard let target = RequestTarget(Array(numbers.address().utf8)) else { return }
        var headers: Headers = ["Host": "x"]
        if numbers.happens(50) { headers.add("Accept", "application/vnd.forme") }
        let times = TokenAccess.Times(calendar: .init(seconds: 1), steady: .seconds(1))
        _ = web.answer(Request(method: .get, target: target, headers: headers), health, at: times)
        told.answers += 1
    }

    /// Takes events as a turn of the coordinator does, and then their jobs as a worker does; returns the number of
    /// jobs.
    @discardableResult
    private func post(_ events: [String]) throws -> Int {
        let request = try IngestRequest(parsing: Array("{\"events\":[\(events.joined(separator: ","))]}".utf8))
        keeper.open(room: dispatcher.room)
        let answers = try keeper.take(request, from: Peer(route: [1]), in: &journal)
        _ = EventAnswer.json(answers.map(\.answer), limits: keeper.limits.request)
        let turn = keeper.close(with: dispatcher.record)
        try journal.commit(turn)
        _ = dispatcher.handle(.recorded)
        let jobs = turn.entries.flatMap(\.jobs)
        // No worker takes the jobs here: they are laid out at once.
        var changes: [Shard: [ShardChange]] = [:]
        for job in jobs {
            changes[Shard(of: job.conversation, among: Self.shardCount), default: []].append(try change(job))
        }
        for (shard, list) in changes {
            guard let stamp = try shards[shard]?.file.commit(list, under: Self.epoch) else { continue }
            let rows = list.map {
                ReadyWord.Row(
                    conversation: $0.conversation, message: $0.messageID, revision: nil, shard: shard, stamp: stamp)
            }
            desk.hear(ReadyWord(edition: edition, rows: rows))
        }
        if Int.random(in: 0..<20) == 0 { for box in shards.values { _ = try box.file.seal(&sealer) } }
        return jobs.count
    }

    private var sealer = RowSealer(style: nil)

    private func change(_ job: LayoutJob) throws -> ShardChange {
        let row: ShardChange.Row
        switch job.work {
        case .layOut(let state):
            let facts = StoredFacts(
                order: state.order, sender: state.body.sender, time: state.body.time, revision: state.revision,
                status: state.status)
            let template = state.body.content.count.isMultiple(of: 3) ? "line" : "message"
            row = .laidOut(
                ShardRow(
                    facts: facts, role: RowRole(template: template, joinsSeries: template == "message"),
                    key: Array("k\(job.number.number)".utf8),
                    layout: try SampleRecord.bytes(height: Int32(20 + job.number.number % 80)), measured: []))
        case .amend(let order, let status): row = .amended(order: order, status: status)
        case .remove: row = .removed
        }
        return ShardChange(
            job: job.number, message: job.message, conversation: job.conversation, messageID: job.messageID, row: row)
    }

    private func operate(_ numbers: inout ExtremeNumbers, _ told: inout Tally) throws {
        told.operators += 1
        moment = moment + .milliseconds(numbers.below(200))
        if let request = try? OperatorRequest(parsing: Array(numbers.operatorRequest().utf8)) {
            switch request {
            case .wanted(let targets): perform(.command(.want(targets)))
            case .prepare(let target) where dispatcher.objection(toPreparing: target) == nil:
                perform(.command(.prepare(target)))
            case .forget(let target): perform(.command(.forget(target)))
            case .shelf(let after, let limit):
                _ = OperatorAnswer.shelf(try journal.shelved(after: after, limit: limit)).json
            case .drop(let places): perform(.command(.drop(places ?? [])))
            case .dismiss(let process): _ = dispatcher.peers(of: process)
            case .status: _ = OperatorAnswer.status(dispatcher.status).json
            default: break
            }
            told.answers += 1
        }
        perform(.turn(moment))
    }

    private func perform(_ event: Dispatcher.Event) { _ = dispatcher.handle(event) }

    private func tick() {
        now += .milliseconds(11)
        _ = desk.proceed(at: now) { _, word in
            _ = word.frame
            return .done
        }
        if desk.isToFollow(at: now) {
            desk.follow(at: now) { _, word in
                _ = word.frame
                return .done
            }
        }
        _ = desk.takeWantedScreens(at: now)
    }
}
