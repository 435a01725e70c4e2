import Foundation
import Names
import Pool
import Replication
import Storage
import TestSupport
import Testing
import Wire

@testable import Daemons

/// Two hosts, of which the first has messages.
private struct Stage {
    let files: TemporaryFolder
    let (own, other): (DataFolder, DataFolder)
    let host: HostID

    init(messages: Int) throws {
        files = try TemporaryFolder()
        (own, other) = (DataFolder(files.file("own")), DataFolder(files.file("other")))
        host = try HostID("b")
        var journal = try SQLiteJournal(in: own, settings: JournalSettings(shards: 2))
        var keeper = Bookkeeper(shards: 2)
        keeper.open(room: IngestRoom(live: 100, backfill: 100, retryAfter: 1))
        for number in 0..<messages {
            let body = MessageBody(
                sender: try SenderID("ada"), time: Timestamp(milliseconds: 5), content: Array("text \(number)".utf8))
            let event = MessageEvent(
                conversation: try ConversationID("c"), message: try MessageID("m\(number)"), revision: Revision(1),
                body: body, order: Int64(number))
            let request = IngestRequest(events: [.success(event)] as [Result<MessageEvent, EventFault>])
            _ = try keeper.take(request, from: Peer(route: []), in: &journal)
        }
        try journal.commit(keeper.close())
        try journal.close()
        _ = try SQLiteJournal(in: other, settings: JournalSettings(shards: 2))
    }

    /// Copies the journal, a piece for each question, until it is whole.
    func copy(_ change: (inout [UInt8]) -> Void = { _ in }) throws {
        var from = try JournalCopies(in: own)
        var to = try JournalCopies(in: other)
        to.fetch(from: host, at: .start)
        var (now, isWhole) = (Moment.start, false)
        let end = ContinuousClock.now + patience
        while !isWhole {
            try #require(.now < end)
            now = now + .seconds(2)
            guard case (.copy(let number, let offset), let asked)? = to.takeQuestion(at: now) else { continue }
            #expect(asked == host)
            guard
                case .piece(_, let place, let size, var bytes)? = try from.piece(
                    number, from: offset, for: host, isSound: true, at: now)
            else { continue }
            if !bytes.isEmpty { change(&bytes) }
            isWhole = try to.take(number, place, of: size, bytes, at: now)
        }
        // A copy that is whole asks nothing more.
        let more = to.takeQuestion(at: now + .seconds(9))
        #expect(more == nil)
        try to.accept()
    }

    func entries(in folder: DataFolder) throws -> Int64 {
        try SQLiteJournal(in: folder, settings: JournalSettings(shards: 2)).nextPosition.number
    }
}

@Test func `a host takes over the journal of another, piece by piece`() throws {
    let stage = try Stage(messages: 40)
    #expect(try !JournalCopies.takeOver(in: stage.other))
    try stage.copy()
    #expect(try JournalCopies.takeOver(in: stage.other))
    #expect(try stage.entries(in: stage.other) == 40 && stage.entries(in: stage.own) == 40)
    // It is done once, and leaves nothing behind.
    #expect(try !JournalCopies.takeOver(in: stage.other))
    let names = try FileManager.default.contentsOfDirectory(atPath: stage.other.path)
    #expect(!names.contains { $0.hasPrefix("incoming") })
}

@Test func `a copy that is damaged is thrown away, and the journal stays`() throws {
    let stage = try Stage(messages: 40)
    try stage.copy { bytes in bytes[bytes.count / 2] ^= 1 }
    #expect(try !JournalCopies.takeOver(in: stage.other))
    #expect(try stage.entries(in: stage.other) == 0)
    // It is asked for once more, and comes.
    try stage.copy()
    #expect(try JournalCopies.takeOver(in: stage.other))
    #expect(try stage.entries(in: stage.other) == 40)
}

@Test func `a copy begins anew where one before it was broken off`() throws {
    let stage = try Stage(messages: 40)
    #expect(
        FileManager.default.createFile(atPath: stage.other.file("incoming.draft"), contents: Data("half of one".utf8)))
    try stage.copy()
    #expect(try JournalCopies.takeOver(in: stage.other))
    #expect(try stage.entries(in: stage.other) == 40)
}

