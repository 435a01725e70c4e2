import Foundation
import Shaping
import TestSupport
import Testing
import Typography

@Test func `an empty text has no lines`() throws {
    var shaper = try PinnedFonts.shaper()
    let text = shaper.measure("")
    #expect(text.count == 0 && LineBreaker.letters(9).lines(of: text).isEmpty)
    #expect(TextLayout(text, breaker: .letters(9)).height == 0)
}

@Test(
    arguments: [
        [0xd800], [0xdc00], [0x61, 0xd800, 0x62], [0xdc00, 0xd800], [0xd83d], [0xde00, 0x20, 0xd83d], [0xd800, 0x301],
        [0xd800, 0xd800, 0xdc00],
    ] as [[UInt16]])
func `a lone surrogate is measured as a replacement character`(units: [UInt16]) throws {
    var shaper = try PinnedFonts.shaper()
    let replaced = Array(String(decoding: units, as: UTF16.self).utf16)
    let (text, other) = (shaper.measure(RichText(units: units)), shaper.measure(RichText(units: replaced)))
    #expect(text == other)
    #expect(try MeasuredText(decoding: text.encoded()) == text)
}

@Test func `controls have no width, and nothing traps`() throws {
    var shaper = try PinnedFonts.shaper()
    for unit in Array(0...0x1f) + Array(0x7f...0xa0) + [0x200b, 0x200e, 0x202e, 0x2028, 0x2066, 0xfeff, 0xfff9, 0xffff]
        as [UInt16]
    {
        let text = shaper.measure(RichText(units: [0x61, unit, 0x62]))
        let isControl = unit < 0x20 && unit != 9 || 0x7f..<0xa0 ~= unit
        #expect(!isControl || text.advances[1] == 0, "\(unit)")
        #expect(LineBreaker.letters(2).lines(of: text).last?.end == 3, "\(unit)")
    }
}

@Test func `any units whatever are measured, stored and broken`() throws {
    var shaper = try PinnedFonts.shaper()
    let ranges: [ClosedRange<UInt16>] = [
        0...0x7f, 0xa0...0x24f, 0x300...0x36f, 0x590...0x6ff, 0x900...0x97f, 0xe00...0xe7f, 0x1000...0x109f,
        0x1780...0x17ff,
        0x1100...0x11ff, 0x2000...0x206f, 0x20d0...0x20ff, 0x3000...0x30ff, 0x4e00...0x4eff, 0xac00...0xacff,
        0xd83c...0xd83e,
        0xdc00...0xdfff, 0xfe00...0xfe0f, 0xffe0...0xffff, 0x200c...0x200d,
    ]
    forEachSeed(300) { random in
        let some = (0..<3).map { _ in ranges.randomElement(using: &random)! }
        let units = (0..<Int.random(in: 1...40, using: &random)).map { _ in
            UInt16.random(in: some.randomElement(using: &random)!, using: &random)
        }
        let text = shaper.measure(RichText(units: units))
        let lines = LineBreaker(width: .points(60), size: .points(16), scale: .two).lines(of: text)
        return try MeasuredText(decoding: text.encoded()) == text && Int(lines.last!.end) == units.count
    }
}

// Time and size.

/// Whether measuring and breaking eight times as many of a piece takes not much more than eight times as long.
private func isLinear(_ piece: String, _ count: Int) throws -> Bool {
    func time(_ count: Int) throws -> Duration {
        let text = String(repeating: piece, count: count / piece.utf16.count)
        return try (0..<2).map { _ in
            var shaper = try PinnedFonts.shaper()
            return processorTime {
                let measured = shaper.measure(text)
                let lines = LineBreaker(width: .points(300), size: .points(16), scale: .one).lines(of: measured)
                precondition(Int(lines.last?.end ?? 0) == measured.count)
            }
        }.min()!
    }
    // 64 when quadratic. Caches of the machine may spoil a measurement, but not all of them.
    return try (0..<3).contains { _ in try time(8 * count) < time(count) * 24 + .milliseconds(4) }
}

@Test(arguments: [
    "see you at nine. ", "unbreakable", "\u{301}", "e\u{301}", "ببب", "سلام ", "नमस्ते ", "日本語", "สวัสดี", "😀", "👨‍👩‍👧",
    "\u{ad}a", "\t", " ", "\n",
    "(", "אב ab ", "\u{200d}", "ffi", "AV", "\u{202e}", "-", "1.", "\u{fffc}", "\u{1f1e6}", "한국어 ", "សួស្តី", "မင်္ဂလာပါ",
])
func `measuring and breaking take time in proportion to the length`(piece: String) throws {
    #expect(try isLinear(piece, piece == "\u{301}" ? 4000 : 1000))
}

