import Console
import Foundation
import Simulation
import Synchronization

/// Many seeds at once, one on each core. They share only the number of the next seed, and the results so far.
final class RunCrowd: Sendable {
    private struct Progress {
        var next: UInt64
        var runs: [SimulatedRun] = []
        var failed = 0
        var told = ContinuousClock.now
    }

    private let plan: SimulationPlan
    private let seeds: Range<UInt64>
    private let progress: Mutex<Progress>
    /// A line that is written over again and again is for people only.
    private let tells: Bool

    init(_ plan: SimulationPlan, seeds: Range<UInt64>, tells: Bool) {
        (self.plan, self.seeds, self.tells) = (plan, seeds, tells)
        progress = Mutex(Progress(next: seeds.lowerBound))
    }

    /// Runs the seeds, and returns the runs in the order of seeds. Where a bug is planted, the first run that finds
    /// it is the last to start.
    func run() -> [SimulatedRun] {
        let cores = min(ProcessInfo.processInfo.activeProcessorCount, seeds.count)
        DispatchQueue.concurrentPerform(iterations: cores) { _ in
            while let seed = nextSeed() { finish(plan.run(seed)) }
        }
        if tells { StandardError.write("\r\u{1B}[K") }
        return progress.withLock { $0.runs.sorted { $0.seed < $1.seed } }
    }

    private func nextSeed() -> UInt64? {
        progress.withLock { progress in
            guard progress.next < seeds.upperBound, plan.bug == nil || progress.failed == 0 else { return nil }
            defer { progress.next += 1 }
            return progress.next
        }
    }

    private func finish(_ run: SimulatedRun) {
        let line: String? = progress.withLock { progress in
            progress.runs.append(run)
            if !run.findings.isEmpty { progress.failed += 1 }
            guard tells, progress.told.duration(to: .now) > .milliseconds(200) else { return nil }
            progress.told = .now
            return "\r\(progress.runs.count) of \(seeds.count) seeds, \(progress.failed) failed"
        }
        if let line { StandardError.write(line) }
    }
}
