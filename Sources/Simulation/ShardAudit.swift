import Names
import Pool
import Wire

/// The invariants of everything that is ever written into one file; it keeps the violations.
struct ShardAudit {
    private(set) var findings: [String] = []
    private var highest = LeaseEpoch(0)
    private var done: Set<Job> = []

    private struct Job: Hashable {
        var shard: Shard
        var number: JobNumber
    }
    /// By conversation, the last of the live messages that have appeared, and its first job.
    private var appeared: [ConversationID: (message: MessageNumber, first: JobNumber)] = [:]
    /// Messages that appeared after one that came later, each with that one.
    private(set) var overtaken: [(message: MessageNumber, job: JobNumber, by: MessageNumber)] = []

    mutating func adopted(_ epoch: LeaseEpoch) { committed(under: epoch) }

    mutating func committed(under epoch: LeaseEpoch) {
        if epoch < highest { findings.append("a worker wrote under epoch \(epoch.number) after \(highest.number)") }
        highest = max(highest, epoch)
    }

    mutating func applied(_ job: JobNumber, of shard: Shard) {
        if !done.insert(Job(shard: shard, number: job)).inserted {
            findings.append("job \(job.number) was stored twice")
        }
    }

    /// Notes the first row of a message. It was certainly due before an earlier row if its job is older than all jobs
    /// of that one.
    mutating func appeared(in conversation: ConversationID, first: JobNumber, job: JobNumber, message: MessageNumber) {
        let last = appeared[conversation] ?? (message, .zero)
        if job < last.first { overtaken.append((message, job, last.message)) }
        if first > last.first { appeared[conversation] = (message, first) }
    }

    /// - Parameter shard: nil where the job left no row.
    mutating func lost(_ job: JobNumber, of shard: Shard?) {
        if let shard { done.remove(Job(shard: shard, number: job)) }
        appeared = [:]
    }
}
