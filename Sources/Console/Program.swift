import Foundation
import Operations

/// A program and its commands: finds the one that was asked for, runs it, and says how that ended.
package struct Program: Sendable {
    private let name: String
    private let summary: String
    private let commands: [any Command]
    private let departed: [String: String]

    private static let version = "0.1"

    /// - Parameter departed: sentences for words that were commands once, with where they are now.
    package init(name: String, summary: String, commands: [any Command], departed: [String: String] = [:]) {
        (self.name, self.summary, self.commands, self.departed) = (name, summary, commands, departed)
    }

    /// Does what the words say that this process was started with, and ends it.
    package func main() -> Never {
        // What a process of Forme writes is for its own user alone, whatever the shell that started it says.
        umask(0o077)
        // Where files may not grow past a limit, a write fails, and the process says so.
        signal(SIGXFSZ, SIG_IGN)
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    private func run(_ words: [String]) -> Int32 {
        Descriptors.raise()
        do {
            try start(words)
            return 0
        } catch {
            let failure = Failure(error)
            let sentence = failure.sentence + (failure.manual.map { " Read: \(name) help \($0)" } ?? "")
            if !ServiceManager.current.failed(sentence) {
                FileHandle.standardError.write(Data("\(name): \(sentence)\n".utf8))
            }
            return failure.code.rawValue
        }
    }

    private func start(_ words: [String]) throws {
        switch words.first {
        case nil: throw Failure(.usage, "which command? Read: \(name) --help")
        case "--help", "-h": print(help)
        case "--version": print("\(name) \(Self.version)")
        case "help" where words.count == 1: print(help)
        case "help": show(try command(words[1]))
        case let word?:
            let command = try command(word)
            let rest = Array(words.dropFirst())
            if rest.contains("--help") || rest.contains("-h") { show(command) } else { try command.run(rest) }
        }
    }

    private func command(_ word: String) throws -> any Command {
        if let command = commands.first(where: { $0.name == word }) { return command }
        throw Failure(.usage, departed[word] ?? "no command is called '\(word)'. Read: \(name) --help")
    }

    private func show(_ command: any Command) {
        print("\(name) \(command.name): \(command.summary)\n\n\(command.usage)")
    }

    private var help: String {
        let (helping, telling) = ("\(name) help COMMAND", "\(name) --version")
        let longest = max(10, commands.map(\.name.count).max() ?? 0)
        return """
            \(name): \(summary)

            usage: \(name) COMMAND [OPTIONS]

            commands:
            \(commands.map { "  \(Self.padded($0.name, to: longest))  \($0.summary)" }.joined(separator: "\n"))

            \(helping)   what a command does, and its options
            \(Self.padded(telling, to: helping.count))   the version

            exit codes: 0 done · 1 failed · 2 wrong usage · 69 service not reached, or its address taken · 74 file or disk · 77 key refused
            """
    }

    private static func padded(_ word: String, to length: Int) -> String {
        word + String(repeating: " ", count: max(0, length - word.count))
    }
}
