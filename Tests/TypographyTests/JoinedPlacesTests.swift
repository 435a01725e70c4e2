import Bytes
import TestSupport
import Testing
import Typography

/// A text with some clusters that join the one before, as those of Arabic do.
private func sample(isPlain: Bool = false, using random: inout SplitMix64) -> MeasuredText {
    var text = MeasuredText.monospaced(.random(words: 12, isPlain: isPlain, using: &random))
    for i in 1..<max(1, text.count) where text.marks[i].contains(.cluster) && !text.marks[i - 1].contains(.newline) {
        // A line may end between such letters, but seldom does.
        let isLikely = !text.marks[i].contains(.opportunity) || Int.random(in: 0..<20, using: &random) == 0
        if isLikely && Bool.random(using: &random) { text.joins.insert(i) }
    }
    text.findStops()
    return text
}

private func box(using random: inout SplitMix64) -> LineBreaker { .units(.random(in: 0...12_000, using: &random)) }

@Test func `each line says whether it begins and ends in joined letters, whatever road it was found by`() {
    forEachSeed(2000) { random in
        let text = sample(isPlain: Bool.random(using: &random), using: &random)
        let breaker = box(using: &random)
        let lines = breaker.lines(of: text)
        return lines == breaker.lines(of: text.withoutStops)
            && lines.allSatisfy { line in
                line.traits.contains(.endsJoined) == text.joins.contains(Int(line.end))
                    && line.traits.contains(.beginsJoined) == (line.start > 0 && text.joins.contains(Int(line.start)))
            }
    }
}

@Test func `lines of a column say it, too`() throws {
    var column = StopsColumn()
    var reader = StopsReader()
    var found = ColumnLines()
    forEachSeed(300) { random in
        let texts = (0..<8).map { _ in sample(isPlain: true, using: &random) }.filter { $0.count > 0 }
        let breaker = box(using: &random)
        column.removeAll()
        for text in texts { try column.append(stored: text.encoded().span, &reader) }
        breaker.breakLines(of: column, into: &found)
        return texts.indices.allSatisfy { i in
            found.range(of: i).map { found.lines[$0] } == breaker.lines(of: texts[i])
        }
    }
}

@Test func `an ellipsis in joined letters is said of its line, and of nothing where there are no letters`() {
    var text = MeasuredText.monospaced("abcdefgh")
    for i in 1..<8 { text.joins.insert(i) }
    func cut(_ letters: Int32, to count: Int) -> [Line] {
        let breaker = LineBreaker.letters(letters)
        var lines = LineBuffer()
        breaker.breakLines(of: text, into: &lines)
        breaker.cut(&lines, to: count, of: text)
        return (0..<lines.count).map { lines[$0] }
    }
    #expect(cut(4, to: 1).map(\.traits) == [[.ellipsis, .endsJoined]])
    #expect(cut(3, to: 2).map(\.traits) == [[.emergency, .endsJoined], [.ellipsis, .beginsJoined, .endsJoined]])
    #expect(cut(0, to: 1).map(\.traits) == [.ellipsis])
}

@Test func `a text that grew says of its lines what it says when it is broken anew`() {
    forEachSeed(500) { random in
        let text = sample(using: &random)
        var other = text
        if text.count > 1 { other.joins.insert(Int.random(in: 1..<text.count, using: &random)) }
        other.findStops()
        let breaker = box(using: &random)
        return breaker.continued(breaker.lines(of: text), of: text, as: other) == breaker.lines(of: other)
    }
}

@Test func `a stored text keeps its joined letters, and takes a byte for each unit that was there before`() throws {
    forEachSeed(500) { random in
        let text = sample(using: &random)
        return try MeasuredText(decoding: text.encoded()) == text
    }
    var text = MeasuredText.monospaced(String(repeating: "ab", count: 40))
    let bare = text.encoded()
    for i in 1..<text.count { text.joins.insert(i) }
    #expect(text.encoded().count == bare.count + 2)
}

/// The stored texts are as the release before wrote them.
@Test func `texts that were stored before letters said how they join are read, and are the same but for that`() throws {
    let today = Dictionary(uniqueKeysWithValues: try StoredCase.all().map { ($0.id, $0) })
    let before = try StoredCase.all(in: StoredCase.fileBefore)
    var reader = StopsReader()
    var joined = 0
    for one in before + before {
        let text = try MeasuredText(decoding: one.text)
        let told: LineTraits = [.rightToLeft, .hyphen, .ellipsis, .lastOfParagraph, .emergency]
        let checksum = StoredCase.checksum(of: text, size: one.size, width: one.width, told: told)
        #expect(one.text[0] == 2 && checksum == one.checksum)
        var other = try MeasuredText(decoding: try #require(today[one.id]).text)
        joined += other.joins.isEmpty ? 0 : 1
        other.joins.removeAll()
        #expect(other == text && text.encoded() == [3] + one.text.dropFirst())
        // The fast path reads them, too.
        var column = StopsColumn()
        var found = ColumnLines()
        try column.append(stored: one.text.span, &reader)
        let breaker = LineBreaker(width: one.width, size: one.size, scale: .two)
        breaker.breakLines(of: column, into: &found)
        let lines = found.range(of: 0).map { found.lines[$0] }
        #expect(lines == breaker.lines(of: text), "\(one.id)")
    }
    #expect(before.count >= 40 && joined >= 20)
}

@Test func `a stored text of before that says how letters join is none`() {
    var text = MeasuredText.monospaced("ab")
    text.joins.insert(1)
    let bytes = [2] + text.encoded().dropFirst()
    #expect(throws: MeasuredTextError.inconsistent(.marks)) { try MeasuredText(decoding: bytes) }
    #expect(throws: MeasuredTextError.inconsistent(.marks)) {
        var column = StopsColumn()
        var reader = StopsReader()
        try column.append(stored: bytes.span, &reader)
    }
}
