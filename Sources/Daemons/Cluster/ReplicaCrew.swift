package import Pool
package import Replication
import Secrets
package import Storage

/// The replicas of a host over an engine, each with the part of its log on the own disk. It passes events of the log
/// to the replicas, and carries out their effects. Effects on a journal or another host are wishes to the loop that
/// has these.
///
///     try crew.take(event)
///     while let wish = crew.takeWish() { … }
///     try crew.send()
package struct ReplicaCrew<Log: TurnLog & ~Copyable>: ~Copyable {
    package enum Wish: Sendable {
        /// The turn goes to the journal, if there is one; then comes `committed`.
        case commit(Partition, ReplayedTurn?, LogSequence)
        /// A proposed turn is in the log and in the journal, or is not to be answered `accepted`.
        case settle(Partition, isKept: Bool)
        case tell(HostWord, HostID)
        /// These turns, which the log may lack, are to be posted again; then comes `salvaged`, and maybe more of them.
        case salvage(Partition, [ReplayedTurn])
        /// The journal of another host is to replace the own.
        case copy(Partition, from: HostID)
        case news(HostNews)
    }

    /// A replica, with its part of the disk. It belongs to the loop's thread alone.
    private final class Member {
        let partition: Partition
        var replica: Replica
        var records: ReplicaRecords
        /// The place of the first turn that is still to be read for a salvage; nil where there is none.
        var unsalvaged: LogPosition?

        init(_ partition: Partition, _ replica: Replica, _ records: consuming ReplicaRecords) {
            (self.partition, self.replica) = (partition, replica)
            self.records = records
        }
    }

    package let plan: HostPlan
    package var log: Log
    private var queue = AppendQueue()
    private let members: [Member]
    private var wishes: [Wish] = []
    private var next = 0
    /// The place that the next entry gets in the journal that has all logs; nil where each has a journal of its own.
    private var place: LogPosition?

    /// - Parameters:
    ///   - records: the records of each partition, in order; its journal has been brought up to them.
    ///   - ends: the ends of the journals, by places of the logs.
    ///   - place: the end of the journal that has all logs; nil where each has a journal of its own.
    package init(
        _ plan: HostPlan, _ log: consuming Log, records: (Partition) throws -> ReplicaRecords,
        ends: (Partition) -> LogPosition, place: LogPosition? = nil, at now: Moment
    ) throws {
        var members: [Member] = []
        for number in 0..<plan.map.partitions {
            let partition = Partition(UInt16(number))
            let own = try records(partition)
            let replica = Replica(
                partition, of: plan.host, among: plan.hosts, endpoints: plan.endpoints, trail: own.trail,
                end: ends(partition), keys: own.keys, wiped: own.wiped, limits: plan.limits, at: now)
            members.append(Member(partition, replica, own))
        }
        (self.plan, self.members, self.place) = (plan, members, place)
        self.log = log
    }

    package func replica(of partition: Partition) -> Replica? { member(of: partition)?.replica }

    private func member(of partition: Partition) -> Member? {
        Int(partition.number) < members.count ? members[Int(partition.number)] : nil
    }

    /// The next wish; nil where there is none.
    package mutating func takeWish() -> Wish? {
        guard next < wishes.count else {
            wishes.removeAll(keepingCapacity: true)
            next = 0
            return nil
        }
        defer { next += 1 }
        return wishes[next]
    }

    /// Appends the records that are due.
    package mutating func send() throws {
        while let records = queue.next() { queue.sent(as: try log.append(records)) }
    }

    package mutating func tick(_ now: Moment) throws {
        for member in members { try tell(member, .tick(now)) }
    }

    package mutating func take(_ event: LogEvent) throws {
        switch event {
        case .entry(let partition, let sequence, let bytes):
            guard let member = member(of: partition) else { return }
            try tell(member, opened(bytes, sequence, member))
        case .end(let partition, let extent):
            guard let member = member(of: partition) else { return }
            try tell(member, .end(extent))
            // No further than the replica: records of a lost one behind its first anchor are still to be salvaged.
            try member.records.drop(before: member.replica.trail.first.sequence)
        case .reset(let partition): if let member = member(of: partition) { try tell(member, .reset) }
        case .appended, .overtaken, .full, .unknown:
            for (append, outcome) in queue.take(event) {
                guard let member = member(of: append.partition) else { continue }
                switch outcome {
                case .appended:
                    try tell(member, .appended(behind: append.behind, ChainLink(behind: append.bytes)))
                case .refused: try tell(member, .refused(behind: append.behind))
                case .full: try tell(member, .full(behind: append.behind))
                }
            }
        }
    }

    package mutating func take(_ word: HostWord) throws {
        switch word {
        case .mark(let mark): if let member = member(of: mark.partition) { try tell(member, .mark(mark)) }
        case .key(let partition, let number, let key):
            if let member = member(of: partition) { try tell(member, .given(number, key)) }
        case .call(let partition, let end): if let member = member(of: partition) { try tell(member, .called(end)) }
        case .move(let partition, let heir): try move(partition, to: heir)
        }
    }

    /// Carries out an operator's order: where the log was never begun, it begins behind the journal of this host.
    package mutating func adopt(_ partition: Partition) throws {
        if let member = member(of: partition) { try tell(member, .adopt) }
    }

    /// Gives the log to another host, where this one owns it.
    /// - Parameter heir: nil for the first host that comes.
    package mutating func move(_ partition: Partition, to heir: HostID?) throws {
        if let member = member(of: partition) { try tell(member, .handOver(to: heir)) }
    }

    /// Proposes a turn that was judged against the present journal. One that was judged before another host's turn
    /// came is not taken.
    package mutating func propose(_ content: TurnContent, in partition: Partition) throws {
        guard let member = member(of: partition) else { return }
        guard content.first == member.replica.applied.next else {
            wishes.append(.settle(partition, isKept: false))
            return
        }
        try tell(member, .proposed(.turn(content), next: content.next))
    }

    /// Notes that a `commit` is on the disk.
    package mutating func committed(_ sequence: LogSequence, in partition: Partition) throws {
        if let member = member(of: partition) { try tell(member, .applied(sequence)) }
    }

    /// Notes that the turns of the last `salvage` are posted.
    package mutating func salvaged(_ partition: Partition) throws {
        guard let member = member(of: partition) else { return }
        if let position = member.unsalvaged { return try salvage(from: position, member) }
        try tell(member, .salvaged)
    }

    /// Notes that the copy of another host's journal which was asked for will not come.
    package mutating func notCopied(_ partition: Partition) throws {
        if let member = member(of: partition) { try tell(member, .notCopied) }
    }

    /// The one journal of all logs, which that of another host may replace.
    package var shared: SharedJournal { SharedJournal(of: members.map(\.replica)) }

    /// Has other hosts own the logs that go on here, as the journal is to be replaced. To be called again as long as a
    /// copy comes.
    package mutating func makeWay() throws { for member in members { try tell(member, .makeWay) } }

    private mutating func tell(_ member: Member, _ event: Replica.Event) throws {
        for effect in member.replica.handle(event) { try perform(effect, member) }
    }
}

