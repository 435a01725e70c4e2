import Foundation
import TestSupport
import Testing

/// `forme serve` with one worker and HTTP, in a folder of its own.
private final class Household {
    let folder: TemporaryFolder
    let port: Int
    private(set) var service: Command

    init() throws {
        folder = try TemporaryFolder()
        port = try Ports.five()
        service = try Household.started(folder, port, [])
    }

    private static func started(_ folder: TemporaryFolder, _ port: Int, _ launcher: [String]) throws -> Command {
        try Command(
            [
                "serve", "--data", folder.path, "--workers", "1", "--http", "127.0.0.1:\(port)",
                "--metrics", "127.0.0.1:\(port + 1)",
            ], launcher: launcher)
    }

    func stop() throws {
        service.process.terminate()
        #expect(try service.finish().code == 0)
    }

    func restart(_ launcher: [String]) throws { service = try Self.started(folder, port, launcher) }

    func ask(_ path: String, _ options: String...) throws -> (status: Int, body: String) {
        try curl(port, path, options)
    }

    /// Asks the port for operators.
    func askOperators(_ path: String) throws -> (status: Int, body: String) { try curl(port + 1, path) }

    func post(_ message: String) throws -> (status: Int, body: String) {
        let event =
            #"{"conversation":"c","message":"\#(message)","order":1,"sender":"ada","time":0,"text":"x","revision":1}"#
        return try ask(
            "/v1/conversations/c/events", "-d", "{\"events\":[\(event)]}", "-H", "Content-Type: application/json")
    }

    var window: Int { get throws { try ask("/v1/conversations/c/window?target=390@3").status } }

    func child(_ command: String) throws -> pid_t? {
        try children(of: service.process.processIdentifier).first { $0.command == command }?.id
    }
}

