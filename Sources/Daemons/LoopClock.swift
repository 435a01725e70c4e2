import Pool

/// The time of one loop, from its start: what the core receives as an event.
struct LoopClock {
    private let start = ContinuousClock.now
    var now: Moment { Moment(sinceStart: start.duration(to: .now)) }
}
