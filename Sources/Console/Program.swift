import Foundation
import Operations

/// A program and its commands: finds the one that was asked for, runs it, and says how that ended.
package struct Program: Sendable {
    private let name: String
    private let summary: String
    private let commands: [any Command]
    private let departed: [String: String]

    private static let version = "0.1"
    private static let exits =
        "0 done · 1 failed · 2 wrong usage · 69 service not reached, or its address taken · 74 file or disk · 77 key refused"
    /// Words that every program understands beside its commands.
    private static let own = [
        (name: "help", summary: "explains a command and its options"),
        (name: "completions", summary: "prints the words by which bash, zsh or fish completes"),
        (name: "manual", summary: "writes man pages into a folder"),
    ]

    /// - Parameter departed: sentences for words that were commands once, with where they are now.
    package init(name: String, summary: String, commands: [any Command], departed: [String: String] = [:]) {
        (self.name, self.summary, self.commands, self.departed) = (name, summary, commands, departed)
    }

    /// Runs the command that this process was started with, and ends the process.
    package func main() -> Never {
        // Files of a process of Forme are for its own user alone, whatever the umask of the shell that started it.
        umask(0o077)
        // Where files may not grow past a limit, a write fails, and the process says so.
        signal(SIGXFSZ, SIG_IGN)
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    private func run(_ words: [String]) -> Int32 {
        Descriptors.raise()
        do {
            try start(words)
            try StandardOutput.finish()
            return 0
        } catch {
            let failure = Failure(error)
            let sentence = failure.sentence + (failure.manual.map { " Read: \(name) help \($0)" } ?? "")
            if !ServiceManager.current.failed(sentence) {
                StandardError.write("\(name): \(sentence)\n")
            }
            return failure.code.rawValue
        }
    }

    private func start(_ words: [String]) throws {
        switch words.first {
        case nil: throw Failure(.usage, "which command? Read: \(name) --help")
        case "--help", "-h": print(help)
        case "--version": print("\(name) \(Self.version)")
        case "help" where words.count == 1 || Self.own.contains { $0.name == words[1] }: print(help)
        case "help": show(try command(words[1]))
        case "completions": print(try completions(for: words.dropFirst().first), terminator: "")
        case "manual": try writeManual(Arguments(Array(words.dropFirst()), of: "manual", operands: 1))
        case let word?:
            let command = try command(word)
            let rest = Array(words.dropFirst())
            if rest.contains("--help") || rest.contains("-h") { show(command) } else { try command.run(rest) }
        }
    }

    private func command(_ word: String) throws -> any Command {
        if let command = commands.first(where: { $0.name == word }) { return command }
        if let sentence = departed[word] { throw Failure(.usage, sentence) }
        let known = word.hasPrefix("-") ? ["--help", "--version"] : commands.map(\.name) + Self.own.map(\.name)
        let near = Spelling.nearest(word, among: known)
        let hint = near.map { "; did you mean \(name) \($0)?" } ?? "."
        throw Failure(.usage, "no command is called '\(word)'\(hint) Read: \(name) --help")
    }

    private var manuals: [Manual] { commands.map(Manual.init) }

    private func completions(for shell: String?) throws -> String {
        let completions = Completions(program: name, manuals: manuals, own: Self.own)
        guard let script = shell.flatMap(completions.script) else {
            throw Failure(
                .usage, "completions are for \(Completions.shells.joined(separator: ", ")); name one of them.")
        }
        return script
    }

    /// A page for the program and one for each command, in `man1` of the folder.
    private func writeManual(_ arguments: Arguments) throws {
        guard let folder = arguments.operands.first else {
            throw Failure(.usage, "manual takes the FOLDER where man pages go, such as /usr/local/share/man.")
        }
        var pages = [(name, Manual.page(of: name, summary: summary, version: Self.version, exits: Self.exits, manuals))]
        pages += manuals.map {
            ("\(name)-\($0.name)", $0.page(of: name, version: Self.version, exits: Self.exits))
        }
        let own = URL(filePath: folder).appending(path: "man1")
        do {
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            for (page, text) in pages { try Data(text.utf8).write(to: own.appending(path: "\(page).1")) }
        } catch {
            throw Failure(.inputOutput, "\(own.path) cannot be written; check its folder, its owner and the disk")
        }
        print("\(pages.count) pages in \(own.path)")
    }

    private func show(_ command: any Command) {
        print("\(name) \(command.name): \(command.summary)\n\n\(command.usage)")
    }

    private var help: String {
        let (helping, telling) = ("\(name) help COMMAND", "\(name) --version")
        let (completing, printing) = ("\(name) completions SHELL", "\(name) manual FOLDER")
        let width = completing.count
        let longest = max(10, commands.map(\.name.count).max() ?? 0)
        return """
            \(name): \(summary)

            usage: \(name) COMMAND [OPTIONS]

            commands:
            \(commands.map { "  \(Self.padded($0.name, to: longest))  \($0.summary)" }.joined(separator: "\n"))

            \(Self.padded(helping, to: width))   explains a command and its options
            \(completing)   prints the script by which bash, zsh or fish completes its words
            \(Self.padded(printing, to: width))   writes its man pages
            \(Self.padded(telling, to: width))   the version

            exit codes: \(Self.exits)
            """
    }

    private static func padded(_ word: String, to length: Int) -> String {
        word + String(repeating: " ", count: max(0, length - word.count))
    }
}
