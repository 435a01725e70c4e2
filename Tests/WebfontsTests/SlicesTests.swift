import CWOFF2
import FormeLayout
import Foundation
import Shaping
import TestSupport
import Testing
import Typography
import Webfonts

private let path = "/usr/share/fonts/"
private let emoji = FaceFile(weight: nil, path: path + "truetype/noto/NotoColorEmoji.ttf")
private let chinese = FaceFile(weight: nil, path: path + "opentype/noto/NotoSansCJK-Regular.ttc", index: 2)

/// The slices of a face as families: the first that has a cluster draws it, which is the rule for slices, too.
private func families(_ file: FaceFile, in folder: TemporaryFolder) throws -> [FontFamily] {
    let source = try FaceSource(path: file.path, index: file.index)
    return try SlicePlan(of: source).slices.enumerated().map { number, slice in
        let cut = folder.file("\(number).ttf")
        try Data(source.cut(slice.characters)).write(to: URL(filePath: cut))
        return FontFamily(name: "slice \(number)", faces: [FaceFile(weight: nil, path: cut)])
    }
}

@Test func `every emoji of Unicode is as wide in slices as in the whole font, and lacks nothing`() throws {
    let folder = try TemporaryFolder()
    let slices = try families(emoji, in: folder)
    #expect(slices.count > 100)
    var sliced = try Shaper(fonts: FontList(slices))
    var whole = try Shaper(fonts: FontList([FontFamily(name: "whole", faces: [emoji])]))
    let list = try String(contentsOfFile: "/usr/share/unicode/emoji/emoji-test.txt", encoding: .utf8)
    let sequences = list.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
        String(
            String.UnicodeScalarView(
                line.prefix { $0 != ";" }.split(separator: " ").compactMap {
                    UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
                }))
    }
    #expect(sequences.count > 4500)
    for sequence in sequences {
        let (one, other) = (whole.measure(sequence), sliced.measure(sequence))
        #expect(one.advances == other.advances && one.isMissingGlyphs == other.isMissingGlyphs, "\(sequence)")
    }
}

@Test func `ten thousand lines are as wide with Chinese letters in slices as with the whole face`() throws {
    let folder = try TemporaryFolder()
    let list = Project.file("config/fonts.json5")
    let listed = try FontConfiguration.families(Array(Data(contentsOf: list)), from: list.path).prefix(15)
    let place = try #require(listed.firstIndex { $0.name == "NotoSansCJKsc" })
    var families = Array(listed)
    families.replaceSubrange(place...place, with: try WebfontsTests.families(chinese, in: folder))
    var sliced = try Shaper(fonts: FontList(families))
    var whole = try Shaper(fonts: FontList(Array(listed)))
    let breaker = LineBreaker(width: .points(200), size: .points(16), scale: Scale(thousandths: 1000))
    var lines = 0
    var random = SplitMix64(seed: 7)
    let recorded = try texts()
    for text in recorded + (0..<6000).map({ _ in splice(of: recorded, &random) }) {
        let (one, other) = (whole.measure(text), sliced.measure(text))
        #expect(one.advances == other.advances && one.marks == other.marks, "\(text)")
        lines += breaker.lines(of: one).count
    }
    #expect(lines >= 10_000)
}

/// The faces for other languages and the bold one that have Han characters, and the largest of a single script.
@Test(arguments: [
    ("NotoSansCJKjp", "ja", 400), ("NotoSansCJKkr", "ko", 400), ("NotoSansCJKtc", "zh-Hant", 400),
    ("NotoSansCJKhk", "zh-HK", 400), ("NotoSansCJKsc", nil, 700), ("NotoSerifTangut", nil, 400),
])
private func `lines of every large face are as wide in its slices`(name: String, language: String?, weight: Int) throws
{
    let folder = try TemporaryFolder()
    let path = Project.file("config/fonts.json5")
    let all = try FontConfiguration.families(Array(Data(contentsOf: path)), from: path.path)
    let listed = all.prefix(15) + all.dropFirst(15).filter { $0.name.hasPrefix("NotoSansCJK") || $0.name == name }
    let place = try #require(listed.firstIndex { $0.name == name })
    let family = listed[place]
    let file = try #require(family.faces.first { ($0.weight ?? 400) == Int16(weight) })
    var families = Array(listed)
    let slices = try WebfontsTests.families(file, in: folder).map {
        FontFamily(name: $0.name, languages: family.languages, instead: family.instead, faces: $0.faces)
    }
    // A family that others stand in for stays in the list under its name.
    families.replaceSubrange(place...place, with: family.instead == nil ? slices + [family] : slices)
    var sliced = try Shaper(fonts: FontList(families))
    var whole = try Shaper(fonts: FontList(Array(listed)))
    let style = TextStyle(weight: Int16(weight), language: language.flatMap { Language($0) } ?? .none)
    let own = try FaceSource(path: file.path, index: file.index).characters.filter {
        0x3041...0x9fff ~= $0 || 0xac00...0xd7a3 ~= $0 || 0x17000...0x18d08 ~= $0 || 0x20000...0x2ffff ~= $0
    }
    var random = SplitMix64(seed: 9)
    let others = (0..<1500).map { _ in
        String(
            String.UnicodeScalarView(
                (0..<20).compactMap { _ in own.randomElement(using: &random).flatMap(Unicode.Scalar.init) }))
    }
    var drawn = 0
    for text in try texts() + others {
        let (one, other) = (whole.measure(text, style: style), sliced.measure(text, style: style))
        #expect(one.advances == other.advances && one.marks == other.marks, "\(text)")
        if one.runs != other.runs { drawn += 1 }
    }
    // The slices drew these texts, and not the whole face.
    #expect(drawn >= 1500)
}

