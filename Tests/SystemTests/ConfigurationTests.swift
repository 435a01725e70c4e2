import Foundation
import Operations
import Settings
import TestSupport
import Testing

@Test(.waits) func `a configuration that is well is checked in silence, and printed with the options before it`() throws
{
    let folder = try TemporaryFolder()
    let file = folder.file("forme.json5")
    try "{ data: 'here', workers: 3 }".write(toFile: file, atomically: true, encoding: .utf8)
    let checked = try run(["config", "check", "--config", file])
    #expect(checked.code == 0 && checked.output.isEmpty && checked.errors.isEmpty)
    let printed = try run([
        "config", "print", "--config", file, "--data", "there", "--listen", "127.0.0.1:7300", "--style", "s",
    ])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any])
    #expect((object["data"] as? String)?.hasSuffix("/there") == true && object["listen"] as? String == "127.0.0.1:7300")
    #expect(
        object["workers"] as? Int == 3 && object["shards"] as? Int == Configuration.standardShards
            && object["style"] as? String == "s")
}

@Test(
    .waits,
    arguments: [
        (["config", "check"], 1, "forme.json5:2:3: wrkers: unknown; known are data, listen, workers"),
        (["serve"], 1, "forme.json5:2:3: wrkers: unknown"),
        (["config"], 2, "config takes one of check, print. Read: forme help config"),
        (["config", "check", "--colour", "red"], 2, "unknown option --colour. Read: forme help config"),
    ])
func `a configuration that is wrong is named with its place, and starts nothing`(
    words: [String], code: Int32, sentence: String
) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("forme.json5")
    try "{\n  wrkers: 3,\n}".write(toFile: file, atomically: true, encoding: .utf8)
    let result = try run(words.count == 1 && words[0] == "config" ? words : words + ["--config", file])
    #expect(result.code == code && result.errors.contains(sentence))
}

@Test(.waits) func `style and fonts are checked with the configuration that names them`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("forme.json5")
    try "{ style: 'nowhere.json5' }".write(toFile: file, atomically: true, encoding: .utf8)
    let styleless = try run(["config", "check", "--config", file])
    #expect(styleless.code == 74 && styleless.errors.contains("nowhere.json5 cannot be read"))
    let sans = "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"
    try #"[{ name: "a", faces: [{ weight: 400, path: "\#(sans)" }] }]"#
        .write(toFile: folder.file("fonts.json5"), atomically: true, encoding: .utf8)
    let words = ["config", "check", "--fonts", folder.file("fonts.json5")]
    let faceless = try run(words)
    #expect(faceless.code == 1)
    #expect(faceless.errors.contains("bubble.json5: the text 'code' needs a face of weight 400, of fixed pitch"))

    try FileManager.default.copyItem(atPath: Project.file("config/styles").path, toPath: folder.file("styles"))
    let style = folder.file("styles/bubble.json5")
    try String(contentsOfFile: style, encoding: .utf8).replacing("less: 89", with: "less: 60")
        .write(toFile: style, atomically: true, encoding: .utf8)
    let wide = try run(["config", "check", "--style", style])
    #expect(wide.code == 1 && wide.errors.contains("\(style): on 414@2 the content of rows 'message' may take"))
}

