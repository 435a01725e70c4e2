import TestSupport
import Testing
import Wire

@testable import Flood

private typealias Row = (message: String, order: Int64, revision: UInt64)

private func event(
    _ message: UInt32, _ revision: UInt32 = 1, _ registers: PlannedEvent.Registers = [.body, .order],
    order: Int64? = nil
) -> PlannedEvent {
    PlannedEvent(
        conversation: message % 2, message: message, revision: revision, registers: registers,
        order: order ?? (registers.contains(.order) ? Int64(message) + 1 : 0))
}

/// A ledger of four accepted messages in two conversations, and of more events with their answers.
private func ledger(_ more: [(PlannedEvent, EventAnswer?)] = []) -> Ledger {
    var ledger = Ledger()
    for (event, answer) in (0..<4).map({ (event($0), EventAnswer.accepted) }) + more {
        ledger.plan(event)
        if let answer { ledger.answer(event, answer) } else { ledger.giveUp(event) }
    }
    return ledger
}

/// The faults of conversation 0, read as these rows.
private func faults(_ rows: [Row], _ ledger: Ledger) -> [Audit.Fault: Int] {
    var audit = Audit(of: ledger, names: FloodNames(run: "r"), conversations: 2)
    audit.begin(0)
    for row in rows { audit.row(message: row.message, order: row.order, revision: row.revision) }
    let isClean = audit.end()
    let verdict = audit.verdict(conversationsRead: 1)
    #expect(isClean == verdict.isClean && verdict.examples.isEmpty == isClean)
    return verdict.faults
}

private let both: [Row] = [("m0", 1, 1), ("m2", 3, 1)]

@Test func `what was accepted is found as it was said`() {
    #expect(faults(both, ledger()).isEmpty)
    let edited = ledger([
        (event(2, 5, .body), .accepted), (event(2, 3, .body), .superseded), (event(0, 2, .status), .accepted),
    ])
    #expect(faults([("m0", 1, 1), ("m2", 3, 5)], edited).isEmpty)
    let moved = ledger([(event(0, 2, .order, order: 3), .accepted)])
    #expect(faults([("m0", 3, 1), ("m2", 3, 1)], moved).isEmpty)
    let deleted = ledger([(event(0, 2, .deleted), .accepted), (event(0, 3, .body), .superseded)])
    #expect(faults([("m2", 3, 1)], deleted).isEmpty)
}

@Test func `what was superseded may have been kept before, when its answer was lost`() {
    let moved = ledger([(event(6, 2, .order, order: 9), .accepted), (event(6), .superseded)])
    #expect(faults(both + [("m6", 9, 1)], moved).isEmpty)
}

@Test func `each thing that may be wrong is told by its name`() {
    #expect(faults([("m0", 1, 1)], ledger()) == [.missing: 1])
    #expect(faults([("m0", 1, 2), ("m2", 3, 1)], ledger()) == [.wrongRevision: 1])
    #expect(faults([("m0", 2, 1), ("m2", 3, 1)], ledger()) == [.wrongOrder: 1])
    #expect(faults(both.reversed(), ledger()) == [.outOfOrder: 1])
    #expect(faults(both + [("m2", 3, 1)], ledger()) == [.twice: 1, .outOfOrder: 1])
    #expect(faults(both + [("m3", 4, 1)], ledger()) == [.elsewhere: 1])
    #expect(faults(both + [("stranger", 9, 1)], ledger()) == [.foreign: 1])
    #expect(faults(both + [("m6", 7, 1)], ledger()) == [.foreign: 1])
    #expect(faults(both, ledger([(event(0, 2, .deleted), .accepted)])) == [.deleted: 1])
    #expect(faults(both + [("m4", 5, 1)], ledger([(event(4), .busy(retryAfter: 1))])) == [.notAccepted: 1])
    #expect(
        faults([("m0", 1, 2), ("m2", 3, 1)], ledger([(event(0, 2, .body), .busy(retryAfter: 1))])) == [
            .wrongRevision: 1
        ])
}

@Test func `what was never answered may be found or not`() {
    let doubtful = ledger([(event(4), nil), (event(0, 2, .body), nil), (event(2, 2, .order, order: 9), nil)])
    #expect(faults(both, doubtful).isEmpty)
    #expect(faults([("m0", 1, 2), ("m4", 5, 1), ("m2", 9, 1)], doubtful).isEmpty)
    #expect(faults([("m0", 1, 3), ("m2", 3, 1)], doubtful) == [.wrongRevision: 1])
    let perhapsDeleted = ledger([(event(0, 2, .deleted), nil)])
    #expect(faults(both, perhapsDeleted).isEmpty && faults([("m2", 3, 1)], perhapsDeleted).isEmpty)
    #expect(faults([("m0", 1, 1)], perhapsDeleted) == [.missing: 1])
}

@Test func `a message whose post was refused is not looked for, though an edit of it was accepted`() {
    let orphan = ledger([(event(4), .busy(retryAfter: 1)), (event(4, 2, .body), .accepted)])
    #expect(faults(both, orphan).isEmpty)
    #expect(faults(both + [("m4", 9, 2)], orphan) == [.notAccepted: 1])
}

@Test func `a conversation that is read again counts as it was read last`() {
    var audit = Audit(of: ledger(), names: FloodNames(run: "r"), conversations: 2)
    audit.begin(0)
    #expect(!audit.end() && audit.faultyConversations == [0])
    audit.begin(0)
    for row in both { audit.row(message: row.message, order: row.order, revision: row.revision) }
    #expect(audit.end() && audit.verdict(conversationsRead: 1).isClean && audit.rowCount == 2)
}

@Test func `answers are counted, and objections are kept`() {
    let busy = ledger([
        (event(4), .busy(retryAfter: 9)), (event(5), .invalid(field: "body", reason: "no")), (event(0), .duplicate),
        (event(1), .superseded), (event(6), nil),
    ])
    #expect(busy.counts.accepted == 4 && busy.counts.busy == 1 && busy.counts.duplicate == 1)
    #expect(busy.counts.superseded == 1 && busy.counts.unanswered == 1 && busy.counts.total == 9)
    #expect(busy.objections == ["body: no"])
    #expect(busy.order(of: 2) == 3 && busy.order(of: 4) == nil && busy.order(of: 99) == nil)
}

@Test func `a ledger of a million messages takes 24 bytes for each`() {
    #expect(MemoryLayout<Ledger.Entry>.stride == 24)
}
