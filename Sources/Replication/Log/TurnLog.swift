/// The log that a cluster needs of an engine: a short one for each partition, in which a record can only be appended
/// behind the last one.
///
/// A loop drains it, as it does sockets: events answer later what was asked for. The contract suite (`TurnLogSuite`)
/// holds every implementation to this:
///
/// - An append has at most one record of a partition. It is all or nothing, over all partitions that it names. Each
///   record stands right behind the place that it names: of several appends behind one place, one wins. When
///   `appended` is told, it is on the disks of a quorum.
/// - An append whose outcome is not known is told as `unknown`. It may be in the log, or come there later, or never.
/// - A read has no gaps. It may be told more than once, or as the log was a while ago.
/// - `trim` removes the records at or before a place. The place stays known, so that the next append has something to
///   stand behind.
package protocol TurnLog: ~Copyable {
    associatedtype Failure: Error

    mutating func append(_ records: [LogAppend]) throws(Failure) -> AppendTicket
    /// Asks for the records behind a place. The answer is `entry` for each of them, `limit` at most and in order,
    /// then `end`; or it is `reset`.
    mutating func read(_ partition: Partition, after: LogSequence, limit: Int) throws(Failure)
    mutating func trim(_ partition: Partition, to: LogSequence) throws(Failure)
    /// Begins a log behind a place, where it is as the replica has found it. Only an operator orders that.
    ///
    /// - Parameter end: the last record of a log that ends before that place, which goes with all that is in it; nil
    ///   for a log that was never begun, or was removed.
    mutating func begin(
        _ partition: Partition, after place: LogSequence, inPlaceOf end: LogSequence?) throws(Failure)
    /// Returns the events since the last call.
    mutating func takeEvents() throws(Failure) -> [LogEvent]
}

extension TurnLog where Self: ~Copyable {
    /// Begins a log that was never begun, or was removed.
    package mutating func begin(_ partition: Partition, after place: LogSequence) throws(Failure) {
        try begin(partition, after: place, inPlaceOf: nil)
    }
}

/// A log that a thread can wait for.
package protocol AwaitedLog: TurnLog, ~Copyable {
    /// Sends what was asked for, and waits until there may be something new, or one of the descriptors can be read.
    mutating func wait(atMost time: Duration, orFor descriptors: [Int32]) throws(Failure)
    /// Returns the complaints about the engine since the last call, for an operator.
    mutating func takeWords() -> [String]
}

/// Bounds that every engine has to fit.
package enum LogBounds {
    /// The most bytes of one sealed record, and of all records of an append.
    package static let record = 512 << 10
    /// The most partitions of an append: an engine checks a place and puts a record for each of them, and has limits
    /// for these.
    package static let partitions = 32
    /// The most records that are read at once.
    package static let page = 64
}

/// A sealed record, and the place that it is to stand behind.
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

/// The extent of a log: its last record, and the last that was trimmed.
package struct LogExtent: Equatable, Sendable {
    package var last: LogSequence
    package var trimmed: LogSequence

    package init(last: LogSequence, trimmed: LogSequence) { (self.last, self.trimmed) = (last, trimmed) }
}

package enum LogEvent: Equatable, Sendable {
    case appended(AppendTicket)
    /// Nothing of it was written: in these partitions the place is taken, or the record before it is missing.
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
