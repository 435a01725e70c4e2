import Testing
import Wire

@testable import Pool

@Test func `a post is journaled first, and lent only when the journal has it`() throws {
    var coordinator = Coordinator()
    #expect(coordinator.join(peer(1)).isEmpty)
    let post = Post(peer: peer(9), request: RequestID(4), events: try jobs(2).map(\.event))
    #expect(coordinator.handle(.posted(post)) == [.journal(post)])
    let lease = Lease(id: LeaseID(term: 7, number: 1), jobs: try jobs(2))
    #expect(coordinator.handle(.journaled(try jobs(2), promised: 2)) == [.assign(lease, to: peer(1))])
}

@Test func `more than the limit is refused as busy, promises included, until something is done`() throws {
    var coordinator = Coordinator(jobs: 3)
    let two = Post(peer: peer(9), request: RequestID(1), events: try jobs(2).map(\.event))
    #expect(coordinator.handle(.posted(two)) == [.journal(two)])
    #expect(coordinator.handle(.posted(two)) == [.refuse(two, .busy)])
    _ = coordinator.handle(.journaled(try jobs(2), promised: 2))
    #expect(coordinator.handle(.posted(two)) == [.refuse(two, .busy)])
    let lease = try #require(coordinator.join(peer(1)).leases.first?.lease)
    _ = coordinator.handle(.finished(lease.id, stored(lease), from: peer(1)))
    #expect(coordinator.handle(.posted(two)) == [.journal(two)])
}

@Test func `events that were there before leave no promise behind`() throws {
    var coordinator = Coordinator(jobs: 3)
    let two = Post(peer: peer(9), request: RequestID(1), events: try jobs(2).map(\.event))
    _ = coordinator.handle(.posted(two))
    _ = coordinator.handle(.journaled([], promised: 2))
    #expect(coordinator.held == 0)
}

@Test func `jobs go out in batches, to whoever has most room, and no further than credits reach`() throws {
    var coordinator = Coordinator(jobsPerLease: 2)
    _ = coordinator.join(peer(1), capacity: 1)
    _ = coordinator.join(peer(2), capacity: 2)
    let lent = coordinator.handle(.journaled(try jobs(9), promised: 0)).leases
    #expect(lent.map(\.peer) == [peer(2), peer(1), peer(2)] || lent.map(\.peer) == [peer(2), peer(2), peer(1)])
    #expect(lent.map { $0.lease.jobs.map(\.id.number) } == [[0, 1], [2, 3], [4, 5]])
}

@Test func `a finished lease retires its jobs and makes room for the next`() throws {
    var coordinator = Coordinator(jobsPerLease: 2)
    _ = coordinator.join(peer(1))
    let first = try #require(coordinator.handle(.journaled(try jobs(4), promised: 0)).leases.first?.lease)
    let effects = coordinator.handle(.finished(first.id, stored(first), from: peer(1)))
    #expect(effects.retired == [JobID(0), JobID(1)])
    #expect(effects.leases.map { $0.lease.jobs.map(\.id.number) } == [[2, 3]])
}

@Test func `an answer that is late, repeated, or from another worker changes nothing`() throws {
    var coordinator = Coordinator()
    _ = coordinator.join(peer(1))
    let lease = try #require(coordinator.handle(.journaled(try jobs(2), promised: 0)).leases.first?.lease)
    let before = coordinator
    #expect(coordinator.handle(.finished(lease.id, stored(lease), from: peer(2))).isEmpty)
    #expect(coordinator == before)
    #expect(coordinator.handle(.finished(LeaseID(term: 6, number: 1), stored(lease), from: peer(1))).isEmpty)
    #expect(coordinator == before)
    #expect(coordinator.handle(.finished(lease.id, stored(lease), from: peer(1))).retired.count == 2)
    #expect(coordinator.handle(.finished(lease.id, stored(lease), from: peer(1))).isEmpty)
}

@Test func `the lease of a silent worker goes to another`() throws {
    var coordinator = Coordinator()
    _ = coordinator.join(peer(1))
    let first = try #require(coordinator.handle(.journaled(try jobs(2), promised: 0)).leases.first?.lease)
    _ = coordinator.handle(.tick(moment(2)))
    _ = coordinator.join(peer(2))
    let effects = coordinator.handle(.tick(moment(3.1)))
    #expect(effects.leases.map(\.peer) == [peer(2)])
    #expect(effects.leases.map(\.lease.jobs) == [first.jobs])
    #expect(effects.contains(.pulse(to: peer(2))) && !effects.contains(.pulse(to: peer(1))))
}

