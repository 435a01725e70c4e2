import Shaping
import TestSupport
import Testing
import Typography

private let emojiFamily = "NotoColorEmoji"

/// Place of a family's regular face in the font list.
private func place(of family: String) throws -> UInt16 {
    var place = 0
    for known in try PinnedFonts.families() {
        if known.name == family { return UInt16(place) }
        place += known.faces.count
    }
    throw FontError.noFaces(family: family)
}

@Test(arguments: [
    "😀", "👍🏽", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "1️⃣", "#️⃣", "❤️", "⌚", "⌚️", "🫱🏻‍🫲🏿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👩🏿‍🚀", "☝🏻", "✌️",
])
func `emoji come from the emoji font, whole and as wide as their bitmap`(text: String) throws {
    var shaper = try PinnedFonts.shaper()
    let measured = shaper.measure(text)
    let emoji = try place(of: emojiFamily)
    #expect(measured.runs.map(\.font) == [emoji])
    #expect(measured.marks.count { $0.contains(.cluster) } == 1)
    #expect(measured.advances[0] == 136 && measured.runs[0].unitsPerEm == 109)
    #expect(!measured.isMissingGlyphs)
}

@Test(arguments: ["❤", "☺", "✔", "⌚︎", "1", "#", "©", "♥"])
func `what has no emoji presentation comes from the first font that has it`(text: String) throws {
    var shaper = try PinnedFonts.shaper()
    let emoji = try place(of: emojiFamily)
    let runs = shaper.measure(text).runs
    #expect(!runs.contains { $0.font == emoji })
}

@Test(arguments: [
    ("\u{10570}", true), ("a", false), ("\u{200d}", false), ("\u{e123}", true), ("한", false),
])
func `a character that no font has is measured all the same, and the text says so`(text: String, isMissing: Bool) throws
{
    var shaper = try PinnedFonts.shaper()
    let measured = shaper.measure(text)
    #expect(measured.isMissingGlyphs == isMissing)
    #expect(!isMissing || measured.advances.contains { $0 > 0 })
}

@Test func `the same text gives the same bytes, from any shaper and after any other`() throws {
    var first = try PinnedFonts.shaper()
    var second = try PinnedFonts.shaper()
    let texts = try Oracle.publicCases().cases.filter { $0.tag != "long" }.enumerated().filter { $0.offset % 4 == 0 }
    let forward = texts.map { first.measure($0.element.text, style: $0.element.style).encoded() }
    let backward = texts.reversed().map { second.measure($0.element.text, style: $0.element.style).encoded() }
    #expect(forward == backward.reversed())
    let again = texts.map { first.measure($0.element.text, style: $0.element.style).encoded() }
    #expect(forward == again)
}

@Test func `a small word cache changes nothing`() throws {
    var roomy = try PinnedFonts.shaper()
    var narrow = try PinnedFonts.shaper(cacheBytes: 2000)
    for one in try Oracle.edgeCases().cases {
        let text = roomy.measure(one.text, style: one.style)
        let same = narrow.measure(one.text, style: one.style)
        #expect(text == same, "\(one.id)")
    }
    let bytes = narrow.cacheStatistics.bytes
    #expect(bytes < 20_000)
}

@Test func `every unit is of a run, and every unsafe place has its deltas`() throws {
    var shaper = try PinnedFonts.shaper()
    for one in try Oracle.publicCases().cases where one.tag != "long" {
        let text = shaper.measure(one.text, style: one.style)
        let unsafe = text.marks.indices.filter { text.marks[$0].contains(.unsafe) }
        #expect(unsafe == text.unsafeBreaks.map { Int($0.position) }, "\(one.id)")
        #expect(text.runs.first?.start == 0 && text.runs.map(\.start) == text.runs.map(\.start).sorted(), "\(one.id)")
        #expect(text.count == one.text.utf16.count && text.advances.allSatisfy { $0 >= 0 }, "\(one.id)")
        #expect(text.marks[0].contains(.cluster), "\(one.id)")
    }
}

// Rich text.