// The effects of replicas.
extension ReplicaCrew where Log: ~Copyable {
    private mutating func perform(_ effect: Replica.Effect, _ member: Member) throws {
        let partition = member.partition
        switch effect {
        case .read(let after): try log.read(partition, after: after, limit: LogBounds.page)
        case .append(let record, let behind): try append(record, behind, member)
        case .withdraw: queue.withdraw(partition)
        case .trim(let place): try log.trim(partition, to: place)
        case .begin(let after, let end): try log.begin(partition, after: after, inPlaceOf: end)
        case .apply(let entry, let anchor, let isThere): try apply(entry, anchor, isThere, member)
        case .settle(let isKept): wishes.append(.settle(partition, isKept: isKept))
        case .restore(let position): try tell(member, .surplus(member.records.turns(from: position)))
        case .salvage(let position): try salvage(from: position, member)
        case .copy(let host): wishes.append(.copy(partition, from: host))
        case .tell(let mark):
            for host in plan.hosts where host != plan.host { wishes.append(.tell(.mark(mark), host)) }
        case .makeKey(let number):
            let key = member.records.keys[number] ?? RecordKey(SealedBytes.makeKey())
            try store(number, key, member)
        case .storeKey(let number, let key): try store(number, key, member)
        case .giveKey(let host, let number, let key): wishes.append(.tell(.key(partition, number, key), host))
        case .call(let heir, let end): wishes.append(.tell(.call(partition, end: end), heir))
        case .wipeKeys(let number): try member.records.wipe(through: number)
        case .notice(let notice): wishes.append(.news(.replica(partition, notice)))
        }
    }

    /// Has a page of turns posted again. All of them may be more than fits into memory: the log is kept for ten minutes
    /// while a host copies a journal.
    private mutating func salvage(from position: LogPosition, _ member: Member) throws {
        let turns = try member.records.turns(from: position, atMost: LogBounds.page)
        let last = turns.count < LogBounds.page ? nil : turns.last
        member.unsalvaged = last.map { LogPosition($0.content.first.number + 1) }
        wishes.append(.salvage(member.partition, turns))
    }

    private mutating func store(_ number: KeyNumber, _ key: RecordKey, _ member: Member) throws {
        if member.records.keys[number] == nil { try member.records.hold(number, key) }
        try tell(member, .stored(number, key))
    }

    /// Writes a record to `replica.db` first and to the journal second; both are on the disk before it counts as
    /// applied.
    private mutating func apply(
        _ entry: LogEntry, _ anchor: LogAnchor, _ isThere: Bool, _ member: Member
    ) throws {
        var turn: ReplayedTurn?
        if case .turn(let content) = entry.record.body, !isThere { turn = ReplayedTurn(content, next: anchor.next) }
        try member.records.commit(turn, anchor, at: place)
        if let place, let turn { self.place = place.after(turn.content) }
        wishes.append(.commit(member.partition, turn, anchor.sequence))
    }

    private mutating func append(_ record: LogRecord, _ behind: LogSequence, _ member: Member) throws {
        guard let key = member.records.keys[record.head.key] else {
            preconditionFailure("a key is used that is not on the disk")
        }
        let bytes = codec(member).seal(record, at: behind.next, under: key)
        // No host would read a longer one, and all copies but the owner's would be given up.
        guard bytes.count <= LogBounds.record else { return try tell(member, .full(behind: behind)) }
        queue.add(LogAppend(member.partition, behind: behind, bytes))
    }

    private func opened(_ bytes: [UInt8], _ place: LogSequence, _ member: Member) -> Replica.Event {
        let keys = member.records.keys
        do throws(RecordFault) { return .entry(try codec(member).open(bytes, at: place) { keys[$0] }) } catch {
            return .unreadable(place, error)
        }
    }

    private func codec(_ member: Member) -> RecordCodec<RecordSeal> {
        RecordCodec(plan.cluster, member.partition, RecordSeal())
    }
}

extension LogPosition {
    /// The place behind a turn that begins here.
    fileprivate func after(_ turn: TurnContent) -> LogPosition {
        LogPosition(number + turn.next.number - turn.first.number)
    }
}
