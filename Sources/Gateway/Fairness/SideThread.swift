import Foundation
import Transport

/// A thread beside the loop that does one errand after another, and says how long each took.
final class SideThread<Errand: Sendable, Answer: Sendable> {
    private enum Letter: Sendable {
        case errand(Errand)
        case stop
    }

    struct Done: Sendable {
        let answer: Answer
        /// The time that it took, in microseconds.
        let cost: Int
    }

    private let errands: Mailbox<Letter>
    private let answers: Mailbox<Done>

    /// - Parameter open: called on the thread; it returns the function that does an errand there.
    init(open: @escaping @Sendable () -> (Errand) -> Answer) throws(TransportError) {
        let (errands, answers) = (try Mailbox<Letter>(), try Mailbox<Done>())
        (self.errands, self.answers) = (errands, answers)
        Thread.detachNewThread { Self.work(errands, answers, open()) }
    }

    deinit { errands.post(.stop) }

    /// The source that becomes readable when an errand is done.
    var source: Source { answers.source }

    func post(_ errand: Errand) { errands.post(.errand(errand)) }

    /// Answers that came since the last time.
    func take() -> [Done] { answers.takeAll() }

    private static func work(_ errands: Mailbox<Letter>, _ answers: Mailbox<Done>, _ perform: (Errand) -> Answer) {
        while true {
            for letter in errands.takeAll() {
                guard case .errand(let errand) = letter else { return }
                let start = ContinuousClock.now
                let answer = perform(errand)
                answers.post(Done(answer: answer, cost: Int((.now - start) / .microseconds(1))))
            }
            do throws(TransportError) {
                _ = try wait(for: [errands.source], atMost: .seconds(60))
            } catch {
                preconditionFailure("a bell is waited for: \(error)")
            }
        }
    }
}
