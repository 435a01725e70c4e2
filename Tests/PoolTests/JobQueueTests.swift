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
