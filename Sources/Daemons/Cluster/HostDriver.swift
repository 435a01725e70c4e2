package import Replication
package import Storage
package import Transport

/// Runs a host's replicas over an engine, with a clock and disks, on a thread of its own: a cluster without daemons.
///
/// ```text
///  other threads ─ letters ─▶ ┌ HostDriver, one thread      ┐ ─▶ engine
///  other hosts ── words ────▶ │ ReplicaCrew                  │ ◀── records
///                             │ PartitionSeat, per partition │ ─▶ answers, news, words to other hosts
///                             └──────────────────────────────┘
/// ```
package struct HostDriver<Log: AwaitedLog & ~Copyable>: ~Copyable {
    private var crew: ReplicaCrew<Log>
    private let seats: [PartitionSeat]
    private let letters: Mailbox<HostLetter>
    private let voice: HostVoice
    private let clock = LoopClock()

    /// - Parameter folder: the folder of a partition; each has one of its own.
    package init(
        _ plan: HostPlan, _ log: consuming Log, letters: Mailbox<HostLetter>, voice: HostVoice,
        settings: JournalSettings,
        folder: (Partition) -> DataFolder
    ) throws {
        var settings = settings
        settings.shards = plan.map.shards
        // Other hosts rely on this disk.
        settings.durability = .full
        var seats: [PartitionSeat] = []
        for number in 0..<plan.map.partitions {
            let partition = Partition(UInt16(number))
            let journal = try SQLiteJournal(in: folder(partition), settings: settings)
            seats.append(PartitionSeat(partition, journal, shards: plan.map.shards))
        }
        crew = try ReplicaCrew(
            plan, log,
            records: { partition in
                let records = try ReplicaRecords(path: folder(partition).file(ReplicaRecords.name))
                try seats[Int(partition.number)].journal.catchUp(with: records)
                return records
            }, ends: { seats[Int($0.number)].journal.nextPosition }, at: clock.now)
        (self.seats, self.letters, self.voice) = (seats, letters, voice)
    }

    /// Runs until it is told to end, or a disk fails.
    package mutating func run() throws {
        while true {
            try crew.log.wait(atMost: crew.plan.tick, orFor: [letters.descriptor])
            for event in try crew.log.takeEvents() {
                try crew.take(event)
                try fulfil()
            }
            for words in crew.log.takeWords() { voice.news(.engine(words)) }
            for letter in letters.takeAll() {
                guard try take(letter) else { return }
                try fulfil()
            }
            try crew.tick(clock.now)
            try fulfil()
            for seat in seats {
                guard let door = crew.replica(of: seat.partition)?.door else { continue }
                if let content = try seat.judge(at: door) { try crew.propose(content, in: seat.partition) }
            }
            try fulfil()
            try crew.send()
        }
    }

    private mutating func fulfil() throws {
        while let wish = crew.takeWish() {
            switch wish {
            case .commit(let partition, let turn, let sequence):
                if let turn { try seats[Int(partition.number)].journal.replay(turn.content) }
                try crew.committed(sequence, in: partition)
            case .settle(let partition, let isKept):
                if let next = seats[Int(partition.number)].settle(isKept: isKept) {
                    try crew.propose(next, in: partition)
                }
            case .tell(let word, let host): voice.tell(word, host)
            case .news(let news): voice.news(news)
            // The driver has no sockets and no other disk: the notice that came before reports it.
            case .salvage, .copy: break
            }
        }
    }

    /// - Returns: false where it is to end.
    private mutating func take(_ letter: HostLetter) throws -> Bool {
        switch letter {
        case .word(let word): try crew.take(word)
        case .post(let request, let partition, let answer):
            guard Int(partition.number) < seats.count else { preconditionFailure("a partition that the map has not") }
            seats[Int(partition.number)].post(request, answer)
        case .adopt(let partition): try crew.adopt(partition)
        case .move(let partition, let heir): try crew.move(partition, to: heir)
        case .look(let partition, let answer):
            guard let replica = crew.replica(of: partition) else { return true }
            answer(HostView(standing: replica.standing, anchor: replica.applied, door: replica.door))
        case .end: return false
        }
        return true
    }
}
