import Names
import Pool
import TestSupport
import Testing
import Wire

@Test func `what is accepted goes to a worker that has said who it is, in its order`() throws {
    var bench = PoolBench()
    #expect(try bench.accept(1, 2, 3).batches.isEmpty)
    #expect(bench.beat(peer(1)) == [.say(.introduceYourself, to: peer(1))])
    let batch = try #require(bench.join(1).batch)
    #expect(batch.messages == [1, 2, 3])
    #expect(batch.epoch == LeaseEpoch(3 << 32 | 1))
    #expect(batch.place == 0)
}

@Test func `a commit is told to readers, and ends its jobs`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    let batch = try #require(try bench.accept(1, 2).batch)
    let rows = bench.finish(batch, by: 1, stamp: 9).compactMap {
        if case .ready(let rows, _) = $0 { rows.map(\.message.text) } else { nil }
    }
    #expect(rows == [["m1", "m2"]])
    #expect(bench.record().progress.map(\.through) == [JobNumber(2)])
    #expect(bench.record().isEmpty)
}

@Test func `no more is lent than credits reach`() throws {
    var bench = PoolBench(shards: 4) { $0.jobsPerBatch = 4 }
    _ = bench.join(1, credits: 10)
    var effects: [Dispatcher.Effect] = []
    for conversation in ["a", "b", "c", "d", "e", "f"] {
        effects += try bench.accept(Array(0..<8), conversation: conversation)
    }
    #expect(effects.batches.reduce(0) { $0 + $1.batch.jobs.count } == 10)
    #expect(effects.batches.count <= 4)
}

@Test func `two batches of a shard are on their way to its one holder, and no third`() throws {
    var bench = PoolBench()
    _ = bench.join(1) + bench.join(2)
    let sent = try (1...4).flatMap { try bench.accept($0).batches }
    #expect(sent.map(\.batch.messages) == [[1], [2]])
    #expect(Set(sent.map(\.to)).count == 1)
    #expect(sent.map(\.batch.place) == [0, 1])
    #expect(bench.finish(sent[0].batch, by: sent[0].to.route[0]).batch?.messages == [3, 4])
}

@Test func `what a silent worker had goes to another, in its order and under a higher epoch`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    let first = try #require(try bench.accept(1, 2).batch)
    _ = try bench.accept(3)
    _ = bench.join(2)
    let after = bench.pass(4, beating: [(peer(2), [])])
    #expect(after.contains(.evict(process: 1, machine: "here")))
    let again = after.batches.filter { $0.to == peer(2) }.map(\.batch)
    #expect(again.flatMap(\.messages).starts(with: [1, 2]))
    #expect(again.allSatisfy { $0.epoch > first.epoch })
    #expect(bench.finish(first, by: 1).isEmpty == false)
    #expect(bench.dispatcher.status.counters.stored == 0)
}

@Test func `a process that was stopped itself blames nobody for silence`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    _ = try bench.accept(1)
    #expect(bench.turn(after: 60).notices.isEmpty)
}

@Test func `a batch that its worker never mentions is lent again, and nobody is blamed`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    let lost = try #require(try bench.accept(1, 2).batch)
    let after = bench.pass(2, beating: [(peer(1), [])])
    let again = try #require(after.batches.first?.batch)
    #expect(again.messages == [1, 2])
    #expect(again.epoch > lost.epoch)
    #expect(again.place == 0)
}

@Test func `jobs that were in hand when a worker was lost travel alone, others do not`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    let first = try #require(try bench.accept(1, 2).batch)
    let second = try #require(try bench.accept(3, 4).batch)
    _ = bench.beat(peer(1), held: [first.id, second.id], started: true)
    _ = bench.tell(.unreachable(peer(1)))
    let batches = (bench.join(2).batches + bench.turn().batches).map(\.batch)
    #expect(batches.prefix(2).map(\.messages) == [[1], [2]])
    #expect(bench.finish(batches[0], by: 2).batch?.messages == [3, 4])
}

