import FormeClientZMQ
import Foundation
import MessageLayout
import Names
import Settings
import TestSupport
import Testing
import Transport
import Typography
import Wire

/// A service on TCP with keys, in a folder of its own: a coordinator, a gateway and a worker.
final class Guarded {
    let folder: TemporaryFolder
    let place: [String]
    private(set) var daemons: [Command] = []

    var keys: String { folder.file("keys") }
    func key(_ name: String) -> [String] { ["--key", "\(keys)/\(name).key"] }

    init() throws {
        folder = try TemporaryFolder()
        place = ["--data", folder.file("data"), "--listen", "127.0.0.1:\(try Ports.five())"]
        #expect(try run(["keys", "make", "--keys", keys]).code == 0)
        for (name, role) in [
            ("worker", "worker"), ("operator", "operator"), ("backend", "producer"), ("phones", "reader"),
        ] {
            #expect(try run(["keys", "make", "--keys", keys, "--name", name, "--role", role]).code == 0)
        }
    }

    func start(_ commands: [String] = ["coordinator", "gateway", "worker"]) throws {
        for command in commands { daemons.append(try Command([command] + place + ["--keys", keys])) }
    }

    func post(_ who: [String]) throws -> (code: Int32, output: String, errors: String) {
        try run(["post", "--sample", "3"] + place + who)
    }

    func fetch(_ who: [String]) throws -> (code: Int32, output: String, errors: String) {
        try run(["fetch", "demo"] + place + who)
    }

    var secrets: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: keys).filter { $0.hasSuffix(".key") }.map { name in
                let text = try String(contentsOfFile: "\(keys)/\(name)", encoding: .utf8)
                return String(try #require(text.firstMatch(of: /secret: "([^"]*)"/)).output.1)
            }
        }
    }
}

@Test(.waits) func `with keys on both sides messages go in and layouts come out, each key as what it is`() throws {
    let service = try Guarded()
    try service.start()
    #expect(try service.post(service.key("backend")).output == "posted 3 events; 0 were there before\n")
    #expect(try service.post(service.key("operator")).output == "posted 0 events; 3 were there before\n")
    for name in ["phones", "operator"] {
        try waitUntil { try service.fetch(service.key(name)).output.split(separator: "\n").count == 4 }
    }
    for result in [
        try service.post(service.key("phones")), try service.post(service.key("worker")),
        try service.fetch(service.key("backend")), try service.fetch(service.key("worker")),
    ] {
        #expect(result.code == 77 && result.errors.contains("does not admit this key; have it allowed there"))
    }
}

