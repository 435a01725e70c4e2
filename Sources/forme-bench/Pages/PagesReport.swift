import Bytes
import Console
import Foundation
import JSON
import MessageLayout
import Names
import Secrets
import Storage
import Wire

/// Pages of finished models over the fetch socket, beside a router that answers as many bytes from memory:
/// `forme-bench pages`.
struct PagesReport {
    struct Run {
        var pages = 0.0
        var bytes = 0.0
        var refused = 0
        var p50 = 0.0
        var p99 = 0.0
    }

    /// Windows that a gateway has given again, and windows that it had to make.
    struct Tally {
        var again = 0.0
        var anew = 0.0

        init(again: Double = 0, anew: Double = 0) { (self.again, self.anew) = (again, anew) }

        /// Reads the counts from the gateway's figures for Prometheus.
        init(_ metrics: String) {
            for line in metrics.split(separator: "\n") where line.hasPrefix("forme_gateway_windows_answered_total") {
                let value = line.split(separator: " ").last.flatMap { Double($0) } ?? 0
                if line.contains("how=\"again\"") { again += value } else { anew += value }
            }
        }

        static func - (one: Tally, other: Tally) -> Tally {
            Tally(again: one.again - other.again, anew: one.anew - other.anew)
        }
        var share: Double { again / max(1, again + anew) }
    }

    struct Plan {
        var conversations = 100
        var rows = 1000
        var rounds = 3
        var seconds = 4
        /// Messages a second that flood in meanwhile, in the last part.
        var flood = 10_000
        /// Options of `forme serve`.
        var looks: [String] = []
    }

    private(set) var pages = 0
    /// One client that asks for one page after the other.
    private(set) var idle = Run()
    /// Four clients with sixteen questions each: at the gateway, and at the router.
    private(set) var forme = Run()
    private(set) var floor = Run()
    /// The same on TCP with keys.
    private(set) var secureIdle = Run()
    private(set) var secure = Run()
    private(set) var secureFloor = Run()
    /// One client while messages flood in.
    private(set) var flooded = Run()
    /// Eight connections with one question each, at the gateway's HTTP and at nginx; nil where the tools are missing.
    private(set) var web: (forme: Run, nginx: Run)?
    /// Windows of the gateway, at rest and while messages flood in; nil where the tools are missing.
    private(set) var hits: (idle: Tally, flooded: Tally)?
    /// Redis with the same bytes as values, asked as the gateway is; nil where it is not installed.
    private(set) var redis: Run?

    init(_ plan: Plan, style: StyleSheet) throws {
        let (port, operators) = (try FreePort.find(), try FreePort.find())
        let service = try BenchService { folder in
            let (config, tokens) = (folder.path + "/config.json5", TokenKeyFolder(folder.path + "/tokens"))
            _ = try tokens.make()
            let http = "http: { listen: \"127.0.0.1:\(port)\", tokens: \"\(tokens.path)\" }"
            try "{ metrics: \"127.0.0.1:\(operators)\", \(http) }"
                .write(toFile: config, atomically: false, encoding: .utf8)
            return ["--config", config] + plan.looks
        }
        let conversations = try (0..<plan.conversations).map { number throws(ByteError) in
            try ConversationID("pages-\(number)")
        }
        try service.fill(conversations, rows: plan.rows)
        let questions = PageQuestions(
            conversations: conversations, rows: plan.rows, targets: Array(style.targets.prefix(10)))
        pages = questions.count
        let file = service.folder.path + "/questions"
        try questions.write(to: file)
        let web = try WebPages.isPossible ? WebPages(questions, in: service.folder, seconds: plan.seconds) : nil
        let redis = try RedisPages.isPossible ? RedisPages(in: service.folder) : nil
        try questions.askAll(service.endpoints.fetch) { number, answer in
            let frame = Framed(answer).encoded()
            try web?.keep(frame, number: number)
            try redis?.keep(frame)
        }
        let before = try web?.tally(port: operators)

        let asker = PageAsker(endpoint: service.endpoints.fetch, questions: file, seconds: plan.seconds)
        let bare = PageAsker(
            endpoint: "ipc://\(service.folder.path)/bare.ipc", questions: file, seconds: plan.seconds)
        (idle, forme, floor) = try Self.compare(asker, bare, plan)
        let gateway = try SecureGateway(over: service.folder, plan.looks)
        try questions.askAll(gateway.endpoint, access: gateway.access)
        let secureAsker = PageAsker(
            endpoint: gateway.endpoint, questions: file, seconds: plan.seconds, environment: gateway.environment)
        let secureBare = PageAsker(
            endpoint: "tcp://127.0.0.1:\(try FreePort.find())", questions: file, seconds: plan.seconds,
            environment: gateway.environment)
        (secureIdle, secure, secureFloor) = try Self.compare(secureAsker, secureBare, plan)
        if let web {
            try web.askAll(port: port)
            let runs = try (0..<plan.rounds).map { _ in
                (forme: try web.ask(port: port), nginx: try web.askNginx { try service.rest(.milliseconds(20)) })
            }
            self.web = (Self.median(runs.map(\.forme)), Self.median(runs.map(\.nginx)))
        }
        if let redis {
            try redis.start { try service.rest(.milliseconds(20)) }
            // These take about as long as the other runs.
            let questions = Int(forme.pages) * plan.seconds
            self.redis = try Self.median((0..<plan.rounds).map { _ in try redis.ask(.many, questions: questions) })
        }
        let middle = try web?.tally(port: operators)
        if plan.flood > 0 { flooded = try Self.flooded(plan, asker, service) }
        if let web, let before, let middle { hits = (middle - before, try web.tally(port: operators) - middle) }
    }

