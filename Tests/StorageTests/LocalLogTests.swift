import Foundation
import Replication
import Storage
import TestSupport
import Testing

@Test func `a log of one machine does what every log of turns must`() throws {
    func suite(quota: Int = .max) throws -> TurnLogSuite<LocalLog> {
        let folder = try TemporaryFolder()
        return TurnLogSuite {
            var log = try LocalLog.open(path: folder.file("log.db"))
            log.quota = quota
            return log
        }
    }
    try TurnLogSuite.run(rounds: 200) { _ in try suite() }
    try suite(quota: 1000).saysThatItIsFull(records: 300, most: 4)
}

@Test func `hosts that start at one moment open one new log`() throws {
    let hosts = 6
    for _ in 0..<60 {
        let folder = try TemporaryFolder()
        let (gate, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for number in 0..<hosts {
            Thread.detachNewThread {
                gate.wait()
                do {
                    var log = try LocalLog.open(path: folder.file("log.db"))
                    try log.begin(Partition(UInt16(number)), after: .zero)
                } catch {
                    Issue.record("\(error)")
                }
                ended.signal()
            }
        }
        for _ in 0..<hosts { gate.signal() }
        for _ in 0..<hosts { ended.wait() }
        var log = try LocalLog.open(path: folder.file("log.db"))
        for number in 0..<hosts { try log.read(Partition(UInt16(number)), after: .zero, limit: 1) }
        let empty = LogExtent(last: .zero, trimmed: .zero)
        #expect(try log.takeEvents() == (0..<hosts).map { .end(Partition(UInt16($0)), empty) })
    }
}

@Test func `what was appended to a log of one machine is there when it is opened again`() throws {
    let folder = try TemporaryFolder()
    let partition = Partition(3)
    do {
        var log = try LocalLog.open(path: folder.file("log.db"))
        try log.begin(partition, after: .zero)
        _ = try log.append([LogAppend(partition, behind: .zero, [7])])
    }
    var log = try LocalLog.open(path: folder.file("log.db"))
    try log.read(partition, after: .zero, limit: 8)
    let events = try log.takeEvents()
    let extent = LogExtent(last: LogSequence(1), trimmed: .zero)
    #expect(events == [.entry(partition, LogSequence(1), [7]), .end(partition, extent)])
}
