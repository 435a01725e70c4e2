import Foundation
import HTTP
import Pool
import Transport
import Wire

/// A thread that writes long answers, one at a time and of one reader after another, so that the loop answers everybody else
/// meanwhile. Short ones are written at once.
final class WritingLane<Errand: Sendable, Answer: Sendable> {
    private enum Letter: Sendable {
        case write(Errand)
        case stop
    }

    private struct Written: Sendable {
        let answer: Answer
        let time: Duration
    }

    private var waiting: FairQueue<Subject, Errand>
    private var writing: Subject?
    private let errands: Mailbox<Letter>
    private let written: Mailbox<Written>

    /// - Parameter write: is called on the thread.
    init(write: @escaping @Sendable (Errand, borrowing Compressor) -> Answer) throws(TransportError) {
        // In microseconds.
        waiting = FairQueue(quantum: 1000, mostOfOne: 16, most: 256)
        let (errands, written) = (try Mailbox<Letter>(), try Mailbox<Written>())
        (self.errands, self.written) = (errands, written)
        Thread.detachNewThread { Self.work(errands, written, write) }
    }

    deinit { errands.post(.stop) }

    var source: Source { written.source }

    /// False where too much waits already.
    func write(_ errand: Errand, of subject: Subject) -> Bool {
        guard waiting.add(errand, of: subject) else { return false }
        goOn()
        return true
    }

    /// What is done.
    func take() -> [Answer] {
        guard let subject = writing else { return [] }
        let done = written.takeAll()
        guard let last = done.last else { return [] }
        waiting.charge(subject, Int(last.time / .microseconds(1)))
        writing = nil
        goOn()
        return done.map(\.answer)
    }

    private func goOn() {
        guard writing == nil, let (subject, errand) = waiting.next() else { return }
        writing = subject
        errands.post(.write(errand))
    }

    private static func work(
        _ errands: Mailbox<Letter>, _ written: Mailbox<Written>,
        _ write: @Sendable (Errand, borrowing Compressor) -> Answer
    ) {
        let compressor = Compressor()
        while true {
            for letter in errands.takeAll() {
                guard case .write(let errand) = letter else { return }
                let start = ContinuousClock.now
                let answer = write(errand, compressor)
                written.post(Written(answer: answer, time: .now - start))
            }
            do throws(TransportError) {
                _ = try wait(for: [errands.source], atMost: .seconds(60))
            } catch {
                preconditionFailure("a bell is waited for: \(error)")
            }
        }
    }
}

extension GatewayWord {
    /// Whether it takes more than about a millisecond to write it as JSON.
    var isLong: Bool {
        switch self {
        case .heights(let reply): reply.heights.count > 8192
        case .window, .rows, .place, .changes, .adjusted, .done, .refused, .pending, .unavailable, .unreadable:
            rows.reduce(0) { $0 + ($1.body?.layout.count ?? 0) + ($1.body?.message?.count ?? 0) } > 32 << 10
        }
    }
}
