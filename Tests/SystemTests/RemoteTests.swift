import Foundation
import Names
import Storage
import TestSupport
import Testing
import Wire

/// A service with keys that lets workers of other hosts in; 127.0.0.2 is another host.
private final class Spread {
    let folder: TemporaryFolder
    let door: String
    let service: Command
    private(set) var remotes: [Command] = []

    var data: String { folder.file("data") }
    var cache: String { folder.file("cache") }

    init(workers: Int = 1) throws {
        folder = try TemporaryFolder()
        door = "127.0.0.2:\(try Ports.five())"
        let keys = folder.file("keys")
        #expect(try run(["keys", "make", "--keys", keys]).code == 0)
        for name in ["far", "near"] {
            #expect(try run(["keys", "make", "--keys", keys, "--name", name, "--role", "worker"]).code == 0)
        }
        service = try Command([
            "serve", "--data", folder.file("data"), "--keys", keys, "--remotes", door, "--workers", "\(workers)",
        ])
        try service.waitForMessage("message=ready")
    }

    /// A worker elsewhere, which has nothing but a key.
    @discardableResult
    func start(_ key: String = "far", _ environment: [String: String] = [:]) throws -> Command {
        let words = ["worker", "--remote", "tcp://\(door)", "--key", folder.file("keys/\(key).key"), "--cache", cache]
        remotes.append(try Command(words, environment: environment))
        return remotes.last!
    }

    func join(_ key: String = "far", _ environment: [String: String] = [:]) throws {
        try start(key, environment).waitForMessage("laying out for another host")
        try service.waitForMessage("elsewhere=")
    }

    /// The status that the service tells. On a busy machine it may not answer the first time.
    var status: [String: Any] {
        get throws {
            var found: [String: Any]?
            try waitUntil {
                let said = try run(["status", "--json", "--data", data])
                guard said.code == 0 else { return false }
                let answer = try JSONSerialization.jsonObject(with: Data(said.output.utf8)) as? [String: Any]
                found = answer?["status"] as? [String: Any]
                return found != nil
            }
            return try #require(found)
        }
    }

    /// A figure of all workers about rows made elsewhere: those that were asked for, or those that were checked.
    func elsewhere(_ name: String) throws -> Int {
        let workers = try status["workers"] as? [[String: Any]] ?? []
        return workers.reduce(0) { $0 + ((($1["elsewhere"] as? [String: Any])?[name] as? Int) ?? 0) }
    }

    func end() throws {
        for remote in remotes where remote.process.isRunning { remote.process.terminate() }
        service.process.terminate()
        #expect(try service.finish().code == 0)
    }
}

private func lines(_ numbers: Range<Int>) -> String {
    let texts = [
        "see you at nine", "مرحبا بالعالم", "明天在车站见面吧", "supercalifragilistic 👍🏽 expialidocious", "พรุ่งนี้เจอกันที่สถานี",
    ]
    return numbers.map { number in
        """
        {"conversation": "c\(number % 7)", "message": "m\(number)", "order": \(number), "sender": "s\(number % 3)", "time": \
        \(number), "revision": 1, "text": "\(String(repeating: texts[number % 5] + " ", count: 1 + number % 9))\(number)"}

        """
    }.joined()
}

private func post(_ numbers: Range<Int>, to data: String) throws {
    #expect(try run(["post", "--data", data], input: lines(numbers)).code == 0)
}

/// The record of each message, by its id, once all are there.
private func rows(_ count: Int, in data: String) throws -> [String: [UInt8]] {
    let folder = DataFolder(data)
    var found: [String: [UInt8]] = [:]
    let shards = try #require(try FolderManifest.read(in: folder)).shards
    let edition = try #require(try ServedEdition.read(in: folder)).edition
    try waitUntil {
        found = [:]
        for shard in 0..<shards {
            // A shard in which nothing was written is not there.
            guard var reader = try? ShardReader(Shard(UInt16(shard)), of: edition, in: folder) else { continue }
            for start in stride(from: 0, to: count, by: 500) {
                let numbers = (start..<min(start + 500, count)).map { MessageNumber(Int64($0)) }
                for row in try reader.rows(numbers) { found[row.message.text] = row.layout }
            }
        }
        return found.count == count
    }
    return found
}

