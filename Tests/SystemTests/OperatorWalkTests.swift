import Foundation
import TestSupport
import Testing

/// The commands in the code of a page, each as one line.
private func lines(of page: String) throws -> [String] {
    try String(contentsOf: Project.file(page), encoding: .utf8).matches(of: #/```sh\n([\s\S]*?)```/#).flatMap {
        String($0.1).replacing("\\\n", with: " ").split(separator: "\n").map(String.init)
    }
}

/// Commands of the walked pages that the walk leaves out, by their beginning, and the reason of each.
private let leftOut = [
    "deploy/run ": "installs packages and builds this program anew",
    "deploy/test ": "installs packages, and is what runs this test",
    "deploy/package ": "builds a release; .ci/run tries the package",
    "deploy/image ": "builds a release, and needs buildah; .ci/run tries the image",
]

/// Pages with shell commands that other tests walk, or that no test can: with the reason.
private let otherPages = [
    "Sources/forme/forme.docc/Clients.md": "ClientWalkTests",
    "Sources/forme/forme.docc/OwnStyle.md": "OwnStyleTests; its commands are those of Designing, for that style",
    "Sources/forme/forme.docc/Cluster.md": "needs an engine and three hosts: deploy/cluster",
    "Sources/forme/forme.docc/Working.md": "builds and tests for minutes and hours",
    "Sources/forme/forme.docc/Speed.md": "measures for minutes: deploy/bench",
    "Sources/Gateway/Gateway.docc/Speed.md": "measures in a browser: deploy/bench",
    "Sources/Pool/Pool.docc/Hosts.md": "RemoteTests",
    "Sources/Simulation/Simulation.docc/Simulation.md": "simulates for minutes: deploy/test",
]

/// A machine of an operator in one folder: its data, backups, tokens and configuration, at ports of its own.
private struct OperatorMachine {
    let folder: TemporaryFolder
    private let replacements: [(String, String)]
    private let questions = ["fetch", "status", "check", "list"]
    private var service: Command?
    private var serviceLine: String?

    init() throws {
        folder = try TemporaryFolder()
        let (port, listening) = (try Ports.five(), try Ports.five())
        replacements = [
            (".build/release/forme", Command.binary.path),
            ("/var/lib/forme", "data"), ("/backup/", "backup/"), ("--token FILE", "--token ada.token"),
            ("127.0.0.1:7310", "127.0.0.1:\(port)"), ("127.0.0.1:7399", "127.0.0.1:\(port + 1)"),
            ("127.0.0.1:9464", "127.0.0.1:\(port + 2)"), ("127.0.0.1:4318", "127.0.0.1:\(port + 3)"),
            ("10.0.0.1:7400", "127.0.0.1:\(port + 4)"), ("127.0.0.1:7300", "127.0.0.1:\(listening)"),
            // One message in a hundred would be traced, and perhaps not the one that is asked for.
            ("--trace-one-in 100", "--trace-one-in 1"),
        ]
        try FileManager.default.createDirectory(atPath: folder.file("config"), withIntermediateDirectories: false)
        try FileManager.default.createDirectory(atPath: folder.file("backup"), withIntermediateDirectories: false)
        for name in try FileManager.default.contentsOfDirectory(atPath: Project.file("config").path)
        where name != "forme.json5" {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file("config/\(name)"), withDestinationPath: Project.file("config/\(name)").path)
        }
        try write("{ http: { listen: '127.0.0.1:\(port)', tokens: 'tokens' } }", to: "config/forme.json5")
        try write(
            "{ data: 'data-drill', http: { listen: '127.0.0.1:\(port + 1)', tokens: 'tokens' } }", to: "drill.json5")
        let head = #"{"conversation": "c1", "sender": "ada", "#
        try write(
            head + #""message": "m1", "order": 1, "time": 1700000000000, "text": "Here we are"}"# + "\n" + head
                + #""message": "m2", "order": 2, "time": 1700000060000, "text": "Hello"}"# + "\n", to: "events.jsonl")
        try write(
            head + #""message": "m0", "order": 0, "time": 1600000000000, "text": "Long ago"}"# + "\n",
            to: "history.jsonl")
        let forme = Command.binary.path
        try expectDone("\(forme) token keys make --keys tokens")
        try expectDone("\(forme) token make --keys tokens --conversation c1 --read --subject ada > ada.token")
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    }

    private func here(_ line: String) -> String {
        replacements.reduce(line) { $0.replacing($1.0, with: $1.1) }
    }

    /// Types a line into a shell in the folder. With `exec` the shell becomes the command, which then ends with it.
    private func start(_ line: String, exec: Bool = false) throws -> Command {
        try Command(
            [], environment: ["XDG_CACHE_HOME": folder.file("cache")],
            launcher: ["/bin/bash", "-c", "cd '\(folder.path)' && \(exec ? "exec " : "")\(here(line))"])
    }

    @discardableResult private func expectDone(_ line: String) throws -> String {
        let end = try start(line).finish()
        #expect(end.code == 0, "\(line): \(end.code), \(end.errors)")
        return end.output
    }

