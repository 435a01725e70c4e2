import MessageLayout
import Names
import Pool
import Testing
import Wire

private let (old, next, third) = (PoolBench.edition, try! EditionID("bb"), try! EditionID("cc"))

extension [Dispatcher.Effect] {
    fileprivate var views: [EditionView] { compactMap { if case .serve(let view) = $0 { view } else { nil } } }
    fileprivate var wished: [[Int64]] {
        compactMap { if case .fetchWished(_, _, let messages) = $0 { messages.map(\.number) } else { nil } }
    }
}

extension PoolBench {
    /// One worker, and messages that are laid out.
    fileprivate init(with messages: Int64...) throws {
        self.init { $0.page = 2 }
        _ = join(1)
        finish(try #require(try accept(messages).batch), by: 1)
    }

    fileprivate mutating func hurry(_ edition: EditionID = next) -> [Dispatcher.Effect] {
        let told = tell(.command(.roll(to: edition, name: "flat", isHurried: true))) + turn()
        _ = record()
        return told
    }

    fileprivate mutating func urge(_ messages: Int64...) -> [Dispatcher.Effect] {
        tell(.command(.urge(Shard(0), messages.map { MessageNumber($0) }))) + turn()
    }

    /// Gives the journal's answer to a question for messages.
    fileprivate mutating func bring(_ messages: Int64..., of asked: [Int64]? = nil, to edition: EditionID = next) throws
        -> [Dispatcher.Effect]
    {
        let jobs = try messages.map { try layoutJob(UInt64($0), $0) }
        let asked = (asked ?? messages).map { MessageNumber($0) }
        return tell(.wished(jobs, of: asked, edition, Shard(0))) + turn()
    }
}

@Test func `an edition that is wanted at once is served with what readers look at, and the one before it fills it`()
    throws
{
    var bench = try PoolBench(with: 1, 2, 3, 4, 5, 6)
    #expect(bench.hurry().views == [EditionView(current: old, next: next, isHurried: true)])
    // No worker is there that lays it out, so nothing is asked for.
    #expect(bench.urge(6, 5).wished.isEmpty)
    let joined = bench.join(2, edition: next)
    #expect(joined.wished == [[6, 5]])
    #expect(joined.contains(.fetchMessages(next, Shard(0), after: MessageNumber(-1), limit: 2)))
    bench.tell(.messages([try layoutJob(1, 1), try layoutJob(2, 2)], next, Shard(0)))
    // They come before the messages of the walk.
    let first = try #require(try bench.bring(6, 5).batches.first)
    #expect(first.batch.messages == [6, 5] && first.to == peer(2))
    let shown = bench.finish(first.batch, by: 2)
    #expect(shown.views == [EditionView(current: next, filler: old)])
    #expect(bench.record().service == EditionService(current: next, filler: old))
    #expect(bench.dispatcher.servedWorkers == 2 && bench.dispatcher.status.troubles.isEmpty)
    // New messages go to both editions, as long as both are shown.
    #expect(Set(try bench.accept(7).batches.map(\.to)) == [peer(1), peer(2)])
    #expect(bench.dispatcher.audit().isEmpty)
}

@Test func `the edition that fills one goes when that is whole, and not before, whoever wants it gone`() throws {
    var bench = try PoolBench(with: 1, 2, 3)
    _ = bench.hurry()
    _ = bench.join(2, edition: next)
    bench.tell(.messages([try layoutJob(1, 1), try layoutJob(2, 2)], next, Shard(0)))
    let walk = try #require(bench.turn().batches.first)
    #expect(bench.finish(walk.batch, by: 2).views == [EditionView(current: next, filler: old)])
    _ = bench.tell(.command(.retire(old))) + bench.turn()
    #expect(bench.dispatcher.status.editions.map(\.id) == [old, next])
    bench.tell(.messages([try layoutJob(3, 3)], next, Shard(0)))
    let last = try #require(bench.turn().batches.first)
    #expect(bench.finish(last.batch, by: 2, stamp: 2).views == [EditionView(current: next)])
    #expect(bench.turn().contains(.retire(old)))
}

@Test func `an edition that fills one has all of its time to go, also where the coordinator has started meanwhile`()
    throws
{
    var progress = [old, next].map { ShardProgress(edition: $0, shard: Shard(0), through: JobNumber(3)) }
    progress[1].walkedTo = MessageNumber(2)
    let service = EditionService(current: next, filler: old)
    var bench = PoolBench(standing: Standing(service: service, progress: progress, latest: [JobNumber(3)])) {
        $0.grace = .seconds(10)
    }
    for edition in [old, next] {
        bench.tell(.unfinished(JobPage(jobs: [], through: JobNumber(3)), edition, Shard(0)))
    }
    _ = bench.join(1) + bench.join(2, edition: next)
    let workers: [(peer: Peer, held: [BatchID])] = [(peer(1), []), (peer(2), [])]
    let meanwhile = bench.pass(11, beating: workers)
    #expect(!meanwhile.contains(.retire(old)))
    bench.tell(.messages([], next, Shard(0)))
    let whole = bench.turn() + bench.pass(5, beating: workers)
    #expect(whole.views == [EditionView(current: next)] && !whole.contains(.retire(old)))
    let later = bench.pass(6, beating: workers)
    #expect(later.contains(.retire(old)))
}

@Test func `a third edition waits for what readers look at, and the first one still fills it`() throws {
    var bench = try PoolBench(with: 1, 2, 3, 4)
    _ = bench.hurry()
    _ = bench.join(2, edition: next)
    bench.tell(.messages([try layoutJob(1, 1), try layoutJob(2, 2)], next, Shard(0)))
    bench.finish(try #require(bench.turn().batches.first).batch, by: 2)
    #expect(bench.hurry(third).views == [EditionView(current: next, next: third, filler: old, isHurried: true)])
    _ = bench.urge(4)
    _ = bench.join(3, edition: third)
    bench.tell(.messages([try layoutJob(1, 1), try layoutJob(2, 2)], third, Shard(0)))
    let walk = try #require(bench.turn().batches.first { $0.to == peer(3) })
    #expect(bench.finish(walk.batch, by: 3).views.isEmpty)
    let seen = try #require(try bench.bring(4, to: third).batches.first { $0.to == peer(3) })
    #expect(bench.finish(seen.batch, by: 3, stamp: 2).views == [EditionView(current: third, filler: old)])
    // The edition between them goes after its grace.
    #expect(bench.pass(301, beating: [(peer(1), []), (peer(2), []), (peer(3), [])]).contains(.retire(next)))
    #expect(bench.dispatcher.status.editions.map(\.id) == [old, third])
}

@Test func `what readers look at is waited for only as long as it may come`() throws {
    var bench = try PoolBench(with: 1, 2, 3)
    _ = bench.hurry()
    _ = bench.urge(3, 9)
    _ = bench.join(2, edition: next)
    bench.tell(.messages([try layoutJob(1, 1), try layoutJob(2, 2)], next, Shard(0)))
    bench.finish(try #require(bench.turn().batches.first).batch, by: 2)
    // The journal has nothing of the other message.
    let seen = try #require(try bench.bring(3, of: [3, 9]).batches.first)
    #expect(
        bench.finish(seen.batch, by: 2, stamp: 2, .refused(Objection("no"))).views == [
            EditionView(current: next, filler: old)
        ])
}

@Test func `where a lane waits that nobody may go through, what readers look at does so, too`() throws {
    var bench = try PoolBench(with: 1, 2, 3)
    bench.tell(.command(.pause(.relayout)))
    _ = bench.hurry()
    _ = bench.urge(3)
    #expect(bench.join(2, edition: next).wished.isEmpty)
    bench.tell(.command(.resume(.relayout)))
    #expect(bench.turn().wished == [[3]])
}

@Test func `a message that readers look at counts for the walk that comes to it`() throws {
    var bench = try PoolBench(with: 1, 2, 3)
    _ = bench.hurry()
    _ = bench.urge(2)
    // No credits: it waits.
    _ = bench.join(2, edition: next, credits: 0)
    _ = try bench.bring(2)
    bench.tell(.messages([try layoutJob(1, 1), try layoutJob(2, 2)], next, Shard(0)))
    let lent = bench.beat(peer(2)) + bench.turn()
    #expect(lent.batches.map(\.batch.messages) == [[2], [1]])
    bench.finish(lent.batches[0].batch, by: 2)
    bench.finish(lent.batches[1].batch, by: 2, stamp: 2)
    // Both of the page are done: the walk has come as far.
    #expect(bench.record().progress.first { $0.edition == next }?.walkedTo == MessageNumber(2))
    #expect(bench.dispatcher.audit().isEmpty)
}

@Test func `what readers look at and is on its way anyway keeps its place among what was accepted`() throws {
    var bench = try PoolBench(with: 1)
    _ = bench.hurry()
    _ = bench.join(2, edition: next)
    bench.tell(.messages([try layoutJob(1, 1)], next, Shard(0)))
    // The job is lent and not done: nobody lays it out twice.
    let lent = try #require(try bench.accept(2).batches.first { $0.to == peer(2) && $0.batch.messages == [2] })
    _ = bench.urge(2)
    #expect(try bench.bring(2).batches.isEmpty)
    let views = bench.finish(lent.batch, by: 2).views + bench.turn(after: 0.2).views
    #expect(views.contains { $0.current == next })
    #expect(bench.dispatcher.audit().isEmpty)
}
