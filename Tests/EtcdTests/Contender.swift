import Etcd
import Replication

/// Appends numbered records to one log as an owner does, behind what it read last, against others that do the same.
struct Contender: ~Copyable {
    let name: UInt8
    let partition: Partition
    var log: EtcdLog
    /// Numbers that are in the log, as far as it knows, in the order in which it was told.
    private(set) var acknowledged: [UInt32] = []
    /// Numbers that were not written, as it was told, and are not tried again.
    private(set) var surrendered: [UInt32] = []
    private(set) var unknown = 0
    private var queue = AppendQueue()
    private var last = LogSequence.zero
    private var number: UInt32 = 0
    private var step = Step.reading

    private enum Step {
        case appending
        /// The record at that place is to be read first.
        case reading
    }

    init(_ name: UInt8, of partition: Partition, _ log: consuming EtcdLog) {
        (self.name, self.partition) = (name, partition)
        self.log = log
    }

    private var record: [UInt8] { [name] + (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }

    /// The number in a record; nil where another has written it.
    static func number(_ record: [UInt8], of name: UInt8) -> UInt32? {
        guard record.count == 5, record[0] == name else { return nil }
        return (0..<4).reduce(0) { $0 | UInt32(record[1 + $1]) << ($1 * 8) }
    }

    mutating func turn() throws {
        if log.isIdle { try ask() }
        try log.wait(atMost: .milliseconds(1))
        for event in try log.takeEvents() { take(event) }
    }

    private mutating func ask() throws {
        switch step {
        case .reading: try log.read(partition, after: last, limit: LogBounds.page)
        case .appending:
            if queue.isIdle { queue.add(LogAppend(partition, behind: last, record)) }
            if let records = queue.next() { queue.sent(as: try log.append(records)) }
        }
    }

    private mutating func take(_ event: LogEvent) {
        switch event {
        case .entry(_, let place, let bytes):
            guard place == last.next else { return }
            last = place
            // The append was not answered when it was written.
            if bytes == record { succeed() }
        case .end(_, let extent): if extent.last == last { step = .appending }
        case .reset: break
        case .appended, .overtaken, .full, .unknown:
            if case .unknown = event { unknown += 1 }
            for (_, outcome) in queue.take(event) {
                switch outcome {
                case .appended:
                    last = last.next
                    succeed()
                case .refused: step = .reading
                case .full:
                    surrendered.append(number)
                    number += 1
                }
            }
        }
    }

    private mutating func succeed() {
        acknowledged.append(number)
        number += 1
    }
}
