import Foundation
package import Replication
package import Transport

/// The log of a cluster on a thread of its own, which waits for the engine while a loop beside it waits for sockets.
package struct LogLane: TurnLog, ~Copyable {
    package typealias Failure = any Error

    private enum Request: Sendable {
        case append([LogAppend], AppendTicket)
        case read(Partition, after: LogSequence, limit: Int)
        case trim(Partition, to: LogSequence)
        case begin(Partition, after: LogSequence, inPlaceOf: LogSequence?)
        case end
    }

    private enum News: Sendable {
        case events([LogEvent])
        case words([String])
        case failure(any Error)
    }

    private let requests: Mailbox<Request>
    private let news: Mailbox<News>
    private var words: [String] = []
    private var appends: UInt64 = 0

    /// The longest wait while nothing is asked for and nothing comes.
    private static let pause = Duration.seconds(1)

    /// - Parameter open: opens the log; called on its thread.
    package init<Log: AwaitedLog & SendableMetatype & ~Copyable>(
        _ open: @escaping @Sendable () throws -> Log
    ) throws {
        let (requests, news) = (try Mailbox<Request>(), try Mailbox<News>())
        (self.requests, self.news) = (requests, news)
        Thread.detachNewThread {
            do { try Self.run(open(), requests, news) } catch { news.post(.failure(error)) }
        }
    }

    deinit { requests.post(.end) }

    package var source: Source { news.source }

    package mutating func append(_ records: [LogAppend]) throws -> AppendTicket {
        appends += 1
        let ticket = AppendTicket(appends)
        requests.post(.append(records, ticket))
        return ticket
    }

    package mutating func read(_ partition: Partition, after: LogSequence, limit: Int) throws {
        requests.post(.read(partition, after: after, limit: limit))
    }

    package mutating func trim(_ partition: Partition, to place: LogSequence) throws {
        requests.post(.trim(partition, to: place))
    }

    package mutating func begin(_ partition: Partition, after place: LogSequence, inPlaceOf end: LogSequence?) throws {
        requests.post(.begin(partition, after: place, inPlaceOf: end))
    }

    package mutating func takeEvents() throws -> [LogEvent] {
        var events: [LogEvent] = []
        for one in news.takeAll() {
            switch one {
            case .events(let more): events += more
            case .words(let more): words += more
            case .failure(let error): throw error
            }
        }
        return events
    }

    /// Complaints about the engine that operators have not been told.
    package mutating func takeWords() -> [String] {
        defer { words = [] }
        return words
    }

    private static func run<Log: AwaitedLog & ~Copyable>(
        _ log: consuming Log, _ requests: Mailbox<Request>, _ news: Mailbox<News>
    ) throws {
        // The loop's tickets, by the log's own.
        var tickets: [AppendTicket: AppendTicket] = [:]
        while true {
            try log.wait(atMost: pause, orFor: [requests.descriptor])
            for request in requests.takeAll() {
                switch request {
                case .append(let records, let ticket): tickets[try log.append(records)] = ticket
                case .read(let partition, let after, let limit): try log.read(partition, after: after, limit: limit)
                case .trim(let partition, let place): try log.trim(partition, to: place)
                case .begin(let partition, let place, let end):
                    try log.begin(partition, after: place, inPlaceOf: end)
                case .end: return
                }
            }
            let events = try log.takeEvents().map { event in
                event.renamed { ticket in tickets.removeValue(forKey: ticket) ?? ticket }
            }
            if !events.isEmpty { news.post(.events(events)) }
            let words = log.takeWords()
            if !words.isEmpty { news.post(.words(words)) }
        }
    }
}

extension LogEvent {
    /// The same event, under another ticket.
    fileprivate func renamed(_ name: (AppendTicket) -> AppendTicket) -> LogEvent {
        switch self {
        case .appended(let ticket): .appended(name(ticket))
        case .overtaken(let ticket, let partitions): .overtaken(name(ticket), partitions)
        case .full(let ticket): .full(name(ticket))
        case .unknown(let ticket): .unknown(name(ticket))
        case .entry, .end, .reset: self
        }
    }
}