@Test func `a job that certainly brought three workers down is shelved, and takes no innocent with it`() throws {
    var bench = PoolBench()
    _ = try bench.accept(1, 2, 3)
    var shelved: [ShelvedJob] = []
    var stored: Set<Int64> = []
    for number in 1...UInt8(12) {
        var effects = bench.join(number)
        var isAlive = true
        for _ in 0..<40 where isAlive {
            for (batch, to) in effects.batches where to == peer(number) && isAlive {
                _ = bench.beat(peer(number), held: [batch.id], started: true)
                if batch.messages.contains(2) {
                    isAlive = false
                } else {
                    stored.formUnion(batch.messages)
                    bench.finish(batch, by: number, stamp: UInt64(stored.count))
                }
            }
            effects = isAlive ? bench.pass(0.25, beating: [(peer(number), [])]) : []
        }
        if isAlive { break }
        shelved += bench.tell(.unreachable(peer(number))).shelved
    }
    #expect(shelved.map(\.message.number) == [2])
    #expect(stored == [1, 3])
    #expect(bench.record().shelved == shelved)
}

@Test func `a job that may not have begun has no strike, and waits longer each time`() throws {
    var bench = PoolBench { $0.doubts = 4 }
    _ = try bench.accept(1)
    var shelved: [ShelvedJob] = []
    for number in 1...UInt8(20) where shelved.isEmpty {
        var batches = bench.join(number).batches
        for _ in 0..<60 where batches.isEmpty { batches = bench.pass(0.25, beating: [(peer(number), [])]).batches }
        let lost = bench.tell(.unreachable(peer(number)))
        shelved += lost.shelved
        #expect(lost.notices.allSatisfy { if case .suspected(_, let strikes, _) = $0 { strikes == 0 } else { true } })
    }
    #expect(shelved.count == 1)
    #expect(bench.time.sinceStart > .seconds(1))
}

@Test func `a worker that beats but does not finish is lost, too`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    let batch = try #require(try bench.accept(1).batch)
    let after = bench.pass(31, beating: [(peer(1), [batch.id])])
    #expect(after.contains(.evict(process: 1, machine: "here")))
}

@Test func `a newer job takes the place of one that waits, and the older is done`() throws {
    var bench = PoolBench()
    _ = try bench.accept(1, 2, 1, 1)
    let batch = try #require(bench.join(1).batch)
    #expect(batch.jobs.map(\.number.number) == [4, 2])
    #expect(bench.record().progress.first?.beyond == [JobNumber(3)...JobNumber(3)])
}

@Test func `live comes first, and the later lanes get their share`() throws {
    var bench = PoolBench { ($0.jobsPerBatch, $0.jobsPerLaterBatch, $0.batchesPerShard) = (1, 1, 1) }
    _ = try bench.accept(Array(100..<140), lane: .backfill)
    _ = try bench.accept(Array(0..<40))
    var lanes: [Bool] = []
    var effects = bench.join(1)
    for stamp in 1...32 {
        let batch = try #require(effects.batch)
        lanes.append(batch.messages[0] < 100)
        effects = bench.finish(batch, by: 1, stamp: UInt64(stamp))
    }
    #expect(lanes.count { !$0 } == 2)
    #expect(lanes.first == true)
}

@Test func `with ten busy conversations both workers are busy`() throws {
    var bench = PoolBench(shards: 16) { ($0.jobsPerBatch, $0.batchesPerWorker) = (2, 2) }
    _ = bench.join(1)
    var effects: [Dispatcher.Effect] = []
    for room in 0..<10 as Range<Int64> {
        effects += try bench.accept(Array(room * 20..<room * 20 + 20), conversation: "room-\(room)")
    }
    effects += bench.join(2)
    var done: [UInt8: Int] = [:]
    var batches = effects.batches
    for stamp in 1...100 {
        var next = bench.turn(after: 0.01).batches
        // Each finishes one batch in the time.
        for worker in [1, 2] as [UInt8] {
            guard let place = batches.firstIndex(where: { $0.to == peer(worker) }) else { continue }
            let batch = batches.remove(at: place).batch
            done[worker, default: 0] += batch.jobs.count
            next += bench.finish(batch, by: worker, stamp: UInt64(stamp)).batches
        }
        batches += next
    }
    #expect(done.values.reduce(0, +) == 200)
    #expect(done[1, default: 0] > 60 && done[2, default: 0] > 60, "\(done)")
}

@Test func `where acknowledged means on the disk, a job ends when its shard is there`() throws {
    var bench = PoolBench { $0.waitsForDisk = true }
    _ = bench.join(1)
    let batch = try #require(try bench.accept(1).batch)
    bench.finish(batch, by: 1, stamp: 5)
    bench.tell(.heard(.synced(Shard(0), ShardPoint(origin: ShardOrigin(1), stamp: Stamp(4))), from: peer(1)))
    #expect(bench.record().progress.allSatisfy { $0.through == .zero })
    bench.tell(.heard(.synced(Shard(0), ShardPoint(origin: ShardOrigin(1), stamp: Stamp(5))), from: peer(1)))
    #expect(bench.record().progress.map(\.through) == [JobNumber(1)])
}

