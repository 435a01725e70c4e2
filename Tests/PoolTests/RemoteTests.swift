import Names
import Pool
import Testing
import Wire

private let engine = EngineFacts([.init("engine rules", "1"), .init("probe rows", "aa")])

/// A pool with one worker beside the folder, and workers elsewhere.
private struct RemoteBench {
    var bench = PoolBench(folder: FolderProof(7))

    init(_ remotes: UInt8..., own: EngineFacts = engine) {
        let hello = WorkerHello(
            edition: PoolBench.edition, editionName: "plain", process: 1, machine: "here/1", folder: FolderProof(7),
            engine: own)
        _ = bench.tell(.heard(.hello(hello), from: peer(1))) + bench.beat(peer(1)) + bench.turn()
        for number in remotes { _ = join(number) }
    }

    mutating func join(
        _ number: UInt8, _ engine: EngineFacts = engine, key: String? = nil, machine: String? = nil
    ) -> [Dispatcher.Effect] {
        var hello = WorkerHello(
            edition: PoolBench.edition, editionName: "plain", process: Int32(number),
            machine: machine ?? "host\(number)/1", engine: engine)
        (hello.isRemote, hello.holder) = (true, key)
        return bench.tell(.heard(.hello(hello), from: peer(number))) + bench.beat(peer(number)) + bench.turn()
    }

    /// Sends rows of all jobs of a batch.
    mutating func make(_ batch: Batch, by number: UInt8) -> [Dispatcher.Effect] {
        let rows = batch.jobs.indices.flatMap { place in
            MadeRow(
                place: UInt16(place), template: "row", joinsSeries: true, key: [UInt8(place)], layout: [1],
                measured: [2]
            ).encoded()
        }
        return bench.tell(.heard(.made(batch.id, rows), from: peer(number)))
    }

    mutating func finish(_ batch: Batch, difference: Objection? = nil) -> [Dispatcher.Effect] {
        let results = batch.jobs.map { LayoutResult(job: $0.number, outcome: .stored) }
        var report = BatchReport(
            batch: batch.id, shard: batch.shard, end: .committed(Stamp(1), ShardOrigin(1), results))
        report.difference = difference
        return bench.tell(.heard(.finished(report), from: peer(1))) + bench.turn()
    }

    /// Lets time pass, while the worker beside the folder and these others beat.
    mutating func pass(_ seconds: Double, beating: [(peer: Peer, held: [BatchID])]) -> [Dispatcher.Effect] {
        bench.pass(seconds, beating: [(peer(1), [])] + beating)
    }
}

@Test func `a batch is laid out elsewhere, and its holder is sent it with the rows`() throws {
    var pool = RemoteBench(2)
    let away = try #require(try pool.bench.accept(1, 2, 3).batches.first)
    #expect(away.to == peer(2) && away.batch.made == nil)
    let sent = try #require(pool.make(away.batch, by: 2).batches.first)
    #expect(sent.to == peer(1) && sent.batch.id == away.batch.id && sent.batch.jobs == away.batch.jobs)
    #expect(try sent.batch.made?.rows().map(\.place) == [0, 1, 2])
    // The first ten rows are all checked.
    #expect(sent.batch.made?.checks == [0, 1, 2])
    _ = pool.finish(sent.batch)
    #expect(pool.bench.record().progress.map(\.through) == [JobNumber(3)])
}

@Test func `what does not come back in time, or never, is laid out beside the folder, in its order`() throws {
    var pool = RemoteBench(2)
    let first = try #require(try pool.bench.accept(1, 2).batch)
    let second = try #require(try pool.bench.accept(3, 4).batch)
    // The later batch is back first, and waits.
    #expect(pool.make(second, by: 2).batches.isEmpty)
    let late = pool.pass(1.5, beating: [(peer(2), [first.id])]).batches
    #expect(late.map(\.batch.id) == [first.id, second.id] && late.allSatisfy { $0.to == peer(1) })
    #expect(late.map { $0.batch.made == nil } == [true, false])
    #expect(late.map(\.batch.place) == [0, 1])
    // Rows that nobody waits for any more change nothing.
    #expect(pool.make(first, by: 2).isEmpty)
}

@Test func `when who lays out elsewhere is lost, its batches go to their holder at once`() throws {
    var pool = RemoteBench(2, 3)
    let first = try #require(try pool.bench.accept(1, 2).batches.first)
    let second = try #require(try pool.bench.accept(3, 4).batches.first)
    #expect(Set([first.to, second.to]) == [peer(2), peer(3)])
    var effects = pool.bench.tell(.unreachable(first.to)) + pool.bench.turn()
    #expect(effects.batches.map(\.batch.id) == [first.batch.id])
    // The other worker says nothing any more.
    effects = pool.pass(4, beating: [])
    #expect(effects.batches.contains { $0.batch.id == second.batch.id && $0.to == peer(1) })
    #expect(pool.bench.dispatcher.status.workers.map(\.hello.process) == [1])
    #expect(pool.bench.dispatcher.status.counters.lost == 2)
}

