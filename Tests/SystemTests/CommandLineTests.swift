import Foundation
import TestSupport
import Testing

@Test(
    .waits,
    arguments: [
        ([], "which command? Read: forme --help"),
        (["dance"], "no command is called 'dance'. Read: forme --help"),
        (["statsu"], "no command is called 'statsu'; did you mean forme status? Read: forme --help"),
        (["serve", "--colour", "red"], "unknown option --colour. Read: forme help serve"),
        (["serve", "--dta", "a"], "unknown option --dta; did you mean --data? Read: forme help serve"),
        (["serve", "--workers"], "--workers needs a value. Read: forme help serve"),
        (["serve", "--workers", "0"], "--workers takes a number from 1 to 256, not '0'. Read: forme help serve"),
        (["serve", "--data", "a", "--data", "b"], "--data is given twice. Read: forme help serve"),
        (["fetch", "c", "everything"], "'everything' is not expected here. Read: forme help fetch"),
        (
            ["fetch", "c", "--around", "noon"],
            "--around takes newest, unread, message:ID, date:MILLISECONDS or y:PIXELS, not 'noon'. Read: forme help fetch"
        ),
        (["tail"], "tail takes a CONVERSATION, such as demo. Read: forme help tail"),
        (["tail", ""], "a CONVERSATION has 1 to 255 bytes, not 0. Read: forme help tail"),
        (["fetch", "c", "--as", ""], "--as has 1 to 255 bytes, not 0. Read: forme help fetch"),
        (["post", "--conversation", ""], "--conversation has 1 to 255 bytes, not 0. Read: forme help post"),
        (
            ["fetch", "c", "--target", "wide"],
            "--target takes WIDTH@SCALE, such as 390@3, not 'wide'. Read: forme help fetch"
        ),
        (["fetch", "--target", "390@3"], "fetch takes a CONVERSATION, such as demo. Read: forme help fetch"),
        (["cluster", "status", "b"], "'b' is not expected here. Read: forme help cluster"),
        (
            ["keys", "make", "--keys", "/nowhere", "--role", "producer"],
            "--name is missing. Read: forme help keys"
        ),
        (["keys", "make", "--key", "/nowhere/a.key"], "--server is missing. Read: forme help keys"),
        (
            ["serve", "--listen", "x"],
            "--listen takes HOST:PORT, such as 127.0.0.1:7300, not 'x'. Read: forme help serve"
        ),
        (
            ["serve", "--listen", "127.0.0.1:65534"],
            "--listen takes five ports from PORT on, so PORT is 65531 at most; not '127.0.0.1:65534'. Read: forme help serve"
        ),
        (["serve", "--style", ""], "--style takes a path, and has an empty one. Read: forme help serve"),
        (["--verison"], "no command is called '--verison'; did you mean forme --version? Read: forme --help"),
        (
            ["serve", "--cluster", "chat", "--host", "a", "--hosts", "a=10.0.0.1:7400,a=10.0.0.2:7400"],
            "--hosts takes NAME=HOST:PORT,NAME=HOST:PORT,…, not 'a=10.0.0.1:7400,a=10.0.0.2:7400'. Read: forme help serve"
        ),
        (
            [
                "serve", "--cluster", "chat", "--host", "d", "--hosts", "a=10.0.0.1:7400", "--engine",
                "http://10.0.0.1:2379",
            ],
            "the host 'd' is none of a, which the cluster has. Read: forme help serve"
        ),
    ])
func `a mistake in the command is named, with the help to read, and ends with 2`(
    words: [String], sentence: String
) throws {
    let result = try run(words)
    #expect(result.code == 2)
    #expect(result.errors == "forme: \(sentence)\n")
    #expect(result.output.isEmpty)
}

@Test(.waits) func `help is found in each of the ways that people try`() throws {
    let overview = try run(["--help"])
    #expect(overview.code == 0 && overview.output.contains("exit codes: 0 done"))
    #expect(try run(["help"]).output == overview.output)
    #expect(try run(["serve", "--help"]).output == run(["help", "serve"]).output)
    #expect(try run(["help", "serve"]).output.contains("--workers N"))
    #expect(try run(["--version"]).output.hasPrefix("forme "))
}

@Test(.waits) func `a folder that is in use is refused with 69, and says what to do`() throws {
    let folder = try TemporaryFolder()
    let first = try Command(["coordinator", "--data", folder.path])
    try first.waitForMessage("message=listening")
    let second = try run(["coordinator", "--data", folder.path])
    #expect(second.code == 69)
    #expect(second.errors.contains("is another coordinator using this folder?"))
}

@Test(.waits) func `an address that is taken is refused with 69, and says what to do`() throws {
    let folders = try (TemporaryFolder(), TemporaryFolder())
    let first = try Command(["gateway", "--data", folders.0.path])
    let address = folders.0.file("fetch.ipc")
    try waitUntil { FileManager.default.fileExists(atPath: address) }
    let second = try run(["gateway", "--data", folders.0.path])
    #expect(second.code == 69)
    #expect(second.errors.contains("is taken; is another Forme running there?"))
    #expect(first.process.isRunning)
}

