import Names
import TestSupport
import Testing
import Wire

@testable import Pool

private let edition = PoolBench.edition

private func surroundings(_ change: (inout DispatchLimits) -> Void = { _ in }) -> DispatchContext {
    var limits = DispatchLimits()
    change(&limits)
    return DispatchContext(term: 1, limits: limits, seed: 1)
}

/// Jobs of four shards in two files, of which nothing was done yet.
private struct BacklogBench {
    var jobs: Backlog
    var context = surroundings()
    private var last: [Shard: UInt64] = [:]

    static let map = FileMap(shards: 4, atMost: 2)

    init() {
        jobs = Backlog(
            edition, Self.map, progress: [], latest: Table(4) { _ in .zero })
        for shard in 0..<4 as Range<UInt16> { come([], of: Shard(shard), through: .zero, latest: .zero) }
    }

    mutating func come(_ page: [DueJob], of shard: Shard, through: JobNumber, latest: JobNumber) {
        jobs.take(JobPage(jobs: page, through: through), of: shard, latest: latest, &context)
    }

    mutating func accept(_ message: Int64, in shard: UInt16) throws {
        last[Shard(shard), default: 0] += 1
        let job = try layoutJob(last[Shard(shard)]!, message)
        jobs.accept(DueJob(job, lane: .live), in: Shard(shard), &context)
    }

    mutating func take(_ file: UInt16) -> [Ticket] {
        jobs.takeBatch(for: FileNumber(file), .live, jobs: 100, bytes: 1 << 20)
    }
    mutating func store(_ tickets: [Ticket], _ file: UInt16, _ stamp: UInt64) {
        _ = jobs.see(tickets, in: FileNumber(file), Stamp(stamp), &context)
    }
}

@Test func `jobs of the shards of one file wait in one queue, in the order in which they came`() throws {
    var bench = BacklogBench()
    for (message, shard) in [(1, 0), (2, 1), (3, 2), (4, 0), (5, 3)] as [(Int64, UInt16)] {
        try bench.accept(message, in: shard)
    }
    let batch = bench.take(0)
    #expect(batch.map(\.message.number) == [1, 2, 4] && batch.map(\.shard.number) == [0, 1, 0])
    #expect(bench.take(1).map(\.message.number) == [3, 5])
    bench.store(batch, 0, 1)
    #expect(bench.jobs.shards.values.map(\.done.through) == [2, 1, 0, 0])
    #expect(bench.jobs.undone == 2)
}

@Test func `a file that is lost has all of its shards walked through, and no other`() throws {
    var bench = BacklogBench()
    try bench.accept(1, in: 2)
    bench.jobs.rebuild(FileNumber(1), &bench.context)
    #expect(bench.jobs.shards.values.map { $0.walk != nil } == [false, false, true, true])
    #expect(bench.take(1).isEmpty && bench.jobs.undone == 1)
    bench.jobs.fetch(walks: true, &bench.context)
    let asked = bench.context.takeEffects()
    #expect(
        asked == [
            .fetchUnfinished(edition, Shard(2), after: .zero, limit: 256),
            .fetchUnfinished(edition, Shard(3), after: .zero, limit: 256),
        ])
}

@Test func `a page of a walk that a caretaker had is asked for again by who lays out`() throws {
    var bench = BacklogBench()
    bench.jobs.rebuild(FileNumber(0), &bench.context)
    for shard in [0, 1] as [UInt16] { bench.come([], of: Shard(shard), through: .zero, latest: .zero) }
    for shard in [0, 1] as [UInt16] {
        bench.jobs.fetch(walks: true, &bench.context)
        bench.jobs.take(RecentPage(jobs: [], rest: nil), of: Shard(shard), &bench.context)
    }
    bench.jobs.fetch(walks: true, &bench.context)
    bench.jobs.take([try layoutJob(1, 7)], of: Shard(0), &bench.context)
    bench.jobs.release(bench.jobs.takeBatch(for: FileNumber(0), .relayout, jobs: 10, bytes: 1 << 20))
    bench.jobs.takeOver()
    for shard in [0, 1] as [UInt16] { bench.come([], of: Shard(shard), through: .zero, latest: .zero) }
    _ = bench.context.takeEffects()
    bench.jobs.fetch(walks: true, &bench.context)
    #expect(
        bench.context.takeEffects().contains(
            .fetchMessages(edition, Shard(0), after: MessageNumber(-1), limit: 256)))
}

@Test func `whatever comes, is lent, comes back and is stored, no job is lost and none is counted twice`() {
    forEachSeed(200) { random in
        var bench = BacklogBench()
        bench.context = surroundings { $0.waitsForDisk = true }
        var lent: [(file: UInt16, tickets: [Ticket])] = []
        var latest = [UInt64](repeating: 0, count: 4)
        var stamp: UInt64 = 0
        for _ in 0..<150 {
            let file = UInt16.random(in: 0..<2, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let shard = UInt16.random(in: 0..<4, using: &random)
                // A message is of one shard.
                try bench.accept(Int64.random(in: 0..<10, using: &random) * 4 + Int64(shard), in: shard)
                latest[Int(shard)] += 1
            case 2: lent.append((file, bench.take(file)))
            case 3:
                guard let (file, tickets) = lent.popLast() else { continue }
                bench.jobs.putBack(tickets, for: FileNumber(file), &bench.context)
            default:
                guard !lent.isEmpty else { continue }
                let (file, tickets) = lent.removeFirst()
                stamp += 1
                bench.store(tickets, file, stamp)
                if Bool.random(using: &random) {
                    bench.jobs.settle(FileNumber(file), upTo: Stamp(stamp), &bench.context)
                }
            }
            let flights = lent.map {
                Flight(
                    id: BatchID(term: 1, number: 1), file: FileNumber($0.file), tickets: $0.tickets, since: .start,
                    started: nil, isProbe: false)
            }
            let known = Table<Shard, JobNumber>(latest.map { JobNumber($0) })
            guard bench.jobs.audit(flights, known, bench.context.limits).isEmpty else { return false }
        }
        return true
    }
}

@Test(arguments: [(16, 2, 2), (16, 3, 2), (16, 16, 16), (16, 99, 16), (12, 4, 4), (7, 4, 1), (1, 1, 1), (16, 0, 1)])
func `a map has at most so many files, and as many shards in each`(shards: Int, most: Int, files: Int) {
    let map = FileMap(shards: shards, atMost: most)
    #expect(map.files == files)
    for file in 0..<UInt16(files) {
        let own = map.shards(of: FileNumber(file))
        #expect(own.count == shards / files && own.allSatisfy { map.file(of: $0) == FileNumber(file) })
        #expect(own.first == map.first(of: FileNumber(file)))
    }
}

@Test func `a conversation is in the file that its hash alone says, as if there were as many shards as files`() throws {
    let map = FileMap(shards: 16, atMost: 4)
    for number in 0..<500 {
        let name = try ConversationID("room-\(number)")
        #expect(map.file(of: Shard(of: name, among: 16)).number == Shard(of: name, among: 4).number)
    }
}
