import Simulation
import Testing

@Test(arguments: 0..<24 as Range<UInt64>)
func `every accepted event is laid out once and seen by every reader, whatever goes wrong`(seed: UInt64) {
    let run = Run(seed: seed)
    #expect(run.findings.isEmpty, "forme simulate --seed \(seed)")
    #expect(run.tally.events >= 2000 && run.tally.accepted >= 1500)
    #expect(run.tally.faultCount >= 20)
}

@Test func `the same seed is the same world`() {
    let runs = (0..<2).map { _ in Run(seed: 7, events: 400) }
    #expect(runs[0].tally == runs[1].tally)
    #expect(runs[0].findings == runs[1].findings)
}

@Test func `a world without faults is at rest at once, and loses no time`() {
    let run = Run(seed: 3, events: 400, faults: [])
    #expect(run.findings.isEmpty)
    #expect(run.tally.faultCount == 0 && run.tally.lost == 0)
}

@Test func `each seed leaves some kinds of fault out`() {
    let kinds = (0..<20).map { Run(seed: $0, events: 20).faults }
    #expect(kinds.allSatisfy { $0.count < Fault.allCases.count })
    #expect(kinds.reduce([]) { $0.union($1) } == Set(Fault.allCases))
}

@Test(arguments: PlantedBug.allCases)
func `a planted bug is found within two hundred seeds`(bug: PlantedBug) {
    let found = (0..<200 as Range<UInt64>).first { !Run(seed: $0, planted: bug).findings.isEmpty }
    #expect(found != nil, "forme simulate --seeds 200 --planted \(bug.rawValue)")
}
