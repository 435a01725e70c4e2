import Console
import Flood
import Foundation

/// A search for the highest rate that a service bears; it prints the outcome of each try.
struct CapacityRun {
    private let options: FloodOptions
    /// The bound of the latency until a row is readable (p99), in nanoseconds.
    private let bound: UInt64

    /// The percentage of due events that must be accepted.
    private static let leastAccepted = 99.0

    init(_ options: FloodOptions, bound: UInt64) { (self.options, self.bound) = (options, bound) }

    /// - Returns: a stretch at the rate that was found.
    func search(_ loop: inout FloodLoop) throws -> FloodStretch {
        var search = CapacitySearch(from: options.stretch.rate)
        let progress = options.progress
        while let rate = search.next, !loop.wasStopped {
            let moments = try loop.run(stretch(at: rate)) { progress.show($0) }
            let isBorne = say(rate, moments, loop.traffic.measures)
            search.tried(isBorne: isBorne)
        }
        guard let rate = search.borne else {
            throw Failure(.failed, "no rate was borne; give a lower --rate to begin with, or a higher --p99")
        }
        progress.bar.say(
            "capacity: \(Int(rate)) events a second with p99 under \(bound / 1_000_000) ms")
        return stretch(at: rate)
    }

    private func stretch(at rate: Double) -> FloodStretch {
        var stretch = options.stretch
        stretch.rate = rate
        return stretch
    }

    private func say(_ rate: Double, _ moments: FloodLoop.Stretch, _ measures: Measures) -> Bool {
        let settled = Double(moments.settled.nanoseconds(since: moments.arrivalsEnd)) / 1e9
        let said = Double(max(1, measures.totals.sent + measures.unsent))
        let share = Double(measures.totals.accepted) / said * 100
        let ready = measures.ready.percentile(99)
        let isBorne = measures.ready.count > 0 && ready <= bound && share >= Self.leastAccepted && measures.unsent == 0
        options.progress.bar.say(
            String(
                format: "%8.0f/s  ready p99 %7@ ms  accepted %6.2f %%  settled in %.2f s  ", rate,
                FloodReport.milliseconds(ready) as NSString, share, settled) + (isBorne ? "borne" : "not borne"))
        return isBorne
    }
}