@Test func `a worker that beats but does not finish loses its lease, too`() throws {
    var coordinator = Coordinator()
    _ = coordinator.join(peer(1))
    let lease = try #require(coordinator.handle(.journaled(try jobs(1), promised: 0)).leases.first?.lease)
    for second in 1...30 {
        _ = coordinator.handle(.tick(moment(Double(second))))
        #expect(coordinator.join(peer(1), held: [lease.id]).isEmpty)
    }
    #expect(coordinator.join(peer(2)).isEmpty)
    #expect(coordinator.handle(.tick(moment(30.1))).leases.map(\.peer) == [peer(2)])
}

@Test func `a lease that its worker never mentions is lent again, and nobody is blamed`() throws {
    var coordinator = Coordinator()
    _ = coordinator.join(peer(1))
    for second in stride(from: 1.0, through: 41, by: 4) {
        _ = coordinator.handle(.tick(moment(second)))
        let again = coordinator.join(peer(1))
        #expect(again.givenUp.isEmpty)
        if second == 1 { _ = coordinator.handle(.journaled(try jobs(1), promised: 0)) }
        if second > 1 { #expect(again.leases.count == 1) }
    }
}

@Test func `a job that kills every worker is given up after three, and takes no innocent with it`() throws {
    var coordinator = Coordinator(jobsPerLease: 4)
    _ = coordinator.handle(.journaled(try jobs(4), promised: 0))
    let poison = JobID(2)
    var retired: [JobID] = []
    var givenUp: [JobID] = []
    var lent = coordinator.join(peer(0)).leases
    for number in 1...20 as ClosedRange<UInt8> {
        guard let (lease, worker) = lent.first else { break }
        var effects: [Coordinator.Effect] = []
        if lease.jobs.contains(where: { $0.id == poison }) {
            effects += coordinator.join(worker, held: [lease.id])
            effects += coordinator.handle(.unreachable(worker))
            effects += coordinator.join(peer(number))
        } else {
            effects += coordinator.handle(.finished(lease.id, stored(lease), from: worker))
        }
        retired += effects.retired
        givenUp += effects.givenUp
        lent = effects.leases
    }
    #expect(givenUp == [poison])
    #expect(retired.sorted() == [JobID(0), JobID(1), JobID(3)])
    #expect(coordinator.held == 0)
}

@Test func `a job that is handed back is tried again, as often as it takes`() throws {
    var coordinator = Coordinator()
    _ = coordinator.join(peer(1))
    var lent = coordinator.handle(.journaled(try jobs(1), promised: 0)).leases
    for _ in 0..<10 {
        let lease = try #require(lent.first?.lease)
        let effects = coordinator.handle(
            .finished(lease.id, [JobResult(job: JobID(0), outcome: .returned)], from: peer(1)))
        #expect(effects.givenUp.isEmpty && effects.retired.isEmpty)
        lent = effects.leases
    }
}

@Test func `a job that the style refuses is given up with the reason, and the others are retired`() throws {
    var coordinator = Coordinator()
    _ = coordinator.join(peer(1))
    let lease = try #require(coordinator.handle(.journaled(try jobs(3), promised: 0)).leases.first?.lease)
    var results = stored(lease)
    results[1].outcome = .refused(Objection("text: expected a string"))
    let effects = coordinator.handle(.finished(lease.id, results, from: peer(1)))
    #expect(effects.retired == [JobID(0), JobID(2)])
    #expect(effects.contains(.giveUp(try job(1), .refused(Objection("text: expected a string")))))
    #expect(effects.leases.isEmpty && coordinator.held == 0)
}

@Test func `no crowd of strangers makes the coordinator grow`() throws {
    var limits = Coordinator.Limits()
    limits.workers = 2
    var coordinator = Coordinator(term: 7, limits: limits)
    for number in 0..<100 as Range<UInt8> { _ = coordinator.join(peer(number)) }
    #expect(coordinator.handle(.tick(moment(1))) == [.pulse(to: peer(0)), .pulse(to: peer(1))])
}

@Test func `leases of an earlier term take room from a worker until it is done with them`() throws {
    var coordinator = Coordinator()
    let old = LeaseID(term: 6, number: 3)
    _ = coordinator.join(peer(1), held: [old])
    #expect(coordinator.handle(.journaled(try jobs(1), promised: 0)).leases.isEmpty)
    #expect(coordinator.handle(.finished(old, [], from: peer(1))).leases.count == 1)
}
