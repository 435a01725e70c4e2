package import Replication
import Secrets
package import Storage
package import Transport

/// Runs a host's replicas over an engine, with a clock and disks: what comes from the log goes to replicas, and what they want is done.
///
/// ```text
///  other threads ─ letters ─▶ ┌ HostDriver, one thread ┐ ─▶ AppendQueue ─▶ engine
///  other hosts ── words ────▶ │ Replica, per partition  │ ◀── records ─────┘
///                             │ PartitionDisk           │ ─▶ answers, news, words to other hosts
///                             └─────────────────────────┘
/// ```
///
/// It copies no journal from another host and posts no salvaged events yet: a replica that cannot go on by reading says so, and stays where it
/// is (`HostNews`).
package struct HostDriver<Log: AwaitedLog & ~Copyable>: ~Copyable {
    private let plan: HostPlan
    private var log: Log
    private var queue = AppendQueue()
    private var seats: [PartitionSeat]
    private let letters: Mailbox<HostLetter>
    private let voice: HostVoice
    private let clock = LoopClock()

    /// - Parameter folder: of the partition; each has one of its own.
    package init(
        _ plan: HostPlan, _ log: consuming Log, letters: Mailbox<HostLetter>, voice: HostVoice,
        settings: JournalSettings,
        folder: (Partition) -> DataFolder
    ) throws {
        var settings = settings
        settings.shards = plan.map.shards
        var seats: [PartitionSeat] = []
        for number in 0..<plan.map.partitions {
            let partition = Partition(UInt16(number))
            let disk = try PartitionDisk(in: folder(partition), settings: settings)
            seats.append(PartitionSeat(partition, plan, disk, at: clock.now))
        }
        (self.plan, self.letters, self.voice, self.seats) = (plan, letters, voice, seats)
        self.log = log
    }

    /// Until it is told to end, or a disk fails.
    package mutating func run() throws {
        while true {
            try log.wait(atMost: plan.tick, orFor: [letters.descriptor])
            for event in try log.takeEvents() { try take(event) }
            for words in log.takeWords() { voice.news(.engine(words)) }
            for letter in letters.takeAll() { guard try take(letter) else { return } }
            for seat in seats {
                try tell(seat, .tick(clock.now))
                if let content = try seat.judge() { try propose(content, seat) }
            }
            while let records = queue.next() { queue.sent(as: try log.append(records)) }
        }
    }

    private mutating func take(_ event: LogEvent) throws {
        switch event {
        case .entry(let partition, let sequence, let bytes):
            guard let seat = seat(of: partition) else { return }
            try tell(seat, opened(bytes, sequence, seat))
        case .end(let partition, let extent):
            guard let seat = seat(of: partition) else { return }
            try tell(seat, .end(extent))
            // No further than the replica: what a lost one has behind its first anchor is still to be salvaged.
            try seat.disk.drop(before: seat.replica.trail.first.sequence)
        case .reset(let partition): if let seat = seat(of: partition) { try tell(seat, .reset) }
        case .appended, .overtaken, .full, .unknown:
            for (append, outcome) in queue.take(event) {
                guard let seat = seat(of: append.partition) else { continue }
                switch outcome {
                case .appended:
                    try tell(seat, .appended(behind: append.behind, ChainLink(behind: append.bytes)))
                case .refused: try tell(seat, .refused(behind: append.behind))
                case .full: try tell(seat, .full(behind: append.behind))
                }
            }
        }
    }

    /// - Returns: false where it is to end.
    private mutating func take(_ letter: HostLetter) throws -> Bool {
        switch letter {
        case .word(.mark(let mark)): if let seat = seat(of: mark.partition) { try tell(seat, .mark(mark)) }
        case .word(.key(let partition, let number, let key)):
            if let seat = seat(of: partition) { try tell(seat, .given(number, key)) }
        case .post(let request, let partition, let answer):
            guard let seat = seat(of: partition) else { preconditionFailure("a partition that the map has not") }
            seat.post(request, answer)
        case .adopt(let partition): if let seat = seat(of: partition) { try tell(seat, .adopt) }
        case .look(let partition, let answer):
            guard let replica = seat(of: partition)?.replica else { return true }
            answer(HostView(standing: replica.standing, anchor: replica.applied, door: replica.door))
        case .end: return false
        }
        return true
    }

    private func seat(of partition: Partition) -> PartitionSeat? {
        Int(partition.number) < seats.count ? seats[Int(partition.number)] : nil
    }

    private mutating func tell(_ seat: PartitionSeat, _ event: Replica.Event) throws {
        for effect in seat.replica.handle(event) { try perform(effect, seat) }
    }

    private mutating func propose(_ content: TurnContent, _ seat: PartitionSeat) throws {
        try tell(seat, .proposed(.turn(content), next: content.next))
    }
}

