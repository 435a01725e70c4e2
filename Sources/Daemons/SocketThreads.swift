import Foundation
import Glibc
import Synchronization

/// The threads that ZeroMQ has in this process: what they do for a socket, nobody else can count.
///
/// They are looked for once a second, and their clocks are read by their numbers: to open the files of each thread of a process at
/// each beat costs more than all else that a worker says.
enum SocketThreads {
    private static let folder = "/proc/self/task"
    private static let name = "ZMQbg"
    private static let pause: Duration = .seconds(1)

    private struct Known {
        var threads: [Int32] = []
        var next = ContinuousClock.now
    }

    private static let known = Mutex(Known())

    /// For which they had a processor since they began, in nanoseconds; 0 where the kernel does not say.
    static var time: UInt64 {
        known.withLock { known in
            let now = ContinuousClock.now
            if now >= known.next { known = Known(threads: threads, next: now + pause) }
            return known.threads.reduce(0) { $0 + time(of: $1) }
        }
    }

    private static var threads: [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return all.filter { thread in
            FileManager.default.contents(atPath: "\(folder)/\(thread)/comm")?.starts(with: Array(name.utf8)) ?? false
        }.compactMap { Int32($0) }
    }

    /// Nothing, where the thread is gone.
    private static func time(of thread: Int32) -> UInt64 {
        // As the C library makes it of a thread that it began, in `pthread_getcpuclockid`.
        let clock = clockid_t(truncatingIfNeeded: ~thread << 3 | 6)
        var time = timespec()
        guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