@Test(.waits) func `a draft is its sender's, however long it is and whoever asked before`() throws {
    let service = try Guarded()
    try service.start()
    #expect(try service.post(service.key("backend")).code == 0)
    let endpoints = try #require(Endpoints(hostAndPort: service.place[3]))
    func link(_ name: String) throws -> WindowLink {
        let file = try KeyFile(reading: "\(service.keys)/\(name).key")
        var link = try WindowLink(endpoints.fetch, access: Access(credentials: file.credentials))
        let opening = WindowOpening(
            window: WindowID(1), conversation: try ConversationID("demo"),
            target: Target(width: .points(390), scale: Scale(thousandths: 3000)), place: .newest, count: 10,
            screen: 2532)
        while true {
            if case .window = try link.ask(.open(opening), within: .seconds(10)) { return link }
            // Nothing is laid out yet.
            _ = try link.next(within: .milliseconds(20))
        }
    }
    var phones = try link("phones")
    var chief = try link("operator")
    for length in [10, 20_000] {
        let draft = MessageDraft(Array(#"{"sender":"ada","text":"\(String(repeating: "x", count: length))"}"#.utf8))
        // Whatever comes of it: an operator has asked last.
        _ = try chief.ask(.preview(WindowID(1), draft), within: .seconds(10))
        let answer = try phones.ask(.preview(WindowID(1), draft), within: .seconds(10))
        #expect(answer == .rejected(WindowID(1), .forbidden), "\(length)")
    }
}

@Test(.waits) func `a service starts with the keys that one command makes, and names one that is missing in one line`()
    throws
{
    let folder = try TemporaryFolder()
    let keys = folder.file("keys")
    #expect(try run(["keys", "make", "--keys", keys]).code == 0)
    let place = ["--data", folder.file("data"), "--listen", "127.0.0.1:\(try Ports.five())", "--keys", keys]
    let service = try Command(["serve", "--workers", "1"] + place)
    try service.waitForMessage("message=ready")
    service.process.terminate()
    #expect(try service.finish().code == 0)
    #expect(try run(["keys", "forbid", "--keys", keys, "--name", "worker"]).code == 0)
    for command in [["config", "check"], ["serve"]] {
        let forbidden = try run(command + place)
        #expect(forbidden.code == 77 && forbidden.errors.contains("has no worker with the key"), "\(forbidden.errors)")
    }
    try FileManager.default.removeItem(atPath: "\(keys)/worker.key")
    let recipe = "forme keys make --keys \(keys) --name worker --role worker"
    for command in [["config", "check"], ["serve"]] {
        let missing = try run(command + place)
        #expect(
            missing.code == 74
                && missing.errors
                    == "forme: \(keys)/worker.key is missing; make it with \(recipe), or name a key with --key\n"
        )
    }
    #expect(try run(recipe.split(separator: " ").dropFirst().map(String.init)).code == 0)
    #expect(try run(["config", "check"] + place).code == 0)
}

@Test(.waits) func `a flood goes over TCP with keys, and finds what it said`() throws {
    let service = try Guarded()
    try service.start()
    let words = ["flood", "--json", "--count", "150", "--rate", "150", "--conversations", "10", "--settle", "20"]
    let result = try run(words + service.place + service.key("operator"))
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.hasPrefix(#"{"clean":true"#))
    let refused = try run(words + service.place + service.key("phones"))
    #expect(refused.code == 77)
}

@Test(.waits) func `who has no key, or not the service's, is refused with 77 and told what to do`() throws {
    let service = try Guarded()
    try service.start(["coordinator"])
    let plain = try service.post([])
    #expect(plain.code == 77 && plain.errors.contains("do not both use keys; name a key with --key"))
    let own = service.folder.file("own.key")
    let other = try KeyOf(service.keys, "phones")
    #expect(try run(["keys", "make", "--key", own, "--server", other.text]).code == 0)
    let mistaken = try service.post(["--key", own])
    #expect(mistaken.code == 77 && mistaken.errors.contains("does not have the server key that is expected"))
    #expect(
        try run(["keys", "trust", "--key", own, "--server", KeyOf(service.keys, "server").text, "--only"]).code == 0)
    let stranger = try service.post(["--key", own])
    #expect(stranger.code == 77 && stranger.errors.contains("does not admit this key"))
    let coordinator = service.daemons[0]
    try coordinator.waitForMessage("component=door message=\"turned a key away\"")
    try coordinator.waitForMessage("address=127.0.0.1 reason=\"on no list\"")
    #expect(coordinator.said.contains(try KeyOf(file: own).text))
}

/// A public key of a file.
private struct KeyOf {
    let text: String
    init(_ folder: String, _ name: String) throws { try self.init(file: "\(folder)/\(name).key") }
    init(file: String) throws {
        let whole = try String(contentsOfFile: file, encoding: .utf8)
        text = String(try #require(whole.firstMatch(of: /public: "([^"]*)"/)).output.1)
    }
}

@Test(.waits) func `a list that was changed holds after SIGHUP, and a wrong one changes nothing`() throws {
    let service = try Guarded()
    try service.start(["coordinator"])
    let coordinator = service.daemons[0]
    #expect(try service.post(service.key("backend")).code == 0)
    #expect(try run(["keys", "forbid", "--keys", service.keys, "--name", "backend"]).code == 0)
    #expect(try service.post(service.key("backend")).code == 0)
    kill(coordinator.process.processIdentifier, SIGHUP)
    try coordinator.waitForMessage("message=\"read again\" changes=0")
    #expect(try service.post(service.key("backend")).code == 77)
    #expect(try service.post(service.key("operator")).code == 0)
    let list = service.keys + "/allowed.json5"
    let good = try String(contentsOfFile: list, encoding: .utf8)
    try "[{ nam: 1 }]".write(toFile: list, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: list)
    kill(coordinator.process.processIdentifier, SIGHUP)
    try coordinator.waitForMessage("message=\"kept what was\" reason=\"\(list):1:4: [0].nam: unknown")
    #expect(try service.post(service.key("operator")).code == 0)
    try good.write(toFile: list, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: list)
    let key = try KeyOf(service.keys, "backend").text
    #expect(
        try run(["keys", "allow", "--keys", service.keys, "--name", "backend", "--role", "producer", "--public", key])
            .code
            == 0)
    kill(coordinator.process.processIdentifier, SIGHUP)
    try coordinator.waitForMessage("message=\"read again\" changes=0")
    #expect(try service.post(service.key("backend")).code == 0)
}

@Test(.waits) func `a service changes its key while those who call know both`() throws {
    let service = try Guarded()
    let elsewhere = service.folder.file("elsewhere.key")
    let before = try Data(contentsOf: URL(filePath: service.keys + "/backend.key"))
    #expect(
        FileManager.default.createFile(atPath: elsewhere, contents: before, attributes: [.posixPermissions: 0o600]))
    try service.start(["coordinator"])
    let next = try run(["keys", "rotate", "--keys", service.keys])
    #expect(next.code == 0)
    let key = String(try #require(next.output.split(whereSeparator: \.isWhitespace).dropFirst().first))
    #expect(try run(["keys", "trust", "--key", elsewhere, "--server", key]).code == 0)
    #expect(try service.post(service.key("backend")).code == 0 && service.post(["--key", elsewhere]).code == 0)
    #expect(try run(["keys", "rotate", "--keys", service.keys, "--finish"]).code == 0)
    // The service that runs has the old key still, which its neighbours in the folder trust no more.
    #expect(try service.post(["--key", elsewhere]).code == 0)
    #expect(try service.post(service.key("backend")).code == 77)
    service.daemons[0].process.terminate()
    #expect(try service.daemons[0].finish().code == 0)
    try service.start(["coordinator"])
    #expect(try service.post(service.key("backend")).code == 0 && service.post(["--key", elsewhere]).code == 0)
    #expect(
        try run(["keys", "show", "--keys", service.keys]).output
            == "server  \(key)\ngateway \(KeyOf(service.keys, "gateway").text)\n")
}