@Test func `what has reached the disk in a file that is lost says nothing of the new one`() throws {
    var bench = PoolBench { $0.waitsForDisk = true }
    _ = bench.join(1)
    bench.finish(try #require(try bench.accept(1).batch), by: 1, stamp: 5, origin: 2)
    bench.tell(.heard(.synced(Shard(0), ShardPoint(origin: ShardOrigin(1), stamp: Stamp(90))), from: peer(1)))
    #expect(bench.record().progress.allSatisfy { $0.through == .zero })
}

@Test func `what a lost worker did not bring to the disk, another does`() throws {
    var bench = PoolBench { $0.waitsForDisk = true }
    _ = bench.join(1)
    let batch = try #require(try bench.accept(1).batch)
    bench.finish(batch, by: 1, stamp: 5)
    bench.tell(.unreachable(peer(1)))
    let sync = try #require(bench.join(2).batch)
    #expect(sync.jobs.isEmpty && sync.epoch > batch.epoch)
    bench.tell(.heard(.synced(Shard(0), ShardPoint(origin: ShardOrigin(1), stamp: Stamp(5))), from: peer(2)))
    #expect(bench.record().progress.map(\.through) == [JobNumber(1)])
}

@Test func `a shard that nobody can write rests, and is reported with who had it last`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    let batch = try #require(try bench.accept(1).batch)
    let effects = bench.end(batch, by: 1, .blocked(Objection("locked by process 9")))
    guard case .blocked(_, Shard(0), Objection("locked by process 9"), let holder?)? = effects.notices.first else {
        Issue.record("not reported: \(effects)")
        return
    }
    #expect(holder.process == 1)
    #expect(bench.turn().batches.isEmpty)
    #expect(bench.turn(after: 0.2).batch?.messages == [1])
}

@Test func `a shard that one worker cannot write goes to another first, and rests only when all have tried`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    _ = bench.join(2)
    let (batch, first) = try #require(try bench.accept(1).batches.first)
    let number = first.route[0]
    let other: UInt8 = number == 1 ? 2 : 1
    #expect(bench.end(batch, by: number, .blocked(Objection("too many open files"))).notices.isEmpty)
    let (again, second) = try #require(bench.turn().batches.first)
    #expect(second == peer(other) && again.epoch > batch.epoch && again.messages == [1])
    // Neither worker could, so the file rests.
    #expect(bench.end(again, by: other, .blocked(Objection("no room"))).notices.count == 1)
    #expect(bench.turn().batches.isEmpty)
    let (third, _) = try #require(bench.turn(after: 0.2).batches.first)
    bench.finish(third, by: bench.dispatcher.status.workers[0].shards == 1 ? 1 : 2)
    #expect(bench.record().progress.map(\.through) == [JobNumber(1)])
}

@Test
func `a worker that has another folder than the coordinator is asked to look again, and then turned away in words`()
    throws
{
    var bench = PoolBench(folder: FolderProof(7))
    let stranger = WorkerHello(
        edition: PoolBench.edition, editionName: "plain", process: 9, machine: "here", folder: FolderProof(8))
    #expect(bench.tell(.heard(.hello(stranger), from: peer(9))) == [.say(.introduceYourself, to: peer(9))])
    let second = bench.tell(.heard(.hello(stranger), from: peer(9)))
    guard case .say(.turnedAway(let objection), peer(9))? = second.first,
        second.notices == [.turnedAway(stranger, objection)]
    else {
        Issue.record("not turned away: \(second)")
        return
    }
    #expect(objection.text.contains("--data"))
    #expect(try bench.accept(1).batches.isEmpty && bench.dispatcher.status.workers.isEmpty)
    // A worker that looked before the coordinator wrote looks again.
    #expect(bench.join(1, folder: FolderProof(8)).contains(.say(.introduceYourself, to: peer(1))))
    #expect(!bench.join(1, folder: FolderProof(7)).batches.isEmpty)
}

@Test func `a worker of before, which can prove no folder, is sent away`() throws {
    var bench = PoolBench(folder: FolderProof(7))
    let effects = bench.join(1)
    #expect(effects.contains(.say(.leave, to: peer(1))))
    #expect(effects.notices.contains { if case .turnedAway = $0 { true } else { false } })
    #expect(try bench.accept(1).batches.isEmpty)
}

