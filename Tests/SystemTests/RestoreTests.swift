import Foundation
import TestSupport
import Testing
import Wire

private func lines(_ numbers: ClosedRange<Int>, _ word: String = "word") -> String {
    numbers.map {
        #"{"conversation": "c", "message": "m\#($0)", "order": \#($0), "sender": "ada", "time": 1700000000000, "#
            + #""revision": 1, "text": "\#(word) \#($0)"}"#
    }.joined(separator: "\n") + "\n"
}

/// A service with a configuration of its own.
private struct Stand {
    let folder: TemporaryFolder
    let config: String
    var data: String { folder.file("data") }
    var backup: String { folder.file("forme.backup") }

    init(_ durability: String) throws {
        folder = try TemporaryFolder()
        config = folder.file("forme.json5")
        try "{ data: '\(folder.file("data"))', workers: 1, shards: 2, durability: '\(durability)' }"
            .write(
                toFile: config, atomically: true, encoding: .utf8)
    }

    func start() throws -> Command {
        let service = try Command(["serve", "--config", config])
        try waitUntil { try run(["status", "--config", config]).code == 0 }
        return service
    }

    func post(_ numbers: ClosedRange<Int>) throws {
        #expect(try run(["post", "--config", config], input: lines(numbers)).code == 0)
    }

    func rows() throws -> [String] {
        let said = try run(["fetch", "c", "--config", config, "--count", "200"])
        return said.output.split(separator: "\n").dropFirst().map { line in
            String(line.split(separator: " ", omittingEmptySubsequences: true)[2])
        }
    }

    /// Kills a service and all that it has started. The service is stopped first: one that sees its coordinator end
    /// starts the next one, which nobody kills, and which closes the journal with an empty log.
    func kill(_ service: Command) throws {
        let serve = service.process.processIdentifier
        Glibc.kill(serve, SIGSTOP)
        try waitUntil { state(of: serve) == "T" }
        let all = try children(of: serve).map(\.id) + [serve]
        for process in all { Glibc.kill(process, SIGKILL) }
        _ = try service.finish()
        try waitUntil { all.allSatisfy { Glibc.kill($0, 0) != 0 || isZombie($0) } }
    }

    var logSize: Int {
        (try? FileManager.default.attributesOfItem(atPath: data + "/journal.db-wal")[.size] as? Int)
            ?? 0
    }
}

private func names(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "m\($0)" } }

@Test(.waits, arguments: ["full", "process"])
func `a backup that was made while people wrote is restored after everything was killed`(
    durability: String
) throws {
    let stand = try Stand(durability)
    var service = try stand.start()
    try stand.post(1...20)
    // As a cron job does it: over and over, into one file.
    for _ in 0..<2 {
        let made = try run(["backup", stand.data, stand.backup])
        #expect(made.code == 0, "\(made.errors)")
    }
    #expect(try run(["check", stand.backup]).code == 0)
    try stand.post(21...40)
    try waitUntil { try stand.rows() == names(1...40) }
    let refused = try run(["restore", stand.backup, stand.data])
    #expect(refused.code == 69 && refused.errors.contains("is locked"))
    try stand.kill(service)
    #expect(stand.logSize > 0)

    let restored = try run(["restore", stand.backup, stand.data, "--json"])
    #expect(restored.code == 0 && restored.output.contains(#""entries":20"#), "\(restored.errors)")
    service = try stand.start()
    try waitUntil { try stand.rows() == names(1...20) }
    // New events are taken and shown, not called duplicates.
    let posted = try run(["post", "--config", stand.config], input: lines(21...30, "anew"))
    #expect(posted.code == 0)
    try waitUntil { try stand.rows() == names(1...30) }
    let window = try run([
        "fetch", "c", "--config", stand.config, "--count", "200", "--json", "--with", "body",
    ])
    #expect(window.output.contains("anew 21") && !window.output.contains("word 21"))
    service.process.terminate()
    #expect(try service.finish().code == 0)
    let check = try run(["check", stand.data])
    #expect(check.code == 0, "\(check.output)")
}

@Test(.waits)
func
    `a service that is stopped while people write leaves no log, and a copy by hand under one is refused`()
    throws
{
    let stand = try Stand("full")
    var service = try stand.start()
    try stand.post(1...20)
    let crowd = try Command(["post", "--config", stand.config], input: lines(21...2000))
    try waitUntil { try stand.rows().count > 100 }
    service.process.terminate()
    #expect(try service.finish().code == 0)
    crowd.process.terminate()
    _ = try crowd.finish()
    #expect(stand.logSize == 0)
    let copy = try Data(contentsOf: URL(filePath: stand.data + "/journal.db"))

    service = try stand.start()
    try stand.post(3001...3020)
    try stand.kill(service)
    service = try stand.start()
    try stand.post(3021...3040)
    try stand.kill(service)
    #expect(stand.logSize > 0)
    try copy.write(to: URL(filePath: stand.data + "/journal.db"))
    let said = try run(["serve", "--config", stand.config])
    #expect(said.code == 74 && said.errors.contains("is not the log of"), "\(said.errors)")
    // The advice of that sentence helps.
    for suffix in ["-wal", "-shm"] {
        try FileManager.default.removeItem(atPath: stand.data + "/journal.db" + suffix)
    }
    service = try stand.start()
    try service.waitForMessage("everything is laid out anew")
    service.process.terminate()
    _ = try service.finish()
}

@Test(.waits) func `what others could read is closed to them, and stays closed`() throws {
    let stand = try Stand("process")
    try FileManager.default.createDirectory(
        atPath: stand.data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    let service = try stand.start()
    try service.waitForMessage("closed the folder to others")
    try stand.post(1...3)
    try waitUntil { try stand.rows() == names(1...3) }
    #expect(try run(["backup", stand.data, stand.backup]).code == 0)
    let files = try FileManager.default.subpathsOfDirectory(atPath: stand.data).map {
        stand.data + "/" + $0
    }
    for path in files + [stand.data, stand.backup] {
        guard
            let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        else { continue }
        #expect(mode & 0o077 == 0, "\(path) has mode \(String(mode, radix: 8))")
    }
    service.process.terminate()
    _ = try service.finish()
}

@Test(.waits) func `errors of backups name what is wrong`() throws {
    let folder = try TemporaryFolder()
    let nowhere = try run(["backup", folder.file("nowhere"), folder.file("x")])
    #expect(nowhere.code == 74 && nowhere.errors.contains("nowhere does not exist"))
    for words in [["check"], ["upgrade"], ["upgrade", "--commit"]] {
        let absent = try run(words + [folder.file("nowhere")])
        #expect(absent.code == 74 && absent.errors.contains("does not exist"), "\(words): \(absent.errors)")
    }
    let missing = try run(["restore", folder.file("nowhere"), folder.file("data")])
    #expect(missing.code == 74 && missing.errors.contains("nowhere does not exist"))
    let target = try run(["backup", folder.path, folder.path])
    #expect(target.code == 2 && target.errors.contains("is a folder; name the file"))
    try Data("letters".utf8).write(to: URL(filePath: folder.file("letters")))
    let restore = try run(["restore", folder.file("letters"), folder.file("data")])
    #expect(restore.code == 74 && restore.errors.contains("is no backup that can be restored"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    let onto = try run(["backup", folder.path, folder.file("letters")])
    #expect(onto.code == 74 && onto.errors.contains("letters is not overwritten: it is in \(folder.path),"))
    #expect(try run(["check", folder.file("letters")]).code == 74)
    #expect(try run(["restore", folder.file("letters")]).code == 2)
}
