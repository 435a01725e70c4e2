import MessageLayout
import Record
import TestSupport
import Testing

@Test func `a list has the heights that are in the record of the same sheet`() {
    forEachSeed(200) { random in
        var reader = HeightReader()
        var samples = SheetSamples(random: random, draws: true)
        let sheet = samples.sheet()
        var encoder = RecordEncoder()
        let record = try LayoutRecord(encoder.bytes(of: sheet))
        let (plan, heights) = (HeightPlan(record.targets), try reader.heights(of: record))
        let list = HeightPlan(sheet.targets).list(sheet)
        return try plan.heights(in: list[...]) == heights && plan.list(heights) == list
    }
}

@Test func `a list is read by the plan of its targets alone`() throws {
    let (targets, list) = (SampleRecord.targets, SampleRecord.heights(height: 40))
    let plan = HeightPlan(targets)
    #expect(HeightPlan.sum(of: list[...]) == plan.sum)
    #expect(try plan.heights(in: list[...]).map(\.otherWithName) == [180, 120])
    #expect(throws: (any Error).self) { try HeightPlan(targets.reversed()).heights(in: list[...]) }
    #expect(HeightPlan.sum(of: []) == nil && HeightPlan.sum(of: list.prefix(3)) == nil)
    #expect(throws: (any Error).self) { try plan.heights(in: []) }
}

@Test func `a damaged list has other heights or none, and never traps`() {
    forEachSeed(500) { random in
        var samples = SheetSamples(random: random, draws: true)
        let sheet = samples.sheet()
        let plan = HeightPlan(sheet.targets)
        var list = plan.list(sheet)
        list[.random(in: list.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        _ = try? plan.heights(in: list[...])
        _ = try? plan.heights(in: list.prefix(.random(in: 0...list.count, using: &random)))
        return true
    }
}
