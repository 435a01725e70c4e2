import Foundation
package import Testing

/// Threads for tests that wait for other processes: those that compute have one thread for each core, and if one of them waited, a
/// core would.
package struct WaitingRoom: TestTrait, TestScoping {
    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(WaitingThreads.all) {
            // From here on it has a thread; until now it stood in line, which is nobody's time.
            let start = ContinuousClock.now
            defer { TestTimes.note(test, .now - start) }
            try await function()
        }
    }
}

extension Trait where Self == WaitingRoom {
    /// Most of its time it waits.
    package static var waits: Self { WaitingRoom() }
}

/// As many as processes can be started at once without being in each other's way.
private final class WaitingThreads: TaskExecutor {
    static let all = WaitingThreads()
    private let queue: OperationQueue

    private init() {
        queue = OperationQueue()
        queue.maxConcurrentOperationCount = 3
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
