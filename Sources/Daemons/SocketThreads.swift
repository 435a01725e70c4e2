import Foundation
import Glibc
import Synchronization

/// The threads of ZeroMQ in this process, whose work for sockets cannot be counted elsewhere.
///
/// They are looked up once a second, and their clocks are read by their numbers: to open the files of each thread of
/// a process at each beat costs more than all other words of a worker.
enum SocketThreads {
    private static let folder = "/proc/self/task"
    private static let name = "ZMQbg"
    private static let pause: Duration = .seconds(1)

    private struct Known {
        var threads: [Int32] = []
        var next = ContinuousClock.now
    }

    private static let known = Mutex(Known())

    /// The processor time of these threads since they began, in nanoseconds; 0 where the kernel does not tell.
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

    /// The time of a thread; 0 where it is gone.
    private static func time(of thread: Int32) -> UInt64 {
        // The C library forms the clock of its own threads in this way, in `pthread_getcpuclockid`.
        let clock = clockid_t(truncatingIfNeeded: ~thread << 3 | 6)
        var time = timespec()
        guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