/// Parts of some texts, one behind the other.
private func splice(of texts: [String], _ random: inout SplitMix64) -> String {
    (0..<3).map { _ in
        let text = texts.randomElement(using: &random)!
        let start = text.indices.randomElement(using: &random)!
        return String(text[start...].prefix(.random(in: 1...30, using: &random)))
    }.joined()
}

/// The texts of the recorded cases, in every script.
private func texts() throws -> [String] {
    struct Case: Decodable { var text: String }
    return try String(contentsOf: Project.file("Tests/Oracle/cases.jsonl"), encoding: .utf8).split(separator: "\n")
        .map { try JSONDecoder().decode(Case.self, from: Data($0.utf8)).text }.filter { !$0.isEmpty }
}

@Test func `the slices of a face have all of its characters, and none is large`() throws {
    for file in [emoji, chinese, FaceFile(weight: nil, path: path + "truetype/noto/NotoSerifTangut-Regular.ttf")] {
        let source = try FaceSource(path: file.path, index: file.index)
        let slices = SlicePlan(of: source).slices
        #expect(slices.count > 10 && slices.count <= 250 && !slices.contains(where: \.isWhole))
        #expect(slices.reduce(into: Set<UInt32>()) { $0.formUnion($1.characters) } == Set(source.characters))
        #expect(slices.flatMap(\.ranges).allSatisfy { $0.upperBound < 0x110000 })
        #expect(SlicePlan(of: source) == SlicePlan(of: source))
    }
}

@Test func `a small face is one slice, and one of a collection is a font by itself`() throws {
    let thai = try FaceSource(path: path + "truetype/noto/NotoSansThai-Regular.ttf")
    let slices = SlicePlan(of: thai).slices
    #expect(slices == [FontSlice(characters: thai.characters, isWhole: true)])
    let font = try thai.webfont(of: slices[0])
    #expect(Array(font.prefix(4)) == Array("wOF2".utf8) && font.count < thai.byteCount / 2)
    // The font tells its own length.
    #expect(font[8..<12].reduce(0) { $0 << 8 | Int($1) } == font.count)
    let first = try FaceSource(path: chinese.path, index: 2)
    #expect(try Array(first.cut([0x4e00]).prefix(4)) == Array("OTTO".utf8))
}

@Test func `a compressed font is a pure function of the font: no byte of it is what was in memory before`() throws {
    let thai = try FaceSource(path: path + "truetype/noto/NotoSansThai-Regular.ttf")
    // The fonts have many lengths, so that some need padding.
    let characters = thai.characters.prefix(24)
    for count in 1...characters.count {
        let font = try thai.cut(Array(characters.prefix(count)))
        let made = [0x11 as UInt8, 0x5a].map { byte in
            var result = [UInt8](repeating: byte, count: unsafe forme_woff2_bound(font, font.count))
            var length = result.count
            let isDone = unsafe forme_woff2_compress(font, font.count, &result, &length)
            return isDone ? Array(result.prefix(length)) : []
        }
        #expect(!made[0].isEmpty && made[0] == made[1] && made[0].count.isMultiple(of: 4), "\(count)")
    }
}

@Test func `what is no font, or has no such face, is an error`() throws {
    let folder = try TemporaryFolder()
    try Data("no font".utf8).write(to: URL(filePath: folder.file("none.ttf")))
    #expect(throws: WebfontError.unreadable(path: "/nowhere")) { try FaceSource(path: "/nowhere") }
    #expect(throws: WebfontError.self) { try FaceSource(path: folder.file("none.ttf")) }
    #expect(throws: WebfontError.noFace(path: chinese.path, index: 99)) {
        try FaceSource(path: chinese.path, index: 99)
    }
}

@Test func `a font that was damaged anywhere is cut or refused, and nothing traps`() throws {
    let folder = try TemporaryFolder()
    let good = try Array(Data(contentsOf: URL(filePath: emoji.path)).prefix(90_000))
    forEachSeed(60) { random in
        var bytes = good
        for _ in 0..<20 { bytes[.random(in: 0..<90_000, using: &random)] = .random(in: 0...255, using: &random) }
        do {
            try Data(bytes).write(to: URL(filePath: folder.file("damaged.ttf")))
            let source = try FaceSource(path: folder.file("damaged.ttf"))
            for slice in SlicePlan(of: source).slices.prefix(3) { _ = try source.cut(slice.characters) }
        } catch {}
        return true
    }
}
