import FormeLayout
import Foundation
import JSON
import MessageLayout
import TestSupport
import Testing

/// All that it takes to add a kind: the text on the page Designing, in a file of its own.
private func payment() throws -> String {
    let page = try String(contentsOf: Project.file("Sources/forme/forme.docc/Designing.md"), encoding: .utf8)
    let start = try #require(page.range(of: "```json5\n")).upperBound
    let end = try #require(page.range(of: "\n```\n", range: start..<page.endIndex)).lowerBound
    return String(page[start..<end])
}

@Test(arguments: Kinds.styles)
func `a kind is added by its file alone, and lays out no other anew`(name: String) throws {
    let folder = try TemporaryFolder()
    let styles = folder.file("styles")
    try FileManager.default.copyItem(atPath: Project.file("config/styles").path, toPath: styles)
    try Data(payment().utf8).write(to: URL(filePath: styles + "/kinds/payment.json5"))
    let (style, larger) = (try Kinds.style(name), try StyleFiles.open(styles + "/\(name).json5"))
    var before = try Kinds.engine(style)
    var after = try Kinds.engine(larger)

    let message = try JSONValue.parse(Array(#"{"kind":"payment","amount":"5.00","note":"for the tea"}"#.utf8))
    let sheet = try after.layOut(JSONReader(message))
    #expect(sheet.skeleton.confidence == [])
    #expect(["payment", "amount", "note", "open", "time"].allSatisfy(sheet.skeleton.words.contains))
    sheet.forEachModel { place, model in #expect(model.violations == [], "\(place)") }
    #expect(try before.layOut(JSONReader(message)).skeleton.confidence.contains(.unknownKind))

    let environment = LayoutEnvironment(fonts: [1])
    let old = Edition(name: name, style: style, environment: environment)
    let new = Edition(name: name, style: larger, environment: environment)
    for kind in Kinds.names {
        for message in try Kinds.messages(kind) {
            let message = JSONReader(message)
            let (key, keyAfter) = (try LayoutKey(of: message, in: old), try LayoutKey(of: message, in: new))
            #expect(key == keyAfter, "\(kind) has another key, so that its rows would be laid out anew")
            #expect(try before.layOut(message) == after.layOut(message), "\(kind)")
        }
    }
}
