import Pool
import Wire

func job(_ number: Int64) throws -> Job {
    Job(
        id: JobID(number),
        event: try Event(
            conversation: ConversationID("c"), message: MessageID("m\(number)"), order: number, sender: SenderID("s"),
            time: Timestamp(milliseconds: 0), body: Array("text \(number)".utf8)))
}

func jobs(_ count: Int64) throws -> [Job] { try (0..<count).map(job) }

func peer(_ number: UInt8) -> Peer { Peer(route: [number]) }

func moment(_ seconds: Double) -> Moment { Moment(sinceStart: .seconds(seconds)) }

func stored(_ lease: Lease) -> [JobResult] { lease.jobs.map { JobResult(job: $0.id, outcome: .stored) } }

extension Coordinator {
    init(jobsPerLease: Int = 32, jobs: Int = 1000) {
        var limits = Limits()
        limits.jobsPerLease = jobsPerLease
        limits.jobs = jobs
        self.init(term: 7, limits: limits)
    }

    /// A worker that holds nothing makes itself known, or known again.
    mutating func join(_ peer: Peer, capacity: UInt8 = 1, held: [LeaseID] = []) -> [Effect] {
        handle(.beat(Beat(capacity: capacity, held: held), from: peer))
    }
}

extension [Coordinator.Effect] {
    var leases: [(lease: Lease, peer: Peer)] {
        compactMap { if case .assign(let lease, let peer) = $0 { (lease, peer) } else { nil } }
    }

    var retired: [JobID] {
        flatMap { if case .retire(let jobs) = $0 { jobs.map(\.id) } else { [] as [JobID] } }
    }

    var givenUp: [JobID] {
        compactMap { if case .giveUp(let job, _) = $0 { job.id } else { nil } }
    }
}
