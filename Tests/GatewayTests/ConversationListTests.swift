import Conversation
import Foundation
import JSON
import Names
import Pool
import Secrets
import Storage
import TestSupport
import Testing
import Wire

@testable import Gateway
@testable import HTTP

/// A folder whose journal somebody writes, with rows of one conversation, and a reader who asks for lists of it.
private final class ListStage {
    let stage: WindowStage
    private let journal: Book
    let pages: ConversationPages
    let streams: ListStreams
    private var request = Request.ID(number: 1)
    /// Events that the reader of a stream has heard, since they were taken last.
    private var heard: [(name: String, data: JSONValue)] = []
    /// The reader of the stream takes nothing.
    var isSlow = false
    private var clock = ContinuousClock.now
    private(set) var isOver = false
    private var keeper = Bookkeeper(shards: WindowStage.shards)

    private final class Book {
        var journal: SQLiteJournal
        init(_ journal: consuming SQLiteJournal) { self.journal = journal }
    }

    init(mergeLength: Int = 1 << 14, mostNews: Int = 1 << 16) throws {
        var book: Book?
        stage = try WindowStage(before: { folder in
            book = Book(
                try SQLiteJournal(
                    in: folder, settings: JournalSettings(shards: WindowStage.shards, mergeLength: mergeLength)))
        })
        journal = try #require(book)
        pages = ConversationPages(stage.desk)
        streams = ListStreams(pages, perHolder: 2, mostNews: mostNews)
    }

    /// Opens a stream, and hears the first page.
    func follow(for bearer: Grant) throws {
        _ = try list(for: bearer)
        request = Request.ID(number: .random(in: 2 ... .max))
        let target = try #require(RequestTarget(Array("/v1/conversations/changes?count=2".utf8)))
        let answer = try streams.open(Request(id: request, method: .get, target: target), for: bearer, at: .now)
        guard case .stream(let head) = answer, case .bytes(let bytes) = head.body else { throw NoList() }
        try hear(bytes)
    }

