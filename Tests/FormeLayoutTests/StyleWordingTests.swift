import FormeLayout
import Foundation
import JSON
import MessageLayout
import TestSupport
import Testing

private func opened(_ name: String) throws -> StyleSheet {
    try StyleFiles.open(Project.file("config/styles/\(name).json5").path)
}

/// The widths of a message of one word, own and of others, on each screen.
private func widths(_ style: StyleSheet) throws -> [[Int32]] {
    var engine = try Kinds.engine(style)
    let sheet = try engine.layOut(
        JSONReader(JSONValue.parse(Array(#"{"kind":"text","text":"ok","status":"sent"}"#.utf8))))
    return (0..<2).map { variant in
        sheet.targets.indices.map { sheet.slice(target: $0, variant: variant).size.width }
    }
}

@Test func `a style for clocks of twenty-four hours keeps no room for more`() throws {
    let (twelve, twentyFour) = (try opened("bubble"), try opened("bubble-24h"))
    #expect(twentyFour.name == "bubble-24h")
    #expect(twentyFour.targets == twelve.targets && twentyFour.variants == twelve.variants)
    for (wide, narrow) in zip(try widths(twelve), try widths(twentyFour)) {
        for (wide, narrow) in zip(wide, narrow) { #expect(narrow < wide) }
    }
}

/// The error for a style whose file has this text.
private func fault(_ text: String) throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.file("own.json5")
    try Data(text.utf8).write(to: URL(filePath: path))
    return "\(#expect(throws: (any Error).self) { try StyleFiles.open(path) }!)"
}

@Test func `what a style in other words may not say is told with its place`() throws {
    let base = Project.file("config/styles/bubble.json5").path
    let folder = String(repeating: "../", count: 12) + base.dropFirst()
    let unknown = try fault(#"{ base: "\#(folder)", name: "x", strings: { stampp: "00:00" } }"#)
    #expect(unknown.contains("own.json5:1:") && unknown.contains("stampp") && unknown.contains("stamp"))
    #expect(try fault(#"{ base: "\#(folder)", name: "x", lengths: {}, strings: {} }"#).contains("lengths"))
    #expect(try fault(#"{ base: "\#(folder)", name: "x" }"#).contains("strings"))
    #expect(try fault(#"{ base: "nowhere.json5", name: "x", strings: {} }"#).contains("nowhere.json5 cannot be read"))
    let chained = String(repeating: "../", count: 12) + Project.file("config/styles/bubble-24h.json5").path.dropFirst()
    #expect(try fault(#"{ base: "\#(chained)", name: "x", strings: {} }"#).contains("base"))
}
