import Names
import Pool
import Replication
import Wire

/// One host's files of one partition: its journal with the anchor of the last record, keys, and rows. Everything that
/// is here is on the disk.
struct HostDisk {
    var journal: SimulatedJournal
    private(set) var trail = AnchorTrail()
    /// All turns that the journal took, each with the place behind it.
    private(set) var turns: [ReplayedTurn] = []
    var keys: [KeyNumber: RecordKey] = [:]
    var wiped = KeyNumber.zero
    /// By message with a row, the job that made it.
    private(set) var rows: [MessageNumber: JobNumber] = [:]
    private let shards: Int

    static let edition = EditionID(own: "aaaa")

    init(shards: Int) {
        self.shards = shards
        journal = SimulatedJournal(shards: shards, bug: nil)
        journal.open()
    }

    var end: LogPosition { journal.nextPosition }

    /// The fault of a turn that is to be committed here; nil where it fits.
    func fault(in turn: TurnContent) -> String? {
        guard turn.first == end else {
            return "a turn begins at \(turn.first.number), and the journal ends at \(end.number)"
        }
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

    /// Whether the record is the next one, or takes the place of one that the log forgot.
    func admits(_ anchor: LogAnchor) -> Bool {
        anchor.sequence > trail.first.sequence && anchor.sequence <= trail.last.sequence.next
    }

    mutating func commit(_ turn: TurnContent?, _ anchor: LogAnchor) {
        trail.append(anchor)
        if let turn { take(turn) }
    }

    private mutating func take(_ turn: TurnContent) {
        do { write(try turn.turn(in: &journal)) } catch {
            preconditionFailure("a simulated journal can always be read")
        }
        turns.append(ReplayedTurn(turn, next: end))
    }

    private mutating func write(_ turn: JournalTurn) {
        do { try journal.commit(turn) } catch { preconditionFailure("the journal of a simulated host has room") }
    }

    /// The key with this number; it makes one if there is none.
    mutating func makeKey(_ number: KeyNumber, _ dice: inout Dice) -> RecordKey {
        if let known = keys[number] { return known }
        let key = RecordKey((0..<RecordKey.length).map { _ in UInt8(truncatingIfNeeded: dice.next()) })
        keys[number] = key
        return key
    }

    mutating func wipeKeys(through number: KeyNumber) {
        keys = keys.filter { $0.key > number }
        wiped = number
    }

    mutating func drop(before sequence: LogSequence) { trail.drop(before: sequence) }

    func turns(from position: LogPosition) -> [ReplayedTurn] { turns.filter { $0.content.first >= position } }

    /// A bug: cuts off everything that the log does not have.
    mutating func cut(to position: LogPosition) {
        let kept = turns.filter { $0.content.first < position }
        let (trail, keys, wiped) = (trail, keys, wiped)
        self = HostDisk(shards: shards)
        (self.trail, self.keys, self.wiped) = (trail, keys, wiped)
        for turn in kept { take(turn.content) }
    }

    /// The same disk without rows, as if files of shards had been left out. Messages whose content is kept are laid
    /// out again.
    var withoutFiles: HostDisk {
        var disk = self
        disk.rows = [:]
        return disk
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

    /// Lays out all messages whose content is kept, where rows were left out of a copy.
    mutating func layOutAgain() {
        for shard in (0..<shards).map({ Shard(UInt16($0)) }) {
            for job in journal.messages(in: shard, after: MessageNumber(-1), limit: .max) { take(job) }
        }
    }

    mutating func forgetContent() { _ = journal.forgetContent() }
}

extension HostDisk {
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
