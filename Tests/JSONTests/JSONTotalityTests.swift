import JSON
import Testing

private let samples = [
    #"{"v":1,"text":"see \"you\" \u00e9 \ud83d\ude00 é😀","n":[-1.50e+3,0,true,false,null,{}],"o":{"a":{"b":[]}}}"#,
    "// fonts\n{fonts: [{file: 'a\\x41\\\nb.ttf', weight: 0x190, scale: +.5, 'q': 5.,},], /* end */}",
].map { Array($0.utf8) }

@Test(arguments: samples, [JSONDialect.json, .json5])
func `answers every truncation, with an error`(sample: [UInt8], dialect: JSONDialect) {
    for length in 0..<sample.count {
        #expect(throws: JSONError.self) { try JSONValue.parse(Array(sample[..<length]), dialect: dialect) }
    }
}

@Test(arguments: samples, [JSONDialect.json, .json5])
func `answers whatever the bytes are`(sample: [UInt8], dialect: JSONDialect) {
    for seed in 0..<20_000 {
        var random = Seeded(state: UInt64(seed))
        var bytes = sample
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        guard let value = try? JSONValue.parse(bytes, dialect: dialect) else { continue }
        var writer = JSONWriter()
        writer.value(value)
        #expect((try? JSONValue.parse(writer.bytes)) == value, "seed \(seed)")
    }
}

/// SplitMix64: the same bytes for the same seed, on every machine.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
