import Foundation
import Testing

/// A server of PostgreSQL of this test's own, on this machine, in a folder of its own. It ends with the test, however
/// that ends.
package final class PostgresNode {
    package static let isInstalled = programs != nil
    /// The message of a test that is skipped without PostgreSQL.
    package static let lack = "PostgreSQL is not installed (Debian's postgresql); deploy/prepare test installs it"

    package let url: String
    package let port: UInt16
    private let folder: TemporaryFolder
    private let settings: [String]
    private var server: Server?

    /// The folder of `initdb` and `postgres`; nil where they are not installed.
    private static let programs: String? = {
        let all = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: all))?.sorted() ?? []
        return versions.last { FileManager.default.isExecutableFile(atPath: "\(all)/\($0)/bin/postgres") }
            .map { "\(all)/\($0)/bin" }
    }()

    /// A shell that starts the server, says its id, and ends it when nobody holds the other end of its input.
    private struct Server {
        let shell: Process
        let leash: Pipe
        let id: Int32
    }

    /// - Parameter settings: `NAME=VALUE` of the server, beside those that every test has.
    package init(settings: [String] = []) throws {
        self.settings = settings
        let memory = "/dev/shm"
        folder = try TemporaryFolder(in: FileManager.default.isWritableFile(atPath: memory) ? memory : "/tmp")
        port = try Ports.one()
        url = "postgresql://forme@127.0.0.1:\(port)/postgres"
        // PostgreSQL refuses to run as root: root runs it as the user that Debian made for it.
        if getuid() == 0 { try Self.run("/usr/bin/chown", ["postgres", folder.path]) }
        try Self.run(
            Self.words("initdb", ["-D", data, "-A", "trust", "-U", "forme", "-E", "UTF8", "--locale=C", "--no-sync"]))
        try start()
    }

    deinit { kill() }

    private var data: String { folder.file("data") }

    private static func words(_ program: String, _ arguments: [String]) -> [String] {
        let words = ["\(programs ?? "")/\(program)"] + arguments
        return getuid() == 0
            ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] + words : words
    }

    private static func run(_ words: [String]) throws { try run(words[0], Array(words.dropFirst())) }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: "/")
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw NoServer(said: "\(program): \(process.terminationStatus)") }
    }

    package func start() throws {
        let (shell, leash, output) = (Process(), Pipe(), Pipe())
        shell.executableURL = URL(filePath: "/bin/sh")
        let script =
            #"cd /; "$@" </dev/null >/dev/null 2>&1 & echo $!; cat >/dev/null; kill -QUIT $! 2>/dev/null; wait"#
        shell.arguments =
            ["-c", script, "sh"]
            + Self.words(
                "postgres",
                [
                    "-D", data, "-p", "\(port)", "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
                    // Bytes that a killed process has written stay, and these tests do not cut the power.
                    "-c", "fsync=off",
                ] + settings.flatMap { ["-c", $0] })
        shell.environment = ["PATH": "/usr/bin:/bin"]
        (shell.standardInput, shell.standardOutput) = (leash, output)
        try shell.run()
        let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let id = Int32(said.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw NoServer(said: said) }
        server = Server(shell: shell, leash: leash, id: id)
    }

    package struct NoServer: Error {
        let said: String
    }

    /// Ends the server at once, with every connection; its folder stays.
    package func kill() {
        guard let running = server.take() else { return }
        // A server that is paused takes no other signal.
        Foundation.kill(running.id, SIGCONT)
        running.leash.fileHandleForWriting.closeFile()
        running.shell.waitUntilExit()
    }

    package func pause() { if let id = server?.id { Self.signal(SIGSTOP, id) } }
    package func goOn() { if let id = server?.id { Self.signal(SIGCONT, id) } }

    /// Sends a signal to a server and all of its processes.
    private static func signal(_ signal: Int32, _ id: Int32) {
        for other in children(of: id) + [id] { Foundation.kill(other, signal) }
    }

    private static func children(of id: Int32) -> [Int32] {
        let said = (try? String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)) ?? ""
        return said.split(separator: " ").compactMap { Int32($0) }
    }
}
