import MessageLayout
import Pool
import Testing
import Typography
import Wire

private func screen(_ width: Int32) -> Target { Target(width: .points(width), scale: .three) }

private func asked(_ width: Int32, _ times: Int = 1) -> WantedTarget { WantedTarget(screen(width), times: times) }

/// Demand, and hours that pass.
private struct Stage {
    var demand: TargetDemand
    var limits = TargetDemand.Limits()
    var now = Moment.start

    init(_ added: [AddedTarget] = []) {
        demand = TargetDemand(added)
        (limits.targets, limits.asksBefore, limits.candidates) = (2, 10, 4)
    }

    /// - Returns: whether there is something to record.
    @discardableResult
    mutating func ask(_ wanted: WantedTarget..., prepared: [Target] = []) -> Bool {
        demand.count(wanted, besides: prepared, limits)
        return demand.settle(at: now, limits)
    }

    @discardableResult
    mutating func letPass(hours: Int) -> Bool {
        now = now + .seconds(3600 * hours)
        return demand.settle(at: now, limits)
    }

    /// Adds a screen by hand.
    mutating func add(_ width: Int32) -> Bool { demand.add(screen(width)) }
    mutating func forget(_ width: Int32) -> Bool { demand.forget(screen(width)) }

    var widths: [Int32] { demand.targets.map { $0.width.raw / 64 } }
}

@Test func `a screen is added when it was asked for often, and the style does not prepare it`() {
    var stage = Stage()
    #expect(stage.ask(asked(397, 9)) == false)
    #expect(stage.widths.isEmpty)
    #expect(stage.ask(asked(397)) == true)
    #expect(stage.widths == [397])
    #expect(stage.ask(asked(375, 99), prepared: [screen(375)]) == false)
    #expect(stage.widths == [397])
    stage.ask(asked(402, 12))
    #expect(stage.widths == [402, 397])
}

@Test func `what was asked for counts half as much after each hour`() {
    var stage = Stage()
    stage.ask(asked(397, 9))
    #expect(stage.letPass(hours: 1) == false)
    #expect(stage.ask(asked(397, 5)) == false)
    #expect(stage.widths.isEmpty)
    #expect(stage.ask(asked(397)) == true)
    #expect(stage.demand.added.map(\.demand) == [10])
    #expect(stage.letPass(hours: 2) == true)
    #expect(stage.demand.added.map(\.demand) == [2])
    stage.letPass(hours: 20)
    #expect(stage.widths == [397] && stage.demand.added.map(\.demand) == [0])
}

@Test
func `where all places are taken, one that is wanted twice as much takes the place of the least wanted, once an hour`()
{
    var stage = Stage()
    stage.ask(asked(397, 20), asked(402, 30))
    stage.ask(asked(410, 40))
    #expect(stage.widths == [402, 397])
    stage.ask(asked(410))
    #expect(stage.widths == [410, 402])
    stage.ask(asked(420, 1000))
    #expect(stage.widths == [410, 402])
    stage.letPass(hours: 1)
    #expect(stage.widths == [420, 410])
}

@Test func `of many screens that are asked for once, few are remembered`() {
    var stage = Stage()
    stage.ask(asked(300, 5))
    for width in 301...340 as ClosedRange<Int32> { stage.ask(asked(width)) }
    #expect(stage.demand.candidates.count == 4)
    #expect(stage.demand.candidates.contains(asked(300, 5)) && stage.demand.candidates.contains(asked(340)))
}

@Test func `what an operator adds stays until it is forgotten, whatever is asked for`() {
    var stage = Stage()
    #expect(stage.add(500) == true)
    stage.limits.targets = 1
    stage.ask(asked(397, 20))
    stage.letPass(hours: 2)
    stage.ask(asked(402, 1000))
    #expect(stage.widths == [500, 402])
    stage.limits.targets = 0
    stage.ask(asked(397, 5000))
    #expect(stage.widths == [500])
    #expect(stage.forget(500) == true)
    #expect(stage.forget(500) == false)
    #expect(stage.widths.isEmpty)
    for width in 1...16 as ClosedRange<Int32> { #expect(stage.add(600 + width) == true) }
    #expect(stage.add(700) == false)
    #expect(stage.add(601) == true)
}

@Test
func `a coordinator that starts lays out for the same screens as the one before, and knows how much they are wanted`()
    throws
{
    var bench = PoolBench { $0.demand.asksBefore = 10 }
    bench.tell(.command(.want([asked(397, 12)])))
    bench.tell(.command(.prepare(screen(500))))
    bench.turn(after: 0.2)
    let record = bench.record()
    #expect(
        record.added == [AddedTarget(screen(500), demand: 0, isByHand: true), AddedTarget(screen(397), demand: 12)])
    #expect(bench.record().isEmpty)
    let standing = Standing(latest: [.zero], added: try #require(record.added))
    #expect(PoolBench(standing: standing, served: false).dispatcher.status.added == record.added)
}

@Test func `workers hear what is added at once, before their first batch, and with every pulse`() throws {
    var bench = PoolBench { $0.demand.asksBefore = 10 }
    #expect(!bench.join(1).contains(.say(.pulse([]), to: peer(1))))
    bench.tell(.command(.want([asked(397, 10)])))
    let word = Dispatcher.Effect.say(.pulse([screen(397)]), to: peer(1))
    #expect(bench.turn(after: 0.2).filter { $0 == word }.count == 1)
    #expect(bench.pass(3, beating: [(peer(1), [])]).filter { $0 == word }.count >= 2)
    _ = try bench.accept(1)
    let effects = bench.join(2)
    let heard = try #require(effects.firstIndex(of: .say(.pulse([screen(397)]), to: peer(2))))
    #expect(effects.firstIndex { if case .say(.assign, _) = $0 { true } else { false } }.map { $0 > heard } ?? true)
}

@Test func `a shard that nobody has is given to somebody when rows that are there are to be laid out for a screen`()
    throws
{
    var bench = PoolBench()
    _ = bench.join(1)
    let batch = try #require(try bench.accept(1).batch)
    _ = bench.finish(batch, by: 1)
    #expect(bench.tell(.heard(.bye, from: peer(1))).batches.isEmpty)
    #expect(bench.join(2).batches.isEmpty)
    bench.tell(.command(.prepare(screen(397))))
    let asked = try #require(bench.turn().batch)
    #expect(asked.jobs.isEmpty && asked.shard == batch.shard)
    _ = bench.finish(asked, by: 2)
    #expect(bench.turn().batches.isEmpty)
    // Its holder is gone in the midst of it, and another worker goes on.
    #expect(bench.tell(.heard(.bye, from: peer(2))).batches.isEmpty)
    #expect(bench.join(3).batch?.jobs.isEmpty == true)
}

@Test func `what the style prepares is not added by hand, either`() {
    var bench = PoolBench()
    let hello = WorkerHello(
        edition: PoolBench.edition, editionName: "plain", process: 1, machine: "here", targets: [screen(375)])
    bench.tell(.heard(.hello(hello), from: peer(1)))
    #expect(bench.dispatcher.objection(toPreparing: screen(375))?.contains("375@3") == true)
    #expect(bench.dispatcher.objection(toPreparing: screen(376)) == nil)
    #expect(bench.dispatcher.status.prepared == [screen(375)])
}
