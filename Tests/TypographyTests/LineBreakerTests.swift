import TestSupport
import Testing
import Typography

/// The lines of a text in the made-up font of fixed pitch, in a box of so many letters.
private func broken(_ text: String, atLetters letters: Int32) -> [String] {
    broken(text, LineBreaker.letters(letters).lines(of: .monospaced(text)))
}

private func broken(_ text: String, _ lines: [Line]) -> [String] {
    let units = Array(text.utf16)
    return lines.map { String(decoding: units[Int($0.start)..<Int($0.end)], as: UTF16.self) }
}

private func widths(_ text: String, atLetters letters: Int32) -> [Int32] {
    LineBreaker.letters(letters).lines(of: .monospaced(text)).map(\.width)
}

@Test(
    arguments: [
        ("see you at nine", 7, ["see you ", "at nine"]), ("seeyou", 3, ["see", "you"]), ("", 3, []),
        ("see you at nine", 15, ["see you at nine"]), ("see you at nine", 14, ["see you at ", "nine"]),
        ("see you", 3, ["see ", "you"]), ("a-b-c", 3, ["a-", "b-c"]), ("漢字かな", 5, ["漢字", "かな"]),
        ("a漢b", 3, ["a漢", "b"]),
        ("one\u{200b}two", 3, ["one\u{200b}", "two"]), ("no\u{a0}break", 4, ["no\u{a0}b", "reak"]),
    ] as [(String, Int32, [String])])
func `breaks at the last opportunity that fits`(text: String, letters: Int32, lines: [String]) {
    #expect(broken(text, atLetters: letters) == lines)
}

@Test(
    arguments: [
        ("see    you", 3, ["see    ", "you"], [3, 3]), ("see   ", 3, ["see   "], [3]), ("    ", 2, ["    "], [0]),
        ("  a b", 3, ["  a ", "b"], [3, 1]), ("see\u{3000}you", 3, ["see\u{3000}", "you"], [3, 3]),
        ("a \t b", 1, ["a \t ", "b"], [1, 1]),
        ("   a", 2, ["   ", "a"], [0, 1]),
    ] as [(String, Int32, [String], [Int32])])
func `spaces hang at the end of a line: any number of them, and without width`(
    text: String, letters: Int32, lines: [String], widthsInLetters: [Int32]
) {
    #expect(broken(text, atLetters: letters) == lines)
    #expect(widths(text, atLetters: letters) == widthsInLetters.map { $0 * Monospaced.letter })
}

@Test(arguments: [
    ("a\nb", ["a\n", "b"]), ("a\n", ["a\n"]), ("\n\n", ["\n", "\n"]), ("\n", ["\n"]), ("a \n b", ["a \n", " b"]),
    ("a\n\nb\n", ["a\n", "\n", "b\n"]),
])
func `a newline ends its line, and the last one opens no other`(text: String, lines: [String]) {
    #expect(broken(text, atLetters: 9) == lines)
    #expect(LineBreaker.letters(9).lines(of: .monospaced(text)).allSatisfy { $0.traits == .lastOfParagraph })
}

@Test(
    arguments: [("a\tb", 9), ("\tb", 9), ("aaaaaaa\tb", 9), ("aaaaaaaa\tb", 17), ("\t\tb", 17), ("漢\tb", 9)]
        as [(String, Int32)])
func `a tab reaches to the next multiple of eight spaces`(text: String, letters: Int32) {
    #expect(widths(text, atLetters: 40) == [letters * Monospaced.letter])
}

@Test(arguments: [(639, 1), (640, 1), (4799, 1), (4800, 1), (4801, 2), (5119, 2), (5120, 2)] as [(Int32, Int32)])
func `a tab stop closer than half a space is skipped`(before: Int32, stop: Int32) {
    var text = MeasuredText.monospaced("a\tb")
    text.advances[0] = before
    text.findStops()
    #expect(LineBreaker.letters(40).lines(of: text).map(\.width) == [stop * 8 * Monospaced.letter + Monospaced.letter])
}

@Test(
    arguments: [
        ("sun\u{ad}day", 4, ["sun\u{ad}", "day"], [4, 3], true), ("sun\u{ad}day", 6, ["sun\u{ad}day"], [6], false),
        ("go sun\u{ad}day", 6, ["go ", "sun\u{ad}day"], [2, 6], false),
        ("go sun\u{ad}day", 7, ["go sun\u{ad}", "day"], [7, 3], true),
        ("last\u{ad} \u{20}tran", 6, ["last\u{ad} \u{20}", "tran"], [5, 4], true),
        ("last\u{ad}\ntran", 6, ["last\u{ad}\n", "tran"], [4, 4], false), ("last\u{ad}", 6, ["last\u{ad}"], [4], false),
        ("last\u{ad} ", 5, ["last\u{ad} "], [4], false), ("last\u{ad} ", 4, ["las", "t\u{ad} "], [3, 1], false),
        ("sun\u{ad}day", 3, ["su", "n\u{ad}", "day"], [2, 2, 3], false),
    ] as [(String, Int32, [String], [Int32], Bool)])
func `a line that breaks at a soft hyphen shows it, and needs room for it`(
    text: String, letters: Int32, lines: [String], widthsInLetters: [Int32], showsHyphen: Bool
) {
    let found = LineBreaker.letters(letters).lines(of: .monospaced(text))
    #expect(broken(text, found) == lines)
    #expect(found.map(\.width) == widthsInLetters.map { $0 * Monospaced.letter })
    #expect(found[0].traits.contains(.hyphen) == showsHyphen)
}