@Test(arguments: ["copy-for-b-1", "incoming.draft"])
func `a coordinator that starts removes copies that it made for others, and one that did not come to its end`(
    name: String
) throws {
    let stage = try Stage(messages: 1)
    let left = stage.own.file(name)
    #expect(FileManager.default.createFile(atPath: left, contents: Data([1])))
    _ = try JournalCopies(in: stage.own)
    #expect(!FileManager.default.fileExists(atPath: left))
}

@Test func `a host that asks for one copy after the other waits for the first`() throws {
    let stage = try Stage(messages: 40)
    var copies = try JournalCopies(in: stage.own)
    for number in 1...50 as ClosedRange<UInt64> {
        _ = try copies.piece(number, from: 0, for: stage.host, isSound: true, at: .start)
    }
    let end = ContinuousClock.now + patience
    while true {
        try #require(.now < end)
        let piece = try copies.piece(1, from: 0, for: stage.host, isSound: true, at: .start)
        if case .piece(_, _, _, let bytes)? = piece, !bytes.isEmpty { break }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: stage.own.path).filter { $0.hasPrefix("copy-for-") }
    #expect(names.count == 1)
}

@Test func `a copy that still comes goes on, whichever host is named, and another begins when it does not`() throws {
    let stage = try Stage(messages: 1)
    let third = try HostID("c")
    var copies = try JournalCopies(in: stage.other)
    var now = Moment.start
    copies.fetch(from: stage.host, at: now)
    let asked = copies.takeQuestion(at: now)
    guard case (.copy(let number, 0), stage.host)? = asked else {
        Issue.record("\(String(describing: asked))")
        return
    }
    for _ in 0..<10 {
        now = now + .seconds(15)
        // It is being made there.
        let isWhole = try copies.take(number, 0, of: 0, [], at: now)
        #expect(!isWhole)
        copies.fetch(from: third, at: now + .seconds(5))
        let question = copies.takeQuestion(at: now + .seconds(5))
        #expect(question?.0 == .copy(number: number, offset: 0) && question?.1 == stage.host)
    }
    copies.fetch(from: third, at: now + .seconds(21))
    let last = copies.takeQuestion(at: now + .seconds(21))
    #expect(last?.0 != .copy(number: number, offset: 0) && last?.1 == third)
}

@Test func `a copy that is whole waits to be accepted, and another begins when it is dropped`() throws {
    let stage = try Stage(messages: 1)
    var copies = try JournalCopies(in: stage.other)
    let start = Moment.start + .seconds(1)
    func asked(at now: Moment, of copies: inout JournalCopies) -> UInt64? {
        copies.fetch(from: stage.host, at: now)
        if case (.copy(let number, 0), _)? = copies.takeQuestion(at: now) { return number }
        return nil
    }
    let first = asked(at: start, of: &copies)
    let number = try #require(first)
    let isWhole = try copies.take(number, 0, of: 3, [1, 2, 3], at: start + .seconds(1))
    let (ready, none) = (copies.ready, asked(at: start + .seconds(60), of: &copies))
    #expect(isWhole && ready == start && none == nil)
    // A process that ends now leaves nothing that the next one takes over.
    #expect(try !JournalCopies.takeOver(in: stage.other))
    try copies.drop()
    #expect(!FileManager.default.fileExists(atPath: stage.other.file("incoming.draft")))
    let second = asked(at: start + .seconds(61), of: &copies)
    let isReady = copies.ready != nil
    #expect(second != nil && second != number && !isReady)
}

@Test func `the rest of a copy that is not there any more is not made of another one`() throws {
    let stage = try Stage(messages: 1)
    var copies = try JournalCopies(in: stage.own)
    let rest = try copies.piece(7, from: 1 << 20, for: stage.host, isSound: true, at: .start)
    #expect(rest == nil)
}

@Test func `a host that is lost begins no copy for another, and goes on with one that it began`() throws {
    let stage = try Stage(messages: 1)
    var copies = try JournalCopies(in: stage.own)
    let none = try copies.piece(7, from: 0, for: stage.host, isSound: false, at: .start)
    #expect(none == nil)
    _ = try copies.piece(7, from: 0, for: stage.host, isSound: true, at: .start)
    let end = ContinuousClock.now + patience
    while true {
        try #require(.now < end)
        let piece = try copies.piece(7, from: 0, for: stage.host, isSound: false, at: .start)
        if case .piece(_, _, _, let bytes)? = piece, !bytes.isEmpty { break }
    }
}