    /// Runs the two by turns.
    private static func compare(
        _ asker: PageAsker, _ bare: PageAsker, _ plan: Plan
    ) throws -> (idle: Run, forme: Run, floor: Run) {
        let runs = try (0..<plan.rounds).map { _ in
            let (idle, forme) = try (asker.ask(.one), asker.ask(.many))
            return (idle, forme, try bare.askBare(.many, bytes: Int(forme.bytes)))
        }
        return (median(runs.map(\.0)), median(runs.map(\.1)), median(runs.map(\.2)))
    }

    private static func flooded(_ plan: Plan, _ asker: PageAsker, _ service: BenchService) throws -> Run {
        let flood = Process()
        flood.executableURL = URL(filePath: try BuiltProgram.forme())
        flood.arguments = [
            "flood", "--data", service.folder.path, "--rate", "\(plan.flood)", "--duration", "\(plan.seconds + 4)",
        ]
        flood.standardOutput = FileHandle.standardError
        try flood.run()
        // The flood needs this time to reach its rate.
        try service.rest(.seconds(2))
        let run = try asker.ask(.one)
        flood.waitUntilExit()
        return run
    }

    private static func median(_ runs: [Run]) -> Run {
        func middle(_ value: (Run) -> Double) -> Double { runs.map(value).sorted()[runs.count / 2] }
        return Run(
            pages: middle(\.pages), bytes: middle(\.bytes), refused: runs.map(\.refused).max() ?? 0,
            p50: middle(\.p50), p99: middle(\.p99))
    }
}

extension PagesReport.Run {
    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object()
        func number(_ key: String) throws(JSONError) -> Double { try fields.required(key).number().double ?? 0 }
        self.init(
            pages: try number("pages"), bytes: try number("bytes"), refused: Int(try number("refused")),
            p50: try number("p50"), p99: try number("p99"))
    }
}

extension PagesReport {
    var table: String {
        var lines = [
            line("one client", idle), line("4 clients, 16 questions each", forme),
            line("the same, of a bare router", floor),
        ]
        if let redis { lines.append(line("the same, values of Redis", redis)) }
        lines += [
            line("one client, TCP with keys", secureIdle), line("4 clients, TCP with keys", secure),
            line("the same, of a bare router", secureFloor),
        ]
        if flooded.pages > 0 { lines.append(line("one client, under flood", flooded)) }
        if let web { lines += [line("HTTP, 8 connections, tokens", web.forme), line("the same, of nginx", web.nginx)] }
        let advice = "nginx and wrk are not there; deploy/bench pages installs them, and HTTP is measured, too"
        let shares = hits.map { hits in
            "\nof the gateway's windows \(percent(hits.idle.share)) were given again"
                + (flooded.pages > 0 ? ", \(percent(hits.flooded.share)) under flood" : "")
        }
        return """
            \(pages) distinct pages of \(PageQuestions.rowsPerPage) rows, \(Int(forme.bytes)) bytes on average

            \(Columns.aligned([["", "pages/s", "p50 µs", "p99 µs", "refused"]] + lines))

            \(percent(forme, floor)) of a bare router that answers as many bytes from memory, \(percent(secure, secureFloor)) with keys
            \(web.map { "\(percent($0.forme, $0.nginx)) of one process of nginx with the same bytes as files" } ?? advice)\(shares ?? "")
            """
    }

    private func percent(_ run: Run, _ other: Run) -> String { percent(run.pages / other.pages) }
    private func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }

    private func line(_ name: String, _ run: Run) -> [String] {
        [name, "\(Int(run.pages))", "\(Int(run.p50))", "\(Int(run.p99))", "\(run.refused)"]
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("distinct_pages")
            json.integer(pages)
            var runs = [
                ("idle", idle), ("flooded", flooded), ("forme", forme), ("floor", floor), ("keys_idle", secureIdle),
                ("keys", secure), ("keys_floor", secureFloor),
            ]
            if let redis { runs.append(("redis", redis)) }
            if let web { runs += [("http", web.forme), ("nginx", web.nginx)] }
            for (name, tally) in [("hits", hits?.idle), ("hits_flooded", hits?.flooded)] {
                guard let tally else { continue }
                json.key(name)
                json.object { json in
                    json.key("again")
                    json.integer(Int(tally.again))
                    json.key("anew")
                    json.integer(Int(tally.anew))
                }
            }
            for (name, run) in runs {
                json.key(name)
                json.object { json in
                    for (key, value) in [
                        ("pages_per_second", run.pages), ("bytes", run.bytes), ("refused", Double(run.refused)),
                        ("p50_us", run.p50), ("p99_us", run.p99),
                    ] {
                        json.key(key)
                        json.integer(Int(value))
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
