import Conversation
import FormeClientZMQ
import Foundation
import MessageLayout
import Names
import TestSupport
import Testing
import Typography
import Wire

private func line(_ id: String, order: Int, text: String = "Hi", revision: Int = 1) -> String {
    #"{"conversation": "c", "message": "\#(id)", "order": \#(order), "sender": "ada", "time": 1700000000000, "#
        + #""revision": \#(revision), "text": "\#(text)"}"# + "\n"
}

@Test(.waits)
func `who is told what changes has what somebody has who opens afresh, through posts, edits, moves and deletes`()
    throws
{
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "2"])
    #expect(try run(["post", "--data", folder.path], input: line("m0", order: 0)).code == 0)
    var visitor = try Visitor(folder)
    try waitUntil {
        try visitor.listen()
        return visitor.mirror.rows.count == 1
    }
    var input = (1...60).map { line("m\($0)", order: $0) }.joined()
    #expect(try run(["post", "--data", folder.path], input: input).code == 0)
    try waitUntil {
        try visitor.listen()
        return visitor.mirror.rows.count == 61
    }
    input = (1...20).map {
        line("m\($0)", order: $0 * 3, text: String(repeating: "longer ", count: $0 * 3), revision: 2)
    }
    .joined()
    input += (40...45).map { #"{"conversation": "c", "message": "m\#($0)", "revision": 3, "op": "delete"}"# + "\n" }
        .joined()
    _ = try run(["post", "--data", folder.path], input: input)
    try waitUntil {
        try visitor.listen()
        let fresh = try Visitor(folder)
        return visitor.mirror.rows.count <= 61 && visitor.mirror.rows == fresh.mirror.rows
            && visitor.mirror.rows.contains { $0.message.text == "m20" && $0.order == 60 }
    }
    #expect(visitor.resyncs == 0)

    // The gateway is killed, and the next one knows nothing of the window.
    let gateway = try #require(children(of: service.process.processIdentifier).first { $0.command == "gateway" })
    kill(gateway.id, SIGKILL)
    try waitUntil {
        guard case .refused(_, .unknownWindow)? = try? visitor.ask(.locate(WindowID(1), y: 0)) else { return false }
        return true
    }
    #expect(try Visitor(folder).mirror.rows == visitor.mirror.rows)
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `a message that is not laid out yet is pending with its order, and comes when it is`() throws {
    let folder = try TemporaryFolder()
    let coordinator = try Command(["coordinator", "--data", folder.path])
    let gateway = try Command(["gateway", "--data", folder.path])
    var worker = try Command(["worker", "--data", folder.path])
    #expect(try run(["post", "--data", folder.path], input: line("a", order: 1)).code == 0)
    var visitor = try Visitor(folder, .message(MessageID("a")))
    worker.process.terminate()
    _ = try worker.finish()
    #expect(try run(["post", "--data", folder.path], input: line("b", order: 2)).code == 0)
    #expect(
        try visitor.ask(.position(WindowID(1), MessageID("b")))
            == .pending(WindowID(1), MessageID("b"), order: 2))
    #expect(
        try visitor.ask(.position(WindowID(1), MessageID("z"))) == .refused(WindowID(1), .unknownMessage))
    worker = try Command(["worker", "--data", folder.path])
    try waitUntil {
        try visitor.listen()
        return visitor.mirror.rows.map(\.message.text) == ["a", "b"]
    }
    guard case .place(let place) = try visitor.ask(.position(WindowID(1), MessageID("b"))) else {
        Issue.record("not there")
        return
    }
    #expect(place.rank == 1)
    for command in [worker, gateway, coordinator] {
        command.process.terminate()
        #expect(try command.finish().code == 0)
    }
}

