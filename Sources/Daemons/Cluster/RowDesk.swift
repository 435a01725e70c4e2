import Names
import Pool
import Wire

/// Questions of other hosts for rows, and which of them can be answered: when all of a question are there, or some of them after a while.
///
///     desk.take(question, on: route, at: now)
///     for answer in desk.takeAnswers(at: now, rows: { jobs, edition in … }) { … }
struct RowDesk {
    /// Outcome of a look for a row.
    enum Finding: Equatable {
        case made(MadeRow)
        /// It will not be there.
        case never
        /// It may still come.
        case awaited
    }

    struct Answer: Equatable, Sendable {
        var batch: BatchID
        /// Rows, one behind the other; those that are not there are left out.
        var rows: [UInt8]
        /// Line that the question came on.
        var route: [UInt8]
    }

    fileprivate struct Pending {
        var question: RowQuestion
        var route: [UInt8]
        var since: Moment
        /// Jobs whose rows are not there yet.
        var missing: [RowQuestion.Job]
        var rows: [UInt8] = []
        var isFull = false
    }

    private var pending: [Pending] = []
    private var refused: [Answer] = []

    /// Time that a row has until it is there: readers of the host that asks wait for the others of the question meanwhile.
    static let patience = Duration.milliseconds(250)
    private static let most = 256

    var isIdle: Bool { pending.isEmpty && refused.isEmpty }

    /// One more than there is room for is answered at once, without rows.
    mutating func take(_ question: RowQuestion, on route: [UInt8], at now: Moment) {
        guard pending.count < Self.most else {
            return refused.append(Answer(batch: question.batch, rows: [], route: route))
        }
        pending.append(Pending(question: question, route: route, since: now, missing: question.jobs))
    }

    /// - Parameter rows: as jobs of an edition left them, one for each.
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
    /// Adds what is there by now, as far as one answer has room.
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
