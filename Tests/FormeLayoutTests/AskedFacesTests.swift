import FormeLayout
import Foundation
import MessageLayout
import Shaping
import TestSupport
import Testing
import Typography

private func families() throws -> [FontFamily] {
    let path = Project.file("config/fonts.json5").path
    return try FontConfiguration.families(Array(Data(contentsOf: URL(filePath: path))), from: path)
}

@Test(arguments: Kinds.styles)
func `every face that a style asks for is in the list of fonts`(name: String) throws {
    let style = try Kinds.style(name)
    try StyleFiles.check(style, of: name, with: families())
    let asked = style.askedFaces.map(\.face)
    #expect(asked.contains(TextStyle(isMonospaced: true)) && asked.contains(TextStyle(weight: 700)))
    // Nobody but the writer of a message asks for these.
    #expect(asked.contains(TextStyle(isItalic: true)) && asked.contains(TextStyle(weight: 700, isItalic: true)))
}

@Test(arguments: [
    (
        TextStyle(isMonospaced: true),
        "weight 400, of fixed pitch, and no family in the list of fonts is monospaced; add one, such as Noto Sans Mono"
    ),
    (
        TextStyle(isItalic: true),
        "weight 400, italic, which the font NotoSans does not have; add it to the faces of NotoSans in the list of fonts"
    ),
    (.bold, "weight 700, which the font NotoSans does not have; add it"),
])
func `a style that asks for a face which no font has is refused, with what to do`(
    face: TextStyle, words: String
) throws {
    let fonts = try families().compactMap { family in
        var family = family
        guard family.isMonospaced == face.isMonospaced else { return family }
        family.faces.removeAll { $0.isItalic == face.isItalic && $0.weight == face.weight || face.isMonospaced }
        return family.faces.isEmpty ? nil : family
    }
    let path = Project.file("config/styles/bubble.json5").path
    let complaint = #expect(throws: StyleFiles.Problem.self) {
        try CompiledEdition(StyleDocuments(reading: path), fonts: FontCatalog().identified(fonts))
    }
    let text = try #require(complaint?.description)
    #expect(text.hasPrefix("\(path): the text '") && text.contains(words))
}
