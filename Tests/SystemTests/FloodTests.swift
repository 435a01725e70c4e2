import Foundation
import StandInService
import TestSupport
import Testing

private let short = [
    "--count", "400", "--rate", "800", "--conversations", "20", "--arrivals", "burst", "--run", "t",
    // However slow the machine is, all of it is accepted some time, and laid out.
    "--busy", "retry", "--settle", "20",
]

@Test(.waits) func `a flood of a service finds all that it accepted, and nothing else`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    // A flood waits some seconds for a service, and no longer.
    try service.waitForMessage("message=ready")
    let page = folder.file("flood.html")
    let words = ["flood", "--data", folder.path, "--json", "--report", page, "--deletes", "5", "--moves", "3"]
    let result = try run(words + short)
    #expect(result.code == 0, "\(result.errors)")
    let report = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(report["clean"] as? Bool == true)
    let answers = try #require(report["answers"] as? [String: Int])
    #expect(answers.values.reduce(0, +) == 400 && answers["invalid"] == 0 && answers["unanswered"] == 0)
    let latencies = try #require(report["latencies"] as? [String: [String: Double]])
    #expect(latencies["ready"]?["count"] ?? 0 > 250 && latencies["ready"]?["p99"] ?? 0 > 0)
    #expect(latencies["ready"]?["p99.99"] ?? 0 >= latencies["ready"]?["p99.9"] ?? .infinity)
    #expect((report["files"] as? [String: Any])?["read"] as? Bool == true && report["stored"] != nil)
    let roles = (report["processes"] as? [[String: Any]])?.compactMap { $0["role"] as? String } ?? []
    #expect(Set(roles).isSuperset(of: ["coordinator", "worker", "gateway", "flood"]))
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("<svg") && html.contains("everything accepted was found") && html.hasSuffix("</html>\n"))
    service.process.terminate()
    #expect(try service.finish().code == 0)
}

@Test(.waits) func `a flood of a service that hides rows ends with 1, and says what is missing`() throws {
    var habits = StandIn.Habits()
    habits.rowHiddenEvery = 9
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path, habits: habits)
    defer { service.stop() }
    let result = try run(["flood", "--data", folder.path] + short.map { $0 == "20" ? "1" : $0 })
    #expect(result.code == 1 && result.errors.contains("not all was as it must be"))
    #expect(result.output.contains("missing"))
}

@Test(.waits) func `a flood whose files cannot be read says so, and is not clean`() throws {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    // A folder without a served edition is none of a service: its files are elsewhere.
    let elsewhere = try run(["flood", "--data", folder.path] + short)
    #expect(elsewhere.code == 0 && elsewhere.output.contains("files: not read, no service has laid out"))
    try "no edition".write(toFile: folder.file("served.json"), atomically: true, encoding: .utf8)
    let words = ["flood", "--data", folder.path] + short.map { $0 == "t" ? "u" : $0 }
    let text = try run(words)
    #expect(text.code == 1 && text.output.contains("files: not read, \(folder.file("served.json"))"))
    let json = try run(words.map { $0 == "u" ? "v" : $0 } + ["--json"])
    let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let files = try #require(report["files"] as? [String: Any])
    #expect(json.code == 1 && report["clean"] as? Bool == false && report["stored"] == nil)
    #expect(files["read"] as? Bool == false && (files["reason"] as? String)?.contains("served.json") == true)
}

@Test(
    .waits,
    arguments: [
        (["--rate", "0"], "--rate takes a number from 1 to 10000000, not '0'"),
        (["--arrivals", "slow"], "--arrivals is one of constant, poisson, burst, not 'slow'"),
        (["--edits", "60", "--statuses", "60"], "the shares leave nothing for new messages"),
        (["--count", "5", "--duration", "5"], "--count and --duration both say when to end; give one"),
        (["--run", "a b"], "--run takes letters, digits and dashes, at most 64, not 'a b'"),
        (["--pids", "1,x"], "--pids takes numbers with commas between them, not '1,x'"),
    ])
func `a flood that is asked for wrongly says what is wrong`(words: [String], sentence: String) throws {
    let result = try run(["flood"] + words)
    #expect(result.code == 2 && result.errors == "forme: \(sentence). Read: forme help flood\n")
}

@Test(.waits) func `a flood of another machine is refused, unless it is said whose it is`() throws {
    let result = try run(["flood", "--listen", "192.0.2.7:7300"])
    #expect(result.code == 2)
    #expect(result.errors.contains("if it is yours to overload, say --i-own-this-host 192.0.2.7"))
}

/// The time for which all threads of a process had a processor since they began, in microseconds.
private func processorTime(of process: Int) throws -> Int {
    let folder = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, thread in
        // One that has ended meanwhile has no file.
        let text = (try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8)) ?? ""
        return sum + (text.split(separator: " ").first.flatMap { Int($0) } ?? 0) / 1000
    }
}

@Test(.waits) func `the stages that a status tells are all that its processes had a processor for`() throws {
    let folder = try TemporaryFolder()
    let service = try Command(["serve", "--data", folder.path, "--workers", "1"])
    try service.waitForMessage("message=ready")
    let flood = try run([
        "flood", "--data", folder.path, "--json", "--count", "4000", "--rate", "4000", "--conversations", "50",
        "--settle", "20", "--run", "t", "--busy", "retry",
    ])
    #expect(flood.code == 0, "\(flood.errors)")
    let report = try #require(try JSONSerialization.jsonObject(with: Data(flood.output.utf8)) as? [String: Any])
    let processes = try #require(report["processes"] as? [[String: Any]])
    let pids = try ["coordinator", "worker"].map { role in
        try #require(processes.first { $0["role"] as? String == role }?["pid"] as? Int)
    }
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
        let before = try pids.map { try processorTime(of: $0) }
        let answer = try run(["status", "--json", "--data", folder.path])
        let after = try pids.map { try processorTime(of: $0) }
        guard answer.code == 0 else {
            try #require(ContinuousClock.now < deadline, "\(answer.errors)")
            continue
        }
        let said = try #require(try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any])
        let status = try #require(said["status"] as? [String: Any])
        let worker = try #require((status["workers"] as? [[String: Any]])?.first)
        let told = try [status["coordinator"] as? [String: Any], worker].map {
            try #require($0?["microseconds"] as? [String: Int]).values.reduce(0, +)
        }
        // The rest is the time of threads that only wait for signals, and of the work of a worker since its last beat,
        // which comes late on a busy machine.
        let isSo = zip(told, zip(before, after)).allSatisfy { sum, time in
            sum >= time.0 - time.0 / 20 - 30_000 && sum <= time.1 + time.1 / 20
        }
        if isSo { break }
        try #require(ContinuousClock.now < deadline, "\(told) of \(before) to \(after) µs: \(answer.output)")
        Thread.sleep(forTimeInterval: 0.2)
    }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}
