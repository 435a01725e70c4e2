import Foundation
import TestSupport
import Testing

private struct Span {
    var trace, id, parent, name, daemon: String
    var start, end: UInt64
}

private func spans(inLine line: Substring) throws -> [Span] {
    let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return try (json?["resourceSpans"] as? [[String: Any]] ?? []).flatMap { resource in
        let about = resource["resource"] as? [String: Any]
        let attributes = about?["attributes"] as? [[String: Any]] ?? []
        let daemon = attributes.first { $0["key"] as? String == "forme.daemon" }?["value"] as? [String: Any]
        return try (resource["scopeSpans"] as? [[String: Any]] ?? []).flatMap { scope in
            try (scope["spans"] as? [[String: Any]] ?? []).map { span in
                func text(_ name: String) throws -> String { try #require(span[name] as? String) }
                return Span(
                    trace: try text("traceId"), id: try text("spanId"), parent: span["parentSpanId"] as? String ?? "",
                    name: try text("name"), daemon: try #require(daemon?["stringValue"] as? String),
                    start: try #require(UInt64(try text("startTimeUnixNano"))),
                    end: try #require(UInt64(try text("endTimeUnixNano"))))
            }
        }
    }
}

private func spans(in file: String) throws -> [Span] {
    guard let bytes = FileManager.default.contents(atPath: file) else { return [] }
    // A line that is being written is not whole.
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return try lines.dropLast().filter { !$0.isEmpty }.flatMap(spans(inLine:))
}

private let stages = ["accepted", "journalled", "dispatched", "laid out", "stored", "told", "heard"]

private func line(_ message: String, _ more: String) -> String {
    #"{"conversation": "c", "message": "\#(message)", \#(more)}"# + "\n"
}

private func text(_ message: String, revision: Int = 1) -> String {
    line(message, #""order": 1, "sender": "ada", "time": 0, "text": "Hello", "revision": \#(revision)"#)
}

@Test(.waits) func `a message is followed through all processes, as one trace`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("traces.jsonl")
    func post(_ line: String) throws {
        try waitUntil { try run(["post", "--data", folder.path + "/data"], input: line).code == 0 }
    }
    let before = UInt64(Date().timeIntervalSince1970 * 1e9)
    let service = try Command(
        [
            "serve", "--data", folder.path + "/data", "--workers", "1", "--http", "127.0.0.1:\(try Ports.five())",
            "--traces", file, "--trace-one-in", "1",
        ])
    try post(text("m"))
    let id = try #require(try run(["trace", "c", "m"]).output.split(separator: "\n").first.map(String.init))
    try waitUntil { Set(try spans(in: file).filter { $0.trace == id }.map(\.name)) == Set(stages) }
    // Another revision is another trace; reactions to a message belong to the trace of its text.
    try post(text("m", revision: 2))
    try post(line("m", #""revision": 3, "reactions": [{"emoji": "👍", "count": 2}]"#))
    let second = try #require(
        try run(["trace", "c", "m", "--revision", "2"]).output.split(separator: "\n").first.map(String.init))
    try waitUntil { try spans(in: file).filter { $0.trace == second && $0.name == "heard" }.count == 2 }
    service.process.terminate()
    #expect(try service.finish().code == 0)

    let all = try spans(in: file)
    #expect(Set(all.map(\.trace)) == [id, second] && Set(all.map(\.id)).count == all.count)
    #expect(all.allSatisfy { $0.start <= $0.end && $0.start >= before && $0.id.count == 16 && $0.trace.count == 32 })
    let trace = all.filter { $0.trace == id }
    #expect(trace.map(\.name).sorted() == stages.sorted())
    let root = try #require(trace.first { $0.parent.isEmpty })
    #expect(root.name == "accepted" && trace.allSatisfy { $0.id == root.id || $0.parent == root.id })
    // Each begins when the one before has ended; gateways hear it as soon as it is on its way.
    for (former, later) in zip(stages.prefix(5), stages.dropFirst()) {
        let (a, b) = (try #require(trace.first { $0.name == former }), try #require(trace.first { $0.name == later }))
        #expect(a.end <= b.start || (former == "dispatched" && a.start <= b.start), "\(former) and \(later)")
    }
    #expect(
        stages.compactMap { name in trace.first { $0.name == name }?.daemon } == [
            "coordinator", "coordinator", "coordinator", "worker", "worker", "coordinator", "gateway",
        ])
    let others = all.filter { $0.trace == second }
    #expect(others.filter { $0.parent.isEmpty }.map(\.name) == ["accepted"])
    #expect(others.filter { $0.name == "accepted" }.count == 2)

    let printed = try run(["trace", "c", "m", "--from", file])
    #expect(printed.code == 0 && stages.allSatisfy(printed.output.contains))
    #expect(try run(["trace", "c", "nobody", "--from", file]).code == 1)
    #expect(!String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self).contains("Hello"))
}

@Test(.waits) func `a collector is given spans over HTTP, and one that is away costs the service nothing`() throws {
    let folder = try TemporaryFolder()
    let script = folder.file("collector.py")
    try """
    import http.server, sys
    class Collector(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/json"
            open(sys.argv[1], "ab").write(body + b"\\n")
            self.send_response(200); self.end_headers(); self.wfile.write(b"{}")
        def log_message(self, *words): pass
    server = http.server.HTTPServer(("127.0.0.1", 0), Collector)
    print(server.server_port, file=sys.stderr, flush=True)
    server.serve_forever()
    """.write(toFile: script, atomically: true, encoding: .utf8)
    let collector = Process()
    let said = Pipe()
    collector.executableURL = URL(filePath: "/usr/bin/python3")
    collector.arguments = [script, folder.file("taken")]
    collector.standardError = said
    try collector.run()
    // Tests are started with signals that they do not take, and so are their children: only SIGKILL is sure.
    defer { kill(collector.processIdentifier, SIGKILL) }
    let port = try #require(
        Int(String(decoding: said.fileHandleForReading.availableData, as: UTF8.self).filter(\.isNumber)))
    let service = try Command([
        "serve", "--data", folder.path + "/data", "--workers", "1", "--trace-one-in", "1", "--traces",
        "http://127.0.0.1:\(port)",
    ])
    func post(_ message: String) throws {
        try waitUntil { try run(["post", "--data", folder.path + "/data"], input: text(message)).code == 0 }
    }
    try post("m")
    try waitUntil { Set(try spans(in: folder.file("taken")).map(\.name)) == Set(stages) }
    kill(collector.processIdentifier, SIGKILL)
    collector.waitUntilExit()
    try post("n")
    try service.waitForMessage("spans could not be written")
    try waitUntil {
        try run(["fetch", "c", "--data", folder.path + "/data", "--target", "375@3"]).output.contains("n ")
    }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test func `a collector elsewhere is refused`() throws {
    let said = try run(["serve", "--traces", "http://10.0.0.1:4318"])
    #expect(said.code == 2 && said.errors.contains("of this machine"))
}

@Test(.waits) func `a line of spans that a full disk has cut hides no other`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("traces.jsonl")
    let id = try #require(try run(["trace", "c", "m"]).output.split(separator: "\n").first.map(String.init))
    let span = #"{"traceId":"\#(id)","name":"laid out","startTimeUnixNano":"1000000","endTimeUnixNano":"3000000"}"#
    let whole = #"{"resourceSpans":[{"scopeSpans":[{"spans":[\#(span)]}]}]}"#
    // What is written behind a cut line is in the same line.
    try "\(whole.dropLast(9))\(whole)\n\(whole)\n".write(toFile: file, atomically: true, encoding: .utf8)
    let told = try run(["trace", "c", "m", "--from", file])
    #expect(told.code == 0 && told.output.contains("laid out"), "\(told)")
    #expect(told.errors == "\(file): 1 lines about it are broken; their spans are not shown\n")
}
