import Daemons
import Foundation
import Glibc
import JSON
import Simulation
package import Transport

/// A run of a plan against a service of its own, under the load of a flood. Afterwards everything heals; the flood
/// reports whether all that was accepted, and nothing else, can be read; then the files are checked.
///
/// ```text
/// forme serve ◀── kill -9, SIGSTOP, full disk, damage, clock ── this
///      ▲
/// forme flood ──▶ its ledger: exact, or not
/// ```
package struct ChaosRun: ~Copyable {
    package struct Load: Sendable {
        /// Events a second.
        package var rate = 500
        package var conversations = 200
        /// The style and the fonts of the workers, as options of `forme serve`.
        package var looks: [String] = []
        package var workers = 2

        package init() {}
    }

    private let plan: ChaosPlan
    private let folder: String
    private let data: String
    private let stop: Signals
    private var service: Household
    private let flood: ChildProcess
    private let leash: Leash
    private let clock: WallClockFile
    private var disk: Disk
    private var dice: Dice
    private var remedies: [Remedy] = []
    /// A damaged file, kept until a worker is killed while it examines the file.
    private var watched: String?
    private var report: ChaosReport
    private let start = ContinuousClock.now

    /// An act that ends a mishap, and its time.
    private struct Remedy {
        var time: Duration
        var kind: Kind

        enum Kind {
            case resume(Int32)
            case makeRoom
        }
    }

    /// Seconds after the last mishap until everything is readable; reading all of it back may take as long again.
    private static let settling = 20
    private static let stopping: Duration = .seconds(20)
    private static let mending: Duration = .seconds(20)
    /// The pause between two tries: a process that is being started cannot be killed yet.
    private static let patience: Duration = .milliseconds(50)

    /// - Parameters:
    ///   - folder: an empty folder for logs and results.
    ///   - data: an empty or missing folder for the data of the service.
    ///   - stop: ends the mishaps early; made before any thread.
    package init(_ plan: ChaosPlan, load: Load, in folder: String, data: String, stop: Signals) throws {
        // A limit on the size of files is to be an error, and not the end; children inherit that.
        signal(SIGXFSZ, SIG_IGN)
        let configuration = folder + "/forme.json5"
        try Self.configuration.write(toFile: configuration, atomically: true, encoding: .utf8)
        let clock = try WallClockFile(folder + "/clock")
        let place = ["--config", configuration, "--data", data]
        let leash = try Leash()
        let service = try Household(
            ["serve", "--supervised", "--workers", "\(load.workers)"] + place + load.looks,
            environment: clock.environment, log: folder + "/serve.log")
        let seconds = Int(plan.length / .seconds(1))
        let flood = try ChildProcess(
            arguments: ["flood", "--json", "--busy", "retry", "--arrivals", "poisson"] + place + [
                "--rate", "\(load.rate)", "--duration", "\(seconds)", "--conversations", "\(load.conversations)",
                "--settle", "\(Self.settling)", "--seed", "\(plan.seed)", "--deletes", "3", "--moves", "2",
            ], standardInput: leash, output: folder + "/flood.json", errors: folder + "/flood.log")
        disk = Disk(of: data)
        report = ChaosReport(plan, diskWay: disk.way.rawValue)
        dice = Dice(seed: ~plan.seed)
        (self.plan, self.folder, self.data, self.stop, self.clock) = (plan, folder, data, stop, clock)
        self.flood = flood
        self.leash = leash
        self.service = service
    }

    /// Content is kept for a time, so that clocks matter.
    private static let configuration = """
        { retention: { content: { days: 30 } } }

        """

    /// - Parameter progress: gets a line about each event as it happens.
    package mutating func run(_ progress: (String) -> Void) throws -> ChaosReport {
        var left = plan.entries[...]
        // Mishaps that are due; one that finds no victim goes to the end of the queue.
        var due: [Mishap] = []
        var end: ChildProcess.EndStatus?
        while end == nil {
            let now = start.duration(to: .now)
            try service.tend()
            while let next = left.first, next.time <= now { due.append(left.removeFirst().mishap) }
            if !due.isEmpty {
                let mishap = due.removeFirst()
                if let what = try strike(mishap, now) {
                    report.happened[mishap.kind, default: 0] += 1
                    progress("\(Self.seconds(now)) \(what)")
                } else {
                    due.append(mishap)
                }
            }
            heal(upTo: due.isEmpty && now > plan.length ? .seconds(Int64.max) : now)
            end = flood.endStatus()
            _ = try wait(for: [stop.source], atMost: Self.patience)
            if !stop.takeAll().isEmpty {
                (left, due) = ([], [])
                report.wasInterrupted = true
                flood.signal(SIGINT)
            }
        }
        report.restarts = service.restarts
        progress("\(Self.seconds(start.duration(to: .now))) the flood has ended; looking over the files")
        try conclude(end!)
        return report
    }

    private static func seconds(_ time: Duration) -> String {
        String(format: "%6.1f s", time / .seconds(1))
    }

    /// Carries out a mishap and describes it; nil where it has no victim at the moment.
    private mutating func strike(_ mishap: Mishap, _ now: Duration) throws -> String? {
        switch mishap {
        case .kill(let role):
            guard let victim = service.processes(role).randomElement(using: &dice) else { return nil }
            kill(victim, SIGKILL)
            return "killed \(role.rawValue) \(victim)"
        case .pause(let role, let time):
            guard let victim = service.processes(role).randomElement(using: &dice) else { return nil }
            kill(victim, SIGSTOP)
            remedies.append(Remedy(time: now + time, kind: .resume(victim)))
            return "stopped \(role.rawValue) \(victim) for \(time)"
        case .pauseUnderLock(let time):
            guard let victim = service.processes(.worker).randomElement(using: &dice),
                LockTable.stop(victim, inTransactionIn: data)
            else { return nil }
            remedies.append(Remedy(time: now + time, kind: .resume(victim)))
            return "stopped worker \(victim), which has a shard's lock, for \(time)"
        case .fullDisk(let time):
            disk.fill(service.writers)
            remedies.append(Remedy(time: now + time, kind: .makeRoom))
            return "filled the disk for \(time)"
        case .damagedShard:
            return ShardDamage.strike(in: data, &dice).map { "damaged \($0)" }
        case .cutExamination:
            watched = watched ?? ShardDamage.strike(in: data, &dice)
            guard let path = watched, ShardDamage.leaveWord(of: path), let worker = LockTable.examiner(of: path)
            else { return nil }
            watched = nil
            kill(worker, SIGKILL)
            return "killed worker \(worker), which looked over \(path), after damage"
        case .lostShard: return ShardDamage.remove(in: data, &dice).map { "removed \($0)" }
        case .clockJump(let seconds):
            try clock.jump(to: seconds)
            return "set the clock \(seconds) s from the time"
        }
    }

    private mutating func heal(upTo time: Duration) {
        for remedy in remedies where remedy.time <= time {
            switch remedy.kind {
            case .resume(let process): kill(process, SIGCONT)
            case .makeRoom: disk.makeRoom()
            }
        }
        remedies.removeAll { $0.time <= time }
    }

    private mutating func conclude(_ end: ChildProcess.EndStatus) throws {
        let words = (try? Data(contentsOf: URL(filePath: folder + "/flood.json"))).map { [UInt8]($0) } ?? []
        report.take(end, words)
        // The check marks damaged files as suspect, and the service repairs them.
        let deadline = ContinuousClock.now + Self.mending
        while try !check(), .now < deadline { _ = poll(nil, 0, 500) }
        report.hasStopped = try service.stop(within: Self.stopping)
        report.filesAreSound = try check()
    }

    private func check() throws -> Bool {
        let results = folder + "/check.txt"
        unsafe unlink(results)
        let check = try ChildProcess(
            arguments: ["check", data], standardInput: leash, output: results, errors: results)
        while true {
            if let end = check.endStatus() { return end == .exited(0) }
            _ = poll(nil, 0, 20)
        }
    }
}
