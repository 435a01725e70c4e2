package import Names
package import Wire

/// The rows of a batch that were made elsewhere, for the worker that stores it: those that are taken, those that are
/// looked at, and the first that was not as it should be. After that, none is taken.
package struct BorrowedRows: Sendable {
    private var rows: [MessageNumber: MadeRow] = [:]
    private var checked: Set<MessageNumber> = []
    /// The difference of one of them from the row that is made here.
    package private(set) var difference: Objection?

    package init(of batch: Batch) {
        guard let made = batch.made else { return }
        do {
            for row in try made.rows() where Int(row.place) < batch.jobs.count {
                rows[batch.jobs[Int(row.place)].message] = row
            }
        } catch {
            refuse("what came from elsewhere cannot be read: \(error)")
        }
        for place in made.checks where Int(place) < batch.jobs.count { checked.insert(batch.jobs[Int(place)].message) }
    }

    /// Returns the row of a message; nil for one that is to be made here.
    package func row(of message: MessageNumber) -> MadeRow? { rows[message] }
    package func isChecked(_ message: MessageNumber) -> Bool { checked.contains(message) }

    /// - Parameter own: the row that is made of the same message here.
    package mutating func compare(_ made: MadeRow, with own: MadeRow, of job: LayoutJob) {
        let parts = [
            ("its key", made.key == own.key), ("the layout", made.layout == own.layout),
            ("a measured text", made.measured == own.measured),
            ("its row", made.template == own.template && made.joinsSeries == own.joinsSeries),
        ]
        guard let part = parts.first(where: { !$0.1 })?.0 else { return }
        refuse("\(part) of the message \(job.messageID) in \(job.conversation) is not what it is beside the folder")
    }

    package mutating func refuse(_ words: String) {
        difference = difference ?? Objection(words)
        rows = [:]
    }
}
