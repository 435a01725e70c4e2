import Foundation
import TestSupport
import Testing

/// A service with workers and HTTP that asks for tokens, and the requests of persons and backends.
private struct Service {
    let folder: TemporaryFolder
    let port: Int
    private let command: Command
    private let tokens: String

    init() throws {
        folder = try TemporaryFolder()
        tokens = folder.file("tokens")
        _ = try run(["token", "keys", "make", "--keys", tokens])
        try "{ http: { tokens: '\(tokens)' } }".write(
            toFile: folder.file("forme.json5"), atomically: true, encoding: .utf8)
        let port = try Ports.five()
        command = try Command([
            "serve", "--data", folder.path, "--workers", "1", "--config", folder.file("forme.json5"), "--http",
            "127.0.0.1:\(port)",
        ])
        self.port = port
        try waitUntil { try curl(port, "/readyz?for=posts").status == 200 }
    }

    func token(_ words: String...) throws -> String {
        let made = try run(["token", "make", "--keys", tokens, "--conversation", "c", "--read", "--write"] + words)
            .output
        return "Authorization: Bearer " + made.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Posts a request, or one event, of somebody, and returns the answer.
    func post(_ request: String, as bearer: String) throws -> (status: Int, body: String) {
        try curl(
            port, "/v1/conversations/c/events", "-H", bearer, "-H", "Content-Type: application/json", "-d", request)
    }

    func window(_ bearer: String, bodies: Bool = false) throws -> String {
        let path = "/v1/conversations/c/window?target=390@3" + (bodies ? "&with=body" : "&bodies=no")
        return try curl(port, path, "-H", bearer).body
    }

    func end() throws {
        command.process.terminate()
        #expect(try command.finish().code == 0)
    }
}

private func event(_ id: String, _ rest: String) -> String {
    #"{"conversation": "c", "message": "\#(id)", \#(rest)}"#
}

@Test(.waits) func `over HTTP a person writes its own messages, and nothing of anybody else's`() throws {
    let service = try Service()
    let ada = try service.token("--subject", "ada")
    let mallory = try service.token("--subject", "mallory")
    let backend = try service.token("--backend")

    // One event by itself, and a list: each without an order, which the service gives.
    let own = #""sender": "ada", "time": 1, "text": "Hello""#
    #expect(try service.post(event("a", own), as: ada).body == #"{"answers":[{"answer":"accepted"}]}"#)
    let second = try service.post(#"{"events": [\#(event("b", own)), \#(event("a", own))]}"#, as: ada)
    #expect(second.body == #"{"answers":[{"answer":"accepted"},{"answer":"duplicate"}]}"#)
    try waitUntil { try service.window(ada).contains(#""message":"b""#) }

    let attempts = [
        ("sender", event("x", own)),
        ("sender", event("a", #""revision": 2, "sender": "ada", "time": 1, "text": "I never said this""#)),
        ("body", event("a", #""revision": 2, "sender": "mallory", "time": 1, "text": "mine now""#)),
        (
            "revision",
            event("a", #""revision": 9223372036854775807, "sender": "mallory", "time": 1, "text": "last word""#)
        ),
        ("deleted", event("a", #""revision": 2, "deleted": true"#)), ("deleted", event("nothing", #""deleted": true"#)),
        ("order", event("a", #""revision": 2, "order": 7"#)),
        ("status", event("a", #""revision": 2, "status": "read""#)),
        ("reactions", event("a", #""revision": 2, "reactions": []"#)),
        ("clientID", event("x", #""sender": "mallory", "time": 1, "text": "hers", "clientID": "a""#)),
    ]
    for (field, attempt) in attempts {
        for request in [attempt, #"{"events": [\#(attempt)]}"#] {
            let said = try service.post(request, as: mallory)
            #expect(
                said.status == 200 && said.body.hasPrefix(#"{"answers":[{"answer":"invalid","field":"\#(field)","#),
                "\(said)")
        }
    }
    let history =
        #"{"events": [\#(event("h", #""sender": "mallory", "time": 1, "text": "then""#))], "lane": "backfill"}"#
    #expect(try service.post(history, as: mallory).body.contains(#""field":"lane""#))
    let inHerName = #"{"subject": "ada", "events": [\#(event("a", #""revision": 2, "deleted": true"#))]}"#
    #expect(try service.post(inHerName, as: mallory).status == 400)
    // Two events of one request: the second is judged after the first, and each has an answer of its own.
    let both = try service.post(
        #"{"events": [\#(event("m", #""sender": "mallory", "time": 1, "text": "mine""#)), \#(event("a", #""revision": 2, "deleted": true"#))]}"#,
        as: mallory)
    #expect(both.body.hasPrefix(#"{"answers":[{"answer":"accepted"},{"answer":"invalid","field":"deleted","#))

    #expect(
        try service.post(event("a", #""revision": 2, "sender": "ada", "time": 1, "text": "As I meant it""#), as: ada)
            .body.contains("accepted"))
    #expect(try service.post(event("b", #""revision": 2, "deleted": true"#), as: ada).body.contains("accepted"))
    // A backend writes for everybody, and may narrow a request itself.
    #expect(try service.post(event("m", #""revision": 2, "deleted": true"#), as: backend).body.contains("accepted"))
    #expect(
        try service.post(inHerName.replacing("ada", with: "grace"), as: backend).body.contains(#""field":"deleted""#))
    try waitUntil {
        let window = try service.window(ada)
        return window.contains(#""message":"a""#) && !window.contains(#""message":"b""#)
            && !window.contains(#""message":"m""#)
    }
    try service.end()
}

@Test(.waits) func `what persons react is drawn, told with their names, and nobody can say it for another`() throws {
    let service = try Service()
    let (ada, grace) = (try service.token("--subject", "ada"), try service.token("--subject", "grace"))
    let backend = try service.token("--backend")
    let poll =
        #""order": 1, "sender": "bot", "time": 1, "body": {"kind": "poll", "question": "Tea?", "options": "#
        + #"[{"id": "y", "text": "Yes"}, {"id": "n", "text": "No"}]}"#
    #expect(try service.post(event("p", poll), as: backend).body.contains("accepted"))
    func say(_ react: String, _ revision: Int = 1, as bearer: String) throws -> String {
        try service.post(event("p", #""revision": \#(revision), "react": \#(react)"#), as: bearer).body
    }
    #expect(try say(#"{"emoji": ["👍"]}"#, 1_700_000_000_000, as: ada) == #"{"answers":[{"answer":"accepted"}]}"#)
    #expect(try say(#"{"emoji": ["👍"], "options": ["y"]}"#, as: grace).contains("accepted"))
    #expect(try say(#"{"reader": "grace", "options": ["n"]}"#, 2, as: ada).contains(#""field":"react.reader""#))
    #expect(try say(#"{"reader": "bob", "options": ["y"]}"#, as: backend).contains("accepted"))
    let told = #"[{"emoji":"👍","count":2,"by":["ada","grace"]},{"option":"y","count":2,"by":["bob","grace"]}]"#
    try waitUntil { try service.window(ada, bodies: true).contains(#""reactions":"# + told) }
    #expect(try say(#"{"emoji": [], "options": []}"#, 2, as: grace).contains("accepted"))
    try waitUntil {
        try service.window(ada, bodies: true).contains(
            #""reactions":[{"emoji":"👍","count":1,"by":["ada"]},{"option":"y","count":1,"by":["bob"]}]"#)
    }
    try service.end()
}