/// The records of the same messages, made where nobody helps.
private func rowsMadeAlone(_ count: Int) throws -> [String: [UInt8]] {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    try service.waitForMessage("message=ready")
    try post(0..<count, to: folder.path)
    let found = try rows(count, in: folder.path)
    service.process.terminate()
    #expect(try service.finish().code == 0)
    return found
}

@Test(.waits) func `a worker elsewhere needs a key and nothing else, and makes what is made beside the folder`() throws
{
    let spread = try Spread()
    try spread.join()
    try post(0..<600, to: spread.data)
    #expect(try rows(600, in: spread.data) == rowsMadeAlone(600))
    // All of them were laid out there, and none differed.
    try waitUntil { try spread.elsewhere("rows_asked") == 600 }
    try waitUntil { try spread.elsewhere("rows_checked") >= 40 }
    #expect(try (spread.status["turned_away"] as? [Any])?.isEmpty == true)
    try waitUntil { try run(["status", "--data", spread.data]).output.contains("rows made") }
    let mode = try FileManager.default.attributesOfItem(atPath: spread.cache)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    // The fonts are there by now.
    let second = try spread.start("near")
    try second.waitForMessage("laying out for another host")
    spread.remotes[0].process.terminate()
    #expect(try spread.remotes[0].finish().code == 0)
    try post(600..<700, to: spread.data)
    #expect(try rows(700, in: spread.data).count == 700)
    try spread.end()
}

@Test(.waits) func `a build with other rules is told so, gets no jobs, and is shown to the operator`() throws {
    let spread = try Spread()
    let other = try spread.start("far", ["FORME_TEST_RULES": "1"])
    let end = try other.finish()
    #expect(end.code == 77 && end.errors.contains("engine rules"), "\(end.errors)")
    try spread.service.waitForMessage("turned a worker away")
    try spread.service.waitForMessage("engine rules")
    try waitUntil {
        let told = try run(["status", "--data", spread.data]).output
        return told.contains("turned away: process \(other.process.processIdentifier)") && told.contains("engine rules")
    }
    try post(0..<20, to: spread.data)
    #expect(try rows(20, in: spread.data).count == 20)
    #expect(try spread.elsewhere("rows_asked") == 0)
    try spread.end()
}

@Test(.waits) func `a host that makes wrong rows is found out, let in no more, and its rows are made again`() throws {
    let spread = try Spread()
    try spread.join("far", ["FORME_TEST_WRONG_ROWS": "10"])
    // On a busy machine, rows are made beside the folder before they come from elsewhere: more are posted until a wrong
    // one has come.
    var count = 0
    try waitUntil {
        try post(count..<(count + 100), to: spread.data)
        count += 100
        _ = try rows(count, in: spread.data)
        return spread.service.hasSaid("a host made a wrong row")
    }
    #expect(try spread.remotes[0].finish().code == 77)
    let right = try rowsMadeAlone(count)
    try waitUntil { try rows(count, in: spread.data) == right }
    // Under another name, with the same key, the host is turned away again.
    let again = try spread.start("far").finish()
    #expect(again.code == 77 && again.errors.contains("far"))
    try spread.join("near")
    try spread.end()
}

@Test(.waits) func `workers elsewhere are killed one after the other under a flood, and nothing is lost`() throws {
    let spread = try Spread()
    // The first one fetches the fonts for all.
    for number in 0..<10 { try spread.join(number % 2 == 0 ? "far" : "near") }
    let flood = try Command([
        "flood", "--data", spread.data, "--json", "--rate", "150", "--duration", "15", "--conversations", "40",
        "--settle", "60", "--run", "t", "--busy", "retry",
    ])
    for remote in spread.remotes {
        let before = try spread.elsewhere("rows_asked")
        try waitUntil { try spread.elsewhere("rows_asked") > before || !flood.process.isRunning }
        kill(remote.process.processIdentifier, SIGKILL)
    }
    let end = try flood.finish()
    #expect(end.code == 0, "\(end.errors)")
    #expect(end.output.hasPrefix(#"{"clean":true"#))
    // Those that were killed are known to be gone when they have been silent for a while.
    try waitUntil { try (spread.status["workers"] as? [Any])?.count == 1 }
    try spread.end()
}
