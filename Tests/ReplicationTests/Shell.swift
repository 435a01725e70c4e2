import Names
import Pool
import Replication
import Wire

/// A replica, of host a where no other is named, and a shell that does at once what it wants.
struct Shell {
    var replica: Replica
    var now = Moment.start
    /// The records that were to be appended to the log.
    var appends: [LogRecord] = []
    var effects: [Replica.Effect] = []

    init(
        of host: HostID = Sample.hosts[0], partition: Partition = Partition(0), trail: AnchorTrail = AnchorTrail(),
        end: Int64? = nil
    ) {
        replica = Replica(
            partition, of: host, among: Sample.hosts, trail: trail,
            end: LogPosition(end ?? trail.last.next.number), keys: [KeyNumber(1): Sample.key])
    }

    mutating func tell(_ event: Replica.Event) {
        for effect in replica.handle(event) {
            effects.append(effect)
            switch effect {
            case .append(let record, _): appends.append(record)
            case .apply(_, let anchor, _): tell(.applied(anchor.sequence))
            default: break
            }
        }
    }

    mutating func pass(_ time: Duration) {
        now = now + time
        tell(.tick(now))
    }

    /// Tells that another host, b where none is named, has the same journal, and the key.
    mutating func hearOther(
        _ anchor: LogAnchor? = nil, isLost: Bool = false, makesWay: Bool = false, of host: HostID = Sample.hosts[1]
    ) {
        tell(
            .mark(
                Mark(
                    host: host, partition: replica.partition, anchor: anchor ?? replica.applied,
                    keys: [KeyNumber(1)], wiped: .zero, isLost: isLost || makesWay, makesWay: makesWay)))
    }

    mutating func end(_ last: UInt64, trimmed: UInt64 = 0) {
        tell(.end(LogExtent(last: LogSequence(last), trimmed: LogSequence(trimmed))))
    }

    /// Lets the log take the last append.
    mutating func land() {
        let place = replica.read.sequence
        tell(.appended(behind: place, ChainLink(place.number + 100)))
    }

    /// Reads a record behind the last one.
    mutating func read(
        _ body: LogRecord.Body, reign: UInt64, by host: HostID, link: ChainLink? = nil, next: Int64? = nil
    ) {
        let read = replica.read
        let record = Sample.record(
            body, reign: reign, by: host, link: link ?? read.link, next: next ?? read.next.number)
        tell(
            .entry(LogEntry(sequence: read.sequence.next, record: record, link: ChainLink(read.sequence.number + 100))))
    }

    /// A replica that is level, has heard the other host, and was the first to claim.
    static var owner: Shell {
        var shell = Shell()
        shell.hearOther()
        shell.end(0)
        for _ in 0..<10 {
            shell.pass(.milliseconds(500))
            shell.hearOther()
        }
        shell.land()
        return shell
    }

    /// A replica that follows the log of host b, which has claimed it.
    static func follower(of partition: Partition = Partition(0)) -> Shell {
        var shell = Shell(partition: partition)
        shell.hearOther()
        shell.end(0)
        shell.read(.claim(endpoints: []), reign: 1, by: Sample.hosts[1])
        return shell
    }

    /// Reads a record that does not follow, so that the replica cannot go on by reading.
    mutating func lose() { read(.beat, reign: 5, by: Sample.hosts[1], link: ChainLink(4)) }

    func has(_ effect: Replica.Effect) -> Bool { effects.contains(effect) }
    func count(_ matches: (Replica.Effect) -> Bool) -> Int { effects.count(where: matches) }
}
