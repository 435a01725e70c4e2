import TestSupport
import Testing
import Typography

private func sample(using random: inout SplitMix64) -> MeasuredText {
    var text = MeasuredText.monospaced(.random(words: 6, using: &random))
    guard text.count > 2 else { return text }
    text.entities = [Entity(kind: .url, start: 0, end: 2), Entity(kind: .command, start: 1, end: Int32(text.count))]
    text.emojiCount = 1
    return text
}

@Test func `a stored text is the text`() throws {
    forEachSeed(500) { random in
        let text = sample(using: &random)
        return try MeasuredText(decoding: text.encoded()) == text
    }
    #expect(try MeasuredText(decoding: MeasuredText.empty.encoded()).count == 0)
}

@Test func `a stored text that was cut is refused`() {
    forEachSeed(50) { random in
        let bytes = sample(using: &random).encoded()
        return bytes.indices.allSatisfy { isRefused(bytes[..<$0]) } && isRefused(bytes[...] + [0])
    }
}

@Test func `a stored text in which bytes were changed is refused, or is some text`() {
    forEachSeed(3000) { random in
        var bytes = sample(using: &random).encoded()
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        exercise(bytes, using: &random)
        return true
    }
}

@Test func `any bytes are refused, or are some text`() {
    forEachSeed(3000) { random in
        let bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        exercise([MeasuredText.codecVersion, .random(in: 0...32, using: &random)] + bytes, using: &random)
        return true
    }
}

@Test(
    arguments: [
        ([], .truncated), ([0], .unknownVersion(0)), ([255, 1, 2], .unknownVersion(255)), ([2], .truncated),
        ([2, 0xff, 0xff, 0xff, 0xff, 0xff, 1], .tooLarge), ([2, 0xff, 0xff, 0xff, 0x7f], .tooLarge),
        ([2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], .inconsistent(.runs)), ([2, 2, 0], .truncated),
        ([2, 1, 1, 65], .inconsistent(.marks)), ([2, 1, 0xff, 0xff, 0xff, 0x7f], .tooLarge),
        ([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9], .trailingBytes),
    ] as [([UInt8], MeasuredTextError)])
func `says what is wrong with a stored text`(bytes: [UInt8], error: MeasuredTextError) {
    #expect(throws: error) { try MeasuredText(decoding: bytes) }
}

@Test func `a cluster of a hundred thousand marks can be stored`() throws {
    var text = MeasuredText.monospaced("ab")
    text.advances[0] = 100_000 * 1000
    text.findStops()
    #expect(try MeasuredText(decoding: text.encoded()) == text)
}

@Test func `a unit inside a cluster may have an advance`() throws {
    var text = MeasuredText.monospaced("ae\u{301}b")
    text.advances[2] = 7
    text.findStops()
    #expect(try MeasuredText(decoding: text.encoded()) == text)
}

private func isRefused(_ bytes: some Collection<UInt8>) -> Bool {
    (try? MeasuredText(decoding: bytes)) == nil
}

/// Asks everything of a text, if the bytes are one. No bytes may cause a trap.
private func exercise(_ bytes: [UInt8], using random: inout SplitMix64) {
    guard let text = try? MeasuredText(decoding: bytes), text.count < 1000 else { return }
    for box in [0, 1, .random(in: 0...20_000, using: &random), LineBreaker.widestBox] {
        let breaker = LineBreaker.units(box)
        let lines = breaker.lines(of: text)
        #expect(Int(lines.last?.end ?? 0) == text.count)
        _ = breaker.continued(lines, of: text, as: text)
        _ = breaker.validBoxes(for: lines, of: text)
        let layout = TextLayout(text, breaker: breaker, stacking: .init(mostLines: 2))
        let position = Int32.random(in: 0...Int32(text.count), using: &random)
        _ = layout.caret(at: position, in: text)
        _ = layout.hit(x: .random(in: -9...9999, using: &random), y: .random(in: -9...9999, using: &random), in: text)
        _ = text.entities.map { layout.rectangles(of: $0, in: text) }
        _ = layout.rectangles(of: 0, position, in: text)
    }
    _ = LineBreaker.units(5000).balancedBox(for: text)
}
