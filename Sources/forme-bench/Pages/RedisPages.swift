import Console
import Foundation
import JSON
import Storage

/// The same windows as values in Redis, in memory alone, asked for over its socket in the folder. For comparison: it
/// knows nothing of its values, and a client has to know the name of each page.
final class RedisPages {
    private let folder: String
    private let server = Process()
    private let values: FileHandle
    private var count = 0

    /// Whether the programs are there; `deploy/bench pages` installs them.
    static var isPossible: Bool { ["redis-server", "redis-cli", "redis-benchmark"].allSatisfy { program($0) != nil } }

    init(in data: DataFolder) throws {
        folder = data.path + "/redis"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: folder + "/values"))
        values = try FileHandle(forWritingTo: URL(filePath: folder + "/values"))
    }

    deinit {
        guard server.isRunning else { return }
        server.terminate()
        server.waitUntilExit()
    }

    /// Keeps a frame under the next number, as a command for Redis.
    func keep(_ frame: [UInt8]) throws {
        let name = RedisPages.name(String(format: "%012d", count))
        var command = Data("*3\r\n".utf8)
        for word in [Array("SET".utf8), Array(name.utf8), frame] {
            command += Data("$\(word.count)\r\n".utf8) + word + Data("\r\n".utf8)
        }
        try values.write(contentsOf: command)
        count += 1
    }

    /// - Parameter rest: waits between two looks for the socket.
    func start(_ rest: () throws -> Void) throws {
        server.executableURL = RedisPages.program("redis-server")
        server.arguments = [
            "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder,
            "--logfile", folder + "/log",
        ]
        try server.run()
        let deadline = ContinuousClock.now + .seconds(5)
        while !FileManager.default.fileExists(atPath: socket), .now < deadline { try rest() }
        let load = Process()
        load.executableURL = RedisPages.program("redis-cli")
        load.arguments = ["-s", socket, "--pipe"]
        load.standardInput = try FileHandle(forReadingFrom: URL(filePath: folder + "/values"))
        load.standardOutput = FileHandle.standardError
        try load.run()
        load.waitUntilExit()
        guard load.terminationStatus == 0 else { throw Failure(.failed, "redis did not take the pages") }
    }

    /// Asks with as many connections and questions as the gateway gets.
    func ask(_ crowd: PageAsker.Crowd, questions: Int) throws -> PagesReport.Run {
        let words = [
            "-s", socket, "-c", "\(crowd.connections)", "-P", "\(crowd.depth)", "-n", "\(questions)", "-r", "\(count)",
            "--csv",
            "GET", RedisPages.name("__rand_int__"),
        ]
        let output = try BuiltProgram.run(RedisPages.program("redis-benchmark")?.path() ?? "redis-benchmark", words)
            .output
        // A head, then a line: what was asked, how many a second, and milliseconds: mean, least, p50, p95, p99, most.
        let line = String(decoding: output, as: UTF8.self).split(separator: "\n").last ?? ""
        let fields = line.split(separator: ",").map { Double($0.filter { $0 != "\"" }) ?? 0 }
        guard fields.count == 8 else { throw Failure(.failed, "redis-benchmark said: \(line)") }
        return PagesReport.Run(pages: fields[1], p50: fields[4] * 1000, p99: fields[6] * 1000)
    }

    private var socket: String { folder + "/redis.sock" }

    private static func name(_ number: String) -> String { "page:\(number)" }

    private static func program(_ name: String) -> URL? {
        let path = "/usr/bin/" + name
        return FileManager.default.isExecutableFile(atPath: path) ? URL(filePath: path) : nil
    }
}
