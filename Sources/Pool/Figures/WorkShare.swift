import JSON

/// The share of some long work that is done, and the time that the rest takes at the rate of the last minute.
package struct WorkShare: Equatable, Sendable {
    /// From 0 to 1.
    package var done: Double
    /// Nil where it is unknown: the work has just begun, or stands still, or is done.
    package var left: Duration?

    package init(done: Double, left: Duration? = nil) { (self.done, self.left) = (done, left) }
}

/// A meter of some long work: from the shares that are told it now and then, it knows how long the rest takes.
package struct WorkMeter: Equatable, Sendable {
    /// Measurements of the last minute, a second or more apart.
    private var samples: [Sample] = []

    private struct Sample: Equatable, Sendable {
        var done: Double
        var at: Moment
    }

    private static let window: Duration = .seconds(60)
    private static let pause: Duration = .seconds(1)
    /// The time after which a rate is one, and not the chance of a moment.
    private static let trial: Duration = .seconds(5)
    /// The share by which new work may lessen what is done between two looks.
    private static let mostLost = 0.01
    /// A longer time says no more than that it takes for ever.
    private static let longest: Duration = .seconds(30 * 86_400)

    package init() {}

    package mutating func note(_ done: Double, at now: Moment) {
        if let last = samples.last {
            guard now >= last.at + Self.pause else { return }
            // Where it began anew, what was measured says nothing of that. What comes meanwhile takes a little away.
            if done < last.done - Self.mostLost { samples = [] }
        }
        samples.removeAll { $0.at + Self.window < now }
        samples.append(Sample(done: done, at: now))
    }

    /// Nil where nothing was measured.
    package var share: WorkShare? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let (time, progress) = (last.at.sinceStart - first.at.sinceStart, last.done - first.done)
        guard time >= Self.trial, progress > 0, last.done < 1 else { return WorkShare(done: last.done) }
        let seconds = (1 - last.done) / progress * (time / .seconds(1))
        return WorkShare(
            done: last.done, left: seconds < Self.longest / .seconds(1) ? .seconds(Int(seconds) + 1) : nil)
    }
}

extension WorkShare {
    func writeMembers(to json: inout JSONWriter) {
        json.key("done")
        // Rounded up, almost all of it would be all of it.
        json.decimal(done < 1 ? min(done, 0.9999) : 1, places: 4)
        json.key("left_s")
        if let seconds { json.integer(seconds) } else { json.null() }
    }

    /// The time that is left, in whole seconds.
    var seconds: Int? { left.map { Int($0 / .seconds(1)) } }

    init?(_ json: JSONValue?) {
        guard let done = json?["done"]?.number?.double else { return nil }
        self.init(done: done, left: json?["left_s"]?.number?.integer.map { .seconds($0) })
    }
}
