import FormeLayout
import Foundation
import TestSupport
import Testing

// These tests import nothing of Forme but its library: any program can do the same. The bytes that the service stores
// come from `Kinds`.

private let fonts = Project.file("config/fonts.json5").path

private func opened(_ style: String, _ targets: [LayoutTarget] = []) throws -> MessageLayouts {
    try MessageLayouts(style: Project.file("config/styles/\(style).json5").path, fonts: fonts, targets: targets)
}

@Test(arguments: Kinds.styles)
func `a program that embeds the layouts gets the bytes that the service stores`(style: String) throws {
    let layouts = try opened(style)
    for kind in Kinds.names {
        let stored = try Kinds.records(kind, style)
        for (message, record) in zip(try Kinds.texts(kind), stored) {
            #expect(try layouts.record(of: message) == record, "\(kind)")
            #expect(try layouts.record(of: message) == record, "\(kind), again")
        }
    }
}

@Test func `a record is for the screens that were asked for, and read as JSON`() throws {
    let screens = [LayoutTarget(width: 393, scale: 3), LayoutTarget(width: 412, scale: 2.625, isMirrored: true)]
    let layouts = try opened("bubble", screens)
    #expect(layouts.targets == screens && layouts.variants == ["own", "other", "named"])
    let record = try layouts.record(of: Array(#"{"kind":"text","text":"Hello"}"#.utf8))
    let models = try [0, 1].map { try MessageLayouts.model(in: record, target: $0, variant: 2) }
    #expect(models.allSatisfy { $0.contains(#""size":["#) } && models[0] != models[1])
}

@Test func `a key is for what is laid out, and for nothing else of a message`() throws {
    let layouts = try opened("bubble")
    func key(_ text: String) throws -> [UInt8] { try layouts.key(of: Array(text.utf8)) }
    let hello = try key(#"{"kind":"text","text":"Hello"}"#)
    #expect(hello.count == 16)
    #expect(try key(#"{"text":"Hello","status":"read","kind":"text"}"#) == hello)
    #expect(try key(#"{"kind":"text","text":"Hallo"}"#) != hello)
}

@Test func `what is wrong is told, with its place`() throws {
    let noStyle = "none.json5 cannot be read; name a style such as config/styles/bubble.json5"
    #expect(throws: MessageLayoutsError.style(noStyle)) { try MessageLayouts(style: "none.json5", fonts: fonts) }
    let flat = Project.file("config/styles/flat.json5").path
    let noFonts = "none is missing; install the package of this font, or name another list of fonts"
    #expect(throws: MessageLayoutsError.fonts(noFonts)) { try MessageLayouts(style: flat, fonts: "none") }
    for (width, scale) in [(.nan, 2), (1e9, 2), (9, 0)] as [(Double, Double)] {
        let wrong = LayoutTarget(width: width, scale: scale)
        #expect(throws: MessageLayoutsError.self) { try opened("bubble", [wrong]) }
    }
    let layouts = try opened("bubble")
    #expect(throws: MessageLayoutsError.message("message:1:23: text: expected a string, found 7")) {
        try layouts.record(of: Array(#"{"kind":"date","text":7}"#.utf8))
    }
    let record = try layouts.record(of: Array(#"{"kind":"text","text":"Hello"}"#.utf8))
    for (target, variant) in [(16, 0), (-1, 0), (0, 3), (0, -1)] {
        #expect(throws: MessageLayoutsError.self) {
            try MessageLayouts.model(in: record, target: target, variant: variant)
        }
    }
    #expect(throws: MessageLayoutsError.self) { try MessageLayouts.model(in: Array(record.dropLast())) }
}