@Test(.waits) func `a process that fails, and is not started again, is told with its reason`() throws {
    let folder = try TemporaryFolder()
    // Fonts cannot be made where a file has the name of their folder.
    #expect(FileManager.default.createFile(atPath: folder.file("fonts"), contents: Data()))
    let service = try Command(
        ["serve", "--data", folder.path, "--workers", "1", "--http", "127.0.0.1:\(Ports.five())", "--pages"])
    try service.waitForMessage("message=\"a process has ended for good\" process=webfonts status=\"exit code 74\"")
    try service.waitForMessage("reason=\"\(folder.file("fonts")) cannot be written")
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `whatever is killed, events and windows are answered again soon, also the third time`() throws {
    let household = try Household()
    try waitUntil { try household.ask("/readyz?for=posts").status == 200 }
    #expect(try household.post("a").status == 200)
    try waitUntil { try household.window == 200 }
    for round in 0..<3 {
        for role in ["coordinator", "gateway", "worker"] {
            // One that was killed before may not be there again yet: others answer without it.
            try waitUntil { try household.child(role) != nil }
            let victim = try #require(try household.child(role))
            kill(victim, SIGKILL)
            let start = ContinuousClock.now
            try waitUntil { try household.post("\(role)\(round)").body.contains("accepted") }
            try waitUntil { try household.window == 200 }
            // It takes a second on an idle machine; requests that were on their way once waited for ten.
            #expect(ContinuousClock.now - start < .seconds(5), "\(role)")
        }
    }
    try household.stop()
}

@Test(.waits) func `a service that has just started stops soon, whatever its processes wait for`() throws {
    let household = try Household()
    // After its start it makes fonts smaller, and waits for half a minute before that.
    try waitUntil { try household.child("webfonts") != nil && household.ask("/readyz").status == 200 }
    // That process gets a processor when nobody else wants it, also where the kernel shares them out by sessions.
    let group = "/proc/\(try #require(try household.child("webfonts")))/autogroup"
    if FileManager.default.fileExists(atPath: group) {
        try waitUntil { try String(contentsOfFile: group, encoding: .utf8).hasSuffix("nice 19\n") }
    }
    let start = ContinuousClock.now
    try household.stop()
    // Processes that do not end are killed after ten seconds.
    #expect(ContinuousClock.now - start < .seconds(5))
}

@Test(.waits) func `a service whose HTTP is turned off makes no fonts for it`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1", "--http", "off"])
    try service.waitForMessage("message=ready")
    let roles = try children(of: service.process.processIdentifier).map(\.command)
    #expect(roles.sorted() == ["coordinator", "gateway", "worker"])
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `without a coordinator windows are answered, and it is said that events are not taken`() throws {
    let household = try Household()
    try waitUntil { try household.ask("/readyz?for=posts").status == 200 }
    #expect(try household.post("a").status == 200)
    try waitUntil { try household.window == 200 }
    kill(try #require(try household.child("coordinator")), SIGSTOP)
    try waitUntil { try household.ask("/readyz?for=posts").status == 503 }
    try waitUntil { try household.ask("/readyz").body == #"{"status":"degraded"}"# }
    let told = try household.askOperators("/readyz")
    #expect(told.body.contains(#""posts":false"#) && told.body.contains(#""posts":"no coordinator""#))
    #expect(try household.window == 200)
    kill(try #require(try household.child("coordinator")), SIGCONT)
    try waitUntil { try household.ask("/readyz?for=posts").status == 200 }
    #expect(try run(["pool", "drain", "--data", household.folder.path]).code == 0)
    try waitUntil { try household.askOperators("/readyz").body.contains(#""posts":"draining""#) }
    #expect(try household.ask("/metrics").status == 404)
    // There are no figures of a coordinator that has not answered for a while, as on a busy machine.
    try waitUntil {
        let metrics = try household.askOperators("/metrics").body
        return metrics.contains("forme_pool_posts_open 0") && metrics.contains("forme_pool_served_workers 1")
            && metrics.contains(#"forme_pool_posts_busy{reason="draining"} 1"#)
    }
    try household.stop()
}

@Test(.waits, .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit")))
func `a service that is started without room on its disk stays, and goes on when there is some`() throws {
    let household = try Household()
    try waitUntil { try household.ask("/readyz?for=posts").status == 200 }
    #expect(try household.post("a").status == 200)
    try waitUntil { try household.window == 200 }
    // A machine that loses its power leaves the folder so.
    let service = household.service.process.processIdentifier
    let all = try children(of: service).map(\.id)
    kill(service, SIGKILL)
    try waitUntil { all.allSatisfy { kill($0, 0) != 0 || isZombie($0) } }
    try household.restart(["/usr/bin/prlimit", "--fsize=0:unlimited"])
    try household.service.waitForMessage("message=\"nothing is accepted until there is room\"")
    try household.service.waitForMessage("component=serve message=ready")
    try waitUntil { try household.askOperators("/readyz").body.contains(#""posts":"no coordinator""#) }
    // Producers are told to come back, and the operator why.
    try waitUntil { try household.post("b").body.contains(#""disk""#) }
    // Between two coordinators nobody answers.
    try waitUntil {
        let status = try run(["status", "--data", household.folder.path])
        return status.code == 1 && status.errors.contains("nothing is accepted until there is room")
    }
    let serve = household.service.process.processIdentifier
    for process in [serve] + (try children(of: serve).map(\.id)) {
        let relief = Process()
        relief.executableURL = URL(filePath: "/usr/bin/prlimit")
        relief.arguments = ["--pid", "\(process)", "--fsize=unlimited:unlimited"]
        try relief.run()
        relief.waitUntilExit()
    }
    try waitUntil { try household.post("b").body.contains("accepted") }
    try waitUntil { try household.window == 200 }
    try household.stop()
}

@Test(.waits) func `a second service in a folder is refused once, in one sentence`() throws {
    let household = try Household()
    try waitUntil { try household.ask("/readyz").status == 200 }
    let second = try run(["serve", "--data", household.folder.path, "--workers", "1"])
    #expect(second.code == 69)
    let sentences = second.errors.split(separator: "\n").filter { $0.hasPrefix("forme: ") }
    #expect(sentences.count == 1 && sentences[0].contains("is another"))
    // The first one is none the worse for it, however busy the machine is.
    #expect(household.service.process.isRunning && !household.service.said.contains("a process ended"))
    try waitUntil { try household.ask("/readyz").status == 200 }
    try household.stop()
}
