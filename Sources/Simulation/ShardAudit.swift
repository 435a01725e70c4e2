import Pool
import Wire

/// What must be true of all that is ever written into one file; what was not is kept.
struct ShardAudit {
    private(set) var findings: [String] = []
    private var highest = LeaseEpoch(0)
    private var done: Set<JobNumber> = []
    /// The first job of the last of the live messages of each conversation that has appeared.
    private var appeared: [ConversationID: JobNumber] = [:]
    /// Messages that appeared after one that came later.
    private(set) var overtaken: [(message: MessageNumber, job: JobNumber)] = []

    mutating func adopted(_ epoch: LeaseEpoch) { committed(under: epoch) }

    mutating func committed(under epoch: LeaseEpoch) {
        if epoch < highest { findings.append("a worker wrote under epoch \(epoch.number) after \(highest.number)") }
        highest = max(highest, epoch)
    }

    mutating func applied(_ job: JobNumber) {
        if !done.insert(job).inserted { findings.append("job \(job.number) was stored twice") }
    }

    /// A message that was certainly due before one that has a row already: its job is older than all jobs of that one.
    mutating func appeared(in conversation: ConversationID, first: JobNumber, job: JobNumber, message: MessageNumber) {
        let last = appeared[conversation] ?? .zero
        if job < last { overtaken.append((message, job)) }
        appeared[conversation] = max(last, first)
    }

    mutating func lost(_ jobs: [JobNumber]) {
        done.subtract(jobs)
        if !jobs.isEmpty { appeared = [:] }
    }
}
