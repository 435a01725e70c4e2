import FormeLayout
import Foundation
import MessageLayout
import Shaping
import TestSupport
import Testing
import Wire

private func families() throws -> [FontFamily] {
    let path = Project.file("config/fonts.json5").path
    let bytes = Array(FileManager.default.contents(atPath: path) ?? Data())
    return try FontCatalog().identified(FontConfiguration.families(bytes, from: path))
}

@Test(arguments: ["bubble", "bubble-24h", "flat"])
func `an edition that is kept is the same edition when it is read`(name: String) throws {
    let path = Project.file("config/styles/\(name).json5").path
    let fonts = try families()
    let made = try CompiledEdition(StyleDocuments(reading: path), fonts: fonts)
    let list = try FontCatalog().open(fonts)
    let style = try StyleFiles.open(path)
    #expect(
        made.id == (try Edition(name: style.name, style: style, environment: LayoutEnvironment(fonts: list)).id))
    let read = try CompiledEdition(json: made.json)
    #expect(read == made && read.name == name)
    let (again, found) = try read.openHere()
    #expect(again.targets == style.targets && found == fonts)
}

@Test func `an edition is laid out with fonts that lie elsewhere by now, and not with others`() throws {
    let folder = try TemporaryFolder()
    var fonts = try families()
    let file = fonts[0].faces[0].path
    let moved = folder.file("moved.ttf")
    try FileManager.default.copyItem(atPath: file, toPath: moved)
    fonts[0].faces[0].path = moved
    let made = try CompiledEdition(
        StyleDocuments(reading: Project.file("config/styles/bubble.json5").path),
        fonts: FontCatalog().identified(fonts))
    #expect(try made.openHere().fonts[0].faces[0].path == moved)
    try FileManager.default.removeItem(atPath: moved)
    #expect(try made.openHere(besides: families()).fonts[0].faces[0].path == file)
    #expect(throws: StyleFiles.Problem.self) { try made.openHere() }
}
