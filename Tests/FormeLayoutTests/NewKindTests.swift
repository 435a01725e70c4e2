import FormeLayout
import Foundation
import JSON
import MessageLayout
import TestSupport
import Testing

/// All that it takes to add a kind: this text, in a file of its own.
private let payment = """
    // Money that somebody sends.
    {
      kind: "payment",
      frame: "bubble",
      fields: { amount: "text!", note: "text", state: "text paint" },
      content: {
        stack: [
          { text: "{amount}", style: "heading", alignment: "center", name: "amount" },
          { text: "{note}", style: "note", if: "note", name: "note" },
        ], gap: "gap", min: "formLeast", name: "payment", token: "payment",
      },
    }
    """

@Test(arguments: Kinds.styles)
func `a kind is added by its file alone, and lays out no other anew`(name: String) throws {
    let folder = try TemporaryFolder()
    let styles = folder.file("styles")
    try FileManager.default.copyItem(atPath: Project.file("config/styles").path, toPath: styles)
    try Data(payment.utf8).write(to: URL(filePath: styles + "/kinds/payment.json5"))
    let (style, larger) = (try Kinds.style(name), try StyleFiles.open(styles + "/\(name).json5"))
    var before = try Kinds.engine(style)
    var after = try Kinds.engine(larger)

    let message = try JSONValue.parse(Array(#"{"kind":"payment","amount":"5.00","note":"for the tea"}"#.utf8))
    let sheet = try after.layOut(JSONReader(message))
    #expect(sheet.skeleton.confidence == [])
    #expect(["payment", "amount", "note", "time"].allSatisfy(sheet.skeleton.words.contains))
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
