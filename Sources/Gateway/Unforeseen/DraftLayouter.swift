package import Pool
package import Wire

/// A layouter of drafts: of a message that nobody has posted, it makes the row that a worker would store, with fonts,
/// on a thread of its own.
package struct DraftLayouter {
    /// A function that is called on the thread that lays out.
    package typealias Open = @Sendable () throws -> DraftLayouter

    package struct Row: Sendable {
        let role: RowRole
        let layout: [UInt8]
        let measured: [UInt8]

        package init(role: RowRole, layout: [UInt8], measured: [UInt8]) {
            (self.role, self.layout, self.measured) = (role, layout, measured)
        }
    }

    private let layOut: (MessageState) throws(Objection) -> Row

    package init(_ layOut: @escaping (MessageState) throws(Objection) -> Row) { self.layOut = layOut }

    func row(of message: MessageState) throws(Objection) -> Row { try layOut(message) }
}

/// A question to the thread that lays out drafts, and its answer.
struct DraftErrand: Sendable {
    let edition: EditionID
    let open: DraftLayouter.Open
    let message: MessageState

    enum Outcome: Sendable {
        case row(DraftLayouter.Row)
        case objection(Objection)
        /// Fonts cannot be opened.
        case failed(String)
    }

    /// The most layouters: one for the edition that is served, and one for the edition that fills it.
    private static let mostOpen = 2

    /// The function that does errands, on the thread on which this is called.
    static func bench() -> (DraftErrand) -> Outcome {
        var open: [EditionID: DraftLayouter] = [:]
        return { errand in
            do {
                if open[errand.edition] == nil {
                    if open.count >= mostOpen { open = [:] }
                    open[errand.edition] = try errand.open()
                }
                return .row(try open[errand.edition]!.row(of: errand.message))
            } catch let objection as Objection {
                return .objection(objection)
            } catch {
                return .failed("\(error)")
            }
        }
    }
}
