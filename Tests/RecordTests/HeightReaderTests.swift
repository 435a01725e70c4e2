import MessageLayout
import Record
import TestSupport
import Testing

@Test func `heights are read from a record without its lines, as its layouts have them`() {
    forEachSeed(200) { random in
        var reader = HeightReader()
        var samples = SheetSamples(random: random, draws: true)
        let sheet = samples.sheet()
        var encoder = RecordEncoder()
        let heights = try reader.heights(of: LayoutRecord(encoder.bytes(of: sheet)))
        return heights
            == sheet.targets.indices.map { target in
                let height = { (variant: Int) in
                    sheet.slice(target: target, variant: min(variant, Int(sheet.variantCount) - 1)).size.height
                }
                return ContentHeights(own: height(0), other: height(1), otherWithName: height(2))
            }
    }
}

@Test func `heights of some targets are those that are read with all others`() {
    forEachSeed(100) { random in
        var reader = HeightReader()
        var samples = SheetSamples(random: random, draws: true)
        var encoder = RecordEncoder()
        let record = try LayoutRecord(encoder.bytes(of: samples.sheet()))
        let all = try reader.heights(of: record)
        let some = record.targets.indices.filter { _ in Bool.random(using: &random) }
        return try reader.heights(of: record, at: some) == some.map { all[$0] }
    }
}

@Test func `a damaged record has other heights or none, and never traps`() {
    forEachSeed(500) { random in
        var reader = HeightReader()
        var samples = SheetSamples(random: random, draws: true)
        var encoder = RecordEncoder()
        var bytes = try encoder.bytes(of: samples.sheet())
        bytes[.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        if let record = try? LayoutRecord(bytes) { _ = try? reader.heights(of: record) }
        return true
    }
}
