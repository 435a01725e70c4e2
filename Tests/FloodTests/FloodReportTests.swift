import MessageLayout
import StandInService
import TestSupport
import Testing
import Typography
import Wire

@testable import Flood

/// The reports of one short flood of a stand-in, with each outcome of the comparison with files.
private func reportsOfFlood(comparing outcomes: (Audit.Verdict) -> [FileComparison]) throws -> [FloodReport] {
    let folder = try TemporaryFolder()
    let service = try StandIn(in: folder.path)
    defer { service.stop() }
    var plan = FloodPlan(run: "t", target: Target(width: .points(390), scale: Scale(thousandths: 3000)))
    (plan.conversations, plan.mix, plan.settleTime, plan.vocabulary) = (3, .texts, patience, 500)
    var loop = try FloodLoop(plan, at: Endpoints(folder: folder.path))
    #expect(try loop.connect(within: patience))
    let stretch = FloodStretch(rate: 2000, end: .events(200))
    let moments = try loop.run(stretch) { _ in }
    let verdict = try loop.audit(within: patience) { _, _ in }
    var reports: [FloodReport] = []
    for outcome in outcomes(verdict) { reports.append(FloodReport(loop, stretch, moments, verdict, files: outcome)) }
    return reports
}

@Test func `a report has four nines of each latency, in its table and for programs`() throws {
    let report = try #require(try reportsOfFlood { _ in [.none("elsewhere")] }.first)
    let table = report.latencyRows
    #expect(table[0] == ["", "p50", "p90", "p99", "p99.9", "p99.99", "max", "count"])
    #expect(table.allSatisfy { $0.count == table[0].count })
    let times = try #require(report.json.split(separator: "\"ready\":{").dropFirst().first)
    let keys = ["\"count\":", "\"p50\":", "\"p90\":", "\"p99\":", "\"p99.9\":", "\"p99.99\":", "\"max\":"]
    #expect(keys.allSatisfy { times.prefix { $0 != "}" }.contains($0) })
}

@Test func `files that were not read are told, and speak against a flood where they are on this machine`() throws {
    let reports = try reportsOfFlood { [.verdict($0), .unreadable("no <right>"), .none("elsewhere")] }
    #expect(reports.map(\.isClean) == [true, false, true])
    #expect(reports.map(\.filesNotRead) == [nil, "files: not read, no <right>", "files: not read, elsewhere"])
    #expect(reports.map { $0.ledgerRows[0].count } == [3, 2, 2])
    let said = [
        #""files":{"read":true}"#, #""files":{"read":false,"reason":"no <right>"}"#,
        #""files":{"read":false,"reason":"elsewhere"}"#,
    ]
    for (report, words) in zip(reports, said) { #expect(report.json.contains(words)) }
    #expect(reports[1].html.contains("files: not read, no &lt;right&gt;"))
    #expect(reports[1].html.contains("the files could not be read") && !reports[2].html.contains("could not be read"))
}
