import Conversation
import FormeClient
import Foundation
import MessageLayout
import Names
import Record
import TestSupport
import Testing
import Typography
import Wire

@testable import Gateway
@testable import HTTP

/// The words that a client of an earlier release said and heard, and the rows that it showed. `Tests/Previous` names
/// the release, and says how they were written down.
private enum Previous {
    static func lines(_ name: String) throws -> [String] {
        try String(contentsOf: Project.file("Tests/Previous/\(name)"), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// The URL at which it asked for its window over HTTP.
    static func url() throws -> String { String(try #require(lines("said").first).dropFirst("url ".count)) }

    /// The words and events after the URL, in order.
    static func said() throws -> [(who: Substring, what: Substring)] {
        try lines("said").dropFirst().map { line in
            let words = line.split(separator: " ")
            return (words[0], words[1])
        }
    }

    static func opening() throws -> WindowOpening {
        guard case .open(let opening) = try Framed<ClientWord>(decoding: bytes(said()[0].what)).word else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return opening
    }

    static func bytes(_ text: Substring) -> [UInt8] {
        let digits = text.utf8.map { UInt8($0 < 58 ? $0 - 48 : $0 - 87) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// The same rows, laid out as they are today: they say what drawing needs, and where joined letters were cut.
    static func exchange() throws -> Exchange {
        try Exchange { number, edits in
            var text = MeasuredText.monospaced(WindowStage.words(number, edits: edits))
            if number == 56 { for i in 1..<text.count { text.joins.insert(i) } }
            return BubbleComposer.sheet(of: text).withDrawing()
        }
    }
}

@Test func `a client of before hears from the gateway of today, byte for byte, what it heard from its own`()
    async throws
{
    let exchange = try Previous.exchange()
    for (who, what) in try Previous.said() {
        switch who {
        case "client":
            let frame = Previous.bytes(what)
            try await exchange.prepare(frame)
            await exchange.answer(frame)
        case "event": try await exchange.happen(try #require(Int(what)))
        default: break
        }
    }
    let said = await exchange.record
    let heard = try Previous.lines("said").dropFirst()
    #expect(said.count == heard.count)
    for (own, other) in zip(said, heard) { #expect(own == other) }
}

@Test func `a client of today that asks for rows of version 1 shows what a client of before did`() async throws {
    let exchange = try Previous.exchange()
    let opening = try Previous.opening()
    #expect(opening.rowVersion == .first)
    let shown = try await exchange.follow(ChatClient(exchange).open(opening))
    #expect(try shown == Previous.lines("shown"))
    // The client may ask for other things now; the answers still have rows of version 1.
    #expect(await exchange.rowVersions == [1])
}

@Test func `a client of today that asks for nothing in particular shows at least that`() async throws {
    let exchange = try Previous.exchange()
    let open = try await ChatClient(exchange).open(
        "c", on: Exchange.screen, as: FormeClient.Reader(own: "me"), rows: 12)
    let shown = try await exchange.follow(open)
    #expect(try shown == Previous.lines("shown"))
    #expect(await exchange.rowVersions == [3])
}

@Test func `the request of a client of before asks for the same window as the word it says`() throws {
    let target = try #require(RequestTarget(Array(Previous.url().utf8)))
    let request = Request(
        id: Request.ID(number: 1), method: .get, target: target, headers: ["Accept": "application/vnd.forme"], body: [])
    let query = try WindowQuery(request, conversation: ConversationID("c"), subject: nil)
    #expect(try query.opening == Previous.opening() && query.detail == nil)
}