@Test func `a job that the style refuses is shelved with the reason, and comes back when someone says so`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    let batch = try #require(try bench.accept(1).batch)
    let shelved = bench.finish(batch, by: 1, .refused(Objection("no such field"))).shelved
    #expect(shelved.map(\.reason) == [Objection("no such field")])
    #expect(bench.record().progress.map(\.through) == [JobNumber(1)])
    bench.tell(.command(.replay(batch.jobs[0], shelved[0].place)))
    let again = try #require(bench.turn().batch)
    #expect(bench.dispatcher.record.unshelved.isEmpty)
    bench.finish(again, by: 1, stamp: 2)
    #expect(bench.record().unshelved == [shelved[0].place])
    bench.tell(.command(.drop([shelved[0].place])))
    #expect(bench.record().unshelved == [shelved[0].place])
}

@Test func `a message that is tried again is told as that until it is laid out or refused`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    let batch = try #require(try bench.accept(1).batch)
    let place = try #require(bench.finish(batch, by: 1, .refused(Objection("no such field"))).shelved.first).place
    _ = bench.record()
    #expect(bench.dispatcher.triedAgain.isEmpty)
    // Nobody takes it yet.
    _ = bench.beat(peer(1), credits: 0)
    bench.tell(.command(.replay(batch.jobs[0], place)))
    #expect(bench.dispatcher.triedAgain == [place])
    _ = bench.beat(peer(1))
    let again = try #require(bench.turn().batch)
    #expect(bench.dispatcher.triedAgain == [place])
    let back = bench.finish(again, by: 1, stamp: 2, .refused(Objection("no such field"))).shelved
    #expect(back.map(\.place) == [place] && bench.dispatcher.triedAgain.isEmpty)
    _ = bench.record()
    bench.tell(.command(.replay(batch.jobs[0], place)))
    let third = try #require(bench.turn().batch)
    bench.finish(third, by: 1, stamp: 3)
    // The journal has it on the shelf until it is told.
    #expect(bench.dispatcher.triedAgain == [place])
    #expect(bench.record().unshelved == [place])
    #expect(bench.dispatcher.triedAgain.isEmpty)
}

@Test func `a job that is replayed twice stays on the shelf until it is done`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    let batch = try #require(try bench.accept(1).batch)
    let shelved = bench.finish(batch, by: 1, .refused(Objection("no such field"))).shelved
    _ = bench.record()
    // Nobody takes it yet.
    _ = bench.beat(peer(1), credits: 0)
    for _ in 0..<2 { bench.tell(.command(.replay(batch.jobs[0], shelved[0].place))) }
    let early = bench.record()
    #expect(early.unshelved.isEmpty)
    _ = bench.beat(peer(1))
    let again = try #require(bench.turn().batch)
    bench.finish(again, by: 1, stamp: 2)
    let late = bench.record()
    #expect(late.unshelved == [shelved[0].place])
    #expect(bench.dispatcher.audit().isEmpty)
}

@Test func `jobs that are handed back are tried again, and nobody is blamed`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    var batch = try #require(try bench.accept(1, 2).batch)
    for round in 1...6 {
        bench.finish(batch, by: 1, stamp: UInt64(round), .returned)
        batch = try #require(bench.pass(20, beating: [(peer(1), [])]).batches.first?.batch)
        #expect(batch.messages == [1, 2])
        bench.effects = []
    }
}

@Test func `a paused lane waits, and goes on when it is resumed`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    bench.tell(.command(.pause(.backfill)))
    #expect(try bench.accept(1, lane: .backfill).batches.isEmpty)
    #expect(try bench.accept(2).batch?.messages == [2])
    bench.tell(.command(.resume(.backfill)))
    #expect(bench.turn().batch?.messages == [1])
}

@Test func `a pool that drains takes nothing more, and says when all is done`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    let batch = try #require(try bench.accept(1).batch)
    #expect(!bench.tell(.command(.drain)).contains(.drained))
    #expect(bench.dispatcher.room.live == 0)
    bench.tell(.recorded)
    #expect(bench.finish(batch, by: 1).contains(.drained))
    // The state at the end is recorded, however little time has passed since the last record.
    #expect(bench.dispatcher.record.progress.map(\.through) == [JobNumber(1)])
}

