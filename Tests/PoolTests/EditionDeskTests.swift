import Names
import Pool
import Testing
import Wire

private let next = try! EditionID("bb")

extension PoolBench {
    fileprivate mutating func care(_ number: UInt8) -> [Dispatcher.Effect] {
        let hello = WorkerHello(
            edition: Self.edition, editionName: "", process: Int32(number), machine: "here", isCaretaker: true)
        return tell(.heard(.hello(hello), from: peer(number))) + beat(peer(number)) + turn()
    }

    fileprivate mutating func roll(_ edition: EditionID = next) -> [Dispatcher.Effect] {
        let told = tell(.command(.roll(to: edition, name: "flat"))) + turn()
        _ = record()
        return told
    }
}

extension [Dispatcher.Effect] {
    fileprivate var views: [EditionView] { compactMap { if case .serve(let view) = $0 { view } else { nil } } }
}

@Test func `a worker whose edition nobody wants is turned away, and changes nothing`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    let hello = WorkerHello(edition: next, editionName: "flat", process: 2, machine: "here")
    let told = bench.tell(.heard(.hello(hello), from: peer(2)))
    #expect(told == [.report(.stranger(hello)), .say(.leave, to: peer(2))])
    #expect(bench.dispatcher.status.editions.map(\.id) == [PoolBench.edition])
}

@Test func `what the served edition has not laid out when a roll begins is laid out for the next one before the walk`()
    throws
{
    var bench = PoolBench()
    _ = bench.join(1, credits: 0)
    _ = try bench.accept(1, 2)
    _ = bench.roll()
    let told = bench.join(2, edition: next)
    #expect(told.contains(.fetchUnfinished(next, Shard(0), after: .zero, limit: 256)))
    #expect(!told.contains { if case .fetchMessages = $0 { true } else { false } })
    let page = JobPage(
        jobs: [DueJob(try layoutJob(1, 1), lane: .live), DueJob(try layoutJob(2, 2), lane: .live)],
        through: JobNumber(2))
    bench.tell(.unfinished(page, next, Shard(0)))
    let lent = bench.turn()
    #expect(lent.batch?.messages == [1, 2])
    #expect(lent.contains { if case .fetchMessages = $0 { true } else { false } })
}