@Test(.waits) func `no secret is in a list of processes, in an environment, in a message or on a screen`() throws {
    let service = try Guarded()
    let serve = try Command(["serve", "--workers", "1", "--keys", service.keys] + service.place)
    try serve.waitForMessage("message=ready")
    let parent = serve.process.processIdentifier
    var seen = ""
    for id in try [parent] + children(of: parent).map(\.id) {
        for file in ["cmdline", "environ", "comm"] {
            seen += String(decoding: try Data(contentsOf: URL(filePath: "/proc/\(id)/\(file)")), as: UTF8.self)
        }
    }
    for words in [
        ["show", "--keys", service.keys], ["list", "--keys", service.keys], ["show"] + service.key("backend"),
    ] {
        let result = try run(["keys"] + words)
        #expect(result.code == 0)
        seen += result.output + result.errors
    }
    let secrets = try service.secrets
    // A secret in the place of a public key is refused without being repeated.
    let slip = try run([
        "keys", "allow", "--keys", service.keys, "--name", "x", "--role", "reader", "--public", secrets[0] + "x",
    ])
    #expect(slip.code == 2)
    seen += slip.output + slip.errors
    let damaged = service.folder.file("damaged.key")
    let contents = Data("{ secret: \"\(secrets[0])\" \(secrets[1])".utf8)
    #expect(FileManager.default.createFile(atPath: damaged, contents: contents, attributes: [.posixPermissions: 0o600]))
    let refused = try service.post(["--key", damaged])
    #expect(refused.code == 74 && refused.errors.contains("is no file of keys, or a damaged one"))
    seen += refused.errors
    kill(parent, SIGHUP)
    try serve.waitForMessage("message=\"read again\"")
    serve.process.terminate()
    let end = try serve.finish()
    #expect(end.code == 0)
    seen += end.output + end.errors + serve.said
    #expect(secrets.count == 6 && secrets.allSatisfy { $0.utf8.count == 40 })
    for secret in secrets { #expect(!seen.contains(secret)) }
}

@Test(.waits) func `a key that others can read is refused with 74, and named`() throws {
    let service = try Guarded()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: service.keys + "/server.key")
    let result = try run(["coordinator", "--keys", service.keys] + service.place)
    #expect(
        result.code == 74
            && result.errors.contains("server.key has mode 644, so that others than its owner decide with it"))
}