@Test func `a hundred thousand letters take time in proportion to ten thousand`() throws {
    #expect(try isLinear("see you at nine. ", 12_500))
}

@Test(arguments: [("nine ", 1 << 20), ("\u{301}", 200_000), ("\u{93e}", 150_000), ("ب", 60_000), ("\n", 1 << 16)])
func `a text of any length is measured and broken`(piece: String, bytes: Int) throws {
    var shaper = try PinnedFonts.shaper()
    let text = shaper.measure(String(repeating: piece, count: bytes / piece.utf8.count))
    let breaker = LineBreaker(width: .points(300), size: .points(16), scale: .three)
    #expect(Int(breaker.lines(of: text).last?.end ?? 0) == text.count)
    #expect(TextLayout(text, breaker: breaker).height > 0)
    #expect(try MeasuredText(decoding: text.encoded()) == text)
}

// Fonts.

@Test func `a font list without a font is refused, and says what is wrong`() throws {
    #expect(throws: FontError.noFamilies) { try FontList([]) }
    #expect(throws: FontError.noFaces(family: "Empty")) { try FontList([FontFamily(name: "Empty", faces: [])]) }
    let missing = FontFamily(name: "Gone", faces: [FaceFile(weight: nil, path: "/nowhere/gone.ttf")])
    #expect(throws: FontError.unreadable(path: "/nowhere/gone.ttf", code: ENOENT)) { try FontList([missing]) }
    let folder = try TemporaryFolder()
    #expect(throws: FontError.self) { try list(of: folder.path) }
    #expect("\(FontError.unreadable(path: "/nowhere/gone.ttf", code: ENOENT))".contains("/nowhere/gone.ttf"))
}

@Test(arguments: [-1, 1, 7, 1 << 20]) func `a face that a file does not have is refused`(index: Int) throws {
    var file = try PinnedFonts.file(of: "NotoSansTamil")
    file.index = index
    #expect(throws: FontError.noSuchFace(path: file.path, index: index, faces: 1)) {
        try FontList([FontFamily(name: "Tamil", faces: [file])])
    }
}

@Test(arguments: [[], [0], Array("no font".utf8), [0, 1, 0, 0], Array("OTTO".utf8), Array("ttcf".utf8)] as [[UInt8]])
func `a file that is no font is refused`(bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: URL(filePath: folder.file("font.ttf")))
    #expect(throws: FontError.self) { try list(of: folder.file("font.ttf")) }
}

@Test func `a damaged font is refused, or measures something`() throws {
    let folder = try TemporaryFolder()
    let sound = try Data(contentsOf: URL(filePath: PinnedFonts.file(of: "NotoSansTamil").path))
    forEachSeed(60) { random in
        var bytes = sound
        if Bool.random(using: &random) { bytes = bytes.prefix(.random(in: 0...bytes.count, using: &random)) }
        for _ in 0..<Int.random(in: 0...200, using: &random) where !bytes.isEmpty {
            // Tables of contents are at the front: damage there is worth more.
            let reach = Bool.random(using: &random) ? min(bytes.count, 2000) : bytes.count
            bytes[bytes.startIndex + Int.random(in: 0..<reach, using: &random)] = .random(in: 0...255, using: &random)
        }
        // A file of its own each time: fonts are mapped, and a mapped file must not change.
        let path = folder.file("font-\(UInt64.random(in: 0...UInt64.max, using: &random)).ttf")
        try bytes.write(to: URL(filePath: path))
        guard let fonts = try? list(of: path) else { return true }
        var shaper = try Shaper(fonts: fonts)
        let text = shaper.measure(RichText("வணக்கம் see you at nine 😀\nஆம்"))
        let short = shaper.measure("see you at nine")
        let breaker = LineBreaker(width: .points(60), size: .points(16), scale: .two)
        return breaker.lines(of: text).last?.end == Int32(text.count) && breaker.lines(of: short).last?.end == 15
    }
}

private func list(of path: String) throws -> FontList {
    try FontList([FontFamily(name: "One", faces: [FaceFile(weight: nil, path: path)])])
}
