import Glibc

/// How long the thread was at work on `body`: the same on a busy machine and on an idle one, which a clock is not.
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
