package import Wire

/// Decides what is journaled, who lays out what, and when a worker has been silent for too long.
///
/// ```text
///            .journal          .assign             .finished
///  posted ───────────▶ waiting ────────▶ lent ─────────────────▶ retired
///     │ .refuse(.busy)    ▲               │ worker lost: a strike
///     ▼                   └───────────────┴──────────▶ given up, after `limits.strikes` or when its style refuses it
/// ```
///
/// Time arrives as an event like everything else, so a whole day of failures can be replayed in a test. Late, repeated
/// and lost messages are ordinary: an answer counts only under the lease that is lent at that moment to who sends it.
package struct Coordinator: Equatable, Sendable {
    package struct Limits: Equatable, Sendable {
        /// Jobs that may be held, waiting or lent; more are refused as busy.
        package var jobs = 16_384
        package var workers = 1024
        package var jobsPerLease = 32
        package var bytesPerLease = 1 << 18
        /// A worker that says nothing for so long is given up, and so is a lease that it does not mention.
        package var silence: Duration = .seconds(3)
        /// A worker that has not finished a lease after so long is given up, however alive it seems.
        package var lease: Duration = .seconds(30)
        /// A job whose workers were lost so often is given up itself.
        package var strikes = 3

        package init() {}
    }

    package enum Event: Equatable, Sendable {
        case posted(Post)
        /// Jobs are on disk; `promised` is the number of events in the posts that they came from.
        case journaled([Job], promised: Int)
        case beat(Beat, from: Peer)
        case finished(LeaseID, [JobResult], from: Peer)
        case unreachable(Peer)
        case tick(Moment)
    }

    package enum Effect: Equatable, Sendable {
        case journal(Post)
        case refuse(Post, Refusal)
        case assign(Lease, to: Peer)
        case pulse(to: Peer)
        /// Their layouts are in the cache, on disk.
        case retire([Job])
        case giveUp(Job, Cause)
    }

    /// Why a job will not be laid out.
    package enum Cause: Equatable, Sendable {
        case workersLost
        case refused(Objection)
    }

    private struct Colleague: Equatable, Sendable {
        var peer: Peer
        var beat: Beat
        var heard: Moment
    }

    private struct Loan: Equatable, Sendable {
        var id: LeaseID
        var peer: Peer
        var attempts: [Attempt]
        var since: Moment
        /// The worker has said that it holds this lease: only then may its loss be blamed on the jobs.
        var seen = false
    }

    private let term: UInt64
    private let limits: Limits
    private var now = Moment.start
    private var lastLease: UInt64 = 0
    private var promised = 0
    private var backlog = Backlog()
    /// In order of arrival. Few, so arrays are searched rather than hashed, and every run decides alike.
    private var workers: [Colleague] = []
    private var loans: [Loan] = []

    /// - Parameter term: rises with every start, see `LeaseID`.
    package init(term: UInt64, limits: Limits = Limits()) {
        self.term = term
        self.limits = limits
    }

    /// Jobs that are promised, waiting or lent.
    package var held: Int { promised + backlog.count + loans.reduce(0) { $0 + $1.attempts.count } }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .posted(let post):
            guard held + post.events.count <= limits.jobs else { return [.refuse(post, .busy)] }
            promised += post.events.count
            return [.journal(post)]
        case .journaled(let jobs, let promised):
            self.promised -= promised
            for job in jobs { backlog.append(job) }
            return match()
        case .beat(let beat, let peer):
            hear(beat, from: peer)
            return match()
        case .finished(let lease, let results, let peer):
            return finish(lease, results, from: peer) + match()
        case .unreachable(let peer):
            return drop(peer) + match()
        case .tick(let time):
            now = time
            return workers.filter(isLost).flatMap { drop($0.peer) } + match() + workers.map { .pulse(to: $0.peer) }
        }
    }

    private mutating func hear(_ beat: Beat, from peer: Peer) {
        let colleague = Colleague(peer: peer, beat: beat, heard: now)
        if let known = workers.firstIndex(where: { $0.peer == peer }) {
            workers[known] = colleague
        } else if workers.count < limits.workers {
            workers.append(colleague)
        }
        for index in loans.indices where loans[index].peer == peer && beat.held.contains(loans[index].id) {
            loans[index].seen = true
        }
        // The lease or its answer was lost on the way. No job is to blame.
        let (now, silence) = (now, limits.silence)
        let lost = take { $0.peer == peer && !beat.held.contains($0.id) && $0.since + silence < now }
        backlog.putBack(lost.flatMap(\.attempts))
    }

    private mutating func finish(_ lease: LeaseID, _ results: [JobResult], from peer: Peer) -> [Effect] {
        if let worker = workers.firstIndex(where: { $0.peer == peer }) {
            workers[worker].beat.held.removeAll { $0 == lease }
        }
        let outcomes = Dictionary(results.map { ($0.job, $0.outcome) }, uniquingKeysWith: { first, _ in first })
        var (stored, returned, unspoken): ([Job], [Attempt], [Attempt]) = ([], [], [])
        var refused: [Effect] = []
        for attempt in take(where: { $0.id == lease && $0.peer == peer }).flatMap(\.attempts) {
            switch outcomes[attempt.job.id] {
            case .stored: stored.append(attempt.job)
            case .returned: returned.append(attempt)
            case .refused(let objection): refused.append(.giveUp(attempt.job, .refused(objection)))
            // The worker could not speak of it.
            case nil: unspoken.append(attempt)
            }
        }
        backlog.putBack(returned)
        return (stored.isEmpty ? [] : [.retire(stored)]) + refused + strike(unspoken)
    }

    private mutating func drop(_ peer: Peer) -> [Effect] {
        workers.removeAll { $0.peer == peer }
        let lost = take { $0.peer == peer }
        backlog.putBack(lost.filter { !$0.seen }.flatMap(\.attempts))
        return strike(lost.filter(\.seen).flatMap(\.attempts))
    }

    private mutating func strike(_ attempts: [Attempt]) -> [Effect] {
        let struck = attempts.map { Attempt(job: $0.job, strikes: $0.strikes + 1) }
        backlog.putBack(struck.filter { $0.strikes < limits.strikes })
        return struck.filter { $0.strikes >= limits.strikes }.map { .giveUp($0.job, .workersLost) }
    }

    private func isLost(_ worker: Colleague) -> Bool {
        worker.heard + limits.silence < now
            || loans.contains { $0.peer == worker.peer && $0.since + limits.lease < now }
    }

    /// Lends what waits to whoever has the most room, the longest-serving worker first.
    private mutating func match() -> [Effect] {
        var effects: [Effect] = []
        while backlog.count > 0, let worker = workers.max(by: { room($0) < room($1) }), room(worker) > 0 {
            let batch = backlog.takeBatch(jobs: limits.jobsPerLease, bytes: limits.bytesPerLease)
            lastLease += 1
            let id = LeaseID(term: term, number: lastLease)
            loans.append(Loan(id: id, peer: worker.peer, attempts: batch, since: now))
            effects.append(.assign(Lease(id: id, jobs: batch.map(\.job)), to: worker.peer))
        }
        return effects
    }

    /// Leases that a worker can still take. One that it holds without us (of an earlier term, say) takes room too.
    private func room(_ worker: Colleague) -> Int {
        let ours = loans.filter { $0.peer == worker.peer }.map(\.id)
        return Int(worker.beat.capacity) - ours.count - worker.beat.held.count { !ours.contains($0) }
    }

    private mutating func take(where matches: (Loan) -> Bool) -> [Loan] {
        let taken = loans.filter(matches)
        loans.removeAll(where: matches)
        return taken
    }
}
