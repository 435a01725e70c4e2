import Daemons
import Testing

@testable import Chaos

/// A report of a run in which all of the plan happened.
private func report() -> ChaosReport {
    let plan = ChaosPlan(seed: 1, length: .seconds(30), kills: 20)
    var report = ChaosReport(plan, diskWay: "")
    for entry in plan.entries { report.happened[entry.mishap.kind, default: 0] += 1 }
    report.take(.exited(0), words(clean: true))
    (report.hasStopped, report.filesAreSound) = (true, true)
    return report
}

/// The report of a flood, as far as it is read.
private func words(clean: Bool) -> [UInt8] {
    Array(#"{"clean":\#(clean),"answers":{"accepted":90,"duplicate":9,"busy":1},"ledger":{"rows":80}}"#.utf8)
}

@Test func `a run is good when the ledger is exact, the files are sound, and all of the plan happened`() {
    let good = report()
    #expect(good.objections.isEmpty)
    #expect(good.kills == 20 && good.acknowledged == 99 && good.rows == 80)
}

@Test func `whatever is wrong with a run is told`() {
    func objections(_ change: (inout ChaosReport) -> Void) -> [String] {
        var bad = report()
        change(&bad)
        return bad.objections.map { String($0.prefix { $0 != ":" }) }
    }
    #expect(objections { $0.take(.exited(1), words(clean: false)) } == ["the ledger is not exact"])
    #expect(objections { $0.take(.signalled(6), words(clean: true)) } == ["the ledger is not exact"])
    #expect(objections { $0.hasStopped = false } == ["the service did not stop in time"])
    #expect(objections { $0.filesAreSound = false } == ["the files are not sound"])
    #expect(objections { $0.happened[.clockJump] = 0 } == ["2 of 38 mishaps found nobody to happen to"])
}

@Test func `a flood that says nothing has lost its ledger`() {
    var silent = ChaosReport(ChaosPlan(seed: 1, length: .seconds(30), kills: 20), diskWay: "")
    silent.take(.signalled(9), [])
    #expect(silent.objections.count == 5)
}
