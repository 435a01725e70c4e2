import MessageLayout
import Pool
import Testing
import Typography
import Wire

private let hello = WorkerHello(edition: PoolBench.edition, editionName: "plain", process: 5, machine: "here")

private func batch(_ number: UInt64, place: UInt64, epoch: UInt64 = 1, shard: UInt16 = 0)
    -> Batch
{
    Batch(
        id: BatchID(term: 1, number: number), shard: Shard(shard), epoch: LeaseEpoch(epoch), place: place, jobs: [])
}

private func beat(_ held: UInt64..., started: Bool = true, credits: UInt16 = 512) -> LayoutWorker.Effect {
    .say(
        .beat(
            WorkerBeat(
                credits: credits, held: held.map { BatchID(term: 1, number: $0) }, hasStarted: started && !held.isEmpty)
        ))
}

private func report(_ batch: Batch, stamp: UInt64 = 1) -> BatchReport {
    BatchReport(batch: batch.id, shard: batch.shard, end: .committed(Stamp(stamp), ShardOrigin(1), []))
}

private func worker(syncs: Bool = false) -> LayoutWorker {
    var limits = LayoutWorker.Limits()
    (limits.syncs, limits.sync) = (syncs, .milliseconds(50))
    var worker = LayoutWorker(hello: hello, limits: limits)
    _ = worker.handle(.ready)
    return worker
}

@Test func `a worker says who it is when it can lay out, and takes nothing before`() {
    var worker = LayoutWorker(hello: hello)
    #expect(worker.handle(.heard(.assign(batch(1, place: 0)))).isEmpty)
    #expect(worker.handle(.ready) == [.say(.hello(hello)), beat()])
}

@Test func `a worker lays out for other targets when it hears of them, and not again with every pulse`() {
    var worker = worker()
    let targets = [Target(width: .points(397), scale: .three)]
    #expect(worker.handle(.heard(.pulse([]))).isEmpty)
    #expect(worker.handle(.heard(.pulse(targets))) == [.prepare(targets)])
    #expect(worker.handle(.heard(.pulse(targets))).isEmpty)
    #expect(worker.handle(.heard(.pulse([]))) == [.prepare([])])
}

@Test func `a worker does one batch after the other, and says what it holds before it begins`() {
    var worker = worker()
    let (first, second) = (batch(1, place: 0), batch(2, place: 1))
    #expect(worker.handle(.heard(.assign(first))) == [beat(1), .work(first)])
    // The coordinator knows by itself what is held now, until the next beat.
    #expect(worker.handle(.heard(.assign(second))) == [])
    #expect(worker.handle(.tick(.start)) == [beat(1, 2)])
    #expect(worker.handle(.done(report(first))) == [.say(.finished(report(first))), beat(2), .work(second)])
    #expect(worker.handle(.done(report(second))) == [.say(.finished(report(second)))])
}

@Test func `a batch that comes twice, or before one that was lost, is not taken`() {
    var worker = worker()
    let (first, next) = (batch(1, place: 0), batch(4, place: 0, epoch: 2))
    for batch in [first, first, batch(3, place: 2), next, batch(2, place: 1)] {
        _ = worker.handle(.heard(.assign(batch)))
    }
    // The first was taken back with its lease, and the coordinator counts it until it hears that it is gone.
    #expect(worker.handle(.done(report(first))) == [.say(.finished(report(first))), beat(4), .work(next)])
    #expect(worker.handle(.done(report(next))) == [.say(.finished(report(next)))])
}

@Test func `what waits of a lease goes when the next lease of its shard comes`() {
    var worker = worker()
    let first = batch(1, place: 0)
    _ = worker.handle(.heard(.assign(first)))
    _ = worker.handle(.heard(.assign(batch(2, place: 1))))
    #expect(worker.handle(.heard(.assign(batch(3, place: 0, epoch: 2)))) == [beat(1, 3)])
}

@Test func `nothing that waits behind a batch that was not done is done before it`() {
    var worker = worker()
    let first = batch(1, place: 0)
    _ = worker.handle(.heard(.assign(first)))
    _ = worker.handle(.heard(.assign(batch(2, place: 1))))
    let blocked = BatchReport(batch: first.id, shard: Shard(0), end: .blocked(Objection("the disk is full")))
    #expect(worker.handle(.done(blocked)) == [.say(.finished(blocked)), beat()])
    #expect(worker.handle(.heard(.assign(batch(3, place: 2)))).isEmpty)
    #expect(!worker.handle(.heard(.assign(batch(4, place: 0, epoch: 2)))).isEmpty)
}

@Test func `a worker that is ready beats twice a second`() {
    var worker = worker()
    #expect(worker.handle(.tick(.start)) == [beat()])
    #expect(worker.handle(.tick(moment(0.4))).isEmpty)
    #expect(worker.handle(.tick(moment(0.5))) == [beat()])
}

@Test func `a coordinator that has just started is told who is there, and batches that it does not know are dropped`() {
    var worker = worker()
    let first = batch(1, place: 0)
    _ = worker.handle(.heard(.assign(first)))
    _ = worker.handle(.heard(.assign(batch(2, place: 1))))
    #expect(worker.handle(.heard(.introduceYourself)) == [.say(.hello(hello)), beat(1)])
    #expect(worker.handle(.done(report(first))) == [.say(.finished(report(first))), beat()])
}

