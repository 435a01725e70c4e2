/// What a cluster needs of an engine: for each partition a short log, in which a record can only be appended behind the last one.
///
/// It is drained by a loop, as sockets are: what is asked for is answered by events, later. The contract suite (`TurnLogSuite`) holds every
/// implementation to this:
///
/// - An append has at most one record of a partition. It is all or nothing, of all partitions that it names, and each of its records stands right behind the place that it names: of those
///   who append behind one place one wins. When `appended` is told, it is on the disks of a quorum.
/// - An append whose outcome is not known is told as `unknown`. It may be in the log, or come there later, or never.
/// - What is read has no gaps, and may be told more than once, or as it was a while ago.
/// - `trim` removes what is at or before a place. The place stays known, so that the next append has something to stand behind.
package protocol TurnLog: ~Copyable {
    associatedtype Failure: Error

    mutating func append(_ records: [LogAppend]) throws(Failure) -> AppendTicket
    /// Answered by `entry` for each record behind the place, `limit` at most and in their order, then by `end`; or by `reset`.
    mutating func read(_ partition: Partition, after: LogSequence, limit: Int) throws(Failure)
    mutating func trim(_ partition: Partition, to: LogSequence) throws(Failure)
    /// Has a log that was never begun, or was removed, begin behind a place. By an operator's word only.
    mutating func begin(_ partition: Partition, after: LogSequence) throws(Failure)
    /// What has come since it was last asked.
    mutating func takeEvents() throws(Failure) -> [LogEvent]
}

/// A log that a thread can wait for.
package protocol AwaitedLog: TurnLog, ~Copyable {
    /// Sends what was asked for, and waits until there may be something new, or one of the descriptors can be read.
    mutating func wait(atMost time: Duration, orFor descriptors: [Int32]) throws(Failure)
    /// Complaints about the engine that no operator was told.
    mutating func takeWords() -> [String]
}

/// Bounds that every engine has to fit.
package enum LogBounds {
    /// Bytes of one sealed record, and of all records of an append.
    package static let record = 512 << 10
    /// Partitions of an append: an engine checks a place and puts a record for each of them, and has limits for these.
    package static let partitions = 32
    /// Records that are read at once.
    package static let page = 64
}

/// A sealed record, and what it is to stand behind.
package struct LogAppend: Equatable, Sendable {
    package var partition: Partition
    package var behind: LogSequence
    package var bytes: [UInt8]

    package init(_ partition: Partition, behind: LogSequence, _ bytes: [UInt8]) {
        (self.partition, self.behind, self.bytes) = (partition, behind, bytes)
    }
}

package struct AppendTicket: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// How far a log reaches: its last record, and the last that was trimmed.
package struct LogExtent: Equatable, Sendable {
    package var last: LogSequence
    package var trimmed: LogSequence

    package init(last: LogSequence, trimmed: LogSequence) { (self.last, self.trimmed) = (last, trimmed) }
}

package enum LogEvent: Equatable, Sendable {
    case appended(AppendTicket)
    /// Nothing of it was written, as in these partitions something else stands there, or nothing before it.
    case overtaken(AppendTicket, [Partition])
    /// Nothing of it was written, as the engine has no room.
    case full(AppendTicket)
    /// Nobody knows whether it was written.
    case unknown(AppendTicket)
    case entry(Partition, LogSequence, [UInt8])
    case end(Partition, LogExtent)
    /// The log was never begun, or was removed with all that was in it.
    case reset(Partition)
}
