import Foundation
import TestSupport
import Testing

/// A command of a real binary, running as a process of its own.
final class Command {
    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    /// All that was heard from its standard error.
    var said: String { String(decoding: heard, as: UTF8.self) }
    /// Its standard error in bytes: a piece that is read at once may end within a letter.
    private var heard = Data()
    /// The length of the part that was waited for.
    private var waited = 0

    /// The service as it was built together with these tests.
    static let binary = built("forme")

    private static func built(_ program: String) -> URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: program)
    }

    /// - Parameters:
    ///   - program: one of those that were built together with these tests.
    ///   - input: the text of its standard input.
    ///   - environment: variables that it has beside those of the tests.
    ///   - launcher: a program that becomes it, with its arguments.
    init(
        _ arguments: [String], of program: String = "forme", input: String = "", environment: [String: String] = [:],
        launcher: [String] = []
    ) throws {
        let binary = Self.built(program)
        process.executableURL = launcher.first.map { URL(filePath: $0) } ?? binary
        process.arguments = Array(launcher.dropFirst()) + (launcher.isEmpty ? [] : [binary.path]) + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = errors
        let given = Pipe()
        process.standardInput = given
        try process.run()
        Witnesses.add(self)
        try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try given.fileHandleForWriting.close()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits for its end, which closes the pipes. Returns its status, its output and the rest of its errors.
    func finish() throws -> (code: Int32, output: String, errors: String) {
        let printed = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        heard += try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, printed, String(decoding: heard[waited...], as: UTF8.self))
    }

    /// Its arguments, whether it still runs, and the last of its standard error until now.
    var testimony: String {
        while hear(within: 0) == .more {}
        let end = process.isRunning ? "runs" : "ended with \(process.terminationStatus)"
        return "\((process.arguments ?? []).joined(separator: " ")): \(end); it said: \(said.suffix(4096))"
    }

    private enum Heard { case nothing, more, end }

    private func hear(within milliseconds: Int32) -> Heard {
        let handle = errors.fileHandleForReading
        var descriptor = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&descriptor, 1, milliseconds) > 0 else { return .nothing }
        let more = handle.availableData
        heard += more
        return more.isEmpty ? .end : .more
    }

    /// Whether the text is among its standard error until now.
    func hasSaid(_ text: String) -> Bool {
        while hear(within: 0) == .more {}
        return heard.range(of: Data(text.utf8)) != nil
    }

    /// Waits for the text on standard error, behind the one waited for before, for as long as there is patience.
    func waitForMessage(_ text: String) throws {
        let deadline = ContinuousClock.now + patience
        while true {
            if let found = heard.range(of: Data(text.utf8), in: waited..<heard.count) {
                waited = found.upperBound
                return
            }
            let came = hear(within: 1000)
            try #require(came != .nothing || .now < deadline, "has not said \(text); it said: \(said)")
            try #require(came != .end, "ended without saying \(text); it said: \(said)")
        }
    }
}

func run(
    _ arguments: [String], of program: String = "forme", input: String = ""
) throws -> (code: Int32, output: String, errors: String) {
    let command = try Command(arguments, of: program, input: input)
    let end = try command.finish()
    Witnesses.note("\(arguments.joined(separator: " ")): ended with \(end.code); it said: \(end.errors.suffix(4096))")
    return end
}
