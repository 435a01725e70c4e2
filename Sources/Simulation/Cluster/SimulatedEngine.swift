import Pool
import Replication

/// The engine of a simulated cluster: linearizable, whatever its answers look like. Each request is done at one
/// instant between its sending and its answer; faults decide whether it is done at all, and whether its client hears
/// of it.
final class SimulatedEngine {
    struct PartitionLog: Equatable {
        var records: [UInt64: [UInt8]] = [:]
        var last: UInt64 = 0
        var trimmed: UInt64 = 0
        var isBegun = false
        /// The earlier values of `last`, with their times, for stale answers.
        fileprivate var past: [(at: Instant, last: UInt64)] = []

        static func == (a: PartitionLog, b: PartitionLog) -> Bool {
            a.records == b.records && a.last == b.last && a.trimmed == b.trimmed && a.isBegun == b.isBegun
        }

        var bytes: Int { records.values.reduce(0) { $0 + $1.count } }
    }

    enum Request {
        case append(AppendTicket, [LogAppend])
        case read(Partition, after: LogSequence, limit: Int)
        case trim(Partition, to: LogSequence)
        case begin(Partition, after: LogSequence, inPlaceOf: LogSequence?)
    }

    private struct Sent {
        var request: Request
        var client: Int
        /// The time of the answer; nil where it is lost.
        var answer: Instant?
    }

    private(set) var logs: [Partition: PartitionLog] = [:]
    var faults: Set<ClusterFault>
    var isFair = true
    var leaderlessUntil = Instant.start
    /// The times until which clients' requests do not arrive, and until which clients hear no answers.
    var unheard: [Int: Instant] = [:]
    var deaf: [Int: Instant] = [:]
    /// The limit of the bytes of all records together.
    var quota = Int.max
    private let ignoresPlaces: Bool
    private(set) var now = Instant.start
    private var dice: Dice
    private var sent = Agenda<Instant, Sent>()
    private var answers: [Int: [(at: Instant, event: LogEvent)]] = [:]
    /// The times at which clients should look for an answer.
    private(set) var bells: [(at: Instant, client: Int)] = []
    private var lastTicket: UInt64 = 0

    /// The time after which a client gives up an answer.
    static let timeout = 1 * Length.second

    init(faults: Set<ClusterFault> = [], bug: PlantedClusterBug? = nil, dice: Dice) {
        (self.faults, self.dice) = (faults, dice)
        ignoresPlaces = bug == .appendedWithoutExpectation
    }

    func takeBells() -> [(at: Instant, client: Int)] {
        defer { bells = [] }
        return bells
    }

    func newTicket() -> AppendTicket {
        lastTicket += 1
        return AppendTicket(lastTicket)
    }

