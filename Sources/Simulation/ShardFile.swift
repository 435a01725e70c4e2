import Names
import Pool
import Wire

/// One file of an edition, as it lies on the simulated disk: rows, the log that readers follow, and a transaction
/// that has begun and not ended.
struct ShardFile {
    struct StoredRow: Equatable {
        var conversation: ConversationID
        var message: MessageID
        var job: JobNumber
        var facts: StoredFacts
        var key: [UInt8]
    }

    /// One change, as readers see it.
    struct Change {
        var stamp: Stamp
        var epoch: LeaseEpoch
        var message: MessageNumber
        var job: JobNumber
        /// The row after the change; nil for a tombstone.
        var row: StoredRow?
    }

    /// A transaction of a process, which holds the file's lock until the transaction or the process ends.
    struct Transaction {
        var process: Int
        var stamp: Stamp
        var epoch: LeaseEpoch
        var changes: [ShardChange]
    }

    private(set) var origin: ShardOrigin
    /// A number that changes after any end that was not clean: readers begin anew.
    private(set) var generation = 0
    private(set) var epoch = LeaseEpoch(0)
    private(set) var stamp = Stamp.zero
    private(set) var synced = Stamp.zero
    private(set) var rows: [MessageNumber: StoredRow] = [:]
    private(set) var log: [Change] = []
    /// Messages that have neither content nor a row here, each with the commit that found it.
    private(set) var lost: [MessageNumber: Stamp] = [:]
    /// The number of rows that were left behind where a message stood before.
    private(set) var ghosts = 0
    var open: Transaction?
    /// By shard, the job up to which messages may be found in a walk, and come in any order.
    var ordersAfter: [JobNumber]
    private var jobs: [MessageNumber: JobNumber] = [:]

    var audit = ShardAudit()
    let bug: PlantedBug?

    init(origin: ShardOrigin, ordersAfter: [JobNumber], bug: PlantedBug?) {
        (self.origin, self.ordersAfter, self.bug) = (origin, ordersAfter, bug)
    }

    mutating func adopt(_ epoch: LeaseEpoch) -> Stamp? {
        guard epoch >= self.epoch || bug == .noEpochCheck else { return nil }
        audit.adopted(epoch)
        self.epoch = max(self.epoch, epoch)
        return stamp
    }

    /// Does the first half of a commit: BEGIN IMMEDIATE, and the check of the epoch.
    mutating func begin(_ changes: [ShardChange], under epoch: LeaseEpoch, by process: Int) -> Stamp? {
        guard epoch >= self.epoch || bug == .noEpochCheck else { return nil }
        self.epoch = max(self.epoch, epoch)
        let repeats = bug == .reusedStamp && changes.count == 1 && stamp > .zero
        let stamp = repeats ? stamp : Stamp(stamp.number + 1)
        open = Transaction(process: process, stamp: stamp, epoch: epoch, changes: changes)
        return stamp
    }

    /// Does the second half: now readers see it.
    mutating func end(firsts: [MessageNumber: (job: JobNumber, isLive: Bool)]) {
        guard let transaction = open else { return }
        open = nil
        stamp = transaction.stamp
        audit.committed(under: transaction.epoch)
        for change in transaction.changes { apply(change, transaction, firsts) }
    }

