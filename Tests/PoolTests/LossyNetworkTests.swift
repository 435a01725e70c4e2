import Pool
import TestSupport
import Testing
import Wire

/// A coordinator and workers over a network that loses, repeats and reorders, while workers die and new ones come.
private struct LossyNetwork {
    private enum Letter {
        case toCoordinator(Frame.Content, from: Peer)
        case toWorker(Frame.Content, Peer)
    }

    private var coordinator = Coordinator(jobsPerLease: 4)
    private var workers: [Peer: Worker] = [:]
    private var letters: [Letter] = []
    /// What lanes are at work on.
    private var lanes: [(peer: Peer, lease: Lease)] = []
    private var lastPeer: UInt8 = 0
    private var time = 0.0
    private var laidOut: Set<JobID> = []
    private(set) var retired: [JobID] = []
    private(set) var givenUp: [JobID] = []

    init(jobs: [Job]) {
        _ = coordinator.handle(.journaled(jobs, promised: 0))
        for _ in 0..<3 { addWorker() }
    }

    var held: Int { coordinator.held }

    /// Every retired job was laid out before it was retired.
    var isHonest: Bool { laidOut.isSuperset(of: retired) }

    mutating func step(trouble: Bool, using random: inout SplitMix64) {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<2 where trouble: crash(using: &random)
        case ..<70 where !letters.isEmpty:
            let letter = letters.remove(at: .random(in: letters.indices, using: &random))
            let luck = trouble ? Int.random(in: 0..<20, using: &random) : 20
            if luck == 0 { return }  // lost
            if luck == 1 { letters.append(letter) }  // repeated
            deliver(letter)
        case ..<85 where !lanes.isEmpty:
            let (peer, lease) = lanes.remove(at: .random(in: lanes.indices, using: &random))
            tell(peer, .laidOut(lease.id, lease.jobs.map { layOut($0) }))
        default:
            time += 0.25
            for peer in workers.keys.sorted(by: { $0.route[0] < $1.route[0] }) { tell(peer, .tick(moment(time))) }
            perform(coordinator.handle(.tick(moment(time))))
        }
    }

    /// One message in seven is one that the style refuses.
    private mutating func layOut(_ job: Job) -> JobResult {
        if job.id.number.isMultiple(of: 7) { return JobResult(job: job.id, outcome: .refused(Objection("no"))) }
        laidOut.insert(job.id)
        return JobResult(job: job.id, outcome: .stored)
    }

    private mutating func addWorker() {
        lastPeer &+= 1
        workers[peer(lastPeer)] = Worker()
    }

    private mutating func crash(using random: inout SplitMix64) {
        guard let victim = workers.keys.sorted(by: { $0.route[0] < $1.route[0] }).randomElement(using: &random) else {
            return
        }
        workers[victim] = nil
        lanes.removeAll { $0.peer == victim }
        addWorker()
    }

    private mutating func deliver(_ letter: Letter) {
        switch letter {
        case .toWorker(let content, let peer): tell(peer, .received(content))
        case .toCoordinator(.beat(let beat), let peer): perform(coordinator.handle(.beat(beat, from: peer)))
        case .toCoordinator(.finished(let lease, let results), let peer):
            perform(coordinator.handle(.finished(lease, results, from: peer)))
        case .toCoordinator: Issue.record("a worker said what workers do not say")
        }
    }

    private mutating func tell(_ peer: Peer, _ event: Worker.Event) {
        for effect in workers[peer]?.handle(event) ?? [] {
            switch effect {
            case .say(let content): letters.append(.toCoordinator(content, from: peer))
            case .layOut(let lease): lanes.append((peer, lease))
            case .leave: Issue.record("nobody told this worker to stop")
            }
        }
    }

    private mutating func perform(_ effects: [Coordinator.Effect]) {
        retired += effects.retired
        givenUp += effects.givenUp
        for (lease, peer) in effects.leases { letters.append(.toWorker(.assign(lease), peer)) }
    }
}

@Test func `every job ends exactly once, whatever is lost, repeated, reordered or killed`() {
    forEachSeed(300) { random in
        let all = try jobs(40)
        var network = LossyNetwork(jobs: all)
        for _ in 0..<400 { network.step(trouble: true, using: &random) }
        for _ in 0..<20_000 where network.held > 0 { network.step(trouble: false, using: &random) }
        return network.isHonest && (network.retired + network.givenUp).sorted() == all.map(\.id)
    }
}
