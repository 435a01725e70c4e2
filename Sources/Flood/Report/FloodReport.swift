/// The report on a flood when it is over.
package struct FloodReport: Sendable {
    package let plan: FloodPlan
    package let stretch: FloodStretch
    package let moments: FloodLoop.Stretch
    package let measures: Measures
    /// Counts of the whole run: events before the stretch must be found, too.
    package let counts: Ledger.Counts
    package let objections: [String]
    /// The verdict on what readers find.
    package let verdict: Audit.Verdict
    /// The stored rows, beside what was accepted.
    package let files: FileComparison
    package let processes: [ProcessShare]
    package let samples: [ProcessSample]
    /// Times of the service while events arrived, and until all was settled.
    package let times: ServiceTimes

    /// The share of processors and memory that one process took while events arrived.
    package struct ProcessShare: Equatable, Sendable {
        package var process: ProcessTable.Process
        /// 1 is one processor, the whole time.
        package var processors: Double
        /// The most memory, in bytes.
        package var memory: UInt64
    }

    package init(
        _ loop: borrowing FloodLoop, _ stretch: FloodStretch, _ moments: FloodLoop.Stretch, _ verdict: Audit.Verdict,
        files: FileComparison, times: ServiceTimes = ServiceTimes()
    ) {
        self.times = times
        (plan, self.stretch, self.moments) = (loop.plan, stretch, moments)
        (self.verdict, self.files) = (verdict, files)
        measures = loop.traffic.measures
        (counts, objections) = (loop.traffic.ledger.counts, loop.traffic.ledger.objections)
        samples = loop.samples
        processes = Self.shares(loop.samples, in: moments)
    }

    /// Whether everything was as it must be: nothing is refused for good or unanswered, and readers find all that
    /// they must. Files of this machine that could not be read are no proof of it.
    package var isClean: Bool {
        verdict.isClean && files.isClean && counts.invalid == 0 && counts.unanswered == 0
            && measures.unsent == 0
    }

    /// The verdict on the files of the cache; nil where none were read.
    package var stored: Audit.Verdict? { files.verdict }
    /// Says why no file was read; nil where all were.
    package var filesNotRead: String? { files.reason.map { "files: not read, \($0)" } }

    /// Some of each kind of fault that was found.
    package var examples: [String] {
        objections + verdict.examples + (stored?.examples ?? []).map { "in the files: \($0)" }
    }

    /// The time in which events arrived.
    package var seconds: Double { Double(moments.arrivalsEnd.nanoseconds(since: moments.start)) / 1e9 }
    /// Events a second that were acknowledged, of those that arrived.
    package var acceptedRate: Double { Double(measures.totals.accepted) / max(seconds, 0.001) }
    package var readyRate: Double { Double(measures.totals.ready) / max(seconds, 0.001) }
    /// Seconds from the last event until everything is readable.
    package var settlingTime: Double { Double(moments.settled.nanoseconds(since: moments.arrivalsEnd)) / 1e9 }

    /// Processor time of a process to an accepted event, in microseconds.
    package func microseconds(_ share: ProcessShare) -> Double { share.processors * 1e6 / max(acceptedRate, 1) }

    package static let percentiles = [50.0, 90, 99, 99.9, 99.99, 100]

    package var latencies: [(name: String, histogram: Histogram)] {
        [("ack", measures.acknowledged), ("ready", measures.ready), ("fetch", measures.fetched)]
    }

    private static func shares(_ samples: [ProcessSample], in moments: FloodLoop.Stretch) -> [ProcessShare] {
        var shares: [ProcessShare] = []
        // The first sample of a process has nothing to be compared with.
        let during = samples.filter { $0.time <= moments.arrivalsEnd || $0.time == samples.first?.time }
        for sample in during {
            for usage in sample.usages {
                guard let place = shares.firstIndex(where: { $0.process == usage.process }) else {
                    shares.append(ProcessShare(process: usage.process, processors: 0, memory: usage.memory))
                    continue
                }
                shares[place].memory = max(shares[place].memory, usage.memory)
            }
        }
        for place in shares.indices {
            let known = during.compactMap { $0.usages.first { $0.process == shares[place].process }?.processors }
            let used = known.count > 1 ? Array(known.dropFirst()) : known
            shares[place].processors = used.reduce(0, +) / Double(max(1, used.count))
        }
        return shares
    }
}
