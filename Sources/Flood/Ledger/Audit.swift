/// A comparison of the rows that readers find with the ledger, one conversation after the other, row by row.
///
/// A conversation may be read more than once, until the last accepted events are readable, too; its last reading
/// counts.
package struct Audit: Sendable {
    /// A fault of a row, or of its absence.
    package enum Fault: String, CaseIterable, Sendable {
        case missing, wrongRevision, wrongOrder, outOfOrder, notAccepted, deleted, elsewhere, twice, foreign,
            unreadable
    }

    private let names: FloodNames
    private var ledger: Ledger
    /// The number of messages that readers must find, by conversation; some may be missing, as events about them were
    /// not answered.
    private let expected: [UInt32]
    private var reading: UInt16 = 0
    private var conversation: UInt32 = 0
    private var last: (order: Int64, message: String)?
    private var found: UInt32 = 0
    private var faults: [(Fault, String)] = []
    private var faulty: [UInt32: [(Fault, String)]] = [:]
    /// Rows that were found as they must be.
    package private(set) var rowCount = 0
    private var rowsOfReading = 0

    package init(of ledger: Ledger, names: FloodNames, conversations: Int) {
        (self.ledger, self.names) = (ledger, names)
        expected = ledger.visible(conversations: conversations)
    }

    /// Conversations in which faults were found.
    package var faultyConversations: [UInt32] { faulty.keys.sorted() }

    package mutating func begin(_ conversation: UInt32) {
        reading = reading == .max ? 1 : reading + 1
        self.conversation = conversation
        (last, found, faults, rowsOfReading) = (nil, 0, [], 0)
    }

    /// - Parameter revision: nil where that is not shown.
    package mutating func row(message name: String, order: Int64, revision: UInt64?) {
        defer { last = (order, name) }
        if let last, (last.order, last.message) >= (order, name) {
            // Names are a letter and a number in ASCII, so their order is that of their bytes.
            note(.outOfOrder, "\(name) at \(order) follows \(last.message) at \(last.order)")
        }
        guard let message = names.message(named: name), message < ledger.entries.count else {
            return note(.foreign, name)
        }
        let entry = ledger.entries[Int(message)]
        guard entry.conversation == conversation else {
            return note(.elsewhere, "\(name) belongs to \(names.conversation(entry.conversation))")
        }
        guard entry.foundIn != reading else { return note(.twice, name) }
        ledger.markFound(message, in: reading)
        if entry.isVisible { found += 1 }
        let doubts = ledger.unanswered[message] ?? []
        if let fault = fault(of: entry, order: order, revision: revision, doubts: doubts) {
            note(
                fault,
                "\(name), revision \(revision.map(String.init) ?? "unknown") at \(order), not \(entry.bodyRevision) at \(entry.order)"
            )
        } else {
            rowsOfReading += 1
        }
    }

    /// Notes that nobody answered for the conversation, or only with a refusal.
    package mutating func noteUnreadable(_ reason: String) { note(.unreadable, reason) }

    /// - Returns: whether all was as it must be.
    @discardableResult
    package mutating func end() -> Bool {
        if found < expected[Int(conversation)], missingWithoutDoubt > 0 {
            note(.missing, "\(missingWithoutDoubt) of \(expected[Int(conversation)])")
        }
        rowCount += rowsOfReading
        faulty[conversation] = faults.isEmpty ? nil : faults
        if !faults.isEmpty { rowCount -= rowsOfReading }
        return faults.isEmpty
    }

    /// The number of messages that were not found and that no unanswered delete excuses.
    private var missingWithoutDoubt: Int {
        let excused = ledger.unanswered.count { message, events in
            let entry = ledger.entries[Int(message)]
            return entry.conversation == conversation && entry.isVisible && entry.foundIn != reading
                && events.contains { $0.registers.contains(.deleted) }
        }
        return Int(expected[Int(conversation)]) - Int(found) - excused
    }

    private func fault(
        of entry: Ledger.Entry, order: Int64, revision: UInt64?, doubts: [PlannedEvent]
    ) -> Fault? {
        if entry.isDeleted { return .deleted }
        let bodies = doubts.filter { $0.registers.contains(.body) && $0.revision > entry.bodyRevision }
        let orders = doubts.filter { $0.registers.contains(.order) && $0.revision > entry.orderRevision }
        guard entry.isVisible || !(bodies.isEmpty && orders.isEmpty) else { return .notAccepted }
        if let revision, revision != entry.bodyRevision, !bodies.contains(where: { $0.revision == revision }) {
            return .wrongRevision
        }
        return order == entry.order || orders.contains { $0.order == order } ? nil : .wrongOrder
    }

    private mutating func note(_ fault: Fault, _ words: String) { faults.append((fault, words)) }
}

extension Audit {
    /// The outcome of the audit.
    package struct Verdict: Equatable, Sendable {
        package var conversations = 0
        package var rows = 0
        package var faults: [Fault: Int] = [:]
        package var examples: [String] = []

        package init() {}
        package var isClean: Bool { faults.isEmpty }
    }

    package func verdict(conversationsRead: Int) -> Verdict {
        var verdict = Verdict()
        verdict.conversations = conversationsRead
        verdict.rows = rowCount
        for conversation in faultyConversations {
            for (fault, words) in faulty[conversation]! {
                verdict.faults[fault, default: 0] += 1
                guard verdict.examples.count < Ledger.examples else { continue }
                verdict.examples.append("\(names.conversation(conversation)): \(fault.rawValue): \(words)")
            }
        }
        return verdict
    }
}
