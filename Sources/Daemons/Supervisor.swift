import Glibc
import Operations
import Pool
package import Transport

private let log = Log("serve")

/// Keeps a set of child processes running: one that ends is started again at once, and with growing pauses only if it
/// ends again soon after its start. Only one that was sent away stays away, until the configuration is read again, or
/// the plan was without it. Before all of them have once been ready, it gives up on one that cannot start; after that
/// it tries again, ever less often.
///
/// Children hold the reading end of a pipe as standard input. However the supervisor ends, the pipe closes, and they
/// stop. They tell it that they are ready, and from then on that they live; one that falls silent is hung, and is
/// killed. One that cannot go on gives the reason, so that it is reported once and by one process.
package struct Supervisor: ~Copyable {
    private let signals: Signals
    private let leash: Leash
    private let clock = LoopClock()
    private var children: [Child]
    /// The arguments of the children that may change, as they should be now.
    private let crew: () -> [[String]]
    private var nextLook = Moment.start

    private struct Child {
        var arguments: [String]
        var process: ChildProcess?
        var started = Moment.start
        /// The time before which it is not started.
        var nextStart = Moment.start
        let inbox: NotificationInbox
        /// The time at which it was last heard, by a clock that stands still while the machine sleeps; nil before it
        /// is ready.
        var lastSign: SuspendingClock.Instant?
        var isReady = false
        /// The reason that it gave for its end.
        var reason: String?
        /// The number of times in a row that it ended soon after its start, the last end included.
        var failures = 0
        var restarts = 0
        /// Whether the coordinator has sent it away: by command, or as its edition is not wanted any more.
        var isDismissed = false
        /// Whether an operator has sent it away: no other takes its place, either.
        var isUnwanted = false
        /// Whether it is one of those that may change.
        var isCrew = false
        /// Whether another took its place: it ends, and is not started again.
        var isLeaving = false

        /// The pause before its next start. The first one is at once. One that ends again soon waits, but not for
        /// long if it can start, as others wait for it.
        var pause: Duration {
            guard failures > 1 else { return .zero }
            let doubled = Supervisor.pause * (1 << min(failures - 2, 8))
            return min(doubled, isReady ? Supervisor.longestPause / 10 : Supervisor.longestPause)
        }
    }

    /// The time that a child must live to have started well.
    private static let trial: Duration = .seconds(5)
    private static let pause: Duration = .milliseconds(250)
    private static let longestPause: Duration = .seconds(10)
    private static let patience = 3
    /// The time within which those that may change follow their plan.
    private static let lookingPause: Duration = .milliseconds(100)
    /// The time in which a service that takes the place of another may find its sockets and its folder in use.
    private static let takeover: Duration = .seconds(2)
    private static let silence: Duration = .seconds(30)
    private var hasSaidReady = false

    /// - Parameters:
    ///   - commands: the arguments of each child, which runs this same program.
    ///   - crew: the arguments of children that may change, whenever it is called.
    package init(_ commands: [[String]], crew: @escaping () -> [[String]] = { [] }) throws {
        let signals = try Signals([SIGCHLD, SIGTERM, SIGINT, SIGHUP])
        let leash = try Leash()
        let children = try commands.map { arguments in
            guard let inbox = NotificationInbox() else { throw DaemonError.cannotSpawn(code: errno) }
            return Child(arguments: arguments, inbox: inbox)
        }
        self.crew = crew
        self.signals = signals
        self.leash = leash
        self.children = children
    }

    /// Runs until a signal says stop or one of `stop` becomes readable. Throws when a child does not stay up.
    ///
    /// - Parameter reload: called when SIGHUP came; where it returns true, the children get the signal, too.
    package mutating func run(until stop: [Source], reload: () -> Bool = { true }) throws {
        while true {
            try followPlan()
            let inboxes = children.map { Source(descriptor: $0.inbox.descriptor, of: $0.inbox) }
            try startMissing()
            ServiceManager.current.isAlive()
            let awake = try wait(for: stop + [signals.source] + inboxes, atMost: rest)
            let received = signals.takeAll()
            if awake.prefix(stop.count).contains(true) || received.contains(where: { [SIGTERM, SIGINT].contains($0) }) {
                break
            }
            if received.contains(SIGHUP), reload() {
                for index in children.indices {
                    (children[index].isDismissed, children[index].isUnwanted) = (false, false)
                    children[index].process?.signal(SIGHUP)
                }
            }
            // Heard first: a child's last words before it ended.
            hearChildren()
            try noticeEnded()
        }
        ServiceManager.current.stopping("waiting for \(children.count) processes")
        ServiceManager.current.extend(by: .seconds(15))
        try endAll()
    }

    /// Starts and ends those that may change, according to their plan.
    private mutating func followPlan() throws {
        guard nextLook <= clock.now else { return }
        nextLook = clock.now + Self.lookingPause
        let places = children.indices.filter { children[$0].isCrew && !children[$0].isLeaving }
        let members = places.map {
            Crew.Member(
                arguments: children[$0].arguments, isSettled: children[$0].lastSign != nil || children[$0].isDismissed,
                isDismissed: children[$0].isUnwanted, isOver: children[$0].isDismissed && !children[$0].isUnwanted)
        }
        let change = Crew.change(of: members, to: crew())
        // All of them or none, so that the next look counts those that an operator has sent away as this one does.
        let inboxes = change.missing.compactMap { _ in NotificationInbox() }
        guard inboxes.count == change.missing.count else {
            let error = DaemonError.cannotSpawn(code: errno)
            guard hasSaidReady else { throw error }
            log.error("no process can be started; trying again", ["reason": "\(error)"])
            return nextLook = clock.now + Self.longestPause / 10
        }
        for (start, inbox) in zip(change.missing, inboxes) {
            children.append(
                Child(
                    arguments: start.arguments, inbox: inbox, isDismissed: start.isDismissed,
                    isUnwanted: start.isDismissed, isCrew: true))
        }
        for place in change.surplus.map({ places[$0] }) {
            children[place].isLeaving = true
            children[place].process?.signal(SIGTERM)
        }
        children.removeAll { $0.isLeaving && $0.process == nil }
    }

    private mutating func hearChildren() {
        for index in children.indices {
            for word in children[index].inbox.takeAll() {
                switch word {
                case .ready:
                    children[index].lastSign = .now
                    children[index].isReady = true
                case .alive: if children[index].lastSign != nil { children[index].lastSign = .now }
                // It takes its time to finish its work, and may.
                case .stopping: children[index].lastSign = nil
                case .evict(let process): evict(process)
                case .dismiss(let process):
                    for other in children.indices where children[other].process?.id == process {
                        children[other].isUnwanted = true
                    }
                case .dismissed: children[index].isDismissed = true
                case .renew:
                    for other in children.indices where other != index { children[other].process?.signal(SIGTERM) }
                case .failed(let reason): children[index].reason = reason
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

    /// Kills a process at the word of another, only if it is a child of this one.
    private func evict(_ process: Int32) {
        guard let child = children.first(where: { $0.process?.id == process }) else { return }
        log.warning("a process lost its leases and does not go on; ending it", ["process": "\(child.arguments[0])"])
        child.process?.signal(SIGKILL)
    }

    private mutating func startMissing() throws {
        for index in children.indices
        where children[index].process == nil
            && !children[index].isDismissed && !children[index].isLeaving
        {
            let child = children[index]
            guard child.nextStart <= clock.now else { continue }
            (children[index].isReady, children[index].reason) = (false, nil)
            do throws(DaemonError) {
                children[index].process = try ChildProcess(
                    arguments: child.arguments, standardInput: leash,
                    environment: [
                        "NOTIFY_SOCKET": child.inbox.address, "WATCHDOG_PID": "",
                        "WATCHDOG_USEC": "\(Int(Self.silence / .microseconds(1)) * 2 / 3)",
                        ServiceManager.restartsVariable: "\(child.restarts)",
                    ])
                children[index].started = clock.now
            } catch {
                guard hasSaidReady else { throw error }
                // The machine may be short of processes or of memory for a moment.
                children[index].failures += 1
                children[index].nextStart = clock.now + max(Self.pause, children[index].pause)
                log.error(
                    "a process cannot be started; trying again",
                    ["process": "\(child.arguments[0])", "reason": "\(error)"])
            }
        }
    }

    private mutating func noticeEnded() throws {
        for index in children.indices {
            guard let status = children[index].process?.endStatus() else { continue }
            let name = children[index].arguments[0]
            if children[index].isLeaving || children[index].isDismissed {
                children[index].process = nil
                children[index].lastSign = nil
                Self.tellLast(children[index], status)
                continue
            }
            let hasLived = children[index].isReady && clock.now >= children[index].started + Self.trial
            children[index].process = nil
            children[index].lastSign = nil
            children[index].failures = hasLived ? 1 : children[index].failures + 1
            try endIfUseless(children[index], status)
            children[index].nextStart = clock.now + children[index].pause
            children[index].restarts += 1
            log.warning(
                "a process ended; starting it again",
                ["process": "\(name)", "status": "\(status)", "reason": "\(children[index].reason ?? "not said")"])
        }
    }

    /// Tells of the end of a child that is not started again. Its reason is here alone: it said it to nobody else.
    private static func tellLast(_ child: Child, _ status: ChildProcess.EndStatus) {
        let name = child.arguments[0]
        if let reason = child.reason {
            log.warning(
                "a process has ended for good", ["process": "\(name)", "status": "\(status)", "reason": "\(reason)"])
        } else if child.isLeaving {
            log.info("a process has ended, as others took its place", ["process": "\(name)", "status": "\(status)"])
        } else {
            log.info("a process was sent away, and has ended", ["process": "\(name)", "status": "\(status)"])
        }
    }

    /// Gives up before all have once been ready. After that the setup is known to be good: a full disk has room again
    /// some day.
    private mutating func endIfUseless(_ child: Child, _ status: ChildProcess.EndStatus) throws {
        guard !hasSaidReady else { return }
        let isHopeless =
            switch status {
            case .exited(let code) where !child.isReady && !child.isCrew && ExitCode.isFinal(code): true
            case .exited(ExitCode.unavailable) where !child.isReady: clock.now >= .start + Self.takeover
            case .exited, .signalled: child.failures >= Self.patience
            }
        guard isHopeless else { return }
        try endAll()
        throw DaemonError.cannotStart(command: child.arguments[0], status: status, reason: child.reason)
    }

    /// The time until a child is to be started again, or may be found hung.
    private var rest: Duration {
        let missing = children.filter { $0.process == nil && !$0.isDismissed && !$0.isLeaving }
        return Self.rest(until: missing.map(\.nextStart).min(), at: clock.now)
    }

    /// The time to a start, or to the next look at the plan; nil where none is to be started.
    static func rest(until next: Moment?, at now: Moment) -> Duration {
        guard let next else { return lookingPause }
        return min(lookingPause, max(.zero, next.sinceStart - now.sinceStart))
    }

    /// Asks every child to stop, and kills those that do not do so in time.
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
