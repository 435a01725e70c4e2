import TestSupport
import Testing
import Typography

// The made-up font reaches 14 px above the baseline and 4 px below it.
private let ascent: Int32 = 14 * 64
private let descent: Int32 = 4 * 64

private func layout(
    _ text: RichText, atLetters letters: Int32, lineHeight: Fixed? = nil, mostLines: Int = .max
) -> TextLayout {
    TextLayout(
        .monospaced(text), breaker: .letters(letters),
        stacking: .init(lineHeight: lineHeight, mostLines: mostLines))
}

@Test func `lines stand one below the other, as high as their font`() {
    let layout = layout(RichText("see you at nine"), atLetters: 7)
    #expect(layout.lines.map(\.top) == [0, 18 * 64])
    #expect(layout.lines.map(\.height) == [18 * 64, 18 * 64])
    #expect(layout.lines.map(\.baseline) == [ascent, 18 * 64 + ascent])
    #expect(layout.height == 36 * 64 && layout.fullHeight == 36 * 64)
    #expect(layout.widest == 7 * 640 && !layout.isTruncated)
}

@Test(arguments: [(24, 3), (18, 0), (10, -4)] as [(Int32, Int32)])
func `a given line height is shared by the two sides`(height: Int32, above: Int32) {
    let layout = layout(RichText("a\nb"), atLetters: 7, lineHeight: .points(height))
    #expect(layout.lines.map(\.top) == [0, height * 64])
    #expect(layout.lines.map(\.baseline) == [above * 64 + ascent, (height + above) * 64 + ascent])
    #expect(layout.height == 2 * height * 64)
}

@Test func `scale and text scale make lines higher`() {
    let breaker = LineBreaker(
        width: .points(100), size: .points(16), scale: .three, textScale: TextScale(percent: 150))
    let text = MeasuredText.monospaced("a")
    #expect(TextLayout(text, breaker: breaker).height == 18 * 64 * 9 / 2)
    #expect(TextLayout(text, breaker: breaker, stacking: .init(lineHeight: .points(20))).height == 20 * 64 * 9 / 2)
}

@Test(
    arguments: [
        (InlineBox.Extent.fixed(width: .points(20), ascent: .points(30), descent: .points(2)), 30, 4),
        (.fixed(width: .points(20), ascent: .points(5), descent: .points(9)), 14, 9),
        (.em(width: 1024, ascent: 2048, descent: 0), 32, 4),
    ] as [(InlineBox.Extent, Int32, Int32)])
func `a box that is higher than its line makes it higher, and no other`(
    extent: InlineBox.Extent, above: Int32, below: Int32
) {
    let text = RichText(units: Array("a\n\u{fffc}\nb".utf16), boxes: [InlineBox(position: 2, extent: extent)])
    let layout = layout(text, atLetters: 9)
    #expect(layout.lines.map(\.ascent) == [ascent, above * 64, ascent])
    #expect(layout.lines.map(\.descent) == [descent, below * 64, descent])
    #expect(layout.lines.map(\.top) == [0, 18 * 64, (18 + above + below) * 64])
}

@Test func `a larger stretch makes its line higher`() {
    var text = RichText("see you at nine")
    text.spans = [.init(start: 8, end: 10, style: TextStyle(percent: 200))]
    let layout = layout(text, atLetters: 9)
    #expect(layout.lines.map(\.ascent) == [ascent, 2 * ascent])
    #expect(layout.lines.map(\.descent) == [descent, 2 * descent])
}

@Test(
    arguments: [
        ("see you at nine", 7, 1, [6], 7), ("see you at nine", 7, 2, [8, 15], 7),
        ("see you at nine", 7, 3, [8, 15], 7),
        ("see you at nine", 7, 0, [], 0), ("see you at nine", 7, -1, [], 0), ("a\nb\nc", 7, 2, [2, 4], 2),
        ("", 7, 1, [], 0),
        ("漢字漢字", 4, 1, [1], 3), ("wonderful", 4, 1, [3], 4), ("ab", 1, 1, [0], 1), ("a   b", 2, 1, [4], 2),
        ("e\u{301}e\u{301}e\u{301}", 2, 1, [2], 2), ("sun\u{ad}day", 5, 1, [5], 5), ("one\n\ntwo", 9, 2, [4, 5], 3),
    ] as [(String, Int32, Int, [Int32], Int32)])
func `a text of more lines than wanted ends with an ellipsis`(
    text: String, letters: Int32, mostLines: Int, ends: [Int32], widestInLetters: Int32
) {
    let layout = layout(RichText(text), atLetters: letters, mostLines: mostLines)
    let all = LineBreaker.letters(letters).lines(of: .monospaced(text))
    #expect(layout.lines.map(\.line.end) == ends)
    #expect(layout.widest == widestInLetters * Monospaced.letter)
    #expect(layout.isTruncated == (max(0, mostLines) < all.count))
    #expect(layout.isTruncated == layout.lines.contains { $0.line.traits.contains(.ellipsis) } || mostLines <= 0)
    #expect(layout.fullHeight == Int32(all.count) * 18 * 64)
    #expect(layout.height == Int32(ends.count) * 18 * 64)
}

@Test func `a truncated line fits its box whenever the ellipsis does`() {
    forEachSeed(500) { random in
        let text = MeasuredText.monospaced(.random(words: 8, using: &random))
        let breaker = LineBreaker.units(.random(in: 1000...8000, using: &random))
        let lines = Int.random(in: 1...3, using: &random)
        let layout = TextLayout(text, breaker: breaker, stacking: .init(mostLines: lines))
        let all = breaker.lines(of: text)
        let isPrefix = zip(layout.lines, all).dropLast(layout.isTruncated ? 1 : 0).allSatisfy { $0.line == $1 }
        guard layout.isTruncated, let last = layout.lines.last?.line else { return isPrefix }
        return isPrefix && layout.lines.count == lines && last.width <= breaker.box + 1
    }
}

@Test func `a text of a million empty lines has a height`() {
    let text = MeasuredText.monospaced(String(repeating: "\n", count: 3))
    var many = text
    many.marks = Array(repeating: text.marks[0], count: 1 << 16)
    many.advances = Array(repeating: 0, count: 1 << 16)
    many.runs = Array(many.runs.prefix(1))
    many.findStops()
    let breaker = LineBreaker(width: .points(1), size: LineBreaker.largestSize, scale: LineBreaker.largestScale)
    #expect(TextLayout(many, breaker: breaker).height > 0)
}