@Test(.waits) func `a window is printed as a table, as JSON and as a drawing, and what happens in it as it comes`()
    throws
{
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    #expect(try run(["post", "--data", folder.path, "--sample", "60", "--conversation", "c"]).code == 0)
    let words = ["fetch", "c", "--data", folder.path, "--target", "375@3", "--as", "ada"]
    try waitUntil { try run(words).output.split(separator: "\n").count == 51 }
    let table = try run(words + ["--around", "message:m3", "--count", "8"])
    #expect(table.output.split(separator: "\n").count == 9 && table.output.contains("m3 "))
    let json = try #require(
        try JSONSerialization.jsonObject(with: Data(run(words + ["--json"]).output.utf8)) as? [String: Any])
    #expect(((json["window"] as? [String: Any])?["rows"] as? [[String: Any]])?.count == 50)
    let drawing = try run(words + ["--svg", "-"]).output
    #expect(drawing.hasPrefix("<svg") && drawing.contains("width=\"375\""))
    let page = try run(words + ["--html", "-", "--light"]).output
    for drawn in [drawing, page] {
        #expect(drawn.contains("class=\"bubble\"") && drawn.contains("</text>") && !drawn.contains("class=\"missing\""))
    }
    #expect(page.contains("data-scheme=\"light\"") && page.matches(of: /<svg class="row/).count == 50)

    let tail = try Command(["tail", "c", "--data", folder.path, "--target", "375@3", "--changes", "1"])
    // It may need a while to be there.
    var order = 1000
    try waitUntil {
        let posted = try run(["post", "--data", folder.path], input: line("new\(order)", order: order))
        #expect(posted.code == 0)
        order += 1
        return !tail.process.isRunning
    }
    if tail.process.isRunning { kill(tail.process.processIdentifier, SIGKILL) }
    let said = try tail.finish()
    #expect(said.code == 0 && said.output.contains("insert at") && said.output.contains("new"))
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `over HTTP events are taken, windows opened and changes streamed, each with the right to`() throws {
    let folder = try TemporaryFolder()
    let tokens = folder.file("tokens")
    #expect(try run(["token", "keys", "make", "--keys", tokens]).code == 0)
    func token(_ words: String...) throws -> String {
        let made = try run(["token", "make", "--keys", tokens] + words).output
        return "Authorization: Bearer " + made.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    try "{ http: { tokens: '\(tokens)' } }".write(
        toFile: folder.file("forme.json5"), atomically: true, encoding: .utf8)
    let port = try Ports.five()
    let service = try Command([
        "serve", "--data", folder.path, "--workers", "1", "--config", folder.file("forme.json5"), "--http",
        "127.0.0.1:\(port)",
    ])
    try waitUntil { try curl(port, "/readyz?for=posts").status == 200 }
    let events = #"{"events": ["# + line("a", order: 1).dropLast() + "]}"
    let (reader, writer) = (
        try token("--conversation", "c", "--read"), try token("--conversation", "c", "--write", "--backend")
    )
    let path = "/v1/conversations/c/events"
    #expect(try curl(port, path, "-d", events, "-H", "Content-Type: application/json").status == 401)
    #expect(try curl(port, path, "-d", events, "-H", reader).status == 403)
    #expect(try curl(port, "/v1/conversations/d/events", "-d", events, "-H", writer).status == 403)
    let kept = try curl(port, path, "-d", events, "-H", writer)
    #expect(kept.status == 200 && kept.body.contains(#""accepted""#))

    let window = "/v1/conversations/c/window?target=390@3"
    try waitUntil { try curl(port, window, "-H", reader).body.contains(#""message":"a""#) }
    #expect(try curl(port, window, "-H", writer).status == 403)
    #expect(try curl(port, "/v1/conversations/d/window?target=390@3", "-H", reader).status == 403)

    // A stream, cut off after its first change, and taken up again.
    func stream(to file: String, _ options: [String] = []) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "curl", "-sN", "-o", folder.file(file), "-H", reader,
                "http://127.0.0.1:\(port)/v1/conversations/c/changes?target=390@3&bodies=no",
            ] + options
        try process.run()
        return process
    }
    func heard(_ file: String) -> String { (try? String(contentsOfFile: folder.file(file), encoding: .utf8)) ?? "" }
    func post(_ id: String, order: Int) throws {
        _ = try run(["post", "--data", folder.path], input: line(id, order: order))
    }
    let first = try stream(to: "first")
    try waitUntil { heard("first").contains("event: window") }
    try post("b", order: 2)
    try waitUntil { heard("first").contains("event: changes") && heard("first").contains(#""message":"b""#) }
    kill(first.processIdentifier, SIGKILL)
    let mark = try #require(heard("first").split(separator: "\n").last { $0.hasPrefix("id: ") }).dropFirst(4)
    try post("d", order: 3)
    let second = try stream(to: "second", ["-H", "Last-Event-ID: \(mark)"])
    try waitUntil { heard("second").contains(#""message":"d""#) }
    #expect(!heard("second").contains("event: window"))
    // A gateway that stops ends its streams, and does not break them off.
    service.process.terminate()
    #expect(try service.finish().code == 0)
    second.waitUntilExit()
    #expect(second.terminationStatus == 0)
}

@Test(.waits) func `over HTTP one is told where nobody answers, and that a token has expired`() throws {
    let folder = try TemporaryFolder()
    let (tokens, token) = (folder.file("tokens"), folder.file("token"))
    #expect(try run(["token", "keys", "make", "--keys", tokens]).code == 0)
    let made = try run(["token", "make", "--keys", tokens, "--conversation", "c", "--read", "--for", "1s"]).output
    try made.write(toFile: token, atomically: true, encoding: .utf8)
    try "{ http: { tokens: '\(tokens)' } }".write(
        toFile: folder.file("forme.json5"), atomically: true, encoding: .utf8)
    let address = "http://127.0.0.1:\(try Ports.five())"
    let nobody = try run(["fetch", "c", "--http", address, "--token", token])
    #expect(
        nobody.code == 69
            && nobody.errors.hasSuffix("no gateway answers at \(address); is the service running there, with --http?\n")
    )
    let service = try Command([
        "gateway", "--data", folder.file("data"), "--config", folder.file("forme.json5"), "--http",
        String(address.dropFirst(7)),
    ])
    try service.waitForMessage("http_port=")
    // Nobody answered for longer than the token holds.
    for words in [["fetch", "c"], ["tail", "c"], ["list"]] {
        let refused = try run(words + ["--http", address, "--token", token])
        #expect(refused.code == 77 && refused.errors.contains("forme: the token in \(token) has expired; "))
    }
}

@Test(.waits) func `rows come with their messages, but never with an edit that is not laid out yet`() throws {
    let folder = try TemporaryFolder()
    let coordinator = try Command(["coordinator", "--data", folder.path])
    let gateway = try Command(["gateway", "--data", folder.path])
    var worker = try Command(["worker", "--data", folder.path])
    func fetched(_ options: [String]) throws -> String {
        try run(["fetch", "c", "--data", folder.path, "--target", "390@3", "--json"] + options).output
    }
    #expect(try run(["post", "--data", folder.path], input: line("a", order: 1)).code == 0)
    let said = #""said":{"sender":"ada","time":1700000000000,"revision":1,"body":{"kind":"text","text":"Hi"}}"#
    try waitUntil { try fetched(["--with", "body"]).contains(said) }
    #expect(try !fetched([]).contains("said"))

    worker.process.terminate()
    _ = try worker.finish()
    let edit = line("a", order: 1, text: "Hello", revision: 2)
    #expect(try run(["post", "--data", folder.path], input: edit).code == 0)
    let page = try fetched(["--with", "body"])
    #expect(page.contains("layout") && !page.contains("said"))

    worker = try Command(["worker", "--data", folder.path])
    try waitUntil { try fetched(["--with", "body"]).contains(#""body":{"kind":"text","text":"Hello"}"#) }
    for command in [worker, gateway, coordinator] {
        command.process.terminate()
        _ = try command.finish()
    }
}

@Test(.waits) func `of a conversation without rows one is told so, whether its file is there or not`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    #expect(try run(["post", "--data", folder.path], input: line("a", order: 1)).code == 0)
    try waitUntil { try run(["fetch", "c", "--data", folder.path]).output.contains("a ") }
    // As many that some are of the file that is there, and some of one that is not.
    for number in 1...8 {
        for options in [[], ["--json"]] {
            let said = try run(["fetch", "n\(number)", "--data", folder.path] + options)
            #expect(said.code == 1 && said.output.isEmpty, "\(said)")
            #expect(said.errors.withoutWaiting.hasPrefix("forme: nothing is known of 'n\(number)'"), "\(said.errors)")
        }
    }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}
