import Foundation
import Testing

/// The process that tests stop and kill.
final class Probe {
    private let process = Process()
    private let output = Pipe()
    private var rest = Data()

    init(_ words: [String]) throws {
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "storage-probe")
        process.arguments = words
        process.standardOutput = output
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var id: Int32 { process.processIdentifier }

    func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// The next line; nil when it has ended.
    func line() -> String? {
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                defer { rest = Data(rest[(end + 1)...]) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            rest += more
        }
    }

    func lines(_ count: Int) throws -> [String] { try (0..<count).map { _ in try #require(line()) } }

    /// Kills the process, and returns the lines that it still said before.
    func killed() -> [String] {
        signal(SIGKILL)
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        process.waitUntilExit()
        return lines
    }
}

extension [String] {
    /// The number behind the last line that begins with the word.
    func last(_ word: String) -> UInt64? {
        last { $0.hasPrefix(word + " ") }.flatMap { UInt64($0.dropFirst(word.count + 1)) }
    }
}
