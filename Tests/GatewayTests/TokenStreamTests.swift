import Foundation
import Secrets
import TestSupport
import Testing

@testable import Gateway

@Test(arguments: ["expires", "revoked", "key", "edited"])
func `a stream ends within a second of its token, and says why`(end: String) throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    let key = try folder.make()
    let front = try RunningFront(tokens: folder.path) {
        let stage = try WindowStage()
        try stage.fill(3)
        return stage
    }
    let url = "http://127.0.0.1:\(front.port)/v1/conversations/c/changes?target=390@3&bodies=no"
    let (stream, text) = try opened(url, in: folder, for: end == "expires" ? 3 : 3600) { try $0.hears("event: window") }
    let token = try #require(Token(text))
    switch end {
    case "revoked": try folder.revoke(token.id, until: token.claims.expires, at: TokenAccess.Times.now.calendar)
    case "key": try folder.revoke(key)
    case "edited":
        // An editor or a script writes into the file and keeps it: the folder is older than the last reading.
        let list = folder.path + "/revoked"
        _ = FileManager.default.createFile(atPath: list, contents: Data("\(token.id)\n".utf8))
    default: break
    }
    let since = ContinuousClock.now
    let rest = try stream.rest()
    #expect(rest.contains("event: refused") && rest.contains("unauthorized"), "\(rest)")
    let late = end == "expires" ? Double(token.claims.expires.seconds) + 1 : nil
    // Within a second, and two more on a busy machine.
    if let late {
        #expect(Date().timeIntervalSince1970 < late + 2)
    } else {
        #expect(ContinuousClock.now - since < .seconds(3))
    }
    #expect(
        try front.curl("/v1/conversations/c/changes?target=390@3", "-H", "Authorization: Bearer \(text)").status == 401)
}

@Test func `who comes back with a fresh token goes on where the old one ended`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    _ = try folder.make()
    let front = try RunningFront(tokens: folder.path) {
        let stage = try WindowStage()
        try stage.fill(3)
        return stage
    }
    let url = "http://127.0.0.1:\(front.port)/v1/conversations/c/changes?target=390@3&bodies=no"
    let (first, _) = try opened(url, in: folder, for: 2) { try $0.hears("\n\n") && $0.heard.contains("id: ") }
    let all = first.heard + (try first.rest())
    let id = try #require(all.split(separator: "\n").first { $0.hasPrefix("id: ") }).dropFirst(4)
    let next = try Listener(url, bearer: try made(in: folder, for: 3600), after: String(id))
    // The stream goes on with the changes that followed, and does not tell the window again.
    #expect(try next.hears("event: changes"))
    #expect(!next.heard.contains("event: window"))
    next.stop()
}

@Test func `of too many streams of one subject the oldest ends, and says why`() throws {
    let place = try TemporaryFolder()
    let folder = TokenKeyFolder(place.file("tokens"))
    _ = try folder.make()
    let front = try RunningFront(tokens: folder.path, streamsPerSubject: 2) {
        let stage = try WindowStage()
        try stage.fill(3)
        return stage
    }
    let url = "http://127.0.0.1:\(front.port)/v1/conversations/c/changes?target=390@3&bodies=no"
    let listeners = try (0..<3).map { number in
        let listener = try Listener(url, bearer: try made(in: folder, for: 3600 + number))
        #expect(try listener.hears("event: window"))
        return listener
    }
    #expect(try listeners[0].rest().contains("busy"))
    for listener in listeners.dropFirst() { listener.stop() }
}

/// A stream that began before its token expired, and the token. Where `seconds` are too few, longer tokens are tried.
private func opened(
    _ url: String, in folder: TokenKeyFolder, for seconds: Int, hearing isThere: (Listener) throws -> Bool
) throws -> (Listener, String) {
    for life in [seconds, 5 * seconds, 10 * seconds] {
        let text = try made(in: folder, for: life)
        let listener = try Listener(url, bearer: text)
        if try isThere(listener) { return (listener, text) }
    }
    throw NothingHeard()
}

private struct NothingHeard: Error {}

private func made(in folder: TokenKeyFolder, for seconds: Int) throws -> String {
    let key = try folder.signingKey()
    let now = TokenAccess.Times.now.calendar
    return key.token(
        TokenClaims(
            key: key.publicKey.id, rights: .read, scope: .conversation("c"), subject: "ada", issued: now,
            expires: now + .seconds(seconds)))
}

/// curl on a stream, and the text that it has heard.
private final class Listener {
    private let process = Process()
    private let output = Pipe()
    private(set) var heard = ""

    init(_ url: String, bearer: String, after id: String? = nil) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["curl", "-sSN", "--max-time", "60", "-H", "Authorization: Bearer \(bearer)", url]
            + (id.map { ["-H", "Last-Event-ID: \($0)"] } ?? [])
        process.standardOutput = output
        try process.run()
    }

    /// Whether the text comes before the end of the stream.
    func hears(_ text: String) throws -> Bool {
        while !heard.contains(text) {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return false }
            heard += String(decoding: data, as: UTF8.self)
        }
        return true
    }

    /// The text that comes until the stream ends.
    func rest() throws -> String {
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    func stop() { process.terminate() }
}
