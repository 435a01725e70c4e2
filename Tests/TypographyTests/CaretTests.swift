import TestSupport
import Testing
import Typography

private func layout(_ text: MeasuredText, atLetters letters: Int32) -> TextLayout {
    TextLayout(text, breaker: .letters(letters))
}

/// Rectangles of one line in letters: left and width.
private func inLetters(_ rectangles: [TextLayout.Rectangle]) -> [[Int32]] {
    rectangles.map { [$0.left / Monospaced.letter, $0.width / Monospaced.letter] }
}

@Test(
    arguments: [
        ("abc", 9, [0, 1, 2, 3]), ("漢a", 9, [0, 2, 3]), ("e\u{301}x", 9, [0, 1, 1, 2]),  // inside a cluster: behind it
        ("שלום", 9, [9, 8, 7, 6, 5]), ("ab אב cd", 9, [0, 1, 2, 5, 4, 5, 6, 7, 8]), ("אב ab", 9, [9, 8, 7, 4, 5, 6]),
        ("a\tb", 9, [0, 1, 8, 9]),
    ] as [(String, Int32, [Int32])])
func `a caret stands where the next letter begins`(text: String, letters: Int32, carets: [Int32]) {
    let text = MeasuredText.monospaced(text)
    let layout = layout(text, atLetters: letters)
    let found = (0...Int32(text.count)).map { layout.caret(at: $0, in: text)?.left }
    #expect(found == carets.map { $0 * Monospaced.letter })
}

@Test func `a caret is as high as its line, and at a break stands on the next one`() {
    let text = MeasuredText.monospaced("see you")
    let layout = layout(text, atLetters: 3)
    #expect(layout.caret(at: 3, in: text) == .init(left: 3 * 640, top: 0, width: 0, height: 18 * 64))
    #expect(layout.caret(at: 4, in: text) == .init(left: 0, top: 18 * 64, width: 0, height: 18 * 64))
}

@Test(
    arguments: [
        ("abc", 9, 0, 0, 0), ("abc", 9, 319, 0, 0), ("abc", 9, 321, 0, 1), ("abc", 9, 700, 1, 1), ("abc", 9, -50, 0, 0),
        ("abc", 9, 5000, 2, 3), ("שלום", 9, 9 * 640 - 1, 0, 0), ("שלום", 9, 0, 3, 4), ("e\u{301}x", 9, 600, 0, 2),
        ("ab אב cd", 9, 3 * 640 + 1, 4, 5), ("ab אב cd", 9, 5 * 640 - 1, 3, 3),
    ] as [(String, Int32, Int32, Int32, Int32)])
func `a point hits the cluster under it, and the caret place nearest to it`(
    text: String, letters: Int32, x: Int32, cluster: Int32, caret: Int32
) throws {
    let text = MeasuredText.monospaced(text)
    let hit = try #require(layout(text, atLetters: letters).hit(x: x, y: 0, in: text))
    #expect(hit.cluster == cluster && hit.caret == caret)
}

@Test(
    arguments: [(-100, 0), (0, 0), (1151, 0), (1152, 4), (2303, 4), (9999, 4), (Int32.max, 4), (.min, 0)]
        as [(Int32, Int32)])
func `above the text its first line is hit, below it its last`(y: Int32, cluster: Int32) {
    let text = MeasuredText.monospaced("see you")
    #expect(layout(text, atLetters: 3).hit(x: 0, y: y, in: text)?.cluster == cluster)
}

@Test(arguments: [Int32.min, .max]) func `a point may be anywhere`(x: Int32) {
    forEachSeed(100) { random in
        let text = MeasuredText.monospaced(.random(words: 6, using: &random))
        let layout = layout(text, atLetters: 5)
        return (layout.hit(x: x, y: x, in: text) == nil) == (text.count == 0)
    }
}

@Test func `behind the end of a line that ends with a newline, the place before it is hit`() {
    for (string, x) in [("abc\ndef", Int32.max), ("אבג\nדהו", 0), ("abc  \ndef", .max), ("\nabc", .max)] {
        let text = MeasuredText.monospaced(string)
        let newline = Int32(string.utf16.prefix { $0 != 10 }.count)
        #expect(layout(text, atLetters: 9).hit(x: x, y: 0, in: text)?.caret == newline, "\(string)")
    }
}

