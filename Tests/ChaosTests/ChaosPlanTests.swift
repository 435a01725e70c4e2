import Testing

@testable import Chaos

@Test(arguments: [4, 20, 500])
func `a plan kills as many as it was told, every role among them, and everything else happens, too`(kills: Int) {
    for seed in UInt64(0)..<50 {
        let plan = ChaosPlan(seed: seed, length: .seconds(30), kills: kills)
        let kinds = plan.entries.map(\.mishap.kind)
        #expect(kinds.count(where: \.isKill) == kills)
        #expect(Set(kinds) == Set(Mishap.Kind.allCases))
    }
}

@Test func `mishaps come in order, and leave time to begin and to heal`() {
    for seed in UInt64(0)..<50 {
        let times = ChaosPlan(seed: seed, length: .seconds(30), kills: 20).entries.map(\.time)
        #expect(times == times.sorted())
        #expect(times.first! >= .seconds(2) && times.last! <= .seconds(28))
    }
}

@Test func `a seed is one plan, and another seed another`() {
    func plan(_ seed: UInt64) -> ChaosPlan { ChaosPlan(seed: seed, length: .seconds(30), kills: 20) }
    #expect(plan(7) == plan(7) && plan(7).entries != plan(8).entries)
}
