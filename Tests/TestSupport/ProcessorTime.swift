import Glibc

/// The time that the thread was at work on `body`. Unlike that of a clock, it is the same on a busy and an idle
/// machine.
package func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    let before = threadTime()
    try body()
    return threadTime() - before
}

private func threadTime() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