// What replicas want.
extension HostDriver where Log: ~Copyable {
    private mutating func perform(_ effect: Replica.Effect, _ seat: PartitionSeat) throws {
        switch effect {
        case .read(let after): try log.read(seat.partition, after: after, limit: LogBounds.page)
        case .append(let record, let behind): append(record, behind, seat)
        case .withdraw: queue.withdraw(seat.partition)
        case .trim(let place): try log.trim(seat.partition, to: place)
        case .begin(let after): try log.begin(seat.partition, after: after)
        case .apply(let entry, let anchor, let isThere): try apply(entry, anchor, isThere, seat)
        case .settle(let isKept): if let next = seat.settle(isKept: isKept) { try propose(next, seat) }
        case .restore(let position): try tell(seat, .surplus(seat.disk.turns(from: position)))
        // Not done yet: the notice that came before says it.
        case .salvage, .copy: break
        case .tell(let mark): for host in plan.hosts where host != plan.host { voice.tell(.mark(mark), host) }
        case .makeKey(let number):
            let key = seat.disk.keys[number] ?? RecordKey(SealedBytes.makeKey())
            try store(number, key, seat)
        case .storeKey(let number, let key): try store(number, key, seat)
        case .giveKey(let host, let number, let key): voice.tell(.key(seat.partition, number, key), host)
        case .wipeKeys(let number): try seat.disk.wipe(through: number)
        case .notice(let notice): voice.news(.replica(seat.partition, notice))
        }
    }

    private mutating func store(_ number: KeyNumber, _ key: RecordKey, _ seat: PartitionSeat) throws {
        if seat.disk.keys[number] == nil { try seat.disk.hold(number, key) }
        try tell(seat, .stored(number, key))
    }

    private mutating func apply(
        _ entry: LogEntry, _ anchor: LogAnchor, _ isThere: Bool, _ seat: PartitionSeat
    ) throws {
        var turn: ReplayedTurn?
        if case .turn(let content) = entry.record.body, !isThere { turn = ReplayedTurn(content, next: anchor.next) }
        try seat.disk.commit(turn, anchor)
        try tell(seat, .applied(anchor.sequence))
    }

    private mutating func append(_ record: LogRecord, _ behind: LogSequence, _ seat: PartitionSeat) {
        guard let key = seat.disk.keys[record.head.key] else {
            preconditionFailure("a key is used that is not on the disk")
        }
        let bytes = codec(seat).seal(record, at: behind.next, under: key)
        queue.add(LogAppend(seat.partition, behind: behind, bytes))
    }

    private func opened(_ bytes: [UInt8], _ place: LogSequence, _ seat: PartitionSeat) -> Replica.Event {
        let keys = seat.disk.keys
        do throws(RecordFault) { return .entry(try codec(seat).open(bytes, at: place) { keys[$0] }) } catch {
            return .unreadable(place, error)
        }
    }

    private func codec(_ seat: PartitionSeat) -> RecordCodec<RecordSeal> {
        RecordCodec(plan.cluster, seat.partition, RecordSeal())
    }
}
