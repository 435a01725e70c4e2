import Foundation
import TestSupport
import Testing

@Test(.waits) func `who runs the service has a port of its own, and reads there what became of events`() throws {
    let folder = try TemporaryFolder()
    let port = try Ports.five()
    let place = ["--data", folder.path]
    let service = try Command(["serve", "--workers", "1", "--metrics", "127.0.0.1:\(port)"] + place)
    try waitUntil { (try? curl(port, "/readyz?for=posts").status) == 200 }
    let event = #"{"conversation": "c", "message": "a", "sender": "s", "order": 1, "time": 1, "text": "hello"}"#
    #expect(try run(["post"] + place, input: event + "\n").code == 0)
    #expect(try run(["post"] + place, input: event + "\n").code == 0)
    #expect(try run(["post"] + place, input: event.replacing("hello", with: "other") + "\n").code != 0)
    // It is fetched once, as is counted below, and not before its row is there.
    try waitUntil { try curl(port, "/metrics").body.contains("forme_pool_ready_seconds_count 1\n") }
    #expect(try run(["fetch", "c"] + place).output.contains("single"))
    let awaited = [
        #"forme_pool_answers_total{answer="accepted"} 1"#, #"forme_pool_answers_total{answer="duplicate"} 1"#,
        #"forme_pool_refused_total{field="body"} 1"#, #"forme_pool_busy_total{reason="disk"} 0"#,
        "forme_pool_acknowledged_seconds_count 3", "forme_pool_ready_seconds_count 1",
        #"forme_pool_processor_seconds_total{kind="worker""#, #"forme_pool_process_memory_bytes{kind="coordinator""#,
        #"forme_pool_layouts_total{kind="text"} 1"#, #"forme_pool_layout_seconds_total{kind="text"} "#,
        #"forme_pool_cache_hits_total{layer="rows"} "#, #"forme_pool_cache_misses_total{layer="words"} "#,
        #"forme_gateway_cache_misses_total{layer="conversations"} 1"#,
        #"forme_gateway_cache_misses_total{layer="rows"} 1"#,
        "forme_pool_workers_restarted_total 0",
        "# TYPE forme_pool_journal_checkpoint_seconds histogram", #"forme_pool_edition_done_ratio{edition=""#,
        "forme_pool_disk_left_bytes ", #"forme_gateway_answer_seconds_count{road="socket"}"#, "forme_gateway_handles ",
    ]
    var metrics = ""
    try waitUntil {
        metrics = try curl(port, "/metrics").body
        return awaited.allSatisfy { line in metrics.split(separator: "\n").contains { $0.hasPrefix(line) } }
    }
    // How many there are is the pool's business; there are some.
    for name in ["batches_total", "syncs_total", "journal_commit_seconds_count", "leases"] {
        try waitUntil {
            try curl(port, "/metrics").body.split(separator: "\n").contains {
                $0.hasPrefix("forme_pool_\(name) ") && !$0.hasSuffix(" 0")
            }
        }
    }
    var status = ""
    try waitUntil {
        status = try run(["status", "--json"] + place).output
        return status.contains(#""done":1.0000,"left_s":null,"undone":0"#)
    }
    #expect(status.contains(#""kinds":[{"kind":"text","messages":1,"microseconds":"#), "\(status)")
    #expect(status.contains(#""caches":[{"layer":"rows","hits":0,"misses":0}"#), "\(status)")
    #expect(try curl(port, "/livez").status == 200)
    #expect(try curl(port, "/v1/fonts").status == 404)
    let posted = try curl(port, "/metrics", "-X", "POST", "-i")
    #expect(posted.status == 405 && posted.body.contains("Allow: GET, HEAD, OPTIONS"), "\(posted.body)")
    #expect(try curl(port, "/readyz?for=nonsense").status == 400)

    // A worker that is started again is counted.
    let worker = try #require(
        try children(of: service.process.processIdentifier).first { $0.command == "worker" }?.id)
    kill(worker, SIGKILL)
    try waitUntil { try curl(port, "/metrics").body.contains("forme_pool_workers_restarted_total 1\n") }

    // Without a gateway the coordinator says the same of itself.
    let said = try run(["status", "--prometheus"] + place)
    #expect(said.code == 0 && said.output.contains("forme_pool_ready_seconds_count 1\n"))
    if let answer = try promtool("check", "metrics", input: said.output) {
        #expect(answer.code == 0 && answer.output.isEmpty, "\(answer.output)")
    }

    // A port that another service has is told before anything starts.
    let other = try TemporaryFolder()
    let taken = try run(["serve", "--data", other.path, "--metrics", "127.0.0.1:\(port)"])
    #expect(taken.code == 69 && taken.errors.contains("127.0.0.1:\(port)"), "\(taken.errors)")
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `who is turned away is logged with address and reason, and told to operators`() throws {
    let folder = try TemporaryFolder()
    let (port, keys, config) = (try Ports.five(), folder.file("tokens"), folder.file("forme.json5"))
    #expect(try run(["token", "keys", "make", "--keys", keys]).code == 0)
    try "{ http: { listen: \"127.0.0.1:\(port)\", tokens: \"\(keys)\" } }"
        .write(toFile: config, atomically: true, encoding: .utf8)
    let service = try Command(
        [
            "serve", "--config", config, "--data", folder.file("data"), "--workers", "1",
            "--metrics", "127.0.0.1:\(port + 1)",
        ])
    try waitUntil { (try? curl(port, "/livez").status) == 200 }
    #expect(try curl(port, "/v1/fonts").status == 401)
    try service.waitForMessage(#"message="turned a request away" status=401 address=127.0.0.1 reason="#)
    let told = try curl(port + 1, "/refused").body
    #expect(told.contains(#"{"address":"127.0.0.1","status":401,"requests":1}"#), "\(told)")
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits, arguments: ["0.0.0.0:9464", "10.0.0.1:9464", "9464", "localhost"])
func `figures are told on this machine alone`(address: String) throws {
    let refused = try run(["serve", "--metrics", address])
    #expect(
        refused.code == 2 && refused.errors.contains("--metrics takes HOST:PORT of this machine"), "\(refused.errors)")
}

@Test(.waits) func `a status fits a screen, and is whole where all of it is asked for`() throws {
    let folder = try TemporaryFolder()
    let place = ["--data", folder.path]
    let service = try Command(["serve", "--workers", "1"] + place)
    try service.waitForMessage("message=ready")
    #expect(try run(["post", "--sample", "30"] + place).code == 0)
    // A machine with much else to do may take longer for a request than is well.
    var short = ""
    try waitUntil {
        short = try run(["status"] + place).output
        return short.hasPrefix("all is well\n")
    }
    #expect(short.split(separator: "\n", omittingEmptySubsequences: false).count <= 25)
    #expect(short.contains("laid out for 16 screens") && short.contains("events answered in "))
    let whole = try run(["status", "--all"] + place).output
    #expect(whole.contains("laid out for 414@2") && whole.contains("done through"))
    #expect(try run(["status", "--all", "--json"] + place).code == 2)
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `what most events are about is shown by conversation and by kind`() throws {
    let folder = try TemporaryFolder()
    let place = ["--data", folder.path]
    let service = try Command(["coordinator"] + place)
    try service.waitForMessage("message=listening")
    #expect(try run(["top"] + place).output == "no event came lately\n")
    func event(_ conversation: String, _ number: Int, _ body: String) -> String {
        #"{"conversation": "\#(conversation)", "message": "m\#(number)", "sender": "s", "order": \#(number), "time": 1, "body": \#(body)}"#
            + "\n"
    }
    let text = #"{"kind": "text", "text": "x"}"#
    let lines =
        (0..<30).map { event("busy", $0, text) } + (0..<5).map { event("quiet", $0, #"{"text": "y", "kind": "rich"}"#) }
        + [event(#"\u202eevil"#, 1, #"{"kind": "\u001b[31mred", "text": "z"}"#)]
    #expect(try run(["post"] + place, input: lines.joined()).code == 0)
    let shown = try run(["top", "--rows", "2"] + place).output.split(separator: "\n")
    #expect(shown.first == "36 events lately")
    #expect(shown.contains { $0.hasPrefix("busy") && $0.contains(" 30 ") } && shown.contains { $0.hasPrefix("text") })
    #expect(shown.contains { $0.hasPrefix("quiet") && $0.contains(" 5 ") } && shown.contains { $0.hasPrefix("rich") })
    // Names come from producers, and do nothing to a terminal.
    let all = try run(["top"] + place).output
    #expect(
        all.contains("·evil") && all.contains("·[31mred") && !all.unicodeScalars.contains("\u{1b}")
            && !all.unicodeScalars.contains("\u{202e}")
    )
    #expect(try run(["top", "--json"] + place).output.contains(#"{"name":"busy","events":30}"#))
    #expect(try run(["top", "--rows", "0"] + place).code == 2)
    service.process.terminate()
    #expect(try service.finish().code == 0)
}
