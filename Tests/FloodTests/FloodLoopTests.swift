import MessageLayout
import StandInService
import TestSupport
import Testing
import Typography
import Wire

@testable import Flood

private let target = Target(width: .points(390), scale: Scale(thousandths: 3000))

/// A short flood of a stand-in.
private func flood(
    _ habits: StandIn.Habits = StandIn.Habits(), events: Int = 600, rate: Double = 2000,
    plan change: (inout FloodPlan) -> Void = { _ in }
) throws -> (measures: Measures, ledger: Ledger, verdict: Audit.Verdict) {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path, habits: habits)
    defer { service.stop() }
    var plan = FloodPlan(run: "t", target: target)
    plan.conversations = 7
    plan.mix = .texts
    plan.settleTime = patience
    plan.shares.deletes = 5
    plan.shares.moves = 4
    plan.vocabulary = 500
    change(&plan)
    var loop = try FloodLoop(plan, at: Endpoints(folder: folder.path))
    #expect(try loop.connect(within: patience))
    _ = try loop.run(FloodStretch(rate: rate, end: .events(events))) { _ in }
    let verdict = try loop.audit(within: .milliseconds(200)) { _, _ in }
    return (loop.traffic.measures, loop.traffic.ledger, verdict)
}

@Test func `a flood is answered, measured, read back and found as it was said`() throws {
    let (measures, ledger, verdict) = try flood()
    #expect(verdict.isClean, "\(verdict.examples)")
    #expect(ledger.counts.total == 600 && ledger.counts.invalid == 0 && ledger.counts.unanswered == 0)
    #expect(measures.acknowledged.count == UInt64(ledger.counts.accepted + ledger.counts.duplicate))
    #expect(measures.ready.count > 400 && measures.ready.percentile(50) >= measures.acknowledged.percentile(1))
    #expect(measures.totals.sent == 600 && verdict.conversations == 7 && verdict.rows > 300)
    #expect(measures.fetched.count > 0 && measures.rowsRead > 0)
}

@Test func `a conversation that is longer than a window may be is read back whole`() throws {
    let (_, _, verdict) = try flood(events: 6500, rate: 10_000) { $0.conversations = 1 }
    #expect(verdict.isClean, "\(verdict.examples)")
    #expect(verdict.rows > Limits.rowsPerWindow)
}

@Test func `a window that is closed while it is read back is opened afresh`() throws {
    var habits = StandIn.Habits()
    habits.windowsClosed = 2
    let (_, _, verdict) = try flood(habits) { $0.conversations = 1 }
    #expect(verdict.isClean, "\(verdict.examples)")
    #expect(verdict.rows > Limits.rowsPerPage)
}

@Test func `a conversation that cannot be read back is told with the last refusal`() throws {
    var habits = StandIn.Habits()
    habits.windowsClosed = .max
    let (_, _, verdict) = try flood(habits) { plan in
        plan.conversations = 1
        plan.auditTime = .milliseconds(100)
    }
    #expect(verdict.faults[.unreadable] == 1)
    let example = try #require(verdict.examples.first)
    #expect(example.hasSuffix("unreadable: refused: unknownWindow"), "\(example)")
}

@Test func `what a busy service has no room for is dropped, and not looked for`() throws {
    var habits = StandIn.Habits()
    habits.busyEvery = 3
    let (_, ledger, verdict) = try flood(habits)
    #expect(ledger.counts.busy > 100 && ledger.counts.total == 600)
    #expect(verdict.isClean, "\(verdict.examples)")
}

@Test func `what a busy service has no room for is sent again until it has`() throws {
    var habits = StandIn.Habits()
    habits.busyEvery = 3
    let (measures, ledger, verdict) = try flood(habits) { $0.busyRule = .retry }
    #expect(ledger.counts.busy == 0 && ledger.counts.total == 600 && measures.totals.busy > 100)
    #expect(verdict.isClean, "\(verdict.examples)")
}

@Test func `hints that are lost are made up for by reading`() throws {
    var habits = StandIn.Habits()
    habits.hintLostEvery = 20
    let (measures, _, verdict) = try flood(habits)
    #expect(measures.readByProbe > 0 && verdict.isClean)
}

@Test func `rows that are hidden from readers are missed`() throws {
    var habits = StandIn.Habits()
    habits.rowHiddenEvery = 10
    let (_, _, verdict) = try flood(habits) { $0.settleTime = .milliseconds(300) }
    #expect(verdict.faults[.missing, default: 0] > 0)
}

@Test func `old revisions and deleted messages are told from what must be found`() throws {
    var old = StandIn.Habits()
    old.showsOldRevisions = true
    let wrong = try flood(old) { $0.settleTime = .milliseconds(300) }
    #expect(wrong.verdict.faults[.wrongRevision, default: 0] > 300)
    var keeping = StandIn.Habits()
    keeping.keepsDeleted = true
    #expect(try flood(keeping) { $0.settleTime = .seconds(4) }.verdict.faults[.deleted, default: 0] > 0)
}

@Test func `a flood of nobody ends when its time to settle is up, and says what was not answered`() throws {
    let folder = try TemporaryFolder()
    var plan = FloodPlan(run: "t", target: target)
    (plan.vocabulary, plan.settleTime) = (500, .milliseconds(100))
    var loop = try FloodLoop(plan, at: Endpoints(folder: folder.path))
    _ = try loop.run(FloodStretch(rate: 1000, end: .events(100))) { _ in }
    let unsent = loop.traffic.measures.unsent
    #expect(unsent > 0 && loop.traffic.ledger.counts.unanswered + unsent == 100)
}