@Test func `a worker that leaves gets nothing more, and its shards go to others`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    let batch = try #require(try bench.accept(1).batch)
    _ = bench.join(2)
    _ = bench.beat(peer(1), credits: 0, held: [batch.id], started: true)
    bench.finish(batch, by: 1)
    _ = bench.beat(peer(1), credits: 0)
    #expect(try bench.accept(2).batches.map(\.to) == [peer(2)])
    #expect(bench.tell(.heard(.bye, from: peer(1))).notices == [.workerLeft(peer(1))])
}

@Test func `a file in which something was deleted lately is given to another worker when its holder is gone`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    bench.finish(try #require(try bench.accept(1).batch), by: 1)
    let removal = LayoutJob(
        number: JobNumber(2), message: MessageNumber(1), conversation: try ConversationID("c"),
        messageID: try MessageID("m1"), work: .remove)
    let removed = bench.tell(.accepted([DueJob(removal, lane: .live)])) + bench.turn()
    bench.finish(try #require(removed.batch), by: 1, stamp: 2)
    _ = bench.tell(.heard(.bye, from: peer(1)))
    // It may have ended before it had emptied the log, in which the words are until then.
    let asked = try #require(bench.join(2).batch)
    #expect(asked.jobs.isEmpty)
    bench.finish(asked, by: 2, stamp: 2)
    _ = bench.pass(61, beating: [(peer(2), [])])
    _ = bench.tell(.heard(.bye, from: peer(2)))
    #expect(bench.join(3).batches.isEmpty)
    #expect(bench.dispatcher.audit().isEmpty)
}

@Test func `a coordinator that starts takes up what was left, in pages, before what comes after`() throws {
    let standing = Standing(
        service: EditionService(current: PoolBench.edition),
        progress: [
            ShardProgress(
                edition: PoolBench.edition, shard: Shard(0), through: JobNumber(4),
                beyond: [JobNumber(6)...JobNumber(6)], origin: ShardOrigin(1))
        ], latest: [JobNumber(9)])
    var bench = PoolBench(standing: standing) { $0.page = 2 }
    let joined = bench.join(1)
    #expect(
        joined.contains(.fetchUnfinished(PoolBench.edition, Shard(0), after: JobNumber(4), limit: 2)), "\(joined)")
    // A job that is accepted meanwhile comes with its page.
    bench.tell(.accepted([DueJob(try layoutJob(10, 10), lane: .live)]))
    let pages: [[UInt64]] = [[5, 7], [9, 10]]
    var messages: [Int64] = []
    for page in pages {
        let jobs = try page.map { DueJob(try layoutJob($0, Int64($0)), lane: .live) }
        bench.tell(.unfinished(JobPage(jobs: jobs, through: JobNumber(page[1])), PoolBench.edition, Shard(0)))
        messages += bench.turn().batches.flatMap(\.batch.messages)
    }
    #expect(messages == [5, 7, 9, 10])
    // Job 8 was for a message that is there with a newer job.
    #expect(bench.record().progress.first?.beyond == [JobNumber(6)...JobNumber(6), JobNumber(8)...JobNumber(8)])
}

@Test func `a new edition is laid out beside the one that is served, and takes its place when it is through`() throws {
    let new = try EditionID("bb")
    var bench = PoolBench { ($0.page, $0.grace) = (2, .seconds(10)) }
    _ = bench.join(1)
    let old = try #require(try bench.accept(1, 2, 3).batch)
    bench.finish(old, by: 1)
    bench.tell(.command(.roll(to: new, name: "flat")))
    var joined = bench.join(2, edition: new)
    #expect(joined.contains(.fetchMessages(new, Shard(0), after: MessageNumber(-1), limit: 2)))
    #expect(bench.record().service == EditionService(current: PoolBench.edition, next: new))
    // A live event goes to both.
    #expect(Set(try bench.accept(4).batches.map(\.to)) == [peer(1), peer(2)])
    for page in [[1, 2], [3, 4]] as [[Int64]] {
        bench.tell(.messages(try page.map { try layoutJob(UInt64($0), $0) }, new, Shard(0)))
        joined = bench.turn()
        for (batch, to) in joined.batches { joined += bench.finish(batch, by: to.route[0], stamp: 9) }
    }
    bench.tell(.messages([], new, Shard(0)))
    #expect(bench.turn().contains(.serve(EditionView(current: new))))
    #expect(bench.record().service == EditionService(current: new))
    let later = bench.pass(11, beating: [(peer(1), []), (peer(2), [])])
    #expect(later.contains(.retire(PoolBench.edition)))
    #expect(later.contains(.say(.leave, to: peer(1))))
    #expect(bench.record().retired == [PoolBench.edition])
}

