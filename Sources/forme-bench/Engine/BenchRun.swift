/// The work of one engine on the measured half of some texts, and its time.
struct BenchRun {
    var messages = 0
    var seconds = 0.0
    var lines = 0
    /// A checksum over the end and width of every line, so that no work can be left out, nor change unseen.
    var checksum: UInt64 = 0
    var hits = 0
    var misses = 0

    var perSecond: Double { Double(messages) / max(seconds, 1e-9) }
    var nanosecondsPerMessage: Double { seconds * 1e9 / Double(max(1, messages)) }
    var hitRate: Double? { hits + misses > 0 ? Double(hits) / Double(hits + misses) : nil }

    /// The run of median speed.
    static func median(_ runs: [BenchRun]) -> BenchRun {
        runs.sorted { $0.perSecond < $1.perSecond }[runs.count / 2]
    }

    private static let enough = 0.3

    /// Repeats a run until enough work was timed to be believed; the median of all runs.
    static func repeated(_ once: () throws -> BenchRun) rethrows -> BenchRun {
        var runs: [BenchRun] = []
        repeat {
            runs.append(try once())
        } while runs.map(\.seconds).reduce(0, +) < enough && runs.count < 100
        return median(runs)
    }
}
