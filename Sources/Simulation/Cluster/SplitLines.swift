import Wire

/// Requests at the host that a producer asked, where events of one may belong to several partitions: each part goes to
/// the owner of its partition, and the answers come together again in the order of the events. `SplitRequests` does
/// that to the frames of a daemon.
struct SplitLines {
    struct Part {
        let partition: Int
        let serial: Int
        let lines: [Int]
    }

    /// A request with an answer to each of its lines.
    struct Whole: Equatable {
        let lines: [Int]
        let answers: [EventAnswer]
        let number: Int
        let producer: Int
    }

    private struct Open {
        let lines: [Int]
        /// The partition of each line.
        let partitions: [Int]
        let number: Int
        let producer: Int
        let since: Instant
        var answers: [EventAnswer?]
    }

    private var open: [Int: Open] = [:]
    private var last = 0

    /// The time that owners have; then the producer is told to try again. A producer waits for longer.
    private static let patience = Length.second

    mutating func begin(
        _ lines: [Int], number: Int, producer: Int, in scenario: ClusterScenario, at now: Instant
    ) -> [Part] {
        let partitions = lines.map { scenario.partition(of: $0) }
        last += 1
        let serial = last
        open[serial] = Open(
            lines: lines, partitions: partitions, number: number, producer: producer, since: now,
            answers: Array(repeating: nil, count: lines.count))
        return Set(partitions).sorted().map { partition in
            let own = lines.indices.filter { partitions[$0] == partition }.map { lines[$0] }
            return Part(partition: partition, serial: serial, lines: own)
        }
    }

    /// Takes the answers to a part.
    /// - Parameter isHasty: a bug: where one partition has accepted its part, all of the request is accepted.
    /// - Returns: the whole request; nil while other parts are without an answer.
    mutating func take(_ answers: [EventAnswer], of partition: Int, to serial: Int, isHasty: Bool) -> Whole? {
        guard var request = open[serial] else { return nil }
        let own = request.partitions.indices.filter { request.partitions[$0] == partition }
        for (place, answer) in zip(own, answers) { request.answers[place] = answer }
        if isHasty, answers.contains(.accepted) { request.answers = request.answers.map { $0 ?? .accepted } }
        open[serial] = request
        return request.answers.contains(where: { $0 == nil }) ? nil : end(serial, lacking: .accepted)
    }

    /// Requests of which some owner did not answer in time: nobody says whether these events were kept.
    mutating func takeOverdue(at now: Instant) -> [Whole] {
        let overdue = open.filter { $0.value.since + Self.patience < now }.keys.sorted()
        return overdue.compactMap { end($0, lacking: .busy(retryAfter: 100)) }
    }

    private mutating func end(_ serial: Int, lacking answer: EventAnswer) -> Whole? {
        guard let request = open.removeValue(forKey: serial) else { return nil }
        return Whole(
            lines: request.lines, answers: request.answers.map { $0 ?? answer }, number: request.number,
            producer: request.producer)
    }
}
