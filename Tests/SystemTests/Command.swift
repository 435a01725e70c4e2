import Foundation
import TestSupport
import Testing

/// A command of the real binary, running as a process of its own.
final class Command {
    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    /// The binary that was built together with these tests.
    private static let binary = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "forme")

    /// - Parameter input: what it reads from standard input.
    init(_ arguments: [String], input: String = "") throws {
        process.executableURL = Self.binary
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        let given = Pipe()
        process.standardInput = given
        try process.run()
        try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try given.fileHandleForWriting.close()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// What it printed and how it ended. Its end closes the pipes, so this waits for exactly that.
    func finish() throws -> (code: Int32, output: String, errors: String) {
        let printed = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, printed, said)
    }

    /// Waits for a line of standard error that contains the text.
    func waitForMessage(_ text: String) throws {
        var said = ""
        while !said.contains(text) {
            let more = errors.fileHandleForReading.availableData
            try #require(!more.isEmpty, "ended without saying \(text); it said: \(said)")
            said += String(decoding: more, as: UTF8.self)
        }
    }
}

func run(_ arguments: [String], input: String = "") throws -> (code: Int32, output: String, errors: String) {
    let command = try Command(arguments, input: input)
    return try command.finish()
}
