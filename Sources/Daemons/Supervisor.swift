import Glibc
import Operations
import Pool
package import Transport

private let log = Log("serve")

/// Keeps a set of child processes running: one that ends is started again, until the supervisor is told to stop. Only one that was
/// sent away stays away, until the configuration is read again. Before all of them have once been ready, it gives up on one that does
/// not stay up; after that it tries again, ever less often.
///
/// Children hold the reading end of a pipe as standard input. However the supervisor ends, the pipe closes, and they stop. They tell it
/// that they are ready, and from then on that they live; one that falls silent is hung, and is killed.
package struct Supervisor: ~Copyable {
    private let signals: Signals
    private let leash: Leash
    private let clock = LoopClock()
    private var children: [Child]

    private struct Child {
        var arguments: [String]
        var process: ChildProcess?
        var started = Moment.start
        let inbox: NotificationInbox
        /// When it was last heard; nil before it is ready. A clock that stands still while the machine sleeps.
        var lastSign: SuspendingClock.Instant?
        /// Times in a row that it ended soon after its start.
        var failures = 0
        /// The coordinator has sent it away: by command, or as nobody wants its edition any more.
        var isDismissed = false
    }

    /// A child that lives for so long has started well.
    private static let trial: Duration = .seconds(5)
    private static let pause: Duration = .seconds(1)
    private static let longestPause: Duration = .seconds(10)
    private static let patience = 3
    private static let silence: Duration = .seconds(30)
    private var hasSaidReady = false

    /// - Parameter commands: the arguments of each child, which runs this same program.
    package init(_ commands: [[String]]) throws {
        let signals = try Signals([SIGCHLD, SIGTERM, SIGINT, SIGHUP])
        let leash = try Leash()
        let children = try commands.map { arguments in
            guard let inbox = NotificationInbox() else { throw DaemonError.cannotSpawn(code: errno) }
            return Child(arguments: arguments, inbox: inbox)
        }
        self.signals = signals
        self.leash = leash
        self.children = children
    }

    /// Runs until a signal says stop or one of `stop` becomes readable. Throws when a child does not stay up.
    ///
    /// - Parameter reload: called when SIGHUP came; where it returns true, the children get the signal, too.
    package mutating func run(until stop: [Source], reload: () -> Bool = { true }) throws {
        let inboxes = children.map { Source(descriptor: $0.inbox.descriptor, of: $0.inbox) }
        while true {
            try startMissing()
            ServiceManager.current.isAlive()
            let awake = try wait(for: stop + [signals.source] + inboxes, atMost: Self.pause)
            let received = signals.takeAll()
            if awake.prefix(stop.count).contains(true) || received.contains(where: { [SIGTERM, SIGINT].contains($0) }) {
                break
            }
            if received.contains(SIGHUP), reload() {
                for index in children.indices {
                    children[index].isDismissed = false
                    children[index].process?.signal(SIGHUP)
                }
            }
            // What it said before it ended.
            hearChildren()
            try noticeEnded()
        }
        ServiceManager.current.stopping("waiting for \(children.count) processes")
        ServiceManager.current.extend(by: .seconds(15))
        try endAll()
    }

    private mutating func hearChildren() {
        for index in children.indices {
            for word in children[index].inbox.takeAll() {
                switch word {
                case .ready: children[index].lastSign = .now
                case .alive: if children[index].lastSign != nil { children[index].lastSign = .now }
                // It takes its time to finish what it holds, and may.
                case .stopping: children[index].lastSign = nil
                case .evict(let process): evict(process)
                case .dismissed: children[index].isDismissed = true
                }
            }
            guard let process = children[index].process, let last = children[index].lastSign,
                .now - last > Self.silence
            else { continue }
            log.error("a process is hung; ending it", ["process": "\(children[index].arguments[0])"])
            children[index].lastSign = nil
            process.signal(SIGKILL)
        }
        guard !hasSaidReady, children.allSatisfy({ $0.lastSign != nil || $0.isDismissed }) else { return }
        hasSaidReady = true
        log.info("ready", ["processes": .number(children.count)])
        ServiceManager.current.ready("\(children.count) processes")
    }

    /// Only a process that is a child of this one, and does not hold its own life in the balance, is ended at the word of another.
    private func evict(_ process: Int32) {
        guard let child = children.first(where: { $0.process?.id == process }) else { return }
        log.warning("a process lost its leases and does not go on; ending it", ["process": "\(child.arguments[0])"])
        child.process?.signal(SIGKILL)
    }

    private mutating func startMissing() throws {
        for index in children.indices where children[index].process == nil && !children[index].isDismissed {
            let child = children[index]
            let pause = min(Self.pause * max(1, child.failures - Self.patience + 1), Self.longestPause)
            guard child.failures == 0 || child.started + pause <= clock.now else { continue }
            children[index].process = try ChildProcess(
                arguments: child.arguments, standardInput: leash,
                environment: [
                    "NOTIFY_SOCKET": child.inbox.address, "WATCHDOG_PID": "",
                    "WATCHDOG_USEC": "\(Int(Self.silence / .microseconds(1)) * 2 / 3)",
                ])
            children[index].started = clock.now
        }
    }

    private mutating func noticeEnded() throws {
        for index in children.indices {
            guard let status = children[index].process?.endStatus() else { continue }
            let name = children[index].arguments[0]
            if children[index].isDismissed {
                children[index].process = nil
                children[index].lastSign = nil
                log.info("a process was sent away, and has ended", ["process": "\(name)", "status": "\(status)"])
                continue
            }
            let failedSoon = clock.now < children[index].started + Self.trial
            children[index].process = nil
            children[index].lastSign = nil
            children[index].failures = failedSoon ? children[index].failures + 1 : 0
            log.warning("a process ended; starting it again", ["process": "\(name)", "status": "\(status)"])
            // What has once been ready was set up well: a full disk has room again some day.
            guard hasSaidReady || children[index].failures < Self.patience else {
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
