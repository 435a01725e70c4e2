package import Wire

/// A text as Prometheus reads it. Names begin with that of this project, and go on with that of the subject.
package struct MetricsText {
    package var subject: String
    package private(set) var text = ""

    package enum Kind: String { case counter, gauge, histogram }

    /// A figure, and the labels that tell it from others of its name.
    package struct Sample {
        var labels: [(name: String, value: String)]
        var value: String

        package init(_ labels: [(name: String, value: String)] = [], _ value: some CustomStringConvertible) {
            (self.labels, self.value) = (labels, "\(value)")
        }
    }

    package init(of subject: String) { self.subject = subject }

    package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        begin(name, kind, help)
        for sample in samples { add(name, sample) }
    }

    package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: some CustomStringConvertible) {
        add(name, kind, help, [Sample([], value)])
    }

    /// - Parameter latencies: the times, with labels that tell one from another.
    package mutating func add(
        _ name: String, _ help: String, _ latencies: [(labels: [(name: String, value: String)], times: Latencies)]
    ) {
        begin(name, .histogram, help)
        for (labels, times) in latencies {
            var total = 0
            for (boundary, count) in zip(Latencies.boundaries, times.counters) {
                total += count
                add(name + "_bucket", Sample(labels + [("le", "\(Double(boundary) / 1_000_000)")], total))
            }
            add(name + "_bucket", Sample(labels + [("le", "+Inf")], times.count))
            add(name + "_sum", Sample(labels, Double(times.sum) / 1_000_000))
            add(name + "_count", Sample(labels, times.count))
        }
    }

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(full(name)) \(help)\n# TYPE \(full(name)) \(kind.rawValue)\n"
    }

    private mutating func add(_ name: String, _ sample: Sample) {
        let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
        text += full(name) + (labels.isEmpty ? "" : "{\(labels)}") + " \(sample.value)\n"
    }

    private func full(_ name: String) -> String { "forme_\(subject)_\(name)" }

    private func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
