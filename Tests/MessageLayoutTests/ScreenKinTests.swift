import JSON
import MessageLayout
import TestSupport
import Testing
import Typography

/// The letters of narrow screens are larger by 1/64 point. At half the text size, both are 8 px in whole 64ths.
private let style = """
    {
      name: "small", variants: ["own"], targets: [{ widths: [1400], scales: [1] }], lengths: {},
      texts: { body: { size: 16, line: 20 } },
      classes: { narrow: { below: 1300, texts: { body: { size: 16.015625 } } } },
      frames: { bare: { part: { stack: [{ slot: "content" }] } } },
    }
    """

private let kind = """
    {
      kind: "k", frame: "bare", fields: { text: "text!" },
      content: { stack: [{ text: "{text}", style: "body", name: "text" }] },
    }
    """

/// The height of two words, 240 letters of 5 px, on the last of some screens with rows of these widths.
private func height(ofRows widths: [Int32]) throws -> Int32 {
    var sheet = try JSONDocument(name: "style", bytes: Array(style.utf8), dialect: .json5).read {
        (root) throws(JSONError) in try StyleSheet(root)
    }
    try JSONDocument(name: "kind", bytes: Array(kind.utf8), dialect: .json5).read {
        (root) throws(JSONError) in try sheet.addKind(root)
    }
    let text = String(repeating: "a", count: 119) + " " + String(repeating: "b", count: 120)
    let targets = widths.map { Target(width: .points($0), scale: .one, textScale: TextScale(percent: 50)) }
    var composer = Composer(sheet, targets: targets) { _, _, result in result = .monospaced("x") }
    let message = try JSONValue.parse(Array(#"{"kind": "k", "text": "\#(text)"}"#.utf8))
    let layouts = try composer.layOut(JSONReader(message)) { _, _, result in result = .monospaced(text) }
    return layouts.model(target: widths.count - 1, variant: 0).size.height
}

@Test func `a text breaks on each screen as if it were the only one, also where sizes are nearly equal`() throws {
    let (alone, together) = (try height(ofRows: [1201]), try height(ofRows: [1400, 1201]))
    // They have 1200 px at 16 points, and 1201.2 px here.
    #expect(alone == 20)
    #expect(together == alone)
}
