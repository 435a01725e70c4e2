import Names
import Pool
import Replication
import Wire

/// The loop of one host, as a daemon would run it: a replica of each partition, the way to the log, and a judge of
/// events for the partitions that it owns.
struct HostProcess {
    let id: Int
    let start: Instant
    var log: SimulatedLog
    var queue = AppendQueue()
    var replicas: [Replica]
    var keepers: [Bookkeeper]
    var mail: [[HostMail]]
    var turns: [Turn?]
    /// By partition, the time until which the journal writes.
    var writesUntil: [Instant]
    var salvages: [Salvage?]
    /// A bug: the next records are appended behind whatever the log has.
    var isBlind = false
    /// A bug: by partition, records that were taken for the host's own, with their true hosts.
    var mistakes: [[LogSequence: HostID]]
    /// By partition, the time at which each other host was last heard.
    var heard: [[Int: Instant]]

    init(_ id: Int, of host: HostSeat, _ scenario: ClusterScenario, _ log: SimulatedLog, at now: Instant) {
        (self.id, start, self.log) = (id, now, log)
        replicas = host.disks.enumerated().map { partition, disk in
            Replica(
                Partition(UInt16(partition)), of: host.id, among: scenario.hosts, trail: disk.trail, end: disk.end,
                keys: disk.keys, wiped: disk.wiped, limits: scenario.limits)
        }
        keepers = host.disks.map { _ in Bookkeeper(shards: scenario.map.shards) }
        (mail, turns) = (host.disks.map { _ in [] }, host.disks.map { _ in nil })
        (writesUntil, salvages) = (host.disks.map { _ in .start }, host.disks.map { _ in nil })
        (heard, mistakes) = (host.disks.map { _ in [:] }, host.disks.map { _ in [:] })
    }

    /// A judged turn that waits for the log.
    struct Turn {
        /// The pieces that are not in the log yet; the first is on its way.
        var pieces: [TurnContent]
        var answers: [(mail: HostMail, judgements: [Judgement])]
        var isAnswered = false
    }

    /// Events that are to be posted again.
    struct Salvage {
        var requests: [IngestRequest]
        var number = 0
        var asked = Instant.start

        /// The next question, for all hosts.
        mutating func ask(_ partition: Partition, as process: Int, at now: Instant) -> HostTalk {
            (number, asked) = (number + 1, now)
            return .salvage(partition, Array(requests.prefix(16)), number: number, process: process)
        }

        /// Takes an answer: requests that were not kept are asked again, before the rest.
        mutating func take(_ isKept: [Bool]) {
            requests = zip(requests, isKept).filter { !$0.1 }.map(\.0) + requests.dropFirst(isKept.count)
        }
    }
}

/// Mail of an owner: lines from producers, and events that other hosts salvage.
enum HostMail {
    case lines([Int], number: Int, producer: Int)
    case salvage([IngestRequest], number: Int, host: Int, process: Int)

    /// The answers of a host that judges nothing at the moment.
    func busy(retryAfter milliseconds: Int) -> [EventAnswer] {
        let count =
            switch self {
            case .lines(let lines, _, _): lines.count
            case .salvage(let requests, _, _, _): requests.count
            }
        return Array(repeating: .busy(retryAfter: milliseconds), count: count)
    }
}

/// The words between hosts.
enum HostTalk {
    case mark(Mark)
    case key(Partition, KeyNumber, RecordKey)
    case salvage(Partition, [IngestRequest], number: Int, process: Int)
    case salvaged(Partition, [Bool], number: Int)
    case askCopy(Partition, process: Int)
    case copy(Partition, HostDisk?)
    /// The owner waits for a claim behind this record.
    case call(Partition, end: LogSequence)
}

enum ClusterHappening {
    case start(Int)
    case tick(host: Int, process: Int)
    /// Something has come from the log.
    case ring(host: Int, process: Int)
    case judge(host: Int, process: Int, Int)
    case written(host: Int, process: Int, Int, LogEntry, LogAnchor, isThere: Bool)
    case layOut(host: Int, process: Int)
    case word(HostTalk, from: Int, to: Int)
    case mail(HostMail, Int, host: Int)
    case answer(ProducerAnswer, number: Int, producer: Int, Int)
    case send(producer: Int)
    case fault
    case loseDisk(Int)
    case operate
    case heal
    case look
}

enum ProducerAnswer {
    case answers([EventAnswer])
    case elsewhere(Int)
}

/// A host: the state that survives its process, and the faults that it suffers.
struct HostSeat {
    let id: HostID
    var disks: [HostDisk]
    var process: HostProcess?
    var pausedUntil = Instant.start
    var slowUntil = Instant.start
    /// By other host, the time until which nothing passes between them.
    var cutUntil: [Int: Instant] = [:]
    /// The times until which its requests do not reach the engine, and answers do not reach it.
    var unheardUntil = Instant.start
    var deafUntil = Instant.start
    /// Whether its disk was lost, and it has not got everything back yet.
    var isEmpty = false
    /// By partition, the time at which another's journal took the place of its own.
    var copied: [Int: Instant] = [:]
    /// The time at which its process last ended.
    var ended = Instant.start
}

// Records as the engine has them.
extension HostSeat {
    mutating func opened(
        _ bytes: [UInt8], _ partition: Partition, _ place: LogSequence, in scenario: ClusterScenario
    ) -> Replica.Event {
        let keys = disks[Int(partition.number)].keys
        let codec = RecordCodec(scenario.cluster, partition, SimulatedCipher())
        do throws(RecordFault) {
            let entry = try codec.open(bytes, at: place) { keys[$0] }
            guard scenario.bug == .overtakenAndOwning else { return .entry(entry) }
            return .entry(process!.mistaken(entry, Int(partition.number)))
        } catch {
            return .unreadable(place, error)
        }
    }

    func sealed(_ record: LogRecord, _ partition: Partition, at place: LogSequence, in cluster: ClusterID) -> [UInt8] {
        guard let key = disks[Int(partition.number)].keys[record.head.key] else {
            preconditionFailure("a key is used that is not on the disk")
        }
        return RecordCodec(cluster, partition, SimulatedCipher()).seal(record, at: place, under: key)
    }

    /// Whether it has been there for a while, and lacks nothing that it had.
    func isWhole(at now: Instant) -> Bool {
        guard let process, !isEmpty, ended + 3 * Length.second < now else { return false }
        return process.replicas.allSatisfy { !$0.isLost }
    }
}