@Test(.waits) func `a folder that cannot be written is refused with 74, and named`() throws {
    let result = try run(["coordinator", "--data", "/proc/forme"])
    #expect(result.code == 74)
    #expect(result.errors.contains("/proc/forme cannot be written: No such file or directory"))
}

@Test(.waits) func `a list of fonts that cannot be read ends the service with 74, and is named`() throws {
    let folder = try TemporaryFolder()
    let result = try run(["serve", "--data", folder.path, "--fonts", "/nowhere/fonts.json5"])
    #expect(result.code == 74)
    #expect(result.errors.contains("/nowhere/fonts.json5 cannot be read; name the list of fonts with --fonts"))
    // Told once, though three processes found it.
    #expect(result.errors.components(separatedBy: "forme: ").count == 2)
    #expect(!result.errors.contains("starting it again"))
}

@Test(.waits) func `a style that cannot be read is told once, before anything is started`() throws {
    let folder = try TemporaryFolder()
    let result = try run(["serve", "--data", folder.file("data"), "--style", "/nowhere/style.json5"])
    #expect(result.code == 74)
    #expect(
        result.errors
            == "forme: /nowhere/style.json5 cannot be read; name a style such as config/styles/bubble.json5\n")
    #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
}

@Test(.waits) func `a path that is too long for sockets is refused with 2`() throws {
    let folder = try TemporaryFolder()
    let result = try run(["coordinator", "--data", folder.file(String(repeating: "x", count: 120))])
    #expect(result.code == 2)
    #expect(result.errors.contains("use a shorter --data"))
}

@Test(
    .waits,
    arguments: [
        ["fetch", "demo"], ["tail", "demo"], ["status"], ["top"], ["pool", "drain"], ["shelf", "list"],
        ["cluster", "status"],
    ])
func `a question to a folder in which no service is ends with 69 and advice, and waits for nobody`(
    words: [String]
) throws {
    let folder = try TemporaryFolder()
    // A service that was killed leaves its files behind.
    for name in ["journal.lock", "fetch.ipc", "operators.ipc"] {
        #expect(FileManager.default.createFile(atPath: folder.file(name), contents: nil))
    }
    let start = ContinuousClock.now
    let result = try run(words + ["--data", folder.path])
    #expect(result.code == 69)
    #expect(result.errors.hasPrefix("forme: no answer from ipc://\(folder.path)/"), "\(result.errors)")
    #expect(result.errors.hasSuffix("is forme serve running with the same --data or --listen?\n"))
    #expect(result.errors.count { $0 == "\n" } == 1 && result.output.isEmpty)
    // An order once waited for ten seconds.
    #expect(ContinuousClock.now - start < .seconds(8))
}

@Test(.waits) func `a question to a service that is being started waits, and says what for`() throws {
    let folder = try TemporaryFolder()
    // A coordinator has the journal before it listens.
    let lock = folder.file("journal.lock")
    #expect(FileManager.default.createFile(atPath: lock, contents: nil))
    let journal = try #require(FileHandle(forUpdatingAtPath: lock))
    #expect(flock(journal.fileDescriptor, LOCK_EX) == 0)
    let question = try Command(["pool", "drain", "--data", folder.path])
    try question.waitForMessage("waiting for an answer from ipc://\(folder.path)/operators.ipc; is forme serve running")
    question.process.terminate()
    _ = try question.finish()
    try journal.close()
}

@Test(.waits) func `what is posted waits for a service, and says so`() throws {
    let folder = try TemporaryFolder()
    let post = try Command(["post", "--sample", "3", "--data", folder.path])
    try post.waitForMessage("waiting for an answer from ipc://\(folder.path)/events.ipc; is forme serve running")
    let coordinator = try Command(["coordinator", "--data", folder.path])
    #expect(try post.finish().output == "posted 3 events; 0 were there before\n")
    #expect(coordinator.process.isRunning)
}

@Test(arguments: ["serve", "coordinator", "config check"])
func `a folder of others is refused with what is in it, and nothing of it is touched`(command: String) throws {
    let folder = try TemporaryFolder()
    let log = folder.file("log")
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
    try Data("x".utf8).write(to: URL(filePath: log + "/syslog"))
    let refused = try run(command.split(separator: " ").map(String.init) + ["--data", folder.path])
    #expect(refused.code == 74)
    #expect(refused.errors.contains("\(folder.path) has other things in it (log) and nothing of Forme"))
    #expect(try String(contentsOfFile: log + "/syslog", encoding: .utf8) == "x")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["log"])
}

