import Glibc
import Wire

/// Divides the processor time of one thread between stages: other work of the machine is not counted.
struct Stopwatch {
    var times = StageTimes()
    private var last: UInt64 = 0

    /// Adds the time since the last lap to a stage; at the first lap, the time since the thread began.
    mutating func lap(_ stage: StageTimes.Stage) {
        let now = Self.now
        times[stage] += now - last
        last = now
    }

    /// The times of its thread, and of those of ZeroMQ.
    var processTimes: StageTimes {
        var times = times
        times[.sockets] = SocketThreads.time
        return times
    }

    /// The times since the last call.
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
