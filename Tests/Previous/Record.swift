import Conversation
import Foundation
import TestSupport
import Testing
import Typography

@testable import FormeClient
@testable import Gateway

/// Writes down what the client of this commit says to its gateway, hears and shows.
@Test func `records an exchange`() async throws {
    let exchange = try Exchange { BubbleComposer.sheet(of: .monospaced(WindowStage.words($0, edits: $1))) }
    let open = try await ChatClient(exchange).open(
        "c", on: Exchange.screen, as: FormeClient.Reader(own: "me"), rows: 12)
    let shown = try await exchange.follow(open)
    let call = try #require(await exchange.call)
    let base = try #require(URL(string: "http://gateway"))
    let url = try call.url(in: call.folder(at: base)).absoluteString.dropFirst("http://gateway".count)
    let lines = await exchange.record
    try ("url \(url)\n" + lines.joined(separator: "\n") + "\n").write(toFile: "said", atomically: true, encoding: .utf8)
    try (shown.joined(separator: "\n") + "\n").write(toFile: "shown", atomically: true, encoding: .utf8)
}
