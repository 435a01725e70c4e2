import Simulation
import Testing

/// Seeds of rare faults are among them. In 187 and 485 a host claims where the engine forgot, and ends before its
/// claim is on its disk. In 290 an owner that was stopped trims as soon as it goes on, before it hears the events
/// that waited. In 508 hosts are stopped when all is healed. In 5105 a host ends while it salvages. In 204 the log
/// begins anew with a journal that has fewer records than another, of a later reign. In 446 a host comes back with
/// records that the engine forgot, when others are trimmed in their place.
@Test(arguments: Array(0..<24 as Range<UInt64>) + [187, 204, 290, 446, 485, 508, 5105])
func `every accepted event is in every replica once, whatever goes wrong among three hosts and their engine`(
    seed: UInt64
) {
    let run = ClusterRun(seed: seed)
    #expect(run.findings.isEmpty, "forme simulate --cluster --seed \(seed)")
    #expect(run.tally.accepted.count >= 100)
    #expect(run.tally.faultCount >= 12)
}

@Test(arguments: 0..<24 as Range<UInt64>)
func `every accepted event is in every replica once, also where a journal has the logs of several partitions`(
    seed: UInt64
) {
    let run = ClusterRun(seed: seed, hasOneJournal: true)
    #expect(run.findings.isEmpty, "forme simulate --cluster --one-journal --seed \(seed)")
    #expect(run.tally.accepted.count >= 100)
    #expect(run.tally.faultCount >= 12)
}

@Test(arguments: [false, true])
func `the same seed is the same cluster`(hasOneJournal: Bool) {
    let runs = (0..<2).map { _ in ClusterRun(seed: 7, events: 100, hasOneJournal: hasOneJournal) }
    #expect(runs[0].tally == runs[1].tally)
    #expect(runs[0].findings == runs[1].findings)
}

@Test func `a cluster without faults claims each partition once, and loses nobody`() {
    let run = ClusterRun(seed: 3, faults: [])
    #expect(run.findings.isEmpty)
    #expect(run.tally.claims == 2 && run.tally.depositions == 0 && run.tally.losses == 0 && run.tally.unknown == 0)
}

@Test func `a cluster of one journal without faults claims a partition when nobody owns it, or when it is given`() {
    for seed in 0..<6 as Range<UInt64> {
        let run = ClusterRun(seed: seed, faults: [], hasOneJournal: true)
        #expect(run.findings.isEmpty, "forme simulate --cluster --one-journal --seed \(seed)")
        #expect(run.tally.claims == run.partitions + run.tally.depositions)
        #expect(run.tally.depositions <= run.tally.gifts && run.tally.losses == 0)
    }
}

@Test func `a seed has one to three partitions in one journal, parts of a request for each, and owners that change`() {
    let runs = (0..<24 as Range<UInt64>).map { ClusterRun(seed: $0, events: 100, hasOneJournal: true) }
    #expect(Set(runs.map(\.partitions)) == [1, 2, 3])
    #expect(runs.allSatisfy { ($0.tally.split > 0) == ($0.partitions > 1) })
    let several = runs.filter { $0.partitions > 1 }.map(\.tally)
    #expect(several.contains { $0.gifts > 0 } && several.contains { $0.copies > 0 })
}

@Test func `each seed leaves some kinds of fault out of a cluster, and all of them happen`() {
    let runs = (0..<40).map { ClusterRun(seed: $0, events: 10) }
    #expect(runs.allSatisfy { $0.faults.count < ClusterFault.allCases.count })
    #expect(runs.reduce([]) { $0.union($1.faults) } == Set(ClusterFault.allCases))
    let all = runs.map(\.tally)
    #expect(all.contains { $0.unknown > 0 } && all.contains { $0.depositions > 0 } && all.contains { $0.copies > 0 })
    #expect(all.contains { $0.disks > 0 } && all.contains { $0.adoptions > 0 })
}

@Test(arguments: PlantedClusterBug.allCases)
func `a planted bug of a cluster is found within two hundred seeds`(bug: PlantedClusterBug) {
    let found = (0..<200 as Range<UInt64>).first { !ClusterRun(seed: $0, planted: bug).findings.isEmpty }
    #expect(found != nil, "forme simulate --cluster --seeds 200 --planted \(bug.rawValue)")
}

@Test func `a log that goes on and is given up for a copy which has lost it is seen, whatever comes of it`() {
    let runs = (0..<20).map { ClusterRun(seed: $0, planted: .worseJournalCopied) }
    #expect(runs.flatMap(\.findings).contains { $0.contains("for a copy that had lost it") })
}
