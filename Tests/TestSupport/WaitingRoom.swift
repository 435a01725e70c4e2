import Foundation
package import Testing

/// Threads for tests that wait for other processes. Tests that compute have one thread for each core, and a core
/// would idle if one of them waited.
package struct WaitingRoom: TestTrait, TestScoping {
    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(WaitingThreads.all) {
            // From here on the test has a thread. Until now it stood in line, and that time is not its own.
            let start = ContinuousClock.now
            defer { TestTimes.note(test, .now - start) }
            try await function()
        }
    }
}

extension Trait where Self == WaitingRoom {
    /// The trait of a test that waits for most of its time.
    package static var waits: Self { WaitingRoom() }
}

/// As many threads as tests that may start processes at once without being in each other's way.
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
