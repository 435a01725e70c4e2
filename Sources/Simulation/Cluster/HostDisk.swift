import Names
import Pool
import Replication
import Wire

/// The files of a host: a journal, the records of each log that it has, and rows. Everything that is here is on the
/// disk.
///
/// A turn is recorded first, with its anchor, and gets its place in the journal then. The journal takes it second. A
/// process that ends between the two leaves turns that wait, and the next one has the journal take them.
struct HostDisk {
    /// A turn of a log, and its place in the journal.
    private struct Recorded {
        let partition: Int
        let turn: ReplayedTurn
        let place: LogPosition

        /// The place behind it in the journal.
        var end: LogPosition { LogPosition(place.number + turn.next.number - turn.content.first.number) }
    }

    private(set) var journal: SimulatedJournal
    /// By partition, the records of its log.
    var logs: [Int: HostRecords]
    /// The turns of all logs, in the order in which the journal takes them.
    private var recorded: [Recorded] = []
    /// The number of turns that the journal has.
    private var taken = 0
    /// By message with a row, the job that made it.
    private(set) var rows: [MessageNumber: JobNumber] = [:]
    private let shards: Int

    static let edition = EditionID(own: "aaaa")

    init(shards: Int, of partitions: [Int]) {
        self.shards = shards
        logs = Dictionary(uniqueKeysWithValues: partitions.map { ($0, HostRecords()) })
        journal = SimulatedJournal(shards: shards, bug: nil)
        journal.open()
    }

    /// Whether the journal has the turns of several logs: then a place in a log is another one in the journal.
    var hasSeveralLogs: Bool { logs.count > 1 }

    /// Whether turns wait for the journal.
    var isBehind: Bool { taken < recorded.count }

    /// The end of a log's turns, by places of the log. A journal that has no other log ends there.
    func end(of partition: Int) -> LogPosition {
        guard hasSeveralLogs else { return journalEnd }
        let last = recorded.last { $0.partition == partition }
        return max(logs[partition]!.trail.last.next, last?.turn.next ?? LogPosition(0))
    }

    /// The end of the journal when it has taken all turns.
    private var journalEnd: LogPosition { isBehind ? recorded[recorded.count - 1].end : journal.nextPosition }

    /// The turns of a log that begin at a place of it or behind it.
    func turns(of partition: Int, from position: LogPosition = LogPosition(0)) -> [ReplayedTurn] {
        recorded.filter { $0.partition == partition && $0.turn.content.first >= position }.map(\.turn)
    }

    /// The fault of a turn that is to be recorded; nil where it follows.
    func fault(in turn: TurnContent, of partition: Int) -> String? {
        let end = end(of: partition)
        guard turn.first == end else {
            return "a turn begins at \(turn.first.number), and the journal ends at \(end.number)"
        }
        // Behind turns that wait, and with places of its log, its jobs are looked at when the journal takes it.
        return isBehind || hasSeveralLogs ? nil : fault(inJobsOf: turn)
    }

    private func fault(inJobsOf turn: TurnContent) -> String? {
        var next: [Shard: UInt64] = [:]
        for job in turn.entries.flatMap(\.jobs) {
            let shard = Shard(of: job.conversation, among: shards)
            let number = next[shard] ?? journal.nextJob(in: shard).number
            guard job.number.number == number else {
                return "a record has job \(job.number.number), and the journal's next is \(number)"
            }
            next[shard] = number + 1
        }
        return nil
    }

    /// Records a turn with its anchor; of a record that is no turn, or whose turn is there, the anchor alone.
    mutating func record(_ turn: TurnContent?, _ anchor: LogAnchor, of partition: Int) {
        logs[partition]!.trail.append(anchor)
        if let turn { add(turn, of: partition) }
    }

    private mutating func add(_ turn: TurnContent, of partition: Int) {
        let place = journalEnd
        recorded.append(Recorded(partition: partition, turn: ReplayedTurn(turn, next: turn.next), place: place))
    }

