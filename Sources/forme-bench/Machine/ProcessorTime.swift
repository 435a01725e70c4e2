import Glibc

/// Seconds for which this thread had a processor: the work of other programs on the machine does not count. The
/// baselines measure with the same clock.
enum ProcessorTime {
    static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