@Test func `the edition that is served stays until all that was there is laid out for the next one`() throws {
    var bench = PoolBench { $0.page = 2 }
    _ = bench.join(1)
    bench.finish(try #require(try bench.accept(1, 2, 3).batch), by: 1)
    var told = bench.roll() + bench.join(2, edition: next)
    for page in [1...2, 3...3] as [ClosedRange<Int64>] {
        bench.tell(.messages(try page.map { try layoutJob(UInt64($0), $0) }, next, Shard(0)))
        let lent = bench.turn()
        told += lent
        #expect(told.views.allSatisfy { $0.current == PoolBench.edition })
        told += bench.finish(try #require(lent.batch), by: 2)
    }
    #expect(told.views.last == EditionView(current: next))
    #expect(told.views.dropLast().allSatisfy { $0 == EditionView(current: PoolBench.edition, next: next) })
}

@Test func `a served edition that has only a caretaker is filled from the next one`() throws {
    var bench = PoolBench()
    _ = bench.roll()
    #expect(bench.care(1).views.isEmpty)
    let filled = EditionView(current: PoolBench.edition, next: next, filler: next)
    #expect(bench.join(2, edition: next).views == [filled])
    #expect(bench.dispatcher.servedWorkers == 1 && bench.dispatcher.status.troubles.isEmpty)
    // Both editions get new messages, the caretaker's once the row is there: readers hear only of rows that are
    // there.
    let lent = try #require(try bench.accept(1).batches.first)
    #expect(lent.to == peer(2))
    #expect(bench.finish(lent.batch, by: 2).batches.isEmpty)
    // A coordinator that ended before this record would be followed by one that knows of no filler.
    #expect(bench.record().service == EditionService(current: PoolBench.edition, next: next, filler: next))
    let care = try #require(bench.turn().batches.first)
    #expect(care.to == peer(1) && care.batch.messages == [1])
    let kept = bench.finish(care.batch, by: 1)
    #expect(!kept.contains { if case .ready = $0 { true } else { false } })
    #expect(bench.record().progress.allSatisfy { $0.edition == next || $0.through == .zero })
    #expect(bench.dispatcher.audit().isEmpty)
}

@Test func `a coordinator that starts has the filler of the one before, before any worker comes`() throws {
    var bench = PoolBench()
    _ = bench.tell(.command(.roll(to: next, name: "flat"))) + bench.turn()
    _ = bench.care(1)
    let filled = EditionView(current: PoolBench.edition, next: next, filler: next)
    #expect(bench.join(2, edition: next).views == [filled])
    let record = bench.record()
    var later = PoolBench(
        standing: Standing(service: record.service, progress: record.progress, latest: [.zero]))
    #expect(later.turn().views == [filled])
    #expect(later.care(1).views.isEmpty && later.join(2, edition: next).views.isEmpty)
}

@Test func `a row stays while what took the place of its job is not laid out for the next edition`() throws {
    var progress = [PoolBench.edition, next].map { ShardProgress(edition: $0, shard: Shard(0), through: JobNumber(1)) }
    progress[1].walkedTo = MessageNumber(0)
    let service = EditionService(current: PoolBench.edition, next: next, filler: next)
    var bench = PoolBench(standing: Standing(service: service, progress: progress, latest: [JobNumber(3)])) {
        $0.page = 1
    }
    _ = bench.care(1)
    _ = bench.join(2, edition: next, credits: 0)
    // The next edition is ahead: for the served one, events that come now are in the journal alone.
    let jobs = [try layoutJob(2, 1), try layoutJob(3, 2)].map { DueJob($0, lane: .live) }
    bench.tell(.unfinished(JobPage(jobs: [jobs[0]], through: JobNumber(2)), PoolBench.edition, Shard(0)))
    bench.tell(.unfinished(JobPage(jobs: jobs, through: JobNumber(3)), next, Shard(0)))
    bench.tell(.accepted([DueJob(try layoutJob(4, 1), lane: .live)]))
    #expect(bench.turn().batches.isEmpty)
    _ = bench.beat(peer(2))
    let lent = bench.turn().batches
    #expect(lent.map(\.to) == [peer(2)] && lent[0].batch.jobs.map(\.number.number) == [4, 3])
    let care = bench.finish(lent[0].batch, by: 2).batches
    #expect(care.map(\.to) == [peer(1)] && care.first?.batch.jobs.map(\.number.number) == [2])
    #expect(bench.dispatcher.audit().isEmpty)
}

@Test func `what a caretaker left undone is laid out when a worker of its edition is back`() throws {
    var bench = PoolBench()
    _ = bench.roll()
    _ = bench.care(1)
    _ = bench.join(2, edition: next)
    _ = bench.record()
    for (batch, to) in try bench.accept(1, 2).batches {
        for (batch, to) in bench.finish(batch, by: to.route[0]).batches { bench.finish(batch, by: to.route[0]) }
    }
    let told = bench.join(3)
    #expect(told.contains(.fetchUnfinished(PoolBench.edition, Shard(0), after: .zero, limit: 256)))
    let page = JobPage(
        jobs: [DueJob(try layoutJob(1, 1), lane: .live), DueJob(try layoutJob(2, 2), lane: .live)],
        through: JobNumber(2))
    bench.tell(.unfinished(page, PoolBench.edition, Shard(0)))
    let turn = bench.turn()
    #expect(turn.batches.map(\.to) == [peer(3)])
    // With so little on its way it lacks nothing.
    let done = turn + bench.finish(turn.batches[0].batch, by: 3)
    #expect(done.views == [EditionView(current: PoolBench.edition, next: next)])
    #expect(bench.dispatcher.audit().isEmpty)
}

private func deletion(_ number: UInt64, _ message: Int64) throws -> DueJob {
    let job = LayoutJob(
        number: JobNumber(number), message: MessageNumber(message), conversation: try ConversationID("c"),
        messageID: try MessageID("m\(message)"), work: .remove)
    return DueJob(job, lane: .live)
}

@Test func `a removal waits for no job that a caretaker leaves for another edition, however many there are`() throws {
    var bench = PoolBench { ($0.jobs, $0.page) = (8, 4) }
    _ = bench.join(1)
    bench.finish(try #require(try bench.accept(1, 2).batch), by: 1)
    _ = bench.roll()
    _ = bench.tell(.heard(.bye, from: peer(1)))
    _ = bench.care(2)
    // More than fits into memory: the rest stays in the journal.
    #expect(try bench.accept(Array(3...14)).batches.isEmpty)
    let removed = bench.tell(.accepted([try deletion(15, 2)])) + bench.turn()
    #expect(removed.batches.map(\.batch.messages) == [[2]])
    // Readers look at a message that nobody lays out there.
    let more = try deletion(16, 1)
    _ = bench.tell(.accepted([more]))
    _ = bench.tell(.command(.urge(Shard(0), [MessageNumber(3)])))
    // The page of the journal that names it comes before it is lent, and does not count as its end.
    let page = JobPage(jobs: [more], through: JobNumber(16))
    _ = bench.tell(.unfinished(page, PoolBench.edition, Shard(0)))
    let last = bench.turn()
    #expect(last.batches.map(\.batch.messages) == [[1]])
    #expect(bench.dispatcher.audit().isEmpty)
}

@Test func `a removal that came before a start is sought past all jobs that memory has no room for`() throws {
    let progress = ShardProgress(edition: PoolBench.edition, shard: Shard(0), through: JobNumber(2))
    let standing = Standing(
        service: EditionService(current: PoolBench.edition), progress: [progress], latest: [JobNumber(20)])
    var bench = PoolBench(standing: standing) { ($0.jobs, $0.page) = (8, 4) }
    var told = bench.care(1)
    for first in [3, 7] as [UInt64] {
        let after = JobNumber(first - 1)
        #expect(told.contains(.fetchUnfinished(PoolBench.edition, Shard(0), after: after, limit: 4)))
        let jobs = try (first...first + 3).map { DueJob(try layoutJob($0, Int64($0)), lane: .live) }
        bench.tell(.unfinished(JobPage(jobs: jobs, through: JobNumber(first + 3)), PoolBench.edition, Shard(0)))
        told = bench.turn()
    }
    #expect(told == [.fetchRemovals(PoolBench.edition, Shard(0), after: JobNumber(10), limit: 4)])
    let passed = try (11...13).map { DueJob(try layoutJob($0, Int64($0)), lane: .live) }
    let removal = try deletion(14, 2)
    let page = JobPage(jobs: passed + [removal], through: JobNumber(14))
    bench.tell(.removals(page, PoolBench.edition, Shard(0)))
    told = bench.turn()
    #expect(told.batches.map(\.batch.messages) == [[2]])
    #expect(told.contains(.fetchRemovals(PoolBench.edition, Shard(0), after: JobNumber(14), limit: 4)))
    // There are no more. The jobs that were passed are still to come.
    bench.tell(.removals(JobPage(jobs: [], through: JobNumber(20)), PoolBench.edition, Shard(0)))
    told = bench.turn()
    #expect(told.isEmpty && bench.dispatcher.status.editions.first?.undone == 18)
    #expect(bench.dispatcher.audit().isEmpty)
}

@Test func `a removal is still to be done when it comes back and a page has brought it meanwhile`() throws {
    var bench = PoolBench { ($0.jobs, $0.page) = (8, 4) }
    _ = bench.join(1)
    bench.finish(try #require(try bench.accept(1, 2).batch), by: 1)
    _ = bench.roll()
    _ = bench.tell(.heard(.bye, from: peer(1)))
    _ = bench.care(2)
    // More than fits into memory: the removal goes past what is in the journal alone, and its page comes later.
    _ = try bench.accept(Array(3...14))
    let removal = try deletion(15, 2)
    let lent = bench.tell(.accepted([removal])) + bench.turn()
    #expect(lent.batches.map(\.batch.messages) == [[2]])
    let rest = try (11...14).map { DueJob(try layoutJob($0, Int64($0)), lane: .live) }
    bench.tell(.unfinished(JobPage(jobs: rest + [removal], through: JobNumber(15)), PoolBench.edition, Shard(0)))
    bench.tell(.unreachable(peer(2)))
    #expect(bench.dispatcher.status.editions.first?.undone == 13)
    let again = bench.care(3)
    #expect(again.batches.map(\.batch.messages) == [[2]])
    #expect(bench.dispatcher.audit().isEmpty)
}

@Test func `who wants the served edition again has it, and what was on its way is dropped`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    _ = bench.roll()
    let told = bench.roll(PoolBench.edition)
    #expect(told.notices == [.dropped(next)])
    #expect(told.views == [EditionView(current: PoolBench.edition)])
}

@Test func `a walk that is paused takes no room from what has happened since`() throws {
    var bench = PoolBench { ($0.jobs, $0.page) = (8, 4) }
    _ = bench.join(1)
    bench.finish(try #require(try bench.accept(1, 2, 3, 4).batch), by: 1)
    _ = bench.tell(.command(.pause(.relayout)))
    _ = bench.roll()
    _ = bench.join(2, edition: next)
    bench.tell(.messages(try (1...4).map { try layoutJob(UInt64($0), $0) }, next, Shard(0)))
    // More than fits into memory beside the page that waits.
    let lent = try bench.accept(Array(5...12)).batches.filter { $0.to == peer(2) }
    #expect(lent.map(\.batch.messages) == [[5, 6, 7, 8]])
    let told = bench.finish(lent[0].batch, by: 2)
    #expect(told.contains(.fetchUnfinished(next, Shard(0), after: JobNumber(8), limit: 4)))
    #expect(bench.dispatcher.audit().isEmpty)
}

@Test
func
    `a row of the served edition stays until the next one has what its message is, and goes at once when it is deleted`()
    throws
{
    var bench = PoolBench()
    _ = bench.join(1)
    bench.finish(try #require(try bench.accept(1, 2).batch), by: 1)
    _ = bench.roll()
    _ = bench.tell(.heard(.bye, from: peer(1)))
    _ = bench.care(2)
    // An edit comes, and no worker lays it out.
    #expect(try bench.accept(1).batches.isEmpty)
    let deletion = LayoutJob(
        number: JobNumber(4), message: MessageNumber(2), conversation: try ConversationID("c"),
        messageID: try MessageID("m2"), work: .remove)
    let removed = bench.tell(.accepted([DueJob(deletion, lane: .live)])) + bench.turn()
    #expect(removed.batches.map(\.batch.messages) == [[2]] && removed.batches.map(\.to) == [peer(2)])
    bench.finish(removed.batches[0].batch, by: 2)
    // The walk of the next edition waits, and new jobs do not.
    let lent = bench.join(3, edition: next).batches
    #expect(lent.map(\.to) == [peer(3)] && lent[0].batch.messages == [2, 1])
    _ = bench.record()
    let told = bench.finish(lent[0].batch, by: 3)
    #expect(told.batches.map(\.to) == [peer(2)] && told.batches.map(\.batch.messages) == [[1]])
    #expect(bench.dispatcher.audit().isEmpty)
}

@Test func `an edition that was served goes within a minute of a deletion that nobody is there to do in it`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    bench.finish(try #require(try bench.accept(1).batch), by: 1)
    _ = bench.roll()
    _ = bench.join(2, edition: next)
    bench.tell(.messages([try layoutJob(1, 1)], next, Shard(0)))
    let lent = try #require(bench.turn().batch)
    #expect(bench.finish(lent, by: 2).views == [EditionView(current: next)])
    _ = bench.tell(.heard(.bye, from: peer(1)))
    // A message that is only new is no reason to retire the edition.
    bench.finish(try #require(try bench.accept(2).batch), by: 2)
    #expect(!bench.pass(60, beating: [(peer(2), [])]).contains(.retire(PoolBench.edition)))
    let deletion = LayoutJob(
        number: JobNumber(3), message: MessageNumber(1), conversation: try ConversationID("c"),
        messageID: try MessageID("m1"), work: .remove)
    bench.tell(.accepted([DueJob(deletion, lane: .live)]))
    bench.finish(try #require(bench.turn().batch), by: 2)
    #expect(bench.pass(30, beating: [(peer(2), [])]).contains(.retire(PoolBench.edition)))
}
