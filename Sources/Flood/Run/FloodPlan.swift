package import MessageLayout

/// The settings of a flood.
package struct FloodPlan: Sendable {
    /// The rule for an event that is answered "busy".
    package enum BusyRule: String, CaseIterable, Sendable {
        /// The event is counted and forgotten: this shows how much a service accepts at a rate that is too high.
        case drop
        /// The event is sent again when the service says; its latency still counts from the time at which it was due.
        case retry
    }

    package var run: String
    package var seed: UInt64 = 1
    package var conversations = 1000
    package var mix = MessageMix.standard
    package var shares = Workload.Shares()
    /// The number of words.
    package var vocabulary = 30_000
    package var shape = Arrivals.Shape.poisson
    package var producers = 4
    package var readers = 2
    /// Pages a second, of all readers together.
    package var readRate = 50.0
    /// The most events to a request; events that are due go at once, be it one.
    package var batch = 64
    /// Requests that each producer leaves unanswered.
    package var requestsInFlight = 64
    package var busyRule = BusyRule.drop
    /// The time that the service may take after the last event until everything is answered and readable.
    package var settleTime: Duration = .seconds(30)
    /// The time after which the audit gives a conversation up that nobody answers for, or only with refusals.
    package var auditTime: Duration = .seconds(20)
    /// The target at which readers read.
    package var target: Target

    package init(run: String, target: Target) {
        (self.run, self.target) = (run, target)
    }
}

/// One stretch of a flood at one rate.
package struct FloodStretch: Sendable {
    /// Events a second.
    package var rate: Double
    /// Latencies of events that are due before this are not counted.
    package var warmUp: Duration
    package var end: End

    package enum End: Sendable {
        /// The time after the warm-up.
        case after(Duration)
        case events(Int)
    }

    package init(rate: Double, warmUp: Duration = .zero, end: End) {
        (self.rate, self.warmUp, self.end) = (rate, warmUp, end)
    }
}
