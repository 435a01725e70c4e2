import Pool

/// The time of one loop, from its start: the core receives it as an event.
struct LoopClock {
    private let start = ContinuousClock.now
    var now: Moment { Moment(sinceStart: start.duration(to: .now)) }
}
