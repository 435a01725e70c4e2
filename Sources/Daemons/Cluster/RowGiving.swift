import Foundation
import Names
import Operations
import Pool
import Storage
import Transport
import Wire

private let log = Log("cluster")

/// Gives other hosts rows of this one's files, on a thread beside the loop.
struct RowGiving: ~Copyable {
    private enum Request: Sendable {
        case question(RowQuestion, route: [UInt8])
        case done(ServedProgress)
        case end
    }

    private let requests: Mailbox<Request>
    private let answers: Mailbox<RowDesk.Answer>
    /// The number of questions without an answer yet, and the last report of progress.
    private var (open, told): (Int, ServedProgress?) = (0, nil)

    /// The pause between two searches for rows that are not there yet.
    private static let pause = Duration.milliseconds(10)
    /// The time without a question after which files are closed.
    private static let rest = Duration.seconds(10)

    init(from folder: DataFolder) throws {
        let (requests, answers) = (try Mailbox<Request>(), try Mailbox<RowDesk.Answer>())
        (self.requests, self.answers) = (requests, answers)
        Thread.detachNewThread {
            do { try Self.run(folder, requests, answers) } catch {
                // Hosts that ask lay out by themselves.
                log.error("gives no rows to other hosts any more", ["reason": "\(error)"])
            }
        }
    }

    deinit { requests.post(.end) }

    var source: Source { answers.source }
    /// Whether a host waits for rows.
    var isAsked: Bool { open > 0 }

    mutating func ask(_ question: RowQuestion, on route: [UInt8]) {
        open += 1
        requests.post(.question(question, route: route))
    }

    /// Reports the jobs that are done, if a host waits for rows.
    mutating func tell(_ progress: ServedProgress) {
        guard isAsked, progress != told else { return }
        told = progress
        requests.post(.done(progress))
    }

    mutating func takeAnswers() -> [RowDesk.Answer] {
        let answers = answers.takeAll()
        open -= answers.count
        return answers
    }

    private static func run(
        _ folder: DataFolder, _ requests: Mailbox<Request>, _ answers: Mailbox<RowDesk.Answer>
    ) throws {
        let clock = LoopClock()
        var desk = RowDesk()
        var files = RowFiles(in: folder)
        while true {
            let awake = try wait(for: [requests.source], atMost: desk.isIdle ? rest : pause)
            if desk.isIdle, awake == [false] { files.close() }
            for request in requests.takeAll() {
                switch request {
                case .question(let question, let route): desk.take(question, on: route, at: clock.now)
                case .done(let progress): files.progress = progress
                case .end: return
                }
            }
            let now = clock.now
            for answer in desk.takeAnswers(at: now, rows: { files.rows(of: $0, in: $1, at: now) }) {
                answers.post(answer)
            }
        }
    }
}