    private mutating func apply(
        _ change: ShardChange, _ transaction: Transaction, _ firsts: [MessageNumber: (job: JobNumber, isLive: Bool)]
    ) {
        let known = jobs[change.message]
        var isRepeated = known.map { change.job <= $0 } ?? false
        // Whether the same job comes once more, and makes its row again.
        var isMending = false
        if case .mended = change.row { isMending = change.job == known }
        if isMending { isRepeated = false }
        guard !isRepeated || (bug == .repeatedJobApplied && change.job == known) else { return }
        let old = rows[change.message]
        // Its turn came while there was nothing to show of it; a row of it that was found elsewhere since may come at
        // any time.
        let wasUnavailable = lost[change.message] != nil
        if old == nil {
            if case .amended = change.row {
                lost[change.message] = transaction.stamp
            } else if lost.removeValue(forKey: change.message) != nil, change.row == .removed {
                // An older job of it may still be lent.
                jobs[change.message] = change.job
            }
        }
        if case .withdrawn = change.row { return withdraw(change, old, transaction) }
        guard let row = row(of: change, old) else {
            guard old != nil else { return }
            jobs[change.message] = change.job
            rows[change.message] = nil
            if bug != .droppedTombstone { append(change, nil, transaction) }
            return
        }
        if let row {
            if bug == .movedMessageLeavesRow, let old, old.facts.order != row.facts.order { ghosts += 1 }
            let shard = shard(of: row)
            if old == nil, !wasUnavailable, let first = firsts[change.message], first.isLive,
                change.job > ordersAfter[Int(shard.number)]
            {
                audit.appeared(in: row.conversation, first: first.job, job: change.job, message: change.message)
            }
            if !isMending { audit.applied(change.job, of: shard) }
            jobs[change.message] = change.job
            rows[change.message] = row
            append(change, row, transaction)
        }
    }

    private func shard(of row: StoredRow) -> Shard { Shard(of: row.conversation, among: ordersAfter.count) }

    /// Withdraws a row. It may come back under the same job.
    private mutating func withdraw(_ change: ShardChange, _ old: StoredRow?, _ transaction: Transaction) {
        guard old != nil else { return }
        jobs[change.message] = nil
        rows[change.message] = nil
        append(change, nil, transaction)
    }

    /// The row after a change: nil where it goes; nil inside where there is none to change.
    private func row(of change: ShardChange, _ old: StoredRow?) -> StoredRow?? {
        var row = StoredRow(
            conversation: change.conversation, message: change.messageID, job: change.job,
            facts: old?.facts
                ?? StoredFacts(
                    order: 0, sender: SenderID(own: "nobody"), time: Timestamp(milliseconds: 0), revision: Revision(0),
                    status: nil), key: old?.key ?? [])
        switch change.row {
        case .removed, .withdrawn: return nil
        case .laidOut(let new), .mended(let new): (row.facts, row.key) = (new.facts, new.key)
        case .touched(let facts):
            guard old != nil else { return .some(nil) }
            row.facts = facts
        case .amended(let order, let status):
            guard old != nil else { return .some(nil) }
            (row.facts.order, row.facts.status) = (order, status)
        }
        return row
    }

    private mutating func append(_ change: ShardChange, _ row: StoredRow?, _ transaction: Transaction) {
        log.append(
            Change(
                stamp: transaction.stamp, epoch: transaction.epoch, message: change.message, job: change.job, row: row))
    }

    mutating func sync() -> ShardPoint {
        if bug != .earlyRetirement { synced = stamp }
        return ShardPoint(origin: origin, stamp: stamp)
    }

    /// Loses the commits that are not on the disk, except for `luck` of them, which the system wrote by itself.
    mutating func losePower(upTo luck: UInt64) {
        generation += 1
        keep(upTo: Stamp(min(stamp.number, synced.number + luck)))
    }

    /// Loses the last commits without a trace.
    mutating func loseLog(of commits: UInt64) { keep(upTo: Stamp(stamp.number - min(stamp.number, commits))) }

    private mutating func keep(upTo kept: Stamp) {
        open = nil
        let changes = log.prefix { $0.stamp <= kept }
        for change in log.dropFirst(changes.count) { audit.lost(change.job, of: change.row.map(shard(of:))) }
        lost = lost.filter { $0.value <= kept }
        (rows, jobs, log, stamp, synced) = ([:], [:], [], kept, kept)
        for change in changes {
            rows[change.message] = change.row
            jobs[change.message] = change.job
            log.append(change)
        }
    }

    /// Changes after a stamp, the oldest first.
    func changes(after stamp: Stamp) -> ArraySlice<Change> {
        var places = 0..<log.count
        while let middle = places.dropFirst(places.count / 2).first {
            if log[middle].stamp <= stamp {
                places = middle + 1..<places.upperBound
            } else {
                places = places.lowerBound..<middle
            }
        }
        return log[places.lowerBound...]
    }
}
