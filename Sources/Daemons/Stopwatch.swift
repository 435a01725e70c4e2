import Glibc
import Wire

/// Divides the time for which one thread had a processor between stages: what else the machine does is not counted.
struct Stopwatch {
    var times = StageTimes()
    private var last: UInt64 = 0

    /// Since the last lap; the first one, since the thread began.
    mutating func lap(_ stage: StageTimes.Stage) {
        let now = Self.now
        times[stage] += now - last
        last = now
    }

    /// Of its thread, and of those of ZeroMQ.
    var processTimes: StageTimes {
        var times = times
        times[.sockets] = SocketThreads.time
        return times
    }

    /// What was measured since this was asked last.
    mutating func take() -> StageTimes {
        defer { times = StageTimes() }
        return times
    }

    private static var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
