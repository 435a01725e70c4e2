import Names
import Operations
import Pool
import Wire

/// The spans of a coordinator, for messages that are traced.
struct CoordinatorTraces {
    /// The time at which the present turn began to read.
    private var read: UInt64 = 0
    private var waiting = WaitingMessages()

    mutating func beginTurn() { if Traces.areOn { read = Traces.now } }

    /// - Parameter start: the start of the write that has ended.
    mutating func note(_ written: JournalTurn, from start: UInt64) {
        guard Traces.areOn else { return }
        let end = Traces.now
        for entry in written.entries {
            for job in entry.jobs {
                guard let message = job.traced else { continue }
                let isRoot = entry.event.body != nil && entry.event.revision == job.work.revision
                Traces.note("accepted", of: message, from: read, to: start, isRoot: isRoot)
                Traces.note("journalled", of: message, from: start, to: end)
                waiting.begin(message, at: end)
            }
        }
    }

    mutating func note(_ word: CoordinatorWord) {
        guard Traces.areOn, case .assign(let batch) = word else { return }
        let now = Traces.now
        for job in batch.jobs {
            guard let message = job.traced else { continue }
            Traces.note("dispatched", of: message, from: waiting.end(message) ?? now, to: now)
        }
    }

    /// Notes that gateways were told of rows.
    static func note(_ rows: [ReadyWord.Row], from start: UInt64) {
        guard Traces.areOn else { return }
        for row in rows {
            guard let revision = row.revision,
                let message = Traces.message(row.conversation.text, row.message.text, revision.number)
            else { continue }
            Traces.note("told", of: message, from: start)
        }
    }
}

/// Messages that wait to be dispatched, each with the time since when.
///
/// One that is edited or deleted while it waits is never dispatched, and would stay here. So where there are too many,
/// all are forgotten: those of them that still wait count as dispatched at once.
struct WaitingMessages {
    static let most = 4096
    private var times: [TracedMessage: UInt64] = [:]

    mutating func begin(_ message: TracedMessage, at time: UInt64) {
        if times.count >= Self.most { times.removeAll(keepingCapacity: true) }
        times[message] = time
    }

    /// Takes a message out, with the time since when it has waited; nil where that is not known.
    mutating func end(_ message: TracedMessage) -> UInt64? { times.removeValue(forKey: message) }
}

/// The spans of a lane that lays out and stores, for one batch.
struct BatchTraces {
    private var laidOut: [(message: TracedMessage, end: UInt64)] = []

    /// Notes a layout that came from another host, for a worker beside the folder to store.
    static func noteElsewhere(_ job: LayoutJob, from start: UInt64) {
        if Traces.areOn, let message = job.traced { Traces.note("laid out elsewhere", of: message, from: start) }
    }

    mutating func note(_ job: LayoutJob, from start: UInt64) {
        guard Traces.areOn, let message = job.traced else { return }
        let end = Traces.now
        Traces.note("laid out", of: message, from: start, to: end)
        laidOut.append((message, end))
    }

    /// Notes that rows are in the file, where they were committed.
    func end(_ report: BatchReport) {
        guard report.isCommitted else { return }
        for (message, end) in laidOut { Traces.note("stored", of: message, from: end) }
    }
}

extension LayoutJob {
    /// Nil where it lays nothing out, or is not traced.
    fileprivate var traced: TracedMessage? {
        work.revision.flatMap { Traces.message(conversation.text, messageID.text, $0.number) }
    }
}
