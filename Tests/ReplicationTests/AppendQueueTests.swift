import Replication
import Testing

private func append(_ partition: UInt16, behind place: UInt64 = 0, _ bytes: Int = 1) -> LogAppend {
    LogAppend(Partition(partition), behind: LogSequence(place), [UInt8](repeating: 1, count: bytes))
}

@Test func `records of all partitions go in one append, and those that come meanwhile in the next`() {
    var queue = AppendQueue()
    queue.add(append(1))
    queue.add(append(2))
    #expect(queue.next() == [append(1), append(2)])
    queue.sent(as: AppendTicket(1))
    queue.add(append(3))
    #expect(queue.next() == nil)
    let outcomes = queue.take(.appended(AppendTicket(1)))
    #expect(outcomes.map(\.0) == [append(1), append(2)] && outcomes.allSatisfy { $0.1 == .appended })
    #expect(queue.next() == [append(3)])
}

@Test func `where one partition is overtaken, the others go again without it`() {
    var queue = AppendQueue()
    for partition in 1...3 as ClosedRange<UInt16> { queue.add(append(partition)) }
    _ = queue.next()
    queue.sent(as: AppendTicket(1))
    let outcomes = queue.take(.overtaken(AppendTicket(1), [Partition(2)]))
    #expect(outcomes.map(\.0) == [append(2)] && outcomes.map(\.1) == [.refused])
    #expect(Set(queue.next()!.map(\.partition.number)) == [1, 3])
}

@Test func `a partition has one record in an append, the one that was wanted last`() {
    var queue = AppendQueue()
    queue.add(append(1))
    queue.add(append(2))
    _ = queue.next()
    queue.sent(as: AppendTicket(1))
    queue.add(append(1, behind: 0, 5))
    _ = queue.take(.overtaken(AppendTicket(1), [Partition(2)]))
    #expect(queue.next() == [append(1, behind: 0, 5)])
}

@Test func `what has no known outcome is asked for again as it was, before all else`() {
    var queue = AppendQueue()
    queue.add(append(1, behind: 4))
    _ = queue.next()
    queue.sent(as: AppendTicket(1))
    queue.add(append(2))
    #expect(queue.take(.unknown(AppendTicket(1))).isEmpty)
    #expect(queue.next() == [append(1, behind: 4)])
    queue.sent(as: AppendTicket(2))
    // The first one is answered after all: it says nothing of the second.
    #expect(queue.take(.appended(AppendTicket(1))).isEmpty)
    #expect(queue.take(.overtaken(AppendTicket(2), [Partition(1)])).map(\.1) == [.refused])
    #expect(queue.next() == [append(2)])
}

@Test func `what is not wanted any more is not asked for again, whatever becomes of it`() {
    for outcome in [LogEvent.unknown(AppendTicket(1)), .overtaken(AppendTicket(1), [Partition(2)])] {
        var queue = AppendQueue()
        queue.add(append(1))
        queue.add(append(2))
        _ = queue.next()
        queue.sent(as: AppendTicket(1))
        queue.withdraw(Partition(1))
        _ = queue.take(outcome)
        let again = queue.next() ?? []
        #expect(!again.contains { $0.partition == Partition(1) })
    }
}

@Test func `an append has no more bytes than an engine takes, and at least one record`() {
    var queue = AppendQueue()
    queue.add(append(1, LogBounds.record - 1))
    queue.add(append(2, 2))
    #expect(queue.next()?.count == 1)
    queue.sent(as: AppendTicket(1))
    _ = queue.take(.appended(AppendTicket(1)))
    #expect(queue.next() == [append(2, 2)])
    #expect(queue.take(.full(AppendTicket(7))).isEmpty)
}

@Test func `an append has no more partitions than every engine takes`() {
    var queue = AppendQueue()
    for partition in 0..<UInt16(LogBounds.partitions + 8) { queue.add(append(partition)) }
    #expect(queue.next()?.count == LogBounds.partitions)
    queue.sent(as: AppendTicket(1))
    _ = queue.take(.appended(AppendTicket(1)))
    #expect(queue.next()?.count == 8)
}