@Test func `a worker that is asked again and again says who it is as the release before did`() {
    var known = hello
    known.engine = EngineFacts([EngineFacts.Fact("rules", "7")])
    var brief = known
    brief.engine = nil
    var worker = LayoutWorker(hello: known)
    _ = worker.handle(.ready)
    func introductions(at seconds: Int) -> [WorkerHello] {
        _ = worker.handle(.tick(Moment(sinceStart: .seconds(seconds))))
        return worker.handle(.heard(.introduceYourself)).compactMap {
            if case .say(.hello(let hello)) = $0 { hello } else { nil }
        }
    }
    #expect(introductions(at: 1) == [known] && introductions(at: 2) == [known])
    // Then every other time without its engine, as the coordinator may have been replaced by an older one since.
    #expect(introductions(at: 3) == [brief] && introductions(at: 3) == [known] && introductions(at: 4) == [brief])
    _ = worker.handle(.heard(.pulse([])))
    #expect(introductions(at: 60) == [known] && introductions(at: 61) == [known])
}

@Test func `a worker that is told to leave finishes what it holds, and says so`() {
    var worker = worker()
    let first = batch(1, place: 0)
    _ = worker.handle(.heard(.assign(first)))
    #expect(worker.handle(.stop) == [beat(1, credits: 0)])
    #expect(
        worker.handle(.done(report(first))) == [
            .say(.finished(report(first))), beat(credits: 0), .say(.bye), .leave,
        ])
    var idle = LayoutWorker(hello: hello)
    #expect(idle.handle(.stop).last == .leave)
}

private func synced(_ shard: UInt16, _ stamp: UInt64) -> (shard: Shard, point: ShardPoint) {
    (Shard(shard), ShardPoint(origin: ShardOrigin(1), stamp: Stamp(stamp)))
}

@Test func `commits go to the disk together after a while, and batches go on meanwhile`() {
    var worker = worker(syncs: true)
    let batches = (0...3).map { batch($0 + 1, place: $0) }
    for batch in batches { _ = worker.handle(.heard(.assign(batch))) }
    #expect(worker.handle(.done(report(batches[0]))).last == .work(batches[1]))
    #expect(worker.handle(.tick(moment(0.03))) == [beat(2, 3, 4)])
    #expect(worker.handle(.tick(moment(0.06))) == [.sync(Shard(0))])
    #expect(worker.handle(.done(report(batches[1]))).last == .work(batches[2]))
    let (shard, point) = synced(0, 1)
    #expect(worker.handle(.synced(shard, point)) == [.say(.synced(shard, point))])
    // Changes that were committed while the disk was busy wait for the next sync.
    #expect(worker.handle(.tick(moment(0.12))) == [.sync(Shard(0))])
}

@Test func `shards are brought to the disk one after the other`() {
    var worker = worker(syncs: true)
    for shard in 0..<2 as Range<UInt16> {
        let batch = batch(UInt64(shard) + 1, place: 0, shard: shard)
        _ = worker.handle(.heard(.assign(batch)))
        _ = worker.handle(.done(report(batch)))
    }
    #expect(worker.handle(.tick(moment(0.06))).last == .sync(Shard(0)))
    #expect(worker.handle(.tick(moment(0.08))).isEmpty)
    let (shard, point) = synced(0, 1)
    #expect(worker.handle(.synced(shard, point)) == [.say(.synced(shard, point)), .sync(Shard(1))])
}

@Test func `a worker that leaves brings everything to the disk first`() {
    var worker = worker(syncs: true)
    let first = batch(1, place: 0)
    _ = worker.handle(.heard(.assign(first)))
    _ = worker.handle(.stop)
    #expect(worker.handle(.done(report(first))).last == .sync(Shard(0)))
    let (shard, point) = synced(0, 1)
    #expect(worker.handle(.synced(shard, point)).last == .leave)
}

@Test func `a sync that failed is tried again after a while`() {
    var worker = worker(syncs: true)
    let first = batch(1, place: 0)
    _ = worker.handle(.heard(.assign(first)))
    _ = worker.handle(.done(report(first)))
    #expect(worker.handle(.tick(moment(0.06))).last == .sync(Shard(0)))
    #expect(worker.handle(.synced(Shard(0), nil)).isEmpty)
    #expect(worker.handle(.tick(moment(0.1))).isEmpty)
    #expect(worker.handle(.tick(moment(0.2))).last == .sync(Shard(0)))
}

@Test func `what waits for other shards goes before what waits for one that is at the disk`() {
    var worker = worker()
    let first = batch(1, place: 0)
    _ = worker.handle(.heard(.assign(first)))
    _ = worker.handle(.done(report(first)))
    #expect(worker.handle(.tick(moment(0.06))) == [beat(), .tidy(Shard(0))])
    let others = [batch(2, place: 0, shard: 1), batch(3, place: 1), batch(4, place: 1, shard: 1)]
    #expect(worker.handle(.heard(.assign(others[0]))).last == .work(others[0]))
    for other in others.dropFirst() { _ = worker.handle(.heard(.assign(other))) }
    #expect(worker.handle(.done(report(others[0]))).last == .work(others[2]))
    #expect(worker.handle(.tidied(Shard(0))).isEmpty)
    #expect(worker.handle(.done(report(others[2]))).last == .work(others[1]))
}

@Test func `a file that took the place of a damaged one is told at once`() {
    var worker = LayoutWorker(
        hello: WorkerHello(edition: PoolBench.edition, editionName: "plain", process: 1, machine: "here"))
    _ = worker.handle(.ready)
    let point = ShardPoint(origin: ShardOrigin(2), stamp: Stamp(0))
    #expect(worker.handle(.renewed(Shard(0), point)) == [.say(.synced(Shard(0), point))])
}
