import Testing
import Typography

@testable import Shaping

private func family(_ name: String, isEmoji: Bool = false) -> FontFamily {
    let path = "/usr/share/fonts/truetype/noto/\(name).ttf"
    return FontFamily(name: name, isEmoji: isEmoji, faces: [FaceFile(weight: nil, path: path)])
}

private func shaper() throws -> Shaper {
    try Shaper(
        fonts: FontList([
            family("NotoSans-Regular"), family("NotoSansArabic-Regular"), family("NotoSansHebrew-Regular"),
            family("NotoSansMyanmar-Regular"), family("NotoSansSymbols-Regular"),
            family("NotoColorEmoji", isEmoji: true),
        ]))
}

/// The lines of `text` at 20 px.
private func lines(_ text: String, box: Double = 10_000) throws -> [Line] {
    var shaper = try shaper()
    let breaker = LineBreaker(width: Fixed(raw: Int32(box * 64)), size: .points(20), scale: .one)
    return breaker.lines(of: shaper.measure(text))
}

private func width(_ text: String) throws -> Double { Double(try lines(text).reduce(0) { $0 + $1.width }) / 64 }

private func broken(_ text: String, box: Double) throws -> [String] {
    let units = Array(text.utf16)
    return try lines(text, box: box).map { String(decoding: units[Int($0.start)..<Int($0.end)], as: UTF16.self) }
}

/// All widths as a browser has them.
@Suite struct BrowserWidthsTests {
    @Test func `a Hebrew point on a Latin letter has no width, and moves no letter`() throws {
        #expect(try width("a\u{5b0}\u{5c1}b") == width("ab"))
        #expect(try width(" \u{5b0}\u{5d0}") == 17.84375)
    }

    @Test(arguments: [
        ("r\u{200c}e", 19.546875), ("r\u{200b}e", 19.140625), ("T\u{200c}o", 23.234375), ("To", 21.828125),
    ])
    func `a non-joiner forbids kerning, other invisible characters do not`(text: String, expected: Double) throws {
        #expect(try width(text) == expected)
    }

    @Test func `what one shaping begins anew is rounded by itself`() throws {
        #expect(try width("i" + String(repeating: "\u{200c}i", count: 16)) == 17 * width("i"))
        #expect(try width("  i") == width("  \u{5d0}") - width("\u{5d0}") + width("i"))
    }

    @Test(arguments: [("≠", 11.453125), (".\u{1038}", 17.375), ("\u{25cc}\u{1038}", 18.8125)])
    func `a font is chosen for what a shaper takes for a cluster`(text: String, expected: Double) throws {
        #expect(try width(text) == expected)
    }

    @Test(arguments: ["⚽\u{20e3}", "©\u{fe0f}\u{20e3}", "1\u{fe0f}\u{20e3}", "☝🏽"])
    func `an emoji has the width of one, whatever is set upon it`(text: String) throws {
        #expect(try width(text) == 24.96875)
    }

    @Test(arguments: [("fiffi", 30.96875), ("fifi", 24.09375), ("fififfi", 43)])
    func `ligatures side by side are whole`(text: String, expected: Double) throws {
        #expect(try width(text) == expected)
    }

    @Test func `a skin tone behind a selector is an emoji of its own`() throws {
        #expect(try width("☝\u{fe0f}🏽") == 49.921875)
    }

    @Test(arguments: ["\u{ad}", "\u{2060}", "\u{200b}", "\u{200e}"])
    func `letters joined across what is not seen do not linger`(joint: String) throws {
        var shaper = try shaper()
        let alone = shaper.measure("\u{647} \u{647}")
        _ = shaper.measure("\u{647}\(joint)\u{627}")
        #expect(shaper.measure("\u{647} \u{647}") == alone)
    }
}

@Suite struct BrowserSoftHyphensTests {
    @Test(arguments: [
        ("aa i-i\u{ad}ttttt", 45.5, ["aa ", "i-i\u{ad}", "ttttt"]), ("aa el\u{ad}", 48, ["aa ", "el\u{ad}"]),
        ("aa el\u{ad}", 51, ["aa el\u{ad}"]), ("wai\u{ad}ter", 32.25, ["w", "ai\u{ad}", "ter"]),
        ("wei\u{ad}?er", 34.5, ["we", "i\u{ad}?er"]),
        ("wwi\u{ad}lt", 42, ["wwi\u{ad}l", "t"]),
    ])
    func `a line is filled anew when its hyphen does not fit`(text: String, box: Double, expected: [String]) throws {
        #expect(try broken(text, box: box) == expected)
    }

    @Test func `spaces hang behind a letter that is wider than the box`() throws {
        #expect(try broken("a  a \u{5d0} b", box: 5) == ["a  ", "a ", "\u{5d0} ", "b"])
    }
}