    /// The events that have been answered by now, in the order of answers.
    func takeEvents(for client: Int, at instant: Instant) -> [LogEvent] {
        advance(to: instant)
        guard let all = answers[client] else { return [] }
        let due = all.enumerated().filter { $0.element.at <= instant }
        answers[client] = all.filter { $0.at > instant }
        return due.sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element.event)
    }

    func send(_ request: Request, from client: Int, at instant: Instant) {
        advance(to: instant)
        var arrival: Instant? = now + dice.number(200...2500)
        var answer: Instant? = arrival! + dice.number(200...2500)
        if now < unheard[client, default: .start] { arrival = nil }
        if now < deaf[client, default: .start] { answer = nil }
        if now < leaderlessUntil {
            answer = nil
            arrival = dice.happens(500) ? leaderlessUntil + dice.number(0...Length.second) : nil
        }
        if !isFair, case .append = request {
            if faults.contains(.unheard), dice.happens(8) { arrival = nil }
            if faults.contains(.unanswered), dice.happens(8) { answer = nil }
            if faults.contains(.belated), dice.happens(8), let time = arrival {
                (arrival, answer) = (time + dice.number(500...6000) * Length.millisecond, nil)
            }
        }
        if arrival == nil { answer = nil }
        if let arrival { sent.add(Sent(request: request, client: client, answer: answer), at: arrival) }
        if answer == nil, case .append(let ticket, _) = request {
            tell(.unknown(ticket), client, at: now + Self.timeout)
        }
    }

    private func tell(_ event: LogEvent, _ client: Int, at instant: Instant) {
        answers[client, default: []].append((instant, event))
        bells.append((instant, client))
    }

    /// Does the requests that have arrived by then.
    private func advance(to instant: Instant) {
        now = max(now, instant)
        while let next = sent.next() {
            guard next.at <= now else { return sent.add(next.item, at: next.at) }
            perform(next.item, at: next.at)
        }
    }

    private func perform(_ sent: Sent, at instant: Instant) {
        switch sent.request {
        case .append(let ticket, let records):
            let event = append(records, ticket, at: instant)
            if let answer = sent.answer { tell(event, sent.client, at: answer) }
        case .read(let partition, let after, let limit):
            if let answer = sent.answer { read(partition, after.number, limit, sent.client, at: answer) }
        case .trim(let partition, let place):
            guard var log = logs[partition], log.isBegun else { return }
            log.trimmed = max(log.trimmed, min(place.number, log.last))
            log.records = log.records.filter { $0.key > log.trimmed }
            logs[partition] = log
        case .begin(let partition, let place, let end):
            let found = logs[partition].flatMap { $0.isBegun ? $0.last : nil }
            guard found == end?.number else { return }
            var log = PartitionLog()
            (log.last, log.trimmed, log.isBegun) = (place.number, place.number, true)
            logs[partition] = log
        }
    }

    private func append(_ records: [LogAppend], _ ticket: AppendTicket, at instant: Instant) -> LogEvent {
        precondition(Set(records.map(\.partition)).count == records.count, "two records of one partition")
        let refused = records.filter { record in
            guard let log = logs[record.partition], log.isBegun else { return true }
            return log.last != record.behind.number && !ignoresPlaces
        }
        guard refused.isEmpty else { return .overtaken(ticket, refused.map(\.partition)) }
        let bytes = logs.values.reduce(records.reduce(0) { $0 + $1.bytes.count }) { $0 + $1.bytes }
        guard bytes <= quota else { return .full(ticket) }
        for record in records {
            logs[record.partition]!.last += 1
            let last = logs[record.partition]!.last
            logs[record.partition]!.records[last] = record.bytes
            logs[record.partition]!.past.append((instant, last))
            if logs[record.partition]!.past.count > 200 { logs[record.partition]!.past.removeFirst(100) }
        }
        return .appended(ticket)
    }

    private func read(_ partition: Partition, _ after: UInt64, _ limit: Int, _ client: Int, at answer: Instant) {
        guard let log = logs[partition], log.isBegun else { return tell(.reset(partition), client, at: answer) }
        var last = log.last
        if !isFair, faults.contains(.staleRead), dice.happens(30) {
            let then = now.microseconds - dice.number(10...3000) * Length.millisecond
            let old = log.past.last { $0.at.microseconds <= then }?.last ?? log.last
            if old >= log.trimmed { last = min(last, old) }
        }
        let repeats = !isFair && faults.contains(.repeatedEntry) && dice.happens(30)
        let later = answer + dice.number(1...1500) * Length.millisecond
        var place = max(after, log.trimmed) + 1
        while place <= last, place <= max(after, log.trimmed) + UInt64(limit) {
            let event = LogEvent.entry(partition, LogSequence(place), log.records[place]!)
            tell(event, client, at: answer)
            if repeats { tell(event, client, at: later) }
            place += 1
        }
        let extent = LogExtent(last: LogSequence(last), trimmed: LogSequence(log.trimmed))
        tell(.end(partition, extent), client, at: answer)
        if repeats { tell(.end(partition, extent), client, at: later) }
    }
}

// Faults of the engine.
extension SimulatedEngine {
    /// Loses power everywhere, and the requests that are on their way.
    func losePower(forgetting count: () -> UInt64) {
        sent = Agenda()
        guard faults.contains(.lostTail) else { return }
        for partition in logs.keys.sorted() {
            let (last, trimmed) = (logs[partition]!.last, logs[partition]!.trimmed)
            let left = max(trimmed, last - min(last, count()))
            logs[partition]!.last = left
            logs[partition]!.records = logs[partition]!.records.filter { $0.key <= left }
            logs[partition]!.past.removeAll { $0.last > left }
        }
    }

    func reset(_ partition: Partition) { logs[partition] = PartitionLog() }

    func heal() {
        (isFair, leaderlessUntil, unheard, deaf) = (true, .start, [:], [:])
    }
}