    /// Has the journal take the next turn that waits, if there is one.
    /// - Returns: the reason why it cannot.
    mutating func takeTurn() -> String? {
        guard isBehind else { return nil }
        let next = recorded[taken]
        guard next.place == journal.nextPosition else {
            return "a turn lies at \(next.place.number), and one before it is missing"
        }
        guard let turn = placed(next.turn.content) else { return "a turn changes messages that are not here" }
        if let fault = fault(inJobsOf: turn) { return fault }
        taken += 1
        do { write(try turn.turn(in: &journal)) } catch {
            preconditionFailure("a simulated journal can always be read")
        }
        return nil
    }

    /// The turn with places of the journal; nil where that lacks what the turn builds on.
    private mutating func placed(_ turn: TurnContent) -> TurnContent? {
        guard hasSeveralLogs else { return turn }
        do { return try turn.placed(in: &journal) } catch {
            preconditionFailure("a simulated journal can always be read")
        }
    }

    private mutating func write(_ turn: JournalTurn) {
        do { try journal.commit(turn) } catch { preconditionFailure("the journal of a simulated host has room") }
    }
}

// Rows.
extension HostDisk {
    /// Lays out the jobs that are due, and notes that in the journal. A row of a message without content stays as it
    /// is, if there is one.
    mutating func layOut() {
        var progress: [ShardProgress] = []
        for shard in (0..<shards).map({ Shard(UInt16($0)) }) {
            let done = journal.progress(of: Self.edition, in: shard)?.through ?? .zero
            let page = journal.unfinished(in: shard, of: Self.edition, after: done, limit: .max)
            for due in page.jobs { take(due.job) }
            guard page.through > done else { continue }
            progress.append(
                ShardProgress(edition: Self.edition, shard: shard, through: page.through, origin: ShardOrigin(1)))
        }
        guard !progress.isEmpty else { return }
        var record = PoolRecord()
        record.progress = progress
        write(JournalTurn(record: record))
    }

    private mutating func take(_ job: LayoutJob) {
        switch job.work {
        case .layOut: rows[job.message] = job.number
        case .amend: if rows[job.message] != nil { rows[job.message] = job.number }
        case .remove: rows[job.message] = nil
        }
    }

    mutating func forgetContent() { _ = journal.forgetContent() }
}

// Copies for other hosts, and bugs.
extension HostDisk {
    /// The disk as a host has it that copied it. In one bug files of shards are left out, and messages whose content is
    /// kept are laid out again.
    func copied(_ bug: PlantedClusterBug?) -> HostDisk {
        guard bug == .snapshotWithoutFiles else { return self }
        var disk = self
        disk.rows = [:]
        for shard in (0..<shards).map({ Shard(UInt16($0)) }) {
            for job in journal.messages(in: shard, after: MessageNumber(-1), limit: .max) { disk.take(job) }
        }
        return disk
    }

    /// A bug: cuts off everything of a journal that a log does not have.
    mutating func cut(_ partition: Int, to position: LogPosition) {
        let kept = recorded.filter { $0.partition != partition || $0.turn.content.first < position }
        let known = logs
        self = HostDisk(shards: shards, of: known.keys.sorted())
        logs = known
        for one in kept {
            add(one.turn.content, of: one.partition)
            _ = takeTurn()
        }
    }

    /// A bug: forgets the turns that wait, except those of one log.
    mutating func dropTurns(exceptOf partition: Int) {
        let waiting = recorded[taken...].filter { $0.partition == partition }
        recorded.removeLast(recorded.count - taken)
        for one in waiting { add(one.turn.content, of: partition) }
    }

    /// A bug: this host numbers the jobs by itself, and leaves out those that the same turn makes anew.
    func numberedAnew(_ turn: TurnContent) -> TurnContent {
        var turn = turn
        var next: [Shard: UInt64] = [:]
        let all = turn.entries.flatMap(\.jobs)
        for place in turn.entries.indices {
            let jobs = turn.entries[place].jobs.filter { job in
                !all.contains { $0.message == job.message && $0.number > job.number }
            }
            turn.entries[place].jobs = jobs.map { job in
                var job = job
                let shard = Shard(of: job.conversation, among: shards)
                let number = next[shard] ?? journal.nextJob(in: shard).number
                next[shard] = number + 1
                job.number = JobNumber(number)
                return job
            }
        }
        return turn
    }
}
