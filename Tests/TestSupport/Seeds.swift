package import Testing

/// Tries a property with many seeds, and names the first seed for which it does not hold or throws.
///
///     forEachSeed(500) { random in sorted(.random(using: &random)).isSorted }
package func forEachSeed(
    _ count: UInt64, at location: SourceLocation = #_sourceLocation,
    holds property: (inout SplitMix64) throws -> Bool
) {
    for seed in 0..<count {
        var random = SplitMix64(seed: seed)
        do {
            if try property(&random) { continue }
            Issue.record("does not hold for seed \(seed)", sourceLocation: location)
        } catch {
            Issue.record("seed \(seed): \(error)", sourceLocation: location)
        }
        return
    }
}

extension String {
    /// Text of up to `length` scalars, from every plane that chat uses and some that it should not.
    package static func random(length: Int, using random: inout SplitMix64) -> String {
        let scalars: [ClosedRange<UInt32>] = [0x20...0x7E, 0xA0...0x24F, 0x590...0x6FF, 0x900...0x97F, 0x4E00...0x4EFF]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...length, using: &random) {
            let range = scalars.randomElement(using: &random)!
            text.append(Unicode.Scalar(UInt32.random(in: range, using: &random))!)
        }
        return String(text)
    }
}