    /// Does what a line of a page says. Services end when the next one starts, and before commands that want their
    /// folder or ports free. Commands that go on for ever are ended once they have done what they are for.
    mutating func type(_ line: String) throws {
        if line.contains("forme serve ") {
            try serve(line)
            // The page asks later for a message of this service.
            if line.contains("--trace-one-in") { try expectDone(".build/release/forme post < events.jsonl") }
        } else if line.contains("forme tail ") {
            try resume()
            let heard = folder.file("tail.txt")
            let tail = try start(line.replacing(#/ #.*/#, with: "") + " > tail.txt", exec: true)
            try waitUntil { (try? String(contentsOfFile: heard, encoding: .utf8))?.contains("m2") == true }
            // A test may run on a thread that lets no SIGTERM through, and what it starts has that from it.
            kill(tail.process.processIdentifier, SIGKILL)
            _ = try tail.finish()
        } else if line.contains("forme worker ") {
            try expectDone("cp keys/hostb.key .")
            let worker = try start(line, exec: true)
            try worker.waitForMessage("laying out for another host")
            worker.process.terminate()
            _ = try worker.finish()
        } else if line.contains("forme config check") || line.contains("forme restore ") {
            try stop()
            try expectDone(line)
        } else {
            try resume()
            if line.contains("fetch demo") { try expectDone(".build/release/forme post --data data --sample 5") }
            // Rows come a moment after the answer to their post, and the service is well once they are there.
            if questions.contains(where: { "\(line) ".contains("forme \($0) ") }) {
                try waitUntil { try start(line).finish().code == 0 }
            } else {
                try expectDone(line)
            }
        }
    }

    private mutating func serve(_ line: String) throws {
        try stop()
        serviceLine = line
        // The page has an ampersand behind some of them; all are started so here.
        service = try start(line.replacing(#/ &$/#, with: ""), exec: true)
        try service?.waitForMessage("message=ready")
    }

    private mutating func resume() throws {
        if service == nil, let line = serviceLine { try serve(line) }
    }

    mutating func stop() throws {
        service?.process.terminate()
        if let end = try service?.finish() { #expect(end.code == 0, "\(serviceLine ?? ""): \(end.errors)") }
        service = nil
    }
}

private let walked = ["README.md"] + ["Designing", "Operating"].map { "Sources/forme/forme.docc/\($0).md" }

@Test(.waits) func `the commands of README, Designing and Operating do what they say, one after the other`() throws {
    var machine = try OperatorMachine()
    var (count, unused) = (0, Set(leftOut.keys))
    for page in walked {
        for line in try lines(of: page) {
            if let known = leftOut.keys.first(where: { "\(line) ".hasPrefix($0) }) {
                unused.remove(known)
                continue
            }
            count += 1
            try machine.type(line)
        }
    }
    #expect(count > 40)
    #expect(unused.isEmpty, "left out, and on no page")
    for name in ["chat.html", "see-you.html", "gallery.html", "backup/forme.backup", "traces.jsonl", "data-drill/log"] {
        #expect(FileManager.default.fileExists(atPath: machine.folder.file(name)), "\(name)")
    }
    try machine.stop()
}

/// Commands that Operating names within sentences, in an order in which they can be typed.
private let spoken = [
    "forme status", "forme top", "forme shelf list", "forme shelf replay", "forme pool prepare --target 397@3",
    "forme status --prometheus", "forme token keys make",
    "forme token make --conversation c1 --read --for 12h --subject ada", "forme token keys rotate",
    "forme config print",
]

@Test(.waits) func `the commands that Operating names in sentences do what they say`() throws {
    let page = try String(contentsOf: Project.file("Sources/forme/forme.docc/Operating.md"), encoding: .utf8)
    var machine = try OperatorMachine()
    try machine.type(".build/release/forme serve --workers 1")
    try machine.type(".build/release/forme post < events.jsonl")
    for line in spoken {
        #expect(page.contains("`\(line)`"), "\(line)")
        // The machine has keys, and first ones are made only where there are none.
        if line == "forme token keys make" { try FileManager.default.removeItem(atPath: machine.folder.file("tokens")) }
        try machine.type(".build/release/\(line)")
    }
    for end in ["", " --finish"] {
        if end.isEmpty { try machine.type(".build/release/forme keys make --keys keys") }
        #expect(page.contains("`forme keys rotate\(end)`"))
        try machine.type(".build/release/forme keys rotate\(end) --keys keys")
    }
    try machine.stop()
}

@Test func `every page with commands is walked, or a reason says why not`() throws {
    let pages = try FileManager.default.subpathsOfDirectory(atPath: Project.file("Sources").path)
        .filter { $0.hasSuffix(".md") }.map { "Sources/\($0)" }
    for page in pages where !walked.contains(page) {
        #expect(try lines(of: page).isEmpty == (otherPages[page] == nil), "\(page)")
    }
}
