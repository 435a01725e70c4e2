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
        case end
    }

    private let requests: Mailbox<Request>
    private let answers: Mailbox<RowDesk.Answer>

    /// Between two looks for rows that are not there yet.
    private static let pause = Duration.milliseconds(10)
    /// Files are closed when nobody has asked for so long.
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

    func ask(_ question: RowQuestion, on route: [UInt8]) { requests.post(.question(question, route: route)) }

    func takeAnswers() -> [RowDesk.Answer] { answers.takeAll() }

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
                guard case .question(let question, let route) = request else { return }
                desk.take(question, on: route, at: clock.now)
            }
            for answer in desk.takeAnswers(at: clock.now, rows: { jobs, edition in files.rows(of: jobs, in: edition) })
            {
                answers.post(answer)
            }
        }
    }
}
