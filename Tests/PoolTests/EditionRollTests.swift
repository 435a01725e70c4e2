import Testing
import Wire

@testable import Pool

private let (one, two, three) = (PoolBench.edition, try! EditionID("bb"), try! EditionID("cc"))

private struct RollBench {
    var roll: EditionRoll
    var roster = Roster()
    var context: DispatchContext

    init(served: EditionID? = one) {
        var limits = DispatchLimits()
        limits.editions = 2
        context = DispatchContext(term: 1, limits: limits, seed: 1)
        roll = EditionRoll(
            Standing(service: served.map { EditionService(current: $0) }, latest: [.zero, .zero]), grace: .seconds(300))
    }

    mutating func want(_ edition: EditionID) { roll.roll(to: edition, name: "", FileMap(shards: 2), &roster, &context) }
    mutating func join(_ edition: EditionID) {
        let hello = WorkerHello(edition: edition, editionName: "", process: 1, machine: "here")
        roll[roll.slot(of: edition)!].add(hello, context)
    }
}

@Test func `the slot of an edition stays what it was when others go, and is never given again`() {
    var bench = RollBench()
    bench.want(two)
    let second = bench.roll.slot(of: two)!
    // There is room for two.
    bench.want(one)
    bench.want(three)
    #expect(bench.roll.slot(of: two) == nil && bench.context.note.retired == [two])
    let third = bench.roll.slot(of: three)!
    #expect(third > second && bench.roll[third].id == three)
    #expect(bench.roll.isGone(two) && bench.roll.slots.count == 2)
    // An edition that is wanted again is there again.
    bench.want(two)
    #expect(!bench.roll.isGone(two) && bench.roll.slot(of: two)! > third)
}

@Test func `an edition is served as soon as somebody lays it out and nothing is left to do`() {
    var bench = RollBench()
    bench.want(two)
    bench.roll.rollOn(&bench.roster, &bench.context)
    #expect(bench.roll.service == EditionService(current: one, next: two))
    bench.join(two)
    for shard in 0..<2 as Range<UInt16> {
        bench.roll.fetch(&bench.context)
        bench.roll.take([], of: two, Shard(shard), &bench.context)
    }
    bench.roll.rollOn(&bench.roster, &bench.context)
    #expect(bench.roll.service == EditionService(current: two))
    #expect(bench.roll[bench.roll.slot(of: one)!].retiresAt == .start + .seconds(300))
}

@Test func `where nobody lays out the served edition, the backlog of one that somebody lays out counts`() {
    var bench = RollBench()
    bench.want(two)
    #expect(bench.roll.served == bench.roll.slot(of: one))
    bench.join(two)
    #expect(bench.roll.served == bench.roll.slot(of: two))
    bench.join(one)
    #expect(bench.roll.served == bench.roll.slot(of: one) && bench.roll.servedWorkers == 1)
}