@Test func `a caret that is hit stands where it was, in texts of one direction`() {
    forEachSeed(300) { random in
        let text = MeasuredText.monospaced(.random(words: 8, isPlain: true, using: &random))
        let layout = layout(text, atLetters: 7)
        return (0..<Int32(text.count)).allSatisfy { position in
            guard text.marks[Int(position)].contains(.cluster) else { return true }
            guard let caret = layout.caret(at: position, in: text),
                let hit = layout.hit(x: caret.left, y: caret.top, in: text)
            else { return false }
            return layout.caret(at: hit.caret, in: text) == caret
        }
    }
}

@Test func `the middle of every letter hits that letter, in any text`() {
    forEachSeed(300) { random in
        let text = MeasuredText.monospaced(.random(words: 8, using: &random))
        let layout = layout(text, atLetters: 7)
        return (0..<Int32(text.count)).allSatisfy { position in
            guard let rectangle = layout.rectangles(of: position, position + 1, in: text).first, rectangle.width > 1,
                text.marks[Int(position)].contains(.cluster)
            else { return true }
            let middle = rectangle.left + rectangle.width / 2
            return layout.hit(x: middle, y: rectangle.top, in: text)?.cluster == position
        }
    }
}

@Test(
    arguments: [
        ("abcdef", 1, 3, [[1, 2]]), ("ab אבג cd", 0, 10, [[0, 9]]), ("ab אבג cd", 1, 5, [[1, 2], [4, 2]]),
        ("ab אבג cd", 4, 8, [[3, 2], [6, 2]]), ("אב ab", 0, 1, [[8, 1]]), ("abc", 2, 2, []), ("abc", 5, 9, []),
    ] as [(String, Int32, Int32, [[Int32]])])
func `a selection covers what stands between its ends: two pieces where directions meet`(
    text: String, start: Int32, end: Int32, pieces: [[Int32]]
) {
    let text = MeasuredText.monospaced(text)
    #expect(inLetters(layout(text, atLetters: 9).rectangles(of: start, end, in: text)) == pieces)
}

@Test func `the letters of a line cover it once`() {
    forEachSeed(300) { random in
        let text = MeasuredText.monospaced(.random(words: 8, using: &random))
        let breaker = LineBreaker.units(.random(in: 0...8000, using: &random))
        let layout = TextLayout(text, breaker: breaker)
        return layout.lines.allSatisfy { placed in
            let whole = breaker.positions(of: placed.line, in: text).spans(of: placed.line.start, placed.line.end)
            let parts = (placed.line.start..<placed.line.end).flatMap {
                breaker.positions(of: placed.line, in: text).spans(of: $0, $0 + 1)
            }
            return whole.count <= 1 && whole.reduce(0) { $0 + $1.width } == parts.reduce(0) { $0 + $1.width }
        }
    }
}

@Test func `content begins at the left of its line and is as wide, hyphens left out`() {
    forEachSeed(300) { random in
        let text = MeasuredText.monospaced(.random(words: 8, using: &random))
        let breaker = LineBreaker.units(.random(in: 0...8000, using: &random))
        return TextLayout(text, breaker: breaker).lines.allSatisfy { placed in
            let line = placed.line
            let content = (line.start..<line.end).last { text.marks[Int($0)].isDisjoint(with: [.space, .newline]) }
            let spans = breaker.positions(of: line, in: text).spans(of: line.start, (content ?? line.start - 1) + 1)
            let width = spans.reduce(0) { $0 + $1.width }
            if line.traits.contains(.hyphen) { return width < line.width }
            let isRightToLeft = line.traits.contains(.rightToLeft)
            let left = isRightToLeft ? breaker.box - line.width : 0
            return width == line.width && placed.left == left && (spans.first?.left ?? left) == left
        }
    }
}

@Test func `an entity has a rectangle on every line it stands on`() {
    let text = MeasuredText.monospaced("see example.com now")
    let entity = Entity(kind: .url, start: 4, end: 15)
    let layout = layout(text, atLetters: 8)
    #expect(inLetters(layout.rectangles(of: entity, in: text)) == [[0, 8], [0, 3]])
    #expect(layout.rectangles(of: entity, in: text).map(\.top) == [18 * 64, 36 * 64])
}