@Test func `a shard whose file was lost is laid out again, and what waited for it comes from the journal anew`() throws
{
    var bench = PoolBench()
    _ = bench.join(1)
    bench.finish(try #require(try bench.accept(1).batch), by: 1, origin: 1)
    let batch = try #require(try bench.accept(2).batch)
    #expect(batch.origin == ShardOrigin(1))
    var effects = bench.end(batch, by: 1, .otherFile(ShardOrigin(2)))
    #expect(effects.notices == [.rebuilding(PoolBench.edition, Shard(0))])
    effects = bench.turn()
    #expect(effects == [.fetchUnfinished(PoolBench.edition, Shard(0), after: JobNumber(1), limit: 256)])
    let page = JobPage(jobs: [DueJob(try layoutJob(2, 2), lane: .live)], through: JobNumber(2))
    bench.tell(.unfinished(page, PoolBench.edition, Shard(0)))
    effects = bench.turn()
    #expect(effects.contains(.fetchRecent(PoolBench.edition, Shard(0), after: RecentWalk(), limit: 256)))
    #expect(effects.batch?.origin == ShardOrigin(2))
    #expect(bench.record().progress.first?.origin == ShardOrigin(2))
}

@Test func `while imported messages are paused, what is new is laid out from the journal past them`() throws {
    var bench = PoolBench { $0.page = 4 }
    _ = bench.join(1)
    bench.finish(try #require(try bench.accept(1).batch), by: 1, origin: 1)
    bench.tell(.command(.pause(.backfill)))
    _ = try bench.accept(Array(2...5), lane: .backfill)
    let batch = try #require(try bench.accept(6).batch)
    _ = bench.end(batch, by: 1, .otherFile(ShardOrigin(2)))
    func isAsked(after job: UInt64, _ effects: [Dispatcher.Effect]) -> Bool {
        effects.contains(.fetchUnfinished(PoolBench.edition, Shard(0), after: JobNumber(job), limit: 4))
    }
    var effects = bench.turn()
    #expect(isAsked(after: 1, effects))
    // The first page has paused jobs alone.
    let imported = try (2...5).map { DueJob(try layoutJob(UInt64($0), Int64($0)), lane: .backfill) }
    bench.tell(.unfinished(JobPage(jobs: imported, through: JobNumber(5)), PoolBench.edition, Shard(0)))
    effects = bench.turn()
    #expect(isAsked(after: 5, effects))
    let page = JobPage(jobs: [DueJob(try layoutJob(6, 6), lane: .live)], through: JobNumber(6))
    bench.tell(.unfinished(page, PoolBench.edition, Shard(0)))
    effects = bench.turn()
    #expect(effects.batch?.messages == [6])
    #expect(effects.contains(.fetchRecent(PoolBench.edition, Shard(0), after: RecentWalk(), limit: 4)))
    #expect(bench.dispatcher.audit().isEmpty)
}

@Test func `of a file that was lost the newest of each conversation are laid out first, and then all by number`() throws
{
    let map = FileMap(shards: 2, atMost: 1)
    let known = (0...1).map { shard in
        ShardProgress(
            edition: PoolBench.edition, shard: Shard(shard), through: JobNumber(9), walkedTo: MessageNumber(-1))
    }
    let standing = Standing(
        service: EditionService(current: PoolBench.edition), progress: known,
        latest: [JobNumber(9), JobNumber(9)], maps: [PoolBench.edition: map])
    var bench = PoolBench(standing: standing)
    for shard in [Shard(0), Shard(1)] {
        bench.tell(.unfinished(JobPage(jobs: [], through: JobNumber(9)), PoolBench.edition, shard))
    }
    let joined = bench.join(1)
    var rest = RecentWalk()
    rest.reached = [7]
    for shard in [Shard(0), Shard(1)] {
        #expect(joined.contains(.fetchRecent(PoolBench.edition, shard, after: RecentWalk(), limit: 256)))
    }
    // One shard of the file has none, and waits until the other one has its newest.
    bench.tell(.recent(RecentPage(jobs: [], rest: nil), PoolBench.edition, Shard(1)))
    bench.tell(.recent(RecentPage(jobs: [try layoutJob(8, 8)], rest: rest), PoolBench.edition, Shard(0)))
    var effects = bench.turn()
    var batch = try #require(effects.batch)
    #expect(batch.messages == [8])
    effects += bench.finish(batch, by: 1)
    #expect(effects.contains(.fetchRecent(PoolBench.edition, Shard(0), after: rest, limit: 256)))
    #expect(bench.record().progress.allSatisfy { $0.walkedTo == MessageNumber(-1) })
    bench.tell(.recent(RecentPage(jobs: [try layoutJob(9, 5)], rest: nil), PoolBench.edition, Shard(0)))
    effects = bench.turn()
    batch = try #require(effects.batch)
    effects += bench.finish(batch, by: 1)
    for shard in [Shard(0), Shard(1)] {
        let all = Dispatcher.Effect.fetchMessages(
            PoolBench.edition, shard, after: MessageNumber(-1), limit: 256)
        #expect(effects.contains(all))
    }
}

@Test func `some pages of a walk are at work at a time, and it has come as far as all before are done`() throws {
    let known = ShardProgress(
        edition: PoolBench.edition, shard: Shard(0), through: JobNumber(9), walkedTo: MessageNumber(0))
    let standing = Standing(
        service: EditionService(current: PoolBench.edition), progress: [known], latest: [JobNumber(9)],
        maps: [PoolBench.edition: FileMap(shards: 1, atMost: 1)])
    var bench = PoolBench(standing: standing) { ($0.page, $0.pagesOfWalk, $0.jobsPerLaterBatch) = (2, 3, 2) }
    bench.tell(.unfinished(JobPage(jobs: [], through: JobNumber(9)), PoolBench.edition, Shard(0)))
    var effects = bench.join(1)
    var asked: Int64 = 0
    var batches: [Batch] = []
    func next() -> Bool {
        effects.contains(.fetchMessages(PoolBench.edition, Shard(0), after: MessageNumber(asked), limit: 2))
    }
    while next() {
        let first = UInt64(asked) + 1
        let page = [try layoutJob(first, Int64(first)), try layoutJob(first + 1, Int64(first) + 1)]
        asked += 2
        effects = bench.tell(.messages(page, PoolBench.edition, Shard(0)))
        effects += bench.turn()
        batches += effects.batches.map(\.batch)
    }
    #expect(asked == 6 && batches.map(\.messages) == [[1, 2], [3, 4]])
    effects = bench.finish(batches[1], by: 1) + bench.turn()
    #expect(!next() && bench.record().progress.allSatisfy { $0.walkedTo == MessageNumber(0) })
    effects = bench.finish(batches[0], by: 1) + bench.turn()
    #expect(next() && bench.record().progress.first?.walkedTo == MessageNumber(4))
}

@Test func `what does not fit into memory stays in the journal until there is room`() throws {
    var bench = PoolBench { ($0.jobs, $0.page) = (8, 4) }
    _ = bench.join(1, credits: 0)
    let effects = try bench.accept(Array(1...20))
    #expect(bench.dispatcher.status.lanes[0].waiting == 8)
    #expect(!effects.contains { if case .fetchUnfinished = $0 { true } else { false } })
    _ = bench.beat(peer(1))
    let batch = try #require(bench.turn().batch)
    let after = bench.finish(batch, by: 1)
    #expect(after.contains(.fetchUnfinished(PoolBench.edition, Shard(0), after: JobNumber(8), limit: 4)))
}

@Test func `less is accepted when more waits than is laid out in the time that accepted events may wait`() throws {
    var bench = PoolBench { ($0.idleRoom, $0.leastRoom, $0.jobsPerBatch) = (400, 20, 10) }
    #expect(bench.dispatcher.room.live == 400)
    _ = bench.join(1)
    var batches = try bench.accept(Array(0..<300)).batches
    // A hundred jobs a second.
    for stamp in 1...20 {
        let batch = batches.removeFirst().batch
        _ = bench.beat(peer(1), held: [batch.id] + batches.map(\.batch.id), started: true)
        bench.turn(after: 0.1)
        batches += bench.finish(batch, by: 1, stamp: UInt64(stamp)).batches
    }
    #expect((80...120).contains(bench.dispatcher.status.speed ?? 0))
    #expect(bench.dispatcher.room.live == 0)
    #expect(bench.dispatcher.room.retryAfter > 100)
}

@Test func `a file that took the place of another is noticed where nothing waits, and laid out again`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    bench.finish(try #require(try bench.accept(1).batch), by: 1, stamp: 5, origin: 1)
    bench.tell(.heard(.synced(Shard(0), ShardPoint(origin: ShardOrigin(2), stamp: Stamp(0))), from: peer(1)))
    let question = try #require(bench.turn().batch)
    #expect(question.jobs.isEmpty && question.origin == ShardOrigin(1))
    let report = BatchReport(batch: question.id, shard: Shard(0), end: .otherFile(ShardOrigin(2)))
    #expect(
        bench.tell(.heard(.finished(report), from: peer(1))).notices == [.rebuilding(PoolBench.edition, Shard(0))])
    bench.tell(.unfinished(JobPage(jobs: [], through: JobNumber(1)), PoolBench.edition, Shard(0)))
    #expect(bench.turn().contains { if case .fetchRecent = $0 { true } else { false } })
}

@Test func `a file that took the place of another is noticed where a paused lane alone waits`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    bench.finish(try #require(try bench.accept(1).batch), by: 1, stamp: 5, origin: 1)
    bench.tell(.command(.pause(.backfill)))
    let paused = try bench.accept([2], lane: .backfill)
    #expect(paused.batches.isEmpty)
    bench.tell(.heard(.synced(Shard(0), ShardPoint(origin: ShardOrigin(2), stamp: Stamp(0))), from: peer(1)))
    let question = try #require(bench.turn().batch)
    #expect(question.jobs.isEmpty && question.origin == ShardOrigin(1))
}

@Test func `an old word about a file that is lost costs a question, and nothing else`() throws {
    var bench = PoolBench()
    _ = bench.join(1)
    bench.finish(try #require(try bench.accept(1).batch), by: 1, stamp: 5, origin: 2)
    bench.tell(.heard(.synced(Shard(0), ShardPoint(origin: ShardOrigin(1), stamp: Stamp(9))), from: peer(1)))
    let question = try #require(bench.turn().batch)
    #expect(question.jobs.isEmpty)
    #expect(bench.finish(question, by: 1, stamp: 5, origin: 2).notices.isEmpty)
    #expect(bench.turn().batch == nil)
}

@Test func `a coordinator that starts asks what became of the files that it knows`() throws {
    let known = ShardProgress(
        edition: PoolBench.edition, shard: Shard(0), through: JobNumber(1), origin: ShardOrigin(7))
    let standing = Standing(
        service: EditionService(current: PoolBench.edition), progress: [known], latest: [JobNumber(1)])
    var bench = PoolBench(standing: standing)
    bench.tell(.unfinished(JobPage(jobs: [], through: JobNumber(1)), PoolBench.edition, Shard(0)))
    let question = try #require(bench.join(1).batch)
    #expect(question.jobs.isEmpty && question.origin == ShardOrigin(7))
    #expect(bench.finish(question, by: 1, stamp: 3, origin: 7).notices.isEmpty)
    #expect(bench.turn().batch == nil)
}

@Test func `a message that readers wait for goes first, whatever its lane, unless that is paused`() throws {
    var bench = PoolBench { ($0.jobsPerBatch, $0.batchesPerShard) = (1, 1) }
    _ = try bench.accept(1, 2, 3, 4)
    _ = try bench.accept([5, 6], lane: .backfill)
    _ = bench.tell(.command(.urge(Shard(0), [MessageNumber(6), MessageNumber(3), MessageNumber(99)])))
    _ = bench.tell(.command(.pause(.backfill)))
    _ = bench.tell(.command(.urge(Shard(0), [MessageNumber(5)])))
    var messages: [Int64] = []
    var effects = bench.join(1)
    while let batch = effects.batch, messages.count < 6 {
        messages += batch.messages
        effects = bench.finish(batch, by: 1)
    }
    #expect(messages.starts(with: [6, 3, 1, 2]) && !messages.contains(5))
}

@Test func `nothing is laid out for a new edition before the journal knows of it`() throws {
    var bench = PoolBench()
    let next = try EditionID("bb")
    _ = bench.join(1)
    bench.tell(.command(.roll(to: next, name: "flat")))
    _ = bench.join(2, edition: next)
    #expect(try bench.accept(1).batches.map(\.to) == [peer(1)])
    // A coordinator that ends here leaves nothing behind that the next one does not know of.
    #expect(bench.record().service?.next == next)
    #expect(bench.turn().batches.map(\.to) == [peer(2)])
}
