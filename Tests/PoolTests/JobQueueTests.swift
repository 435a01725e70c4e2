import Names
import TestSupport
import Testing
import Wire

@testable import Pool

@Test func `of all that is done, what ends in one piece is one number`() {
    forEachSeed(300) { random in
        var done = DoneJobs(through: .zero)
        var model: Set<UInt64> = []
        for _ in 0..<60 {
            let first = UInt64.random(in: 1...80, using: &random)
            let range = first...first + UInt64.random(in: 0...5, using: &random)
            let new = range.count { !model.contains($0) }
            model.formUnion(range)
            guard done.finish(range) == new, done.total == UInt64(model.count) else { return false }
        }
        let through = (1...100).first { !model.contains($0) }! - 1
        let ranges = done.ranges(atMost: 1000).flatMap { $0.lowerBound.number...$0.upperBound.number }
        return done.through == through && ranges == model.filter { $0 > through }.sorted()
    }
}

@Test func `a queue gives every message once, newest, and each lane in its order`() {
    forEachSeed(300) { random in
        var queue = JobQueue()
        var newest: [Int64: UInt64] = [:]
        var lent: [Ticket] = []
        var (taken, needless) = ([UInt64](), [UInt64]())
        for number in 1...120 as ClosedRange<UInt64> {
            let message = Int64.random(in: 0..<30, using: &random)
            let lane = Lane.allCases.randomElement(using: &random)!
            newest[message] = number
            let ticket = Ticket(job: try layoutJob(number, message), shard: Shard(0), lane: lane, since: .start)
            needless += [queue.append(ticket)].compactMap(\.self).map(\.job.number.number)
            if Int.random(in: 0..<4, using: &random) == 0 {
                lent += queue.takeBatch(.allCases.randomElement(using: &random)!, jobs: 5, bytes: 100_000)
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                let wanted = MessageNumber(.random(in: 0..<30, using: &random))
                queue.urge(wanted, unless: ByLane(false))
                let waits = queue.all.contains { $0.message == wanted }
                guard !waits || queue.first(.live)?.message == wanted else { return false }
            }
            if Int.random(in: 0..<8, using: &random) == 0 {
                needless += queue.putBack(lent).map(\.job.number.number)
                lent = []
            }
        }
        taken = lent.map(\.job.number.number)
        for lane in Lane.allCases { taken += queue.takeBatch(lane, jobs: 1000, bytes: .max).map(\.job.number.number) }
        return queue.count == 0 && queue.bytes == 0 && (taken + needless).sorted() == Array(1...120)
            && Set(newest.values).isSubset(of: taken)
    }
}

/// The things that may happen to a message while a job of it is lent.
private enum Meanwhile: CaseIterable {
    case nothing
    case doubt
    case walk
    case edit
    case lessUrgentEdit

    func ticket(of message: Int64, lent number: UInt64) throws -> Ticket? {
        let isEdit = self == .edit || self == .lessUrgentEdit
        let lane: Lane =
            switch self {
            case .nothing, .edit: .live
            case .lessUrgentEdit: .backfill
            case .doubt, .walk: .relayout
            }
        var ticket = Ticket(
            job: try layoutJob(isEdit ? 9 : number, message), shard: Shard(0), lane: lane, since: .start)
        switch self {
        case .nothing: return nil
        case .doubt: (ticket.page, ticket.urgency, ticket.isDoubted) = (Ticket.wishedPage, .live, true)
        case .walk: ticket.page = 1
        case .edit, .lessUrgentEdit: break
        }
        return ticket
    }
}

