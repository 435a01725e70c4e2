import Names
import Pool
import Replication
import Wire

/// The loop of one host, as a daemon would run it: a replica of each partition, the way to the log, and a desk for the
/// events of the partitions that it owns.
struct HostProcess {
    let id: Int
    let start: Instant
    var log: SimulatedLog
    var queue = AppendQueue()
    var replicas: [Replica]
    var desk: HostDesk
    /// By journal, the times until which turns are recorded, and until which it takes them.
    var recordsUntil: [Instant]
    var takesUntil: [Instant]
    var salvages: [Salvage?]
    /// The copy of another host's disk that is to take the place of the only one.
    var copy: ComingCopy?
    private var lastCopy = 0
    private var spread: Spread
    private var nextLook = Instant.start
    /// A bug: the next records are appended behind whatever the log has.
    var isBlind = false
    /// A bug: by partition, records that were taken for the host's own, with their true hosts.
    var mistakes: [[LogSequence: HostID]]
    /// By partition, the time at which each other host was last heard.
    var heard: [[Int: Instant]]

    init(_ id: Int, of host: HostSeat, _ scenario: ClusterScenario, _ log: SimulatedLog, at now: Instant) {
        (self.id, start, self.log) = (id, now, log)
        let partitions = 0..<scenario.map.partitions
        replicas = partitions.map { partition in
            let records = host[partition]
            return Replica(
                Partition(UInt16(partition)), of: host.id, among: scenario.hosts, trail: records.trail,
                end: host.disk(of: partition).end(of: partition), keys: records.keys, wiped: records.wiped,
                limits: scenario.limits)
        }
        desk = HostDesk(id, journals: host.disks.count, scenario)
        (recordsUntil, takesUntil) = (host.disks.map { _ in .start }, host.disks.map { _ in .start })
        salvages = partitions.map { _ in nil }
        (heard, mistakes) = (partitions.map { _ in [:] }, partitions.map { _ in [:] })
        spread = Spread(of: host.id, among: scenario.hosts, patience: ClusterScenario.patience, at: .start)
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

    /// The only journal, with all logs.
    var shared: SharedJournal { SharedJournal(of: replicas) }

    /// The step towards a copy, for a lost replica that names a host.
    func step(towards host: HostID, _ bug: PlantedClusterBug?) -> SharedJournal.Step {
        replicas.count == 1 || bug == .worseJournalCopied ? .copy(from: host) : shared.step
    }

    /// The fate of a copy that has come: one with several logs may be behind what others count on.
    func fate(of copy: ComingCopy) -> SharedJournal.Fate {
        replicas.count == 1 ? .taken : shared.fate(ofCopyFrom: copy.since)
    }

    /// Begins a copy, unless one is on its way or waits.
    /// - Returns: its number; nil where none begins.
    mutating func beginCopy(for partition: Int, at now: Moment) -> Int? {
        if let copy, copy.isAwaited(at: now) { return nil }
        lastCopy += 1
        copy = ComingCopy(number: lastCopy, partition: partition, since: now)
        return lastCopy
    }

    /// Sends the records that are to be appended.
    mutating func send(at now: Instant) {
        while let records = queue.next() {
            var sent = records
            if isBlind {
                for place in sent.indices {
                    sent[place].behind = LogSequence(log.engine.logs[sent[place].partition]?.last ?? 0)
                }
                isBlind = false
            }
            log.now = now
            queue.sent(as: log.append(sent))
        }
    }

    /// An outcome of the log as this host hears of it.
    mutating func planted(_ event: LogEvent, _ bug: PlantedClusterBug?) -> LogEvent {
        guard case .unknown(let ticket) = event else { return event }
        switch bug {
        case .unknownTakenForDone: return .appended(ticket)
        case .unknownTakenForFailed:
            isBlind = true
            return .overtaken(ticket, [])
        default: return event
        }
    }

    /// A partition that is to be given to a host which owns fewer; nil where there is none. It is looked for twice a
    /// second.
    mutating func gift(at now: Instant) -> Spread.Gift? {
        guard replicas.count > 1, now >= nextLook else { return nil }
        nextLook = now + 500 * Length.millisecond
        return spread.gift(of: replicas.map { Spread.Part($0) }, at: now.moment(since: start, leap: 0))
    }
}

/// A copy of another host's disk, from the question until it takes the place of the own one, or is dropped.
struct ComingCopy {
    let number: Int
    /// The partition for which it was asked.
    let partition: Int
    /// The time at which it was asked for.
    let since: Moment
    /// The disk, once it has come.
    var given: GivenDisk?

    /// The time after which a disk that has not come is asked for again.
    private static let patience = Duration.seconds(2)

    /// Whether no other one is to be asked for.
    func isAwaited(at now: Moment) -> Bool { given != nil || now - Self.patience <= since }
}

/// A disk as a host gives it, and the partitions whose logs cannot go on there: hosts do not hear of these.
struct GivenDisk {
    var disk: HostDisk
    var lost: Set<Int>

    /// The disk as a host has it that copied it.
    func copied(_ bug: PlantedClusterBug?) -> GivenDisk { GivenDisk(disk: disk.copied(bug), lost: lost) }
}

/// The words between hosts.
enum HostTalk {
    case mark(Mark)
    case key(Partition, KeyNumber, RecordKey)
    /// Lines of a producer, for the owner, and its answers.
    case post(Partition, [Int], serial: Int, process: Int)
    case answered(Partition, [EventAnswer], serial: Int, process: Int)
    case salvage(Partition, [IngestRequest], number: Int, process: Int)
    case salvaged(Partition, [Bool], number: Int)
    case askCopy(Partition, number: Int, process: Int)
    case copy(Partition, GivenDisk?, number: Int, process: Int)
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
    /// A record is on the disk, and the journal takes its turn, if it is one.
    case recorded(host: Int, process: Int, Int, LogSequence, isTurn: Bool)
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
