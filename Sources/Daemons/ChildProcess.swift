import Foundation
package import Glibc

/// A child process that runs this same program, or another of the project.
package struct ChildProcess: Sendable {
    package let id: pid_t

    /// - Parameters:
    ///   - program: nil for the one that this process runs, even if its file was replaced or is gone.
    ///   - standardInput: the child reads from it; it stays open until every writer has ended.
    ///   - environment: variables that differ from those here; empty ones are left out.
    ///   - output, errors: files that it appends to; nil for those of this process.
    package init(
        program: String? = nil, arguments: [String], standardInput: borrowing Leash,
        environment: [String: String] = [:],
        output: String? = nil, errors: String? = nil
    ) throws(DaemonError) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, standardInput.reading, STDIN_FILENO)
        for (descriptor, path) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            guard let path else { continue }
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        var words = unsafe ([program ?? CommandLine.arguments[0]] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.filter { !$0.value.isEmpty }
        var settings = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe settings.forEach { unsafe free($0) } }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        try Self.letEnd(&attributes)
        var id: pid_t = 0
        let code = unsafe posix_spawn(&id, program ?? "/proc/self/exe", &actions, &attributes, &words, &settings)
        guard code == 0 else { throw .cannotSpawn(code: code) }
        self.id = id
    }

    /// Lets signals end a child until it waits for them itself. It inherits the signals that this process blocks to
    /// wait for them, and a child that waits for none could not be ended. A reload comes to it as soon as it listens.
    private static func letEnd(_ attributes: inout posix_spawnattr_t) throws(DaemonError) {
        var held = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, nil, &held)
        for number in [SIGTERM, SIGINT] { unsafe sigdelset(&held, number) }
        let code = unsafe posix_spawnattr_setsigmask(&attributes, &held)
        guard code == 0, unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK)) == 0 else {
            throw .cannotSpawn(code: code)
        }
    }

    package func signal(_ number: Int32) { kill(id, number) }

    /// Asks it to stop, and waits until it has stopped.
    package func end() {
        signal(SIGTERM)
        waitpid(id, nil, 0)
    }

    /// The way in which it ended; nil while it runs. It must be asked until it has ended, and not after that.
    package func endStatus() -> EndStatus? {
        var status: Int32 = 0
        guard unsafe waitpid(id, &status, WNOHANG) == id else { return nil }
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    }

    package enum EndStatus: Equatable, Sendable, CustomStringConvertible {
        case exited(Int32)
        case signalled(Int32)

        package var description: String {
            switch self {
            case .exited(let code): "exit code \(code)"
            case .signalled(let number): "signal \(number)"
            }
        }
    }
}

/// A pipe whose writing end only this process holds: its closing tells the readers that this process is gone.
package struct Leash: ~Copyable {
    let reading: Int32
    private let writing: Int32

    package init() throws(DaemonError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .cannotSpawn(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }
}

package enum DaemonError: Error, Equatable, Sendable {
    case cannotSpawn(code: Int32)
    /// A file that came from another host cannot be kept on this one.
    case cannotKeep(path: String, code: Int32)
    /// The coordinator turned this process away, with the reason and the remedy.
    case turnedAway(String)
    /// A child was never ready, or did not stay up; the reason is its own.
    case cannotStart(command: String, status: ChildProcess.EndStatus, reason: String?)
}

/// The meaning of a child's exit codes to the process that started it.
enum ExitCode {
    /// Its address or its folder is taken: perhaps by a process that is about to end.
    static let unavailable: Int32 = 69

    /// Wrong usage, a file that cannot be read, a key that is refused: another start would end in the same way.
    static func isFinal(_ code: Int32) -> Bool { [2, 74, 77].contains(code) }
}
