import Pool
import Replication
import Testing

@testable import Daemons

private func moment(_ milliseconds: Int64) -> Moment { Moment(sinceStart: .milliseconds(milliseconds)) }

@Test func `an operator is told of partitions that no host owns once that lasts, and when all are owned again`() {
    let all = (0..<3).map { Partition(UInt16($0)) }
    var closed = ClosedPartitions()
    // All are claimed one after the other, and one changes its owner.
    let early = [
        closed.note(all, at: moment(0)), closed.note([all[1]], at: moment(5000)), closed.note([], at: moment(6500)),
        closed.note([all[1]], at: moment(8000)),
    ]
    #expect(early == [nil, nil, nil, nil])
    let news = [
        closed.note([all[1], all[2]], at: moment(14_000)), closed.note([all[1], all[2]], at: moment(14_500)),
        closed.note([all[1], all[2]], at: moment(20_000)), closed.note([all[2]], at: moment(21_000)),
        closed.note([], at: moment(22_000)), closed.note([], at: moment(23_000)),
    ]
    #expect(news == [[all[1]], nil, [all[1], all[2]], [all[2]], [], nil])
}
