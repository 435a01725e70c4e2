import Foundation
import Operations

/// Finds the command that was asked for, runs it, and says how that ended.
enum Program {
    static let version = "0.1"

    static let help = """
        forme: chat messages laid out ahead of time, for every screen that will show them

        usage: forme COMMAND [OPTIONS]

        commands:
        \(Command.all.map { "  \($0.name.padding(toLength: 12, withPad: " ", startingAt: 0))\($0.summary)" }
            .joined(separator: "\n"))

        forme help COMMAND   what a command does, and its options
        forme --version      the version

        exit codes: 0 done · 1 failed · 2 wrong usage · 69 service not reached, or its address taken · 74 file or disk · 77 key refused
        """

    static func run(_ words: [String]) -> Int32 {
        Descriptors.raise()
        do {
            try start(words)
            return 0
        } catch {
            let failure = Failure(error)
            if !ServiceManager.current.failed(failure.sentence) {
                FileHandle.standardError.write(Data("forme: \(failure.sentence)\n".utf8))
            }
            return failure.code.rawValue
        }
    }

    private static func start(_ words: [String]) throws {
        switch words.first {
        case nil: throw Failure(.usage, "which command? Read: forme --help")
        case "--help", "-h": print(help)
        case "--version": print("forme \(version)")
        case "help" where words.count == 1: print(help)
        case "help": show(try command(words[1]))
        case let word?:
            let command = try command(word)
            let rest = Array(words.dropFirst())
            if rest.contains("--help") || rest.contains("-h") { show(command) } else { try command.run(rest) }
        }
    }

    private static func command(_ name: String) throws -> Command {
        guard let command = Command.all.first(where: { $0.name == name }) else {
            throw Failure(.usage, "no command is called '\(name)'. Read: forme --help")
        }
        return command
    }

    private static func show(_ command: Command) {
        print("forme \(command.name): \(command.summary)\n\n\(command.usage)")
    }
}
