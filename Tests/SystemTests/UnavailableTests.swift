import Conversation
import FormeClient
import FormeClientZMQ
import Foundation
import JSON
import TestSupport
import Testing
import Wire

private func line(_ id: String, order: Int, revision: Int = 1) -> String {
    #"{"conversation": "c", "message": "\#(id)", "order": \#(order), "sender": "ada", "time": 1700000000000, "#
        + #""revision": \#(revision), "text": "Hi"}"# + "\n"
}

/// A service that keeps content until it is laid out, and no longer.
private struct Service {
    let folder: TemporaryFolder
    let file: String
    let port: Int
    private(set) var command: Command

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("forme.json5")
        port = try Ports.five()
        try """
        { data: '\(folder.file("data"))', workers: 1, shards: 2, retention: { content: "none after layout" },
          http: { listen: "127.0.0.1:\(port)" } }
        """.write(toFile: file, atomically: true, encoding: .utf8)
        command = try Command(["serve", "--config", file])
    }

    func post(_ events: String) throws { #expect(try run(["post", "--config", file], input: events).code == 0) }

    struct Content: Equatable {
        var forgotten: Int
        var most: Int
        var unavailable: Int
    }

    func content() throws -> Content? {
        let status = try run(["status", "--json", "--config", file])
        guard status.code == 0, let content = try JSONValue.parse(Array(status.output.utf8))["status"]?["content"]
        else {
            return nil
        }
        func count(_ name: String) -> Int { content[name]?.number?.integer ?? -1 }
        return Content(
            forgotten: count("forgotten"), most: count("most_in_one_file"), unavailable: count("unavailable"))
    }

    func text() throws -> String { try run(["status", "--config", file]).output }

    mutating func restart(after change: () throws -> Void = {}) throws {
        try stop()
        try change()
        command = try Command(["serve", "--config", file])
    }

    func stop() throws {
        command.process.terminate()
        #expect(try command.finish().code == 0)
    }

    /// The place of a message over HTTP, in JSON.
    func place(of message: String) throws -> JSONValue? {
        let url = URL(
            string: "http://127.0.0.1:\(port)/v1/conversations/c/place?target=390@3&around=message:\(message)")!
        guard let bytes = try? Data(contentsOf: url) else { return nil }
        return try JSONValue.parse(Array(bytes))
    }
}

/// Removes all files below a folder.
private func loseShards(_ root: String) throws {
    for edition in try FileManager.default.contentsOfDirectory(atPath: root) {
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(edition)") {
            try FileManager.default.removeItem(atPath: "\(root)/\(edition)/\(name)")
        }
    }
}

private let screen = Screen(width: 390, height: 844, scale: 3)

/// The position of a message, asked by a client of its own.
private func position(of message: String, _ client: ChatClient) async throws -> MessagePosition? {
    do {
        let window = try await client.open("c", on: screen, as: Reader(own: "ada"), around: .newest)
        let found = try await window.position(of: message)
        await window.close()
        return found
    } catch {
        return nil
    }
}

private func wait(for isSo: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + patience
    while try await !isSo() {
        guard .now < deadline else { throw TimeoutError() }
        try await Task.sleep(for: .milliseconds(50))
    }
}

private struct TimeoutError: Error {}

@Test(.waits) func `a message whose content and row are gone is unavailable, on every road and after a restart`()
    async throws
{
    var service = try Service()
    try service.post((1...9).map { line("m\($0)", order: $0) }.joined())
    // The cost of a lost file is told before.
    try await wait { try service.content() == .init(forgotten: 9, most: 9, unavailable: 0) }
    try await wait { try service.text().contains("9 messages are kept as layouts alone") }
    let root = service.folder.file("data/shards")
    try service.restart { try loseShards(root) }
    try service.post(line("later", order: 50))
    try await wait { try service.content()?.unavailable == 9 }
    try await wait { try service.text().contains("9 messages are unavailable") }

    let socket = ChatClient(ZMQTransport(Endpoints(folder: service.folder.file("data")).fetch))
    let web = ChatClient(HTTPTransport(URL(string: "http://127.0.0.1:\(service.port)")!))
    for client in [socket, web] {
        try await wait { try await position(of: "m4", client) == .unavailable(order: 4) }
    }
    try await wait { try service.place(of: "m4")?["unavailable"]?["order"]?.number?.integer == 4 }
    #expect(try await position(of: "later", socket) != .unavailable(order: 50))

    // A new revision of a message brings it back; a deleted message is nowhere.
    try service.post(line("m4", order: 4, revision: 2))
    try service.post(#"{"conversation": "c", "message": "m5", "revision": 2, "deleted": true}"# + "\n")
    try await wait { try service.content()?.unavailable == 7 }
    try await wait { if case .there? = try await position(of: "m4", socket) { true } else { false } }
    try service.restart()
    try await wait { try service.content()?.unavailable == 7 }
    try await wait { try service.place(of: "m6")?["unavailable"]?["message"]?.string == "m6" }
    try service.stop()
}