@Test(arguments: Meanwhile.allCases)
private func `what comes back goes before all that came later, whatever came of its message meanwhile`(
    _ meanwhile: Meanwhile
) throws {
    var queue = JobQueue()
    let jobs = try (1...4).map { number in
        Ticket(job: try layoutJob(number, Int64(number)), shard: Shard(0), lane: .live, since: .start)
    }
    for job in jobs[..<2] { #expect(queue.append(job) == nil) }
    let lent = queue.takeBatch(.live, jobs: 2, bytes: .max)
    for job in jobs[2...] { #expect(queue.append(job) == nil) }
    let other = try meanwhile.ticket(of: 1, lent: 1)
    if let other { #expect(queue.append(other) == nil) }
    #expect(queue.putBack(lent).count == (other == nil ? 0 : 1))

    let batch = queue.takeBatch(.live, jobs: 9, bytes: .max)
    #expect(batch.map(\.message.number) == [1, 2, 3, 4])
    #expect(batch[0].isDoubted == (meanwhile == .doubt))
    #expect(queue.count == 0 && queue.bytes == 0)
}

@Test(arguments: [false, true])
func `a job that is given time goes when a newer one of its message waits`(isFirst: Bool) throws {
    var queue = JobQueue()
    let (older, newer) = (
        Ticket(job: try layoutJob(1, 7), shard: Shard(0), lane: .live, since: .start),
        Ticket(job: try layoutJob(2, 7), shard: Shard(0), lane: .live, since: .start)
    )
    let needless: Ticket?
    if isFirst {
        #expect(queue.delay(older, until: .start + .seconds(1)) == nil)
        needless = queue.append(newer)
    } else {
        #expect(queue.append(newer) == nil)
        needless = queue.delay(older, until: .start + .seconds(1))
    }
    #expect(needless?.number == older.number)
    #expect(queue.takeBatch(.live, jobs: 9, bytes: .max).map(\.number) == [newer.number])
    #expect(queue.wake(.start + .seconds(2)).isEmpty && queue.count == 0 && queue.bytes == 0)
}

@Test(arguments: [1, 3])
func `a job that is given time while another of its message waits leaves that in its turn`(given: UInt64) throws {
    func ticket(_ job: UInt64, _ message: Int64) throws -> Ticket {
        Ticket(job: try layoutJob(job, message), shard: Shard(0), lane: .live, since: .start)
    }
    var queue = JobQueue()
    let (earlier, waiting) = (try ticket(0, 8), try ticket(2, 7))
    #expect(queue.append(earlier) == nil && queue.append(waiting) == nil)
    #expect(queue.delay(try ticket(given, 7), until: .start + .seconds(1))?.number == JobNumber(min(given, 2)))
    #expect(queue.takeBatch(.live, jobs: 9, bytes: .max).map(\.number) == [JobNumber(0), JobNumber(max(given, 2))])
}

@Test(arguments: [false, true])
func `a doubt about a row is kept where a job of its message is given time`(isGivenTime: Bool) throws {
    var queue = JobQueue()
    let job = try layoutJob(1, 7)
    let accepted = Ticket(job: job, shard: Shard(0), lane: .live, since: .start)
    var doubted = Ticket(job: job, shard: Shard(0), lane: .relayout, since: .start)
    (doubted.page, doubted.urgency, doubted.isDoubted) = (Ticket.wishedPage, .live, true)
    let moment = Moment.start + .seconds(1)
    var needless = [queue.delay(accepted, until: moment)]
    needless.append(isGivenTime ? queue.delay(doubted, until: moment) : queue.append(doubted))
    #expect(needless.map { $0?.page } == [nil, Ticket.wishedPage])
    let woken = queue.wake(moment)
    let batch = queue.takeBatch(.live, jobs: 9, bytes: .max)
    #expect(woken.isEmpty && batch.map(\.page) == [nil] && batch.map(\.isDoubted) == [true])
    #expect(queue.count == 0 && queue.bytes == 0)
}

@Test func `a queue takes the memory of its jobs, however often readers wait for what nobody takes`() throws {
    var queue = JobQueue()
    for message in 1...3 as ClosedRange<Int64> {
        let job = try layoutJob(UInt64(message), message)
        _ = queue.append(Ticket(job: job, shard: Shard(0), lane: .backfill, since: .start))
    }
    for message in 0..<1000 as Range<Int64> { queue.urge(MessageNumber(message % 3 + 1), unless: ByLane(false)) }
    #expect(queue.placeCount < 100 && queue.count == 3)
    // The last one that was waited for is the first.
    let batch = queue.takeBatch(.live, jobs: 9, bytes: .max)
    #expect(batch.map(\.message.number) == [1, 3, 2])
    #expect(queue.count == 0 && queue.bytes == 0)
}

@Test func `a ring keeps the places of what it holds, however often both ends move`() {
    forEachSeed(200) { random in
        var ring = RingBuffer<Int>()
        var model: [Int] = []
        for number in 0..<200 {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                let place = ring.append(number)
                model.append(number)
                guard ring[place] == number else { return false }
            case 1:
                ring.prepend(number)
                model.insert(number, at: 0)
            default: guard ring.popFirst() == (model.isEmpty ? nil : model.removeFirst()) else { return false }
            }
            guard ring.places.map({ ring[$0] }) == model else { return false }
        }
        return true
    }
}