@Test(.waits) func `the port of operators is checked with all else, also as it would be with --metrics`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("forme.json5")
    let port = try Ports.five()
    try "{ data: '\(folder.file("data"))', http: { listen: '127.0.0.1:\(port)' }, metrics: '127.0.0.1:\(port)' }".write(
        toFile: file, atomically: true, encoding: .utf8)
    let check = ["config", "check", "--config", file]
    let same = try run(check)
    #expect(same.code == 2 && same.errors.contains("http.listen and metrics are both 127.0.0.1:\(port); give"))
    let other = try run(check + ["--metrics", "127.0.0.1:\(port + 1)"])
    #expect(other.code == 0 && other.errors.isEmpty, "\(other.errors)")
    #expect(try run(check + ["--metrics", "off"]).code == 0)
    let far = try run(check + ["--metrics", "0.0.0.0:9464"])
    #expect(far.code == 2 && far.errors.contains("--metrics takes HOST:PORT of this machine, such as 127.0.0.1:9464"))
    let printed = try run(["config", "print", "--config", file, "--metrics", "127.0.0.1:\(port + 1)"])
    #expect(printed.output.contains("\"metrics\": \"127.0.0.1:\(port + 1)\""), "\(printed.output)")

    // A service that has the folder has its ports, too. A gateway alone does not have the folder, so its port is taken.
    let service = try Command(["gateway", "--config", file, "--metrics", "127.0.0.1:\(port + 1)"])
    try waitUntil { (try? curl(port + 1, "/livez").status) == 200 }
    let taken = try run(check + ["--metrics", "127.0.0.1:\(port + 1)", "--http", "127.0.0.1:\(port + 2)"])
    #expect(taken.code == 69 && taken.errors.contains("127.0.0.1:\(port + 1)"), "\(taken.errors)")
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `a service does what its configuration says, and takes up what changes`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("forme.json5")
    func configure(_ text: String) throws {
        try "{ data: '\(folder.file("data"))', workers: 1, \(text) }".write(
            toFile: file, atomically: true, encoding: .utf8)
    }
    try configure("log: { format: 'json', level: 'info' }")
    let service = try Command(["serve", "--config", file])
    try service.waitForMessage(#""component":"serve","message":"ready","processes":3}"#)
    #expect(try children(of: service.process.processIdentifier).count == 3)
    try configure("log: { format: 'logfmt' }, limits: { eventsInFlight: 99 }, shards: 17")
    kill(service.process.processIdentifier, SIGHUP)
    try service.waitForMessage(
        #"message="a setting changed" change="shards: \#(Configuration.standardShards) → 17, for a folder that is made anew""#
    )
    try service.waitForMessage(#"change="limits.eventsInFlight: 16384 → 99""#)
    try configure("log: { format: 'logfmt', loud: true }")
    kill(service.process.processIdentifier, SIGHUP)
    try service.waitForMessage(#"component=reload message="kept what was" reason="\#(file):1:"#)
    #expect(try run(["post", "--data", folder.file("data"), "--sample", "1"]).code == 0)
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `a service tells whoever started it when all of it is ready, that it lives, and when it stops`()
    throws
{
    let folder = try TemporaryFolder()
    let inbox = try #require(NotificationInbox())
    let service = try Command(
        ["serve", "--data", folder.file("data"), "--workers", "1"],
        environment: ["NOTIFY_SOCKET": inbox.address, "WATCHDOG_USEC": "1000"])
    var heard: [NotificationInbox.Word] = []
    func hear(_ word: NotificationInbox.Word) throws {
        try waitUntil {
            heard += inbox.takeAll()
            return heard.contains(word)
        }
    }
    try hear(.alive)
    try hear(.ready)
    #expect(try children(of: service.process.processIdentifier).count == 3)
    heard = []
    try hear(.alive)
    service.process.terminate()
    try hear(.stopping)
    #expect(try service.finish().code == 0)
}

@Test(.waits)
func `a message that is given up is named by hashes, and by its ids only to those who look for a mistake`() throws {
    for level in ["info", "debug"] {
        let folder = try TemporaryFolder()
        let file = folder.file("forme.json5")
        try "{ data: '\(folder.file("data"))', log: { level: '\(level)' } }".write(
            toFile: file, atomically: true, encoding: .utf8)
        let coordinator = try Command(["coordinator", "--config", file])
        let worker = try Command(["worker", "--config", file])
        let event = """
            {"conversation": "secret-room", "message": "secret-id", "order": 1, "sender": "ada", "time": 0, "revision": 1, \
            "body": {"kind": "text", "text": ["a word that nobody else may see"]}}
            """
        #expect(try run(["post", "--config", file], input: event).code == 0)
        try coordinator.waitForMessage("message=\"gave up a message\"")
        try coordinator.waitForMessage("reason=\"text: expected a string")
        for daemon in [coordinator, worker] {
            daemon.process.terminate()
            #expect(try daemon.finish().code == 0)
            #expect(!daemon.said.contains("a word that nobody"))
        }
        #expect(coordinator.said.contains("secret-room") == (level == "debug"))
        #expect(coordinator.said.contains("secret-id") == (level == "debug"))
    }
}
