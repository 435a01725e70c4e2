import Testing

@testable import Drawing

/// The grounds on which words of a colour stand, each lying over the next.
private let grounds: [(words: [String], layers: [String])] = {
    let inks = ["ink", "faint", "link", "read"], names = (0..<Hue.count).map { "n\($0)" }
    var grounds: [(words: [String], layers: [String])] = []
    for ground in ["page", "bubble", "bubble-own", "plate"] {
        grounds.append((inks + (ground == "bubble-own" ? [] : names), [ground]))
        for layer in ["quote", "code", "chip", "button", "input", "unknown"] {
            grounds.append((["ink", "link", "faint"], [layer, ground]))
        }
    }
    grounds.append((["ink", "link", "faint"], ["pill"]))
    return grounds
}()

@Test(arguments: [false, true])
func `all words are read with ease on all that they stand on, on light screens and on dark ones`(isDark: Bool) throws {
    func colour(_ name: String) throws -> Colour {
        let pair = try #require(Theme.standard[name], "\(name)")
        return isDark ? pair.dark : pair.light
    }
    for (words, layers) in grounds {
        let ground = try layers.reversed().map(colour).reduce(colour("page")) { $1.over($0) }
        for word in words {
            let contrast = try colour(word).contrast(on: ground)
            #expect(contrast >= 4.5, "\(word) on \(layers.joined(separator: " on ")): \(contrast)")
        }
    }
    // Letters in discs and on pictures, whatever these show.
    for disc in (0..<Hue.count).map({ "d\($0)" }) + ["accent", "failed"] {
        #expect(try colour("over").contrast(on: colour(disc)) >= 4.5, "\(disc)")
    }
    for picture in [Colour(0xffffff), Colour(0x000000)] + (try (0..<Hue.count).map { try colour("p\($0)") }) {
        #expect(try colour("over").contrast(on: colour("capsule").over(picture)) >= 4.5)
    }
}

@Test(arguments: [
    (0xffffff as UInt32, 0x000000 as UInt32, 21.0), (0x777777, 0xffffff, 4.48), (0x0000ff, 0xffffff, 8.59),
    (0x123456, 0x123456, 1),
])
func `contrast is counted as WCAG counts it`(words: UInt32, ground: UInt32, contrast: Double) {
    #expect(abs(Colour(words).contrast(on: Colour(ground)) - contrast) < 0.01)
}

@Test func `a page has the system's colours unless it says which, and asks for nothing`() {
    for scheme in Scheme.allCases {
        let page = ChatPage("<title>", [], fonts: PageFonts([]), scheme: scheme).html
        #expect(page.contains("<html lang=\"en\" data-scheme=\"\(scheme)\">") && page.contains("&lt;title&gt;"))
        #expect(page.contains("default-src 'none'") && page.contains("@media (prefers-color-scheme: dark)"))
        #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("<script"))
    }
}

@Test func `a font is found by the names that it gives itself, or stands in the page`() {
    let there = PageFonts.Face(family: "A", weight: 700, isItalic: true, names: ["A Bold Italic", "it's \\ \"x\";}"])
    let inside = PageFonts.Face(family: "B", weight: nil, isMonospaced: true, names: [], file: [0, 1, 2, 3])
    let fonts = PageFonts([there, inside])
    #expect(fonts.css.contains("src: local('A Bold Italic'), local('its  x'); font-weight: 700; font-style: italic;"))
    #expect(fonts.css.contains("src: url(data:font/ttf;base64,AAECAw==); font-weight: 1 1000;"))
    #expect(fonts.families(isMonospaced: false) == "'A', 'B', sans-serif")
    #expect(fonts.families(isMonospaced: true) == "'B', 'A', monospace")
}

@Test func `a face is taken out of a collection, and a damaged one is none`() {
    func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * (count - 1 - $0)) & 255) }
    }
    let table = [UInt8]("name".utf8) + number(0) + number(48) + number(3)
    let file =
        Array("ttcf".utf8) + number(0x10000) + number(2) + number(20) + number(20)
        + Array("OTTO".utf8) + number(1, 2) + number(0, 2) + number(0, 4) + table + [7, 8, 9]
    #expect(FontFile.face(1, of: file)?.suffix(4) == [7, 8, 9, 0])
    #expect(FontFile.face(1, of: file)?.prefix(4) == Array("OTTO".utf8)[...])
    #expect(FontFile.face(2, of: file) == nil && FontFile.face(0, of: [1, 2, 3]) == [1, 2, 3])
    for count in 8..<file.count { #expect(FontFile.face(1, of: Array(file.prefix(count))) == nil) }
}

@Test func `a blurred picture is drawn as it is said, and what is none is none`() throws {
    let picture = try #require(Blurhash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")).pixels(wide: 4, high: 3)
    #expect(picture.count == 36 && Set(picture).count > 6)
    // One colour alone: its four digits.
    let plain = try #require(Blurhash("00OZZy")).pixels(wide: 2, high: 1)
    #expect(plain[0..<3] == plain[3..<6])
    for text in ["", "LEHV6", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}", "<svg>0"] {
        #expect(Blurhash(text) == nil)
    }
    #expect(Bitmap.dataURL([1, 2, 3], wide: 1, high: 1).hasPrefix("data:image/bmp;base64,Qk06AAAA"))
}
