import Names
import Pool
import Wire

/// Questions of other hosts for rows, and their answers: when all rows of a question are there, or some of them after
/// a while.
///
///     desk.take(question, on: route, at: now)
///     for answer in desk.takeAnswers(at: now, rows: { jobs, edition in … }) { … }
struct RowDesk {
    /// The outcome of a search for a row.
    enum Finding: Equatable {
        case made(MadeRow)
        /// The row will not come.
        case never
        /// The row may still come.
        case awaited
    }

    struct Answer: Equatable, Sendable {
        var batch: BatchID
        /// The rows, one behind the other; missing ones are left out.
        var rows: [UInt8]
        /// The line that the question came on.
        var route: [UInt8]
    }

    fileprivate struct Pending {
        var question: RowQuestion
        var route: [UInt8]
        var since: Moment
        /// The jobs whose rows are not there yet.
        var missing: [RowQuestion.Job]
        var rows: [UInt8] = []
        var isFull = false
    }

    private var pending: [Pending] = []
    private var refused: [Answer] = []

    /// The time that a row has until it is there: readers of the host that asks wait for the other rows of the
    /// question meanwhile.
    static let patience = Duration.milliseconds(250)
    private static let most = 256

    var isIdle: Bool { pending.isEmpty && refused.isEmpty }

    /// Takes a question; one for which there is no room is answered at once, without rows.
    mutating func take(_ question: RowQuestion, on route: [UInt8], at now: Moment) {
        guard pending.count < Self.most else {
            return refused.append(Answer(batch: question.batch, rows: [], route: route))
        }
        pending.append(Pending(question: question, route: route, since: now, missing: question.jobs))
    }

    /// - Parameter rows: the rows that jobs of an edition left, one for each.
    mutating func takeAnswers(
        at now: Moment, rows: ([RowQuestion.Job], EditionID) -> [Finding]
    ) -> [Answer] {
        var answers = refused
        var rest: [Pending] = []
        refused = []
        for var one in pending {
            one.look(rows)
            if one.missing.isEmpty || one.isFull || now - Self.patience > one.since {
                answers.append(Answer(batch: one.question.batch, rows: one.rows, route: one.route))
            } else {
                rest.append(one)
            }
        }
        pending = rest
        return answers
    }
}

extension RowDesk.Pending {
    /// Adds the rows that are there by now, as far as one answer has room.
    fileprivate mutating func look(_ find: ([RowQuestion.Job], EditionID) -> [RowDesk.Finding]) {
        var rest: [RowQuestion.Job] = []
        for (job, finding) in zip(missing, find(missing, question.edition)) {
            switch finding {
            case .made(let row):
                let bytes = row.encoded()
                if rows.count + bytes.count > Limits.madeRows { isFull = true } else { rows += bytes }
                if isFull { return }
            case .never: break
            case .awaited: rest.append(job)
            }
        }
        missing = rest
    }
}