@Test func `a bold stretch is measured in the bold face`() throws {
    var shaper = try PinnedFonts.shaper()
    let plain = shaper.measure(RichText("see you at nine"))
    let bold = shaper.measure(RichText("see you at nine", style: .bold))
    var rich = RichText("see you at nine")
    rich.spans = [.init(start: 4, end: 7, style: .bold)]
    let mixed = shaper.measure(rich)
    #expect(mixed.advances[0..<4] == plain.advances[0..<4])
    #expect(mixed.advances[4..<7] == bold.advances[4..<7])
    #expect(mixed.advances[7...] == plain.advances[7...])
    #expect(mixed.styles == plain.styles + bold.styles)
    #expect(mixed.runs.map(\.start) == [0, 4, 7] && mixed.runs.map(\.style) == [0, 1, 0])
    #expect(mixed.runs.allSatisfy { $0.beginsItem })
}

@Test func `a stretch of fixed pitch comes from the monospaced family`() throws {
    let fonts = try FontList(PinnedFonts.families())
    var shaper = try Shaper(fonts: fonts)
    var rich = RichText("ab cd")
    rich.spans = [.init(start: 3, end: 5, style: TextStyle(isMonospaced: true))]
    let measured = shaper.measure(rich)
    #expect(measured.runs.map(\.start) == [0, 3])
    let file = try PinnedFonts.file(of: "NotoSansMono")
    #expect(fonts.faces[Int(measured.runs[1].font)].path == file.path && measured.runs[0].font == 0)
    #expect(Set(measured.advances[3..<5]).count == 1)
}

@Test func `a stretch of another size is the same text at that size`() throws {
    var shaper = try PinnedFonts.shaper()
    let large = shaper.measure(RichText("nine", style: TextStyle(percent: 200)))
    let usual = shaper.measure(RichText("nine"))
    let breaker = LineBreaker(width: .points(999), size: .points(16), scale: .one)
    let twice = LineBreaker(width: .points(999), size: .points(32), scale: .one)
    #expect(large.advances == usual.advances)
    #expect(breaker.lines(of: large) == twice.lines(of: usual))
}

@Test func `a box stands in the flow with the width and height it was given`() throws {
    var shaper = try PinnedFonts.shaper()
    var rich = RichText("hi \u{fffc}\u{fffc}, you")
    rich.boxes = [
        InlineBox(position: 3, extent: .fixed(width: .points(40), ascent: .points(20), descent: .points(4))),
        InlineBox(position: 4, extent: .em(width: 1250, ascent: 2000, descent: 250)),
    ]
    let text = shaper.measure(rich)
    let without = shaper.measure(RichText("hi , you"))
    let breaker = LineBreaker(width: .points(999), size: .points(16), scale: .two)
    let width = breaker.lines(of: text)[0].width - breaker.lines(of: without)[0].width
    let boxes: Int32 = 2 * 64 * (40 + 20)
    #expect(width >= boxes && width <= boxes + 4)
    let layout = TextLayout(text, breaker: breaker)
    #expect(layout.lines[0].ascent == 2 * 64 * 32 + 1)  // a factor of 1000 units is rounded up
    #expect(!text.isMissingGlyphs)
}

@Test func `spans and boxes that make no sense are cut to what does`() throws {
    var shaper = try PinnedFonts.shaper()
    forEachSeed(200) { random in
        var rich = RichText(units: Array("hi \u{fffc}, שלום 😀\nyou".utf16))
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let style = [TextStyle.bold, TextStyle(isMonospaced: true), TextStyle(percent: 150)].randomElement(
                using: &random)!
            rich.spans.append(
                .init(
                    start: .random(in: -9...30, using: &random), end: .random(in: -9...30, using: &random), style: style
                ))
            rich.boxes.append(
                InlineBox(
                    position: .random(in: -9...30, using: &random), extent: .em(width: -5, ascent: -9, descent: .max)))
        }
        let text = shaper.measure(rich)
        return try MeasuredText(decoding: text.encoded()) == text
    }
}
