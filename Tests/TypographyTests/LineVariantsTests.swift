import Bytes
import TestSupport
import Testing
import Typography

private func sample(words: Int = 8, using random: inout SplitMix64) -> (text: MeasuredText, breaker: LineBreaker) {
    let text = MeasuredText.monospaced(.random(words: words, isPlain: .random(using: &random), using: &random))
    return (text, .units(.random(in: 0...12 * Monospaced.letter, using: &random)))
}

private func ends(_ text: MeasuredText, _ breaker: LineBreaker) -> [Int32] { breaker.lines(of: text).map(\.end) }

@Test(
    arguments: [
        ("see you", 4, 1919, 4478), ("see you", 7, 4479, LineBreaker.widestBox), ("seeyou", 3, 1919, 2558),
        ("漢字", 1, 0, 2558), ("a", 0, 0, LineBreaker.widestBox), ("a\nb", 1, 0, LineBreaker.widestBox),
        ("sun\u{ad}day", 4, 2559, 3838), ("", 3, 0, LineBreaker.widestBox),
    ] as [(String, Int32, Int32, Int32)])
func `knows in which boxes a text keeps its breaks`(text: String, letters: Int32, narrowest: Int32, widest: Int32) {
    let text = MeasuredText.monospaced(text)
    let breaker = LineBreaker.letters(letters)
    #expect(breaker.validBoxes(for: breaker.lines(of: text), of: text) == narrowest...widest)
}

@Test func `breaks stay the same in all valid boxes, and in no other`() {
    forEachSeed(1000) { random in
        let (text, breaker) = sample(using: &random)
        let own = ends(text, breaker)
        let boxes = breaker.validBoxes(for: breaker.lines(of: text), of: text)
        let between = Int32.random(in: boxes, using: &random)
        let same = [boxes.lowerBound, between, boxes.upperBound].allSatisfy { ends(text, breaker.withBox($0)) == own }
        let below = boxes.lowerBound == 0 || ends(text, breaker.withBox(boxes.lowerBound - 1)) != own
        let above =
            boxes.upperBound == LineBreaker.widestBox || ends(text, breaker.withBox(boxes.upperBound + 1)) != own
        return boxes.contains(breaker.box) && same && below && above
    }
}

@Test(
    arguments: [
        ("see you at nine", 10, 4479), ("see you", 9, 4479), ("aaa b c", 5, 1919), ("", 5, 0), ("漢字", 1, 0),
        ("a\nb", 9, 0),
    ] as [(String, Int32, Int32)])
func `a balanced box is the narrowest without more lines`(text: String, letters: Int32, box: Int32) {
    #expect(LineBreaker.letters(letters).balancedBox(for: .monospaced(text)) == box)
}

@Test func `a balanced box has no more lines, and one unit less has more`() {
    forEachSeed(500) { random in
        let (text, breaker) = sample(using: &random)
        let box = breaker.balancedBox(for: text)
        let count = breaker.lines(of: text).count
        return box <= breaker.box && ends(text, breaker.withBox(box)).count <= count
            && (box == 0 || ends(text, breaker.withBox(box - 1)).count > count)
    }
}

@Test func `continues a text that grew as if it were new`() {
    forEachSeed(1000) { random in
        let first = RichText.random(words: 8, using: &random)
        let (_, breaker) = sample(using: &random)
        var second = first
        second.units += RichText.random(words: 4, isPlain: true, using: &random).units
        let (old, new) = (MeasuredText.monospaced(first), MeasuredText.monospaced(second))
        return breaker.continued(breaker.lines(of: old), of: old, as: new) == breaker.lines(of: new)
    }
}

@Test func `continues a text that was changed anywhere`() {
    forEachSeed(500) { random in
        let (old, breaker) = sample(using: &random)
        let new = sample(using: &random).text
        return breaker.continued(breaker.lines(of: old), of: old, as: new) == breaker.lines(of: new)
    }
}

@Test(
    arguments: [
        ("one\n\ntwo", 2, [0..<4]), ("one\n\n\n\ntwo", 4, [0..<4]), ("one\ntwo\n\nthree", 3, [0..<4, 4..<8]),
        ("one\n\ntwo\nthree", 3, [0..<4, 4..<5, 5..<9]), ("\n\n\none", 2, [0..<1]), ("one two\n\nthree", 2, [0..<6]),
    ] as [(String, Int, [Range<Int32>])])
func `a text that is cut ends behind words, and not on a line of its own below them`(
    text: String, count: Int, shown: [Range<Int32>]
) {
    let text = MeasuredText.monospaced(text)
    let breaker = LineBreaker.letters(7)
    var lines = LineBuffer()
    breaker.breakLines(of: text, into: &lines)
    breaker.cut(&lines, to: count, of: text)
    #expect((0..<lines.count).map { lines[$0].start..<lines[$0].end } == shown)
    #expect(lines[lines.count - 1].traits.contains(.ellipsis))
}