    private func hear(_ bytes: [UInt8]) throws {
        for event in String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n\n") {
            let lines = event.split(separator: "\n")
            guard lines.count == 2 else { continue }
            heard.append((String(lines[0].dropFirst(7)), try JSONValue.parse(Array(lines[1].dropFirst(6).utf8))))
        }
    }

    /// The events that are told by now, each with its conversations.
    func told() throws -> [String] {
        var bytes: [UInt8] = []
        for _ in 1...3 {
            clock = max(clock, .now) + .milliseconds(20)
            pages.desk.proceed(served: stage.desk.followers.listedNow, at: clock)
            streams.proceed(at: clock) { to, some in
                if isSlow { return .slow }
                if to == request { bytes += some }
                return .done
            } _: { ended in
                if ended == request { isOver = true }
            }
        }
        try hear(bytes)
        defer { heard = [] }
        return heard.map { name, data in
            let names = (data.object?["conversations"]?.array ?? []).compactMap { $0.object?["conversation"]?.string }
            return ([name] + names.sorted()).joined(separator: " ")
        }
    }

    func expel() throws {
        var bytes: [UInt8] = []
        streams.expel(unless: { _ in false }) { _, some in
            bytes += some
            return .done
        } _: { _ in
            isOver = true
        }
        try hear(bytes)
    }

    /// Posts events, in one turn.
    func say(_ events: String...) throws { try say(events) }

    func say(_ events: [String]) throws {
        keeper.open(
            room: IngestRoom(live: 1 << 20, backfill: 0, retryAfter: 1), at: Timestamp(milliseconds: 1 << 50))
        let request = try IngestRequest(parsing: Array(#"{"events":[\#(events.joined(separator: ","))]}"#.utf8))
        let answers = try keeper.take(request, from: Peer(route: [1]), in: &journal.journal).map(\.answer)
        #expect(answers.allSatisfy { $0 == .accepted }, "\(answers)")
        try journal.journal.commit(keeper.close())
    }

    func post(_ conversation: String, _ number: Int, at time: Int, by sender: String = "ada", _ text: String = "hi")
        -> String
    {
        #"{"conversation":"\#(conversation)","message":"m\#(number)","order":\#(number),"sender":"\#(sender)","time":\#(time),"text":"\#(text)"}"#
    }

    func mergeAll() throws { while try journal.journal.maintain(steps: 1 << 16, idle: true) {} }

    func answer(_ query: String = "", for bearer: Grant = .everything) throws -> Response {
        let target = try #require(RequestTarget(Array("/v1/conversations\(query)".utf8)))
        do throws(QueryFault) {
            return try pages.page(Request(method: .get, target: target), for: bearer, at: .now).response
        } catch {
            return error.response
        }
    }

    /// Asks until the list is there.
    func list(_ query: String = "", for bearer: Grant = .everything) throws -> JSONValue {
        for _ in 0..<100 {
            let response = try answer(query, for: bearer)
            if response.status == 503 {
                pages.desk.proceed(served: stage.desk.followers.listedNow, at: .now)
                continue
            }
            guard response.status == 200, case .bytes(let bytes) = response.body else { break }
            let value = try JSONValue.parse(bytes)
            #expect(JSONShape.named("ConversationList").fault(value) == nil)
            return value
        }
        throw NoList()
    }

    struct NoList: Error {}

    func names(_ query: String = "", for bearer: Grant = .everything) throws -> [String] {
        try (list(query, for: bearer).object?["conversations"]?.array ?? []).compactMap {
            $0.object?["conversation"]?.string
        }
    }

    func line(_ name: String, _ query: String = "", for bearer: Grant = .everything) throws -> JSONObject? {
        try (list(query, for: bearer).object?["conversations"]?.array ?? []).lazy.compactMap(\.object).first {
            $0["conversation"]?.string == name
        }
    }
}

@Test(arguments: [false, true])
func `a list has those first in which something was said last, whether that is merged or not`(isMerged: Bool) throws {
    let stage = try ListStage(mergeLength: isMerged ? 1 : 1 << 14)
    try stage.say(
        stage.post("a", 1, at: 50), stage.post("b", 1, at: 70), stage.post("c", 1, at: 60),
        #"{"conversation":"named","title":"Nobody has said a word"}"#)
    if isMerged { try stage.mergeAll() }
    #expect(try stage.names() == ["b", "c", "a", "named"])
    // A later change is there at the next question.
    try stage.say(
        stage.post("a", 2, at: 80), #"{"conversation":"b","title":"Friends","picture":{"url":"x"},"revision":2}"#)
    if isMerged { try stage.mergeAll() }
    #expect(try stage.names() == ["a", "b", "c", "named"])
    let friends = try stage.line("b")
    #expect(friends?["title"]?.string == "Friends" && friends?["picture"]?.object?["url"]?.string == "x")
    #expect(friends?["activity"]?.number?.integer == 70 && friends?["last"] == nil && friends?["unread"] == nil)
    let named = try stage.line("named")
    #expect(named?["title"]?.string == "Nobody has said a word" && named?["activity"] == nil)
}

@Test func `pages go on where the one before ended, for the same token and for nobody else`() throws {
    let stage = try ListStage()
    try stage.say((1...23).map { stage.post("c\($0 % 12)", $0, at: $0) })
    let all = try stage.names()
    #expect(all == (12...23).reversed().map { "c\($0 % 12)" })
    let ada = Grant(as: try SenderID("ada"), .read)
    var (found, next): ([String], String?) = ([], nil)
    repeat {
        let query = "?count=5" + (next.map { "&after=\($0)" } ?? "")
        found += try stage.names(query, for: ada)
        next = try stage.list(query, for: ada).object?["next"]?.string
    } while next != nil
    #expect(found == all)
    let cursor = try #require(try stage.list("?count=5", for: ada).object?["next"]?.string)
    for other in [
        Grant(as: try SenderID("bob"), .read), Grant(as: try SenderID("ada"), .read, .prefix("c")), .everything,
    ] {
        #expect(try stage.answer("?count=5&after=\(cursor)", for: other).status == 409)
    }
    for none in ["?after=7", "?after=7.1.63", "?after=7.1.89"] {
        #expect(try stage.answer(none).status == 409, "\(none)")
    }
    for wrong in ["?after=", "?after=x.1.63", "?count=0", "?count=257", "?as="] {
        #expect(try stage.answer(wrong).status == 400, "\(wrong)")
    }
}

@Test func `only what the token covers is listed`() throws {
    let stage = try ListStage()
    try stage.say((1...40).map { stage.post("\(["a", "ab", "b"][$0 % 3])\($0)", $0, at: $0) })
    let all = try stage.names("?count=100")
    for (scope, covers) in [
        (TokenScope.prefix("ab"), { (name: String) in name.hasPrefix("ab") }), (.prefix("a"), { $0.hasPrefix("a") }),
        (.conversation("b2"), { $0 == "b2" }), (.conversation("nobody"), { _ in false }),
        (.prefix("z"), { _ in false }),
    ] {
        let bearer = Grant(as: try SenderID("ada"), .read, scope)
        #expect(try stage.names("?count=100", for: bearer) == all.filter(covers))
    }
}

@Test func `a line has the last row, how far its reader has read, and how many of others are unread`() throws {
    let stage = try ListStage()
    // The same in the journal and in the shard.
    for number in 1...8 as ClosedRange<Int64> {
        let sender = number % 4 == 0 ? "me" : "ada"
        try stage.say(stage.post("c", Int(number), at: Int(number), by: sender))
        try stage.stage.commit([try stage.stage.laidOut(number, sender: sender)])
    }
    let me = Grant(as: try SenderID("me"), .read)
    var line = try stage.line("c", for: me)
    #expect(line?["last"]?.object?["message"]?.string == "m8" && line?["last"]?.object?["sender"]?.string == "me")
    // Six of eight are of others.
    #expect(line?["unread"]?.number?.integer == 6 && line?["read"] == nil)
    try stage.say(#"{"conversation":"c","read":{"reader":"me","message":"m5"}}"#)
    line = try stage.line("c", for: me)
    #expect(line?["unread"]?.number?.integer == 2 && line?["read"]?.number?.integer == 5)
    // Another reader has read nothing, and a reader without a name has no count.
    #expect(try stage.line("c", "?as=bob")?["unread"]?.number?.integer == 8)
    #expect(try stage.line("c")?["unread"] == nil)
    // A deleted row leaves the list with the commit that removes it.
    try stage.stage.commit([try stage.stage.change(8, .removed), try stage.stage.change(7, .removed)])
    line = try stage.line("c", for: me)
    #expect(line?["last"]?.object?["message"]?.string == "m6" && line?["unread"]?.number?.integer == 1)
}

@Test func `no window says that a conversation is empty before its file is known, as rows of it may be lost`() throws {
    let stage = try ListStage()
    func isBusy(_ conversation: ConversationID) -> Bool {
        let opening = WindowOpening(
            window: WindowID(1), conversation: conversation, target: WindowStage.target, reader: WindowReader(),
            screen: 2000)
        return stage.stage.say(.open(opening), as: WindowClient("r")) == [.refused(WindowID(1), .busy)]
    }
    let known = stage.stage.conversation
    let file = Shard(of: known, among: WindowStage.shards)
    let stranger = try #require(
        try (0..<100).lazy.map { try ConversationID("stranger \($0)") }
            .first { Shard(of: $0, among: WindowStage.shards) == file })
    try stage.say(stage.post("c", 1, at: 10))
    #expect(isBusy(known) && !isBusy(stranger))
    try stage.stage.commit([try stage.stage.laidOut(1)])
    #expect(!isBusy(known))
}

@Test func `more unread rows than a hundred are a hundred`() throws {
    let stage = try ListStage()
    try stage.say((1...150).map { stage.post("c", $0, at: $0) })
    try stage.stage.commit(try (1...150).map { try stage.stage.laidOut($0) })
    #expect(try stage.line("c", "?as=bob")?["unread"]?.number?.integer == ListedConversation.mostUnread)
}

@Test func `who asks first for a short list is answered`() throws {
    let stage = try ListStage()
    try stage.say(stage.post("a", 1, at: 10), stage.post("b", 2, at: 20))
    #expect(try stage.answer().status == 200)
}

@Test func `a gateway that does not see the journal has no list`() throws {
    let pages = ConversationPages(try WindowStage().desk)
    let target = try #require(RequestTarget(Array("/v1/conversations".utf8)))
    #expect(try pages.page(Request(method: .get, target: target), for: .everything, at: .now).response.status == 404)
}

@Test(arguments: [
    (#"{"kind":"text","text":"Hello"}"#, "text", "Hello"),
    (#"{"photo":{"url":"x"},"caption":"Here","kind":"photo"}"#, "photo", "Here"),
    (#"{"kind":"voice","seconds":7}"#, "voice", nil), (#"{"kind":"odd","text":7}"#, "odd", nil),
])
func `a line says the kind of the last message and what it says first`(body: String, kind: String, words: String?) {
    let summary = ListedConversation.summary(of: Array(body.utf8))
    #expect(summary?.kind == kind && summary?.words == words)
}

@Test func `a long text is cut between letters`() throws {
    let family = "👨‍👩‍👧‍👦"
    let body = #"{"kind":"text","text":"\#(String(repeating: family, count: 40))"}"#
    let text = try #require(ListedConversation.summary(of: Array(body.utf8))?.words)
    #expect(text == String(repeating: family, count: ListedConversation.textBytes / family.utf8.count) + "…")
    #expect(ListedConversation.summary(of: Array("no JSON".utf8)) == nil)
}

@Test func `a stream tells the first page, and then what happens to conversations that its token covers`() throws {
    let stage = try ListStage()
    try stage.say(
        stage.post("a1", 1, at: 10), stage.post("a2", 2, at: 20), stage.post("a3", 3, at: 30),
        stage.post("b", 4, at: 40))
    try stage.follow(for: Grant(as: try SenderID("ada"), .read, .prefix("a")))
    #expect(try stage.told() == ["conversations a2 a3"])
    try stage.say(stage.post("b", 5, at: 50), stage.post("a1", 6, at: 60))
    #expect(try stage.told() == ["changed a1"])
    // Many changes at once are told once; changes outside the scope are not told at all.
    try stage.say(
        #"{"conversation":"a2","title":"T"}"#, #"{"conversation":"a2","read":{"reader":"ada","order":1}}"#,
        #"{"conversation":"b","title":"T"}"#, stage.post("a9", 7, at: 70))
    #expect(try stage.told() == ["changed a2 a9"])
    #expect(try stage.told().isEmpty)
}

@Test func `a row that comes or goes is told with its commit`() throws {
    let stage = try ListStage()
    try stage.say(stage.post("c", 1, at: 10))
    try stage.follow(for: .everything)
    _ = try stage.told()
    try stage.stage.commit([try stage.stage.laidOut(1)])
    #expect(try stage.told() == ["changed c"])
    #expect(try stage.line("c")?["last"]?.object?["message"]?.string == "m1")
    try stage.stage.commit([try stage.stage.change(1, .removed)])
    #expect(try stage.told() == ["changed c"])
    #expect(try stage.line("c")?["last"] == nil)
}

@Test func `what happens while the first page is on its way is told behind it`() throws {
    let stage = try ListStage()
    try stage.say(stage.post("c", 1, at: 10))
    try stage.follow(for: .everything)
    try stage.stage.commit([try stage.stage.laidOut(1)])
    #expect(try stage.told() == ["conversations c", "changed c"])
    #expect(try stage.told().isEmpty)
}

@Test func `rows of a shard that was not there before are told`() throws {
    let stage = try ListStage()
    stage.stage.removeShard()
    try stage.say(stage.post("c", 1, at: 10))
    try stage.follow(for: .everything)
    try stage.stage.beginShard()
    try stage.stage.commit([try stage.stage.laidOut(1)])
    #expect(try stage.told() == ["conversations c", "changed c"])
}

@Test func `a reader who takes nothing is let go, and one whose token is over is told so`() throws {
    let stage = try ListStage()
    try stage.say(stage.post("c", 1, at: 10))
    try stage.follow(for: .everything)
    stage.isSlow = true
    try stage.say(stage.post("c", 2, at: 20))
    _ = try stage.told()
    #expect(stage.streams.count == 0 && !stage.pages.desk.isFollowed)
    stage.isSlow = false
    try stage.follow(for: .everything)
    _ = try stage.told()
    try stage.expel()
    #expect(try stage.told() == ["refused"] && stage.isOver && stage.streams.count == 0)
}

@Test func `a reader that is behind by too many conversations begins anew, and others are told on`() throws {
    let stage = try ListStage(mostNews: 3)
    try stage.say(stage.post("a1", 1, at: 10))
    try stage.follow(for: .everything)
    try stage.say((2...4).map { stage.post("a\($0)", $0, at: 10 * $0) })
    #expect(try stage.told() == ["conversations a1", "changed a2 a3 a4"])
    try stage.say((5...8).map { stage.post("a\($0)", $0, at: 10 * $0) })
    #expect(try stage.told() == ["refused"] && stage.isOver)
    #expect(stage.streams.count == 0)
}

@Test func `a stream whose lines cannot be read begins anew, and does not read the same again and again`() throws {
    let stage = try ListStage()
    try stage.say(stage.post("c", 1, at: 10))
    try stage.stage.commit([try stage.stage.laidOut(1)])
    try stage.follow(for: .everything)
    #expect(try stage.told() == ["conversations c"])
    // The files of the edition go, and all that says that they were there.
    let file = Shard(of: stage.stage.conversation, among: WindowStage.shards)
    let place = ShardPlace(file, of: stage.stage.edition, in: stage.stage.folder)
    try FileManager.default.removeItem(atPath: place.directory)
    try stage.say(stage.post("c", 2, at: 20))
    #expect(try stage.told() == ["refused"] && stage.isOver)
    #expect(!stage.streams.isTelling && stage.streams.count == 0)
}

@Test func `while one shard cannot be read, a stream tells of the others, and begins anew when it is there`() throws {
    let stage = try ListStage()
    try stage.say(stage.post("c", 1, at: 10))
    try stage.stage.commit([try stage.stage.laidOut(1)])
    try stage.follow(for: .everything)
    #expect(try stage.told() == ["conversations c"])
    stage.stage.removeShard()
    try stage.say(stage.post("d", 2, at: 20))
    #expect(try stage.told() == ["changed d"])
    // Who comes meanwhile is told, too.
    try stage.follow(for: .everything)
    #expect(try stage.told() == ["conversations c d"] && stage.streams.count == 2)
    try stage.stage.beginShard()
    try stage.stage.commit([try stage.stage.laidOut(1)])
    #expect(try stage.told().last == "refused" && stage.isOver && stage.streams.count == 0)
}

@Test func `a list counts as memory until it is forgotten`() throws {
    let stage = try ListStage()
    #expect(stage.pages.desk.bytes == 0)
    try stage.say((1...100).map { stage.post("c\($0)", $0, at: $0) })
    _ = try stage.names()
    #expect(stage.pages.desk.bytes > 100 * 14)
    stage.pages.desk.proceed(served: stage.stage.desk.followers.listedNow, at: .now + .seconds(700))
    #expect(stage.pages.desk.bytes == 0)
}