@Test(
    arguments: [
        ("abcdef", 4, ["abcd", "ef"], [true, false]),
        ("ab cdefgh i", 3, ["ab ", "cde", "fgh ", "i"], [false, true, false, false]),
        ("e\u{301}e\u{301}e\u{301}", 2, ["e\u{301}e\u{301}", "e\u{301}"], [true, false]),
        ("👨‍👩‍👧👨‍👩‍👧", 1, ["👨‍👩‍👧", "👨‍👩‍👧"], [true, false]), ("漢字", 1, ["漢", "字"], [true, false]),
    ] as [(String, Int32, [String], [Bool])])
func `a word wider than the line is broken between grapheme clusters`(
    text: String, letters: Int32, lines: [String], emergencies: [Bool]
) {
    let found = LineBreaker.letters(letters).lines(of: .monospaced(text))
    #expect(broken(text, found) == lines)
    #expect(found.map { $0.traits.contains(.emergency) } == emergencies)
}

@Test(arguments: [0, -1, -1000, .min, 1, 9] as [Int32])
func `a box without room takes one cluster a line`(width: Int32) {
    let text = "ab e\u{301}\n👨‍👩‍👧漢"
    let breaker = LineBreaker(width: Fixed(raw: width), size: .points(16), scale: .two)
    #expect(broken(text, breaker.lines(of: .monospaced(text))) == ["a", "b ", "e\u{301}\n", "👨‍👩‍👧", "漢"])
}

@Test(arguments: [.max, 64 << 20] as [Int32])
func `the widest box holds what has no newline`(width: Int32) {
    let text = String(repeating: "many words ", count: 100)
    let breaker = LineBreaker(width: Fixed(raw: width), size: .points(16), scale: .three)
    #expect(broken(text, breaker.lines(of: .monospaced(text))) == [text])
}

@Test(arguments: [(2560, ["ab cd"]), (2559, ["ab cd"]), (2558, ["ab ", "cd"])] as [(Int32, [String])])
func `a line may be 1/64 pixel wider than the box`(units: Int32, lines: [String]) {
    var text = MeasuredText.monospaced("ab cd")
    text.advances[2] = 0
    text.findStops()
    #expect(broken("ab cd", LineBreaker.units(units).lines(of: text)) == lines)
    #expect(broken("ab cd", LineBreaker.units(units).lines(of: text.withoutStops)) == lines)
}

@Test(arguments: [("ab", 2), ("אב", 2), ("aא", 2), ("a\tb", 1), ("abא", 3)])
func `each item is rounded up to 1/64 pixel by itself`(text: String, letters: Int32) {
    // At 12 px a unit is 3/4 of 1/64 pixel: a letter of 641 units is 480.75 of them.
    var measured = MeasuredText.monospaced(text)
    for i in measured.advances.indices where measured.advances[i] > 0 { measured.advances[i] = 641 }
    measured.findStops()
    let lines = LineBreaker(width: .points(1000), size: .points(12), scale: .one).lines(of: measured)
    let expected: Int32 =
        switch text {
        case "aא": 481 + 481
        case "abא": 962 + 481
        case "a\tb": 8 * 480 + 481
        default: 962
        }
    #expect(lines.map(\.width) == [expected])
}

@Test(
    arguments: [
        ("AV", 2, ["AV"], [1180]), ("AVAV", 2, ["AV", "AV"], [1180, 1180]), ("xAV", 2, ["xA", "V"], [1280, 640]),
        ("LJLJ", 2, ["L", "JL", "J"], [640, 1280, 640]), ("して", 2, ["し", "て"], [1280, 1280]),
        ("fff", 2, ["fff"], [1200]), ("xfff", 2, ["xf", "ff"], [1280, 1280]),
        ("xfff", 1, ["x", "f", "f", "f"], [640, 640, 640, 640]),
    ] as [(String, Int32, [String], [Int32])])
func `a break inside a kerned pair or a ligature undoes it`(
    text: String, letters: Int32, lines: [String], widths: [Int32]
) {
    let found = LineBreaker.letters(letters).lines(of: .monospaced(text))
    #expect(broken(text, found) == lines)
    #expect(found.map(\.width) == widths)
}

@Test(arguments: [
    ("שלום", [true]), ("abc שלום", [false]), ("שלום abc", [true]), ("123 שלום", [true]), ("... \n", [false]),
    ("שלום\nabc\nשלום", [true, false, true]), ("שלום\n123", [true, false]),
])
func `the first letter of a paragraph says on which side its lines begin`(text: String, rightToLeft: [Bool]) {
    let breaker = LineBreaker.letters(20)
    let lines = breaker.lines(of: .monospaced(text))
    #expect(lines.map { $0.traits.contains(.rightToLeft) } == rightToLeft)
    #expect(lines.map { breaker.left(of: $0) } == zip(lines, rightToLeft).map { $1 ? breaker.box - $0.width : 0 })
}

@Test(arguments: [(1000, 1), (1500, 1.5), (2000, 2), (2625, 2.625), (3000, 3)] as [(Int32, Double)])
func `box and text grow together with the scale`(thousandths: Int32, factor: Double) {
    let breaker = LineBreaker.letters(7, scale: Scale(thousandths: thousandths))
    let lines = breaker.lines(of: .monospaced("see you at nine"))
    #expect(lines.map(\.end) == [8, 15])
    #expect(lines.map { Double($0.width) } == [7, 7].map { $0 * factor * 640 })
}
