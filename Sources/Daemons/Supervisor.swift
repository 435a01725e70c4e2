import Glibc
import Pool
package import Transport

/// Keeps a set of child processes running: one that ends is started again, until the supervisor is told to stop.
///
/// Children hold the reading end of a pipe as standard input. However the supervisor ends, the pipe closes, and they stop.
package struct Supervisor: ~Copyable {
    private let signals: Signals
    private let leash: Leash
    private let clock = LoopClock()
    private var children: [Child]

    private struct Child {
        var arguments: [String]
        var process: ChildProcess?
        var started = Moment.start
        /// Times in a row that it ended soon after its start.
        var failures = 0
    }

    /// A child that lives for so long has started well.
    private static let trial: Duration = .seconds(5)
    private static let pause: Duration = .seconds(1)
    private static let patience = 3

    /// - Parameter commands: the arguments of each child, which runs this same program.
    package init(_ commands: [[String]]) throws {
        let signals = try Signals([SIGCHLD, SIGTERM, SIGINT])
        let leash = try Leash()
        self.signals = signals
        self.leash = leash
        children = commands.map { Child(arguments: $0) }
    }

    /// Runs until a signal says stop or one of `stop` becomes readable. Throws when a child does not stay up.
    package mutating func run(until stop: [Source]) throws {
        while true {
            try startMissing()
            let awake = try wait(for: [signals.source] + stop, atMost: Self.pause)
            let received = signals.takeAll()
            if awake.dropFirst().contains(true) || received.contains(where: { $0 != SIGCHLD }) { break }
            try noticeEnded()
        }
        try endAll()
    }

    private mutating func startMissing() throws {
        for index in children.indices where children[index].process == nil {
            let child = children[index]
            guard child.failures == 0 || child.started + Self.pause <= clock.now else { continue }
            children[index].process = try ChildProcess(arguments: child.arguments, standardInput: leash)
            children[index].started = clock.now
        }
    }

    private mutating func noticeEnded() throws {
        for index in children.indices {
            guard let status = children[index].process?.endStatus() else { continue }
            let name = children[index].arguments[0]
            let failedSoon = clock.now < children[index].started + Self.trial
            children[index].process = nil
            children[index].failures = failedSoon ? children[index].failures + 1 : 0
            log("serve: \(name) ended (\(status)); starting it again")
            guard children[index].failures < Self.patience else {
                try endAll()
                throw DaemonError.keepsFailing(command: name, status: status)
            }
        }
    }

    /// Asks every child to stop, and does not wait for ever.
    private mutating func endAll() throws {
        let running = children.compactMap(\.process)
        for process in running { process.signal(SIGTERM) }
        let deadline = clock.now + .seconds(10)
        var left = running.filter { $0.endStatus() == nil }
        while !left.isEmpty, clock.now < deadline {
            _ = try wait(for: [signals.source], atMost: .milliseconds(100))
            _ = signals.takeAll()
            left = left.filter { $0.endStatus() == nil }
        }
        for process in left { process.signal(SIGKILL) }
    }
}