@Test(.waits) func `a service that finds its folder or its address taken says so in one line, and starts nothing`()
    throws
{
    let folders = try (TemporaryFolder(), TemporaryFolder())
    let port = try Ports.five()
    let first = try Command(
        ["serve", "--data", folders.0.path, "--workers", "1", "--http", "127.0.0.1:\(port)"])
    try first.waitForMessage("message=ready")
    let sameFolder = try run(["serve", "--data", folders.0.path, "--workers", "1"])
    #expect(sameFolder.code == 69 && sameFolder.errors.hasPrefix("forme: \(folders.0.path)/journal.lock is locked;"))
    let other = folders.1.file("data")
    let samePort = try run(["serve", "--data", other, "--workers", "1", "--http", "127.0.0.1:\(port)"])
    #expect(samePort.code == 69 && samePort.errors.hasPrefix("forme: 127.0.0.1:\(port) is taken;"))
    for result in [sameFolder, samePort] { #expect(result.errors.count { $0 == "\n" } == 1, "\(result.errors)") }
    #expect(!FileManager.default.fileExists(atPath: other + "/journal.db"))
    first.process.terminate()
    #expect(try first.finish().code == 0)
}

@Test(
    .waits,
    arguments: [
        ("style: \"/nope/style.json5\"", "/nope/style.json5 cannot be read", 74),
        ("fonts: \"/nope/fonts.json5\"", "/nope/fonts.json5 cannot be read", 74),
        ("security: { keys: \"/nope/keys\" }", "/nope/keys/", 74),
        ("http: { listen: \"127.0.0.1:7310\", tokens: \"/nope/tokens\" }", "/nope/tokens", 74),
        (
            "http: { listen: \"127.0.0.1:7310\", certificate: \"/nope/cert.pem\", certificateKey: \"/nope/key.pem\" }",
            "/nope/cert.pem", 74
        ),
        ("http: { listen: \"0.0.0.0:7310\" }", "is reached by others, so tokens are needed", 2),
        ("data: \"/etc/hostname\"", "/etc/hostname is a file", 74),
        ("data: \"/nope/deep/er\"", "/nope/deep/er cannot be written: No such file or directory", 74),
        ("listen: \"0.0.0.0:7300\"", "can be reached by others, and no keys are given", 2),
        ("remotes: \"0.0.0.0:7400\"", "can be reached by others, and no keys are given", 2),
        (
            "listen: \"192.0.2.1:7300\", security: { plainTransport: \"I accept that anyone on this network can read and write every message\" }",
            "192.0.2.1:7300 is no address of this machine", 2
        ),
    ])
func `what a configuration names is looked at, by its check and by a start alike`(
    setting: String, told: String, code: Int32
) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("forme.json5")
    try "{ \(setting) }".write(toFile: file, atomically: true, encoding: .utf8)
    let data = setting.hasPrefix("data") ? [] : ["--data", folder.file("data")]
    for command in [["config", "check"], ["serve"]] {
        let result = try run(command + ["--config", file] + data)
        #expect(result.code == code && result.errors.contains(told), "\(command): \(result.code) \(result.errors)")
        #expect(result.errors.count { $0 == "\n" } == 1, "\(result.errors)")
    }
}

@Test(.waits) func `an error that nobody can be told of ends a command with its own code`() throws {
    let unheard = try Command(["fetch"], launcher: ["/bin/bash", "-c", #"exec "$0" "$@" 2>/dev/full"#]).finish()
    #expect(unheard.code == 2 && unheard.output.isEmpty)
}

@Test(.waits, arguments: ["layout", "lines", "post"])
func `a folder on standard input is told as what it is`(command: String) throws {
    let refused = try Command([command], launcher: ["/bin/bash", "-c", #"exec "$0" "$@" </etc"#]).finish()
    #expect(refused.code == 74 && refused.output.isEmpty)
    #expect(refused.errors.hasPrefix("forme: standard input is a folder; give it a file with a"), "\(refused.errors)")
}

@Test(
    .waits,
    arguments: [
        ["kinds"], ["--help"], ["help", "serve"], ["--version"], ["completions", "bash"], ["config", "print"],
    ])
func `output that is lost is told with 74, and that nobody reads any more is not`(words: [String]) throws {
    func ending(_ script: String) throws -> (code: Int32, output: String, errors: String) {
        try Command(words, launcher: ["/bin/bash", "-c", script]).finish()
    }
    let full = try ending(#""$0" "$@" >/dev/full"#)
    #expect(full.code == 74 && full.output.isEmpty, "\(full)")
    #expect(full.errors.hasPrefix("forme: standard output cannot be written"), "\(full.errors)")
    #expect(full.errors.count { $0 == "\n" } == 1, "\(full.errors)")
    // Its status is that of the signal, or of a program that did its work.
    let closed = try ending(#"("$0" "$@"; echo $? >&2) | true; exit ${PIPESTATUS[1]}"#)
    #expect(closed.code == 0 && !closed.errors.contains("cannot be written"), "\(closed.errors)")
    #expect(try ending(#""$0" "$@""#).code == 0)
}
