import Pool
import Replication
import Wire

/// Requests whose events belong to several partitions: each part goes to the owner of its partition, and the answers
/// come together again in the order of the events.
struct SplitRequests {
    private struct Open {
        let envelope: [[UInt8]]
        /// The places of the events of each part.
        let places: [[Int]]
        /// The bytes of the request.
        let size: Int
        var answers: [EventAnswer?]
        var warnings: [Int: String] = [:]
        /// The parts without an answer.
        var missing: Set<Int>
    }

    private var open: [UInt64: Open] = [:]
    /// The events and the bytes of all of them.
    private var (events, bytes) = (0, 0)
    private var serial = UInt64.random(in: 0 ... .max)
    let map: PartitionMap

    private static let most = 8192
    private static let mostBytes = Forwarding.mostBytes

    init(_ map: PartitionMap) { self.map = map }

    /// The parts of a request, each of one partition. Faults are a part by themselves, of no partition, as any host
    /// answers them. Nil where too much waits for the answers to other parts.
    mutating func parts(of heard: HeardRequest) -> [HeardRequest]? {
        guard map.partitions > 1 else { return [heard] }
        guard heard.partition == nil, PartLine(heard.envelope) == nil else { return [heard] }
        let all = heard.request.events.map { event in
            (try? event.get()).map { map.partition(of: $0.conversation) }
        }
        let partitions = Set(all.compactMap(\.self)).sorted()
        guard partitions.count > 1 else {
            var whole = heard
            whole.partition = partitions.first
            return [whole]
        }
        let size = heard.size
        guard events + all.count <= Self.most, bytes + size <= Self.mostBytes else { return nil }
        (events, bytes) = (events + all.count, bytes + size)
        var places: [Partition?: [Int]] = [:]
        for (place, partition) in all.enumerated() { places[partition, default: []].append(place) }
        var kinds: [Partition?] = partitions
        if places[nil] != nil { kinds.append(nil) }
        serial &+= 1
        open[serial] = Open(
            envelope: heard.envelope, places: kinds.map { places[$0]! }, size: size,
            answers: Array(repeating: nil, count: all.count), missing: Set(kinds.indices))
        return kinds.enumerated().map { index, partition in
            var part = heard
            part.request.events = places[partition]!.map { heard.request.events[$0] }
            part.envelope = [PartLine(serial: serial, index: UInt16(index)).frame] + heard.envelope
            (part.partition, part.bytes) = (partition, [])
            return part
        }
    }

    /// Takes the answer to a part.
    /// - Returns: the answer to the whole request, and its envelope; nil while other parts are without one.
    mutating func take(
        _ json: [UInt8], to part: PartLine, limits: RequestLimits
    ) -> (json: [UInt8], envelope: [[UInt8]])? {
        let index = Int(part.index)
        guard var request = open[part.serial], request.missing.remove(index) != nil else { return nil }
        let places = request.places[index]
        for (place, answer) in zip(places, Self.answers(json, count: places.count)) {
            request.answers[place] = answer.answer
            request.warnings[place] = answer.warning
        }
        open[part.serial] = request.missing.isEmpty ? nil : request
        guard request.missing.isEmpty else { return nil }
        (events, bytes) = (events - request.answers.count, bytes - request.size)
        let answers = request.answers.map { $0 ?? Self.unknown }
        return (EventAnswer.json(answers, warnings: request.warnings, limits: limits), request.envelope)
    }

    /// The answer to an event of which nobody said whether it was kept.
    private static let unknown = EventAnswer.busy(retryAfter: ClusterSeat.retryAfter, reason: .cluster)

    private static func answers(_ json: [UInt8], count: Int) -> [(answer: EventAnswer, warning: String?)] {
        switch try? IngestReply(parsing: json) {
        case .answered(let answers, let warnings)? where answers.count == count:
            answers.enumerated().map { ($1, warnings[$0]) }
        case .refused(let fault)?:
            Array(repeating: (.invalid(field: "events", reason: fault.reason), nil), count: count)
        case .answered?, nil: Array(repeating: (unknown, nil), count: count)
        }
    }
}

/// A part of a request, as it stands in the envelope of its answer: before the envelope of the request.
struct PartLine: Equatable {
    var serial: UInt64
    var index: UInt16

    /// The first byte of its frame. Routes of libzmq begin with a zero, those of hosts with other bytes.
    private static let mark: UInt8 = 0xFC
    private static let length = 11

    init(serial: UInt64, index: UInt16) { (self.serial, self.index) = (serial, index) }

    /// Nil for the envelope of a whole request.
    init?(_ envelope: [[UInt8]]) {
        guard let frame = envelope.first, frame.first == Self.mark, frame.count == Self.length else { return nil }
        serial = frame[1..<9].reduce(0) { $0 << 8 | UInt64($1) }
        index = frame[9...].reduce(0) { $0 << 8 | UInt16($1) }
    }

    var frame: [UInt8] {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: serial >> (56 - 8 * $0)) }
        return [Self.mark] + number + [UInt8(index >> 8), UInt8(truncatingIfNeeded: index)]
    }

    /// The envelope of the whole request.
    static func whole(_ envelope: [[UInt8]]) -> [[UInt8]] {
        PartLine(envelope) == nil ? envelope : Array(envelope.dropFirst())
    }
}
