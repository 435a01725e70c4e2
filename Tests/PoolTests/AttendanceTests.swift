import Pool
import Testing
import Wire

@Test func `a served edition without workers is told once, is the verdict, and is told when somebody is back`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    #expect(bench.dispatcher.servedWorkers == 1 && bench.dispatcher.status.verdict == "all is well")
    var told = bench.tell(.heard(.bye, from: peer(1)))
    told += bench.pass(6)
    #expect(told.notices == [.workerLeft(peer(1)), .unattended(PoolBench.edition)])
    #expect(bench.dispatcher.servedWorkers == 0)
    let status = bench.dispatcher.status
    #expect(status.servedWorkers == 0 && status.verdict.hasPrefix("no worker lays out the served edition"))
    told = bench.join(1) + bench.turn(after: 0.2)
    #expect(told.notices.contains(.attended(PoolBench.edition)))
    #expect(bench.dispatcher.status.troubles.isEmpty)
}

@Test func `a worker that is away for a moment is no trouble, and that none has come yet is told as that`() throws {
    var bench = PoolBench()
    var verdict: String { bench.dispatcher.status.verdict }
    bench.turn()
    #expect(verdict.hasPrefix("no worker has come to the served edition"))
    _ = bench.join(1)
    bench.turn(after: 0.2)
    #expect(verdict == "all is well")
    bench.tell(.heard(.bye, from: peer(1)))
    _ = bench.pass(2)
    #expect(bench.dispatcher.servedWorkers == 0 && verdict == "all is well")
    _ = bench.pass(2)
    #expect(verdict.hasPrefix("no worker lays out the served edition"))
}

@Test func `a worker that comes back in time is no news`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    bench.tell(.heard(.bye, from: peer(1)))
    #expect(bench.pass(1).notices.isEmpty)
    #expect(!bench.join(1).notices.contains(.attended(PoolBench.edition)))
}

@Test func `which edition is served, and which is given up on the way, is told`() throws {
    var bench = PoolBench(served: false)
    let (second, third) = (try EditionID("bb"), try EditionID("cc"))
    #expect(bench.join(1).notices.contains(.switched(from: nil, to: PoolBench.edition)))
    #expect(bench.tell(.command(.roll(to: second, name: "flat"))).notices == [.rolling(second)])
    _ = bench.join(2, edition: second)
    let told = bench.tell(.command(.roll(to: third, name: "card"))).notices
    #expect(told == [.dropped(second), .rolling(third)])
    _ = bench.join(3, edition: third)
    _ = bench.record()
    bench.turn()
    bench.tell(.messages([], third, Shard(0)))
    #expect(bench.turn().notices == [.switched(from: PoolBench.edition, to: third)])
}

@Test func `what keeps messages from being accepted or shown is in the verdict`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    bench.tell(.command(.pause(.backfill)))
    bench.tell(.command(.drain))
    let status = bench.dispatcher.status
    #expect(status.verdict == "the lane backfill is paused; draining: nothing more is accepted")
    let json = String(decoding: OperatorAnswer.status(status).json, as: UTF8.self)
    #expect(json.contains(#""verdict":"the lane backfill is paused; "#) && json.contains(#""served_workers":1"#))
}

@Test func `a next edition without workers is the verdict after a while, with the command that starts one`() throws {
    var bench = PoolBench()
    let next = try EditionID("bb")
    _ = bench.join(1)
    bench.tell(.command(.roll(to: next, name: "flat")))
    var verdict: String { bench.dispatcher.status.verdict }
    func sentence(_ name: String) -> String {
        "no worker lays out the next edition \(name) bb; start one with forme worker --edition bb"
    }
    // forme serve starts one meanwhile.
    _ = bench.pass(9, beating: [(peer(1), [])])
    #expect(verdict == "all is well")
    _ = bench.pass(2, beating: [(peer(1), [])])
    #expect(verdict == sentence("flat"))
    #expect(bench.dispatcher.status.editions.map(\.workers) == [1, 0])
    _ = bench.join(2, edition: next)
    bench.turn(after: 0.2)
    #expect(verdict == "all is well")
    bench.tell(.heard(.bye, from: peer(2)))
    _ = bench.pass(11, beating: [(peer(1), [])])
    // Its worker has named it.
    #expect(verdict == sentence("plain"))
    // Another one has its own time.
    bench.tell(.command(.roll(to: try EditionID("cc"), name: "other")))
    _ = bench.pass(1, beating: [(peer(1), [])])
    #expect(verdict == "all is well")
    bench.tell(.command(.roll(to: PoolBench.edition, name: "plain")))
    _ = bench.pass(11, beating: [(peer(1), [])])
    #expect(verdict == "all is well")
}