@Test(.waits) func `nothing listens where others can reach it without keys, unless that was accepted in words`() throws
{
    let folder = try TemporaryFolder()
    let words = ["coordinator", "--data", folder.file("data"), "--listen", "0.0.0.0:\(try Ports.five())"]
    let refused = try run(words)
    #expect(refused.code == 2 && refused.errors.contains("can be reached by others, and no keys are given"))
    let file = folder.file("forme.json5")
    let accepted = "I accept that anyone on this network can read and write every message"
    try "{ security: { plainTransport: '\(accepted)' } }".write(toFile: file, atomically: true, encoding: .utf8)
    try Command(words + ["--config", file]).waitForMessage("message=listening")
    try "{ security: { plainTransport: 'yes' } }".write(toFile: file, atomically: true, encoding: .utf8)
    let wrong = try run(words + ["--config", file])
    #expect(wrong.code == 1 && wrong.errors.contains("\(file):1:31: security.plainTransport: expected 'refused' or"))
}

@Test(.waits) func `the gateway has a pair of its own, reads no other secret, and gives no orders`() throws {
    let service = try Guarded()
    // The gateway is given its own pair, and the list of the keys that may come in.
    let own = service.folder.file("gateway-keys")
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
    for name in ["gateway.key", "allowed.json5"] {
        try FileManager.default.copyItem(atPath: "\(service.keys)/\(name)", toPath: "\(own)/\(name)")
    }
    try service.start(["coordinator", "worker"])
    let gateway = try Command(["gateway"] + service.place + ["--keys", own])
    #expect(try service.post(service.key("backend")).code == 0)
    try waitUntil { try service.fetch(service.key("phones")).output.split(separator: "\n").count == 4 }
    for order in [["drain"], ["pause", "--lane", "live"], ["prepare", "--target", "397@3"]] {
        let refused = try run(["pool"] + order + service.place + service.key("gateway"))
        #expect(refused.code != 0 && refused.errors.contains("a gateway gives no orders"), "\(refused)")
    }
    #expect(try run(["status"] + service.place + service.key("gateway")).errors.contains("a gateway gives no orders"))
    #expect(try service.fetch(service.key("gateway")).code == 77)
    #expect(gateway.process.isRunning)
    #expect(!gateway.said.contains("uses the keys of the service"))
}

@Test(.waits) func `a folder of keys of the version before has its gateway go on with what it has, and say so`() throws
{
    let service = try Guarded()
    try FileManager.default.removeItem(atPath: service.keys + "/gateway.key")
    #expect(try run(["keys", "forbid", "--keys", service.keys, "--name", "gateway"]).code == 0)
    try service.start(["coordinator", "worker"])
    let gateway = try Command(["gateway"] + service.place + ["--keys", service.keys])
    try gateway.waitForMessage("uses the keys of the service and of an operator")
    #expect(try service.post(service.key("backend")).code == 0)
    try waitUntil { try service.fetch(service.key("phones")).output.split(separator: "\n").count == 4 }
    let made = try run(["keys", "make", "--keys", service.keys, "--name", "gateway", "--role", "gateway"])
    #expect(made.code == 0)
    gateway.process.terminate()
    #expect(try gateway.finish().code == 0)
    kill(service.daemons[0].process.processIdentifier, SIGHUP)
    try service.daemons[0].waitForMessage("message=\"read again\"")
    let next = try Command(["gateway"] + service.place + ["--keys", service.keys])
    try waitUntil { try service.fetch(service.key("phones")).output.split(separator: "\n").count == 4 }
    #expect(!next.said.contains("uses the keys"))
}