@Test func `a worker that fetches an edition that is gone is told so, as it would wait for ever`() throws {
    var pool = RemoteBench()
    let part = EditionPart(edition: PoolBench.edition, file: .edition, offset: 0)
    let gone = EditionPart(edition: try EditionID("bb"), file: .edition, offset: 0)
    let (known, unknown) = (
        pool.bench.tell(.heard(.fetch(part), from: peer(9))), pool.bench.tell(.heard(.fetch(gone), from: peer(9)))
    )
    #expect(known == [.supply(part, to: peer(9))])
    #expect(unknown == [.say(.leave, to: peer(9))])
}

@Test func `what comes back for an edition that was retired meanwhile goes to nobody`() throws {
    let next = try EditionID("bb")
    var pool = RemoteBench()
    _ = pool.finish(try #require(try pool.bench.accept(1, 2).batch))
    _ = pool.bench.tell(.command(.roll(to: next, name: "flat")))
    _ = pool.bench.record()
    for number in [3, 4] as [UInt8] {
        var hello = WorkerHello(
            edition: next, editionName: "flat", process: Int32(number), machine: "here/1",
            folder: FolderProof(7), engine: engine)
        hello.isRemote = number == 4
        _ = pool.bench.tell(.heard(.hello(hello), from: peer(number))) + pool.bench.beat(peer(number))
    }
    _ = pool.bench.turn()
    pool.bench.tell(.messages([try layoutJob(1, 1)], next, Shard(0)))
    let away = try #require(pool.bench.turn().batches.first)
    #expect(away.to == peer(4))
    _ = pool.bench.tell(.command(.retire(next)))
    #expect(pool.make(away.batch, by: 4).batches.isEmpty)
}

@Test func `what comes back for a holder that was sent away goes to nobody, also where the holder is back`() throws {
    let next = try EditionID("bb")
    var pool = RemoteBench()
    _ = pool.finish(try #require(try pool.bench.accept(1, 2).batch))
    func join(_ number: UInt8) {
        var hello = WorkerHello(
            edition: next, editionName: "flat", process: Int32(number), machine: "here/1",
            folder: FolderProof(7), engine: engine)
        hello.isRemote = number == 4
        _ = pool.bench.tell(.heard(.hello(hello), from: peer(number))) + pool.bench.beat(peer(number))
    }
    _ = pool.bench.tell(.command(.roll(to: next, name: "flat")))
    _ = pool.bench.record()
    join(3)
    join(4)
    _ = pool.bench.turn()
    pool.bench.tell(.messages([try layoutJob(1, 1)], next, Shard(0)))
    let away = try #require(pool.bench.turn().batches.first)
    #expect(away.to == peer(4))
    // The edition is wanted again at once.
    _ = pool.bench.tell(.command(.retire(next))) + pool.bench.tell(.command(.roll(to: next, name: "flat")))
    join(3)
    let made = pool.make(away.batch, by: 4)
    #expect(made.batches.isEmpty)
}

@Test func `whose rows are not equal lays out nothing for the pool`() throws {
    let other = EngineFacts([.init("engine rules", "2"), .init("probe rows", "bb")])
    var pool = RemoteBench()
    guard case .say(.turnedAway(let objection), peer(2))? = pool.join(2, other).first else {
        Issue.record("let in")
        return
    }
    #expect(objection.text.contains("engine rules 2 and not 1"))
    #expect(try pool.bench.accept(1).batches.map(\.to) == [peer(1)])
    // A worker asks before it has fetched anything, and is judged by the facts that are known by then.
    let seek = WorkerSeek(process: 3, machine: "host3/1", engine: EngineFacts([.init("engine rules", "2")]))
    let effects = pool.bench.tell(.heard(.seek(seek), from: peer(3)))
    guard case .say(.turnedAway, peer(3))? = effects.first else {
        Issue.record("offered: \(effects)")
        return
    }
    #expect(pool.bench.dispatcher.status.turnedAway.map(\.process) == [2, 3])
    let able = WorkerSeek(process: 4, machine: "host4/1", engine: EngineFacts([.init("engine rules", "1")]))
    #expect(pool.bench.tell(.heard(.seek(able), from: peer(4))) == [.offer(PoolBench.edition, to: peer(4))])
}

@Test func `one wrong row has its key dismissed, and all rows of that key made again beside the folder`() throws {
    var pool = RemoteBench()
    _ = pool.join(2, key: "far")
    for first in [1, 101] as [Int64] {
        let away = try #require(try pool.bench.accept(Array(first..<first + 100)).batches.first)
        let sent = try #require(pool.make(away.batch, by: 2).batches.first)
        if first == 1 {
            _ = pool.finish(sent.batch)
        } else {
            let effects = pool.finish(sent.batch, difference: Objection("the layout of m7"))
            #expect(effects.contains { if case .say(.turnedAway, peer(2)) = $0 { true } else { false } })
            guard case .dismissed(let hello, _, let rows)? = effects.notices.first else {
                Issue.record("kept: \(effects.notices)")
                return
            }
            #expect(hello.process == 2 && rows == 200)
            guard
                case .fetchDoubted(PoolBench.edition, let shard, let messages)? = effects.first(where: {
                    if case .fetchDoubted = $0 { true } else { false }
                })
            else {
                Issue.record("nothing is made again: \(effects)")
                return
            }
            #expect(messages == (1...200).map { MessageNumber($0) })
            let jobs = try (1...200).map { try layoutJob($0, Int64($0)) }
            pool.bench.tell(.doubted(jobs, PoolBench.edition, shard))
        }
    }
    let again = pool.bench.turn().batches
    #expect(again.allSatisfy { $0.to == peer(1) && $0.batch.made == nil })
    let states = again.flatMap(\.batch.jobs).compactMap { job -> MessageState? in
        if case .layOut(let state) = job.work { state } else { nil }
    }
    #expect(states.count >= 128 && states.allSatisfy(\.isDoubted))
    // The worker comes again, from another process.
    guard case .say(.turnedAway(let objection), peer(3))? = pool.join(3, key: "far").first else {
        Issue.record("let in again")
        return
    }
    #expect(objection.text.contains("far"))
    let other = pool.join(4, key: "near")
    #expect(!other.contains { if case .say(.turnedAway, _) = $0 { true } else { false } })
}

@Test func `of a host with forty workers all rows are made again, and a worker that left before stays known`() throws {
    var pool = RemoteBench()
    func dismissed(_ effects: [Dispatcher.Effect]) -> [Int] {
        effects.notices.compactMap { if case .dismissed(_, _, let rows) = $0 { rows } else { nil } }
    }
    _ = pool.join(2, key: "near")
    let early = try #require(try pool.bench.accept(1).batches.first)
    let late = try #require(pool.make(early.batch, by: 2).batches.first)
    _ = pool.bench.tell(.heard(.bye, from: peer(2)))
    var last = late.batch
    for number in 3...42 as ClosedRange<UInt8> {
        _ = pool.join(number, key: "far")
        let away = try #require(try pool.bench.accept(Int64(number)).batches.first)
        #expect(away.to == peer(number))
        last = try #require(pool.make(away.batch, by: number).batches.first).batch
        if number < 42 { _ = pool.finish(last) }
        // It gets nothing more, so that the next one does.
        _ = pool.bench.beat(peer(number), credits: 0)
    }
    // This one was asked for nothing.
    _ = pool.join(43, key: "far")
    let effects = pool.finish(last, difference: Objection("the layout of m42"))
    #expect(dismissed(effects) == [40])
    #expect(effects.count { if case .say(.turnedAway, _) = $0 { true } else { false } } == 41)
    let later = pool.finish(late.batch, difference: Objection("the layout of m1"))
    #expect(dismissed(later) == [1])
}

@Test func `without keys a dismissed worker turns none away that has the folder on the same machine`() throws {
    var pool = RemoteBench()
    _ = pool.join(2, machine: "here/1")
    let away = try #require(try pool.bench.accept(1).batches.first)
    let sent = try #require(pool.make(away.batch, by: 2).batches.first)
    let found = pool.finish(sent.batch, difference: Objection("the layout of m1"))
    #expect(found.contains { if case .say(.turnedAway, peer(2)) = $0 { true } else { false } })
    let own = WorkerHello(
        edition: PoolBench.edition, editionName: "plain", process: 3, machine: "here/1", folder: FolderProof(7),
        engine: engine)
    let told = pool.bench.tell(.heard(.hello(own), from: peer(3)))
    #expect(told.notices == [.workerJoined(peer(3), own)])
    let again = pool.join(4, machine: "here/1")
    #expect(again.contains { if case .say(.turnedAway, peer(4)) = $0 { true } else { false } })
}

@Test
func `of ten thousand rows some six hundred are looked at, the first ten among them, and later one of five hundred`()
    throws
{
    var pool = RemoteBench(2)
    var (checks, counts) = ([Int](), (0, 0))
    var next = 0
    while next < 60_000 {
        let messages = (0..<100).map { Int64(next + $0 + 1) }
        let away = try #require(try pool.bench.accept(messages).batches.first { $0.to == peer(2) })
        let sent = try #require(pool.make(away.batch, by: 2).batches.first)
        checks += (sent.batch.made?.checks ?? []).map { next + Int($0) }
        next += away.batch.jobs.count
        _ = pool.finish(sent.batch)
        _ = pool.bench.beat(peer(2))
        _ = pool.bench.beat(peer(1))
    }
    counts = (checks.count { $0 < 10_000 }, checks.count { $0 >= 10_000 })
    #expect(Array(checks.prefix(10)) == Array(0..<10))
    #expect((620...640).contains(counts.0))
    #expect((95...105).contains(counts.1))
    // The row that is checked in each stretch is random.
    #expect(Set(checks.dropFirst(10).map { ($0 - 10) % 16 }).count == 16)
}
