import Console
import Foundation
import JSON
import Secrets
import Storage
import Wire

/// The same windows over HTTP, with tokens, beside nginx with the same bytes as files. wrk asks both.
struct WebPages {
    private let folder: String
    private let seconds: Int

    /// Whether the programs are there; `deploy/bench pages` installs them.
    static var isPossible: Bool { ["wrk", "nginx", "curl"].allSatisfy { program($0) != nil } }

    /// Puts the questions, tokens, and the files of nginx beside the data.
    init(_ questions: PageQuestions, in data: DataFolder, seconds: Int) throws {
        (folder, self.seconds) = (data.path + "/web", seconds)
        try FileManager.default.createDirectory(atPath: folder + "/pages", withIntermediateDirectories: true)
        let paths = try questions.paths
        for (name, lines) in [
            ("paths", paths), ("files", paths.indices.map { "/pages/\($0)" }),
            ("tokens", try WebPages.tokens(TokenKeyFolder(data.path + "/tokens"))), ("ask.lua", [script]),
        ] {
            try lines.joined(separator: "\n").write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
        }
    }

    /// The counts of the gateway, from its port for operators.
    func tally(port: Int) throws -> PagesReport.Tally {
        let words = ["-sS", "--fail", "http://127.0.0.1:\(port)/metrics"]
        return PagesReport.Tally(
            String(decoding: try BuiltProgram.run(WebPages.program("curl") ?? "curl", words).output, as: UTF8.self))
    }

    /// Keeps the answer of nginx to the question of this number.
    func keep(_ frame: [UInt8], number: Int) throws {
        try Data(frame).write(to: URL(filePath: "\(folder)/pages/\(number)"))
    }

    func ask(port: Int) throws -> PagesReport.Run { try ask("\(folder)/paths", port: port, for: seconds) }

    /// Asks for everything, one after the other.
    func askAll(port: Int) throws {
        _ = try ask("\(folder)/paths", port: port, for: 15, environment: ["IN_ORDER": "yes"])
    }

    /// - Parameter rest: waits between two looks for nginx.
    func askNginx(_ rest: () throws -> Void) throws -> PagesReport.Run {
        let port = try FreePort.find()
        try """
        daemon off; master_process off; pid \(folder)/nginx.pid; error_log stderr error;
        events { worker_connections 1024; }
        http {
          access_log off; sendfile on; keepalive_requests 1000000000; default_type application/octet-stream;
          client_body_temp_path \(folder)/a; proxy_temp_path \(folder)/b; fastcgi_temp_path \(folder)/c;
          uwsgi_temp_path \(folder)/d; scgi_temp_path \(folder)/e;
          server { listen 127.0.0.1:\(port); root \(folder); }
        }
        """.write(toFile: folder + "/nginx.conf", atomically: false, encoding: .utf8)
        let nginx = Process()
        nginx.executableURL = URL(filePath: WebPages.program("nginx") ?? "nginx")
        nginx.arguments = ["-e", "stderr", "-c", folder + "/nginx.conf"]
        try nginx.run()
        defer {
            nginx.terminate()
            nginx.waitUntilExit()
        }
        // The file is there once nginx listens.
        let deadline = ContinuousClock.now + .seconds(5)
        while !FileManager.default.fileExists(atPath: folder + "/nginx.pid"), .now < deadline { try rest() }
        return try ask("\(folder)/files", port: port, for: seconds)
    }

    private func ask(
        _ paths: String, port: Int, for seconds: Int, environment: [String: String] = [:]
    ) throws -> PagesReport.Run {
        let words = ["-t1", "-c8", "-d\(seconds)s", "-s", folder + "/ask.lua", "http://127.0.0.1:\(port)"]
        let output = try BuiltProgram.run(
            WebPages.program("wrk") ?? "wrk", words,
            environment: environment.merging(["PATHS": paths, "TOKENS": folder + "/tokens"]) { one, _ in one }
        ).output
        let line = String(decoding: output, as: UTF8.self).split(separator: "\n").last ?? ""
        return try JSONDocument(name: "wrk", bytes: Array(line.utf8), dialect: .json).read {
            (root) throws(JSONError) in try PagesReport.Run(root)
        }
    }

    private let script = """
        local function lines(name)
          local all = {}
          for line in io.lines(os.getenv(name)) do all[#all + 1] = line end
          return all
        end
        local paths, tokens = lines("PATHS"), lines("TOKENS")
        local next, in_order = 0, os.getenv("IN_ORDER")
        function request()
          next = in_order and next % #paths + 1 or math.random(#paths)
          return wrk.format("GET", paths[next],
            { Accept = "application/vnd.forme", Authorization = "Bearer " .. tokens[math.random(#tokens)] })
        end
        function done(summary, latency)
          local seconds = summary.duration / 1e6
          io.write(string.format('{"pages": %.1f, "bytes": %.0f, "refused": %d, "p50": %d, "p99": %d}\\n', summary.requests / seconds,
            summary.bytes / summary.requests, summary.errors.status, latency:percentile(50), latency:percentile(99)))
        end
        """

    /// Makes many tokens, as the rate of each is limited.
    private static func tokens(_ folder: TokenKeyFolder) throws -> [String] {
        let key = try folder.signingKey()
        return (0..<1000).map { number in
            key.token(
                TokenClaims(
                    key: key.publicKey.id, rights: .read, scope: .all, subject: "ada", issued: .now,
                    expires: .now + .seconds(3600 + number)))
        }
    }

    private static func program(_ name: String) -> String? {
        ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/"].map { $0 + name }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}
