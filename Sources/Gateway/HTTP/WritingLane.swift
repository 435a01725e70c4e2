import HTTP
import Pool
import Transport
import Wire

/// A thread that writes long answers, one at a time and of one reader after another, so that the loop answers
/// everybody else meanwhile. Short ones are written at once.
final class WritingLane<Errand: Sendable, Answer: Sendable> {
    private var waiting: FairQueue<Subject, Errand>
    private var writing: Subject?
    private let thread: SideThread<Errand, Answer>

    /// - Parameter write: called on the thread.
    init(write: @escaping @Sendable (Errand, borrowing Compressor) -> Answer) throws(TransportError) {
        // Costs are in microseconds.
        waiting = FairQueue(quantum: 1000, mostOfOne: 16, most: 256)
        thread = try SideThread {
            let compressor = Compressor()
            return { write($0, compressor) }
        }
    }

    var source: Source { thread.source }

    /// Has an errand done; false where too many wait already.
    func write(_ errand: Errand, of subject: Subject) -> Bool {
        guard waiting.add(errand, of: subject) else { return false }
        goOn()
        return true
    }

    /// Takes the answers that are done.
    func take() -> [Answer] {
        guard let subject = writing else { return [] }
        let done = thread.take()
        guard let last = done.last else { return [] }
        waiting.charge(subject, last.cost)
        writing = nil
        goOn()
        return done.map(\.answer)
    }

    private func goOn() {
        guard writing == nil, let (subject, errand) = waiting.next() else { return }
        writing = subject
        thread.post(errand)
    }
}

extension GatewayWord {
    /// Whether it takes more than about a millisecond to write it as JSON.
    var isLong: Bool {
        switch self {
        case .heights(let reply): reply.heights.count > 8192
        case .window, .rows, .place, .changes, .adjusted, .done, .refused, .pending, .unavailable, .preview, .rejected,
            .ranges, .unreadable:
            rows.reduce(0) { bytes, row in
                guard let body = row.body else { return bytes }
                return bytes + body.layout.count + (body.message?.count ?? 0) + (body.measures?.texts.count ?? 0)
            } > 32 << 10
        }
    }
}
