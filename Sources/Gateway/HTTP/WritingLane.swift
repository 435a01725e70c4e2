import Foundation
import HTTP
import Pool
import Transport
import Wire

/// A thread that writes long answers as JSON and compresses them, one at a time and of one reader after another, so that the loop
/// answers everybody else meanwhile. Short ones are written at once.
final class WritingLane {
    private struct Errand: Sendable {
        let request: Request
        let word: GatewayWord
    }

    private enum Letter: Sendable {
        case write(Errand)
        case stop
    }

    struct Written: Sendable {
        let request: Request
        let response: Response
        fileprivate let time: Duration
    }

    private var waiting: FairQueue<Subject, Errand>
    private var writing: Subject?
    private let errands: Mailbox<Letter>
    private let written: Mailbox<Written>

    /// An answer of so many bytes in a binary form takes about two milliseconds.
    static let least = 64 << 10

    init() throws(TransportError) {
        // In microseconds.
        waiting = FairQueue(quantum: 1000, mostOfOne: 16, most: 256)
        let (errands, written) = (try Mailbox<Letter>(), try Mailbox<Written>())
        (self.errands, self.written) = (errands, written)
        Thread.detachNewThread { Self.work(errands, written) }
    }

    deinit { errands.post(.stop) }

    var source: Source { written.source }
    var isBusy: Bool { writing != nil }

    /// False where too much waits already.
    func write(_ word: GatewayWord, for request: Request, of subject: Subject) -> Bool {
        guard waiting.add(Errand(request: request, word: word), of: subject) else { return false }
        goOn()
        return true
    }

    /// What is done.
    func take() -> [Written] {
        guard let subject = writing else { return [] }
        let done = written.takeAll()
        guard let last = done.last else { return [] }
        waiting.charge(subject, Int(last.time / .microseconds(1)))
        writing = nil
        goOn()
        return done
    }

    private func goOn() {
        guard writing == nil, let (subject, errand) = waiting.next() else { return }
        writing = subject
        errands.post(.write(errand))
    }

    private static func work(_ errands: Mailbox<Letter>, _ written: Mailbox<Written>) {
        let compressor = Compressor()
        while true {
            for letter in errands.takeAll() {
                guard case .write(let errand) = letter else { return }
                let start = ContinuousClock.now
                let response = WindowPages.response(errand.word, to: errand.request)
                    .compressed(for: errand.request, compressor)
                written.post(Written(request: errand.request, response: response, time: .now - start))
            }
            do throws(TransportError) {
                _ = try wait(for: [errands.source], atMost: .seconds(60))
            } catch {
                preconditionFailure("a bell is waited for: \(error)")
            }
        }
    }
}
