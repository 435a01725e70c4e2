import FormeLayout
import JSON
import MessageLayout
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
    let style = try Kinds.style(name)
    var larger = style
    try JSONDocument(name: "payment.json5", bytes: Array(payment.utf8), dialect: .json5).read {
        (root) throws(JSONError) in try larger.addKind(root)
    }
    var before = try Kinds.engine(style)
    var after = try Kinds.engine(larger)

    let message = try JSONValue.parse(Array(#"{"kind":"payment","amount":"5.00","note":"for the tea"}"#.utf8))
    let sheet = try after.layOut(JSONReader(message))
    #expect(sheet.skeleton.confidence == [])
    #expect(["payment", "amount", "note", "time"].allSatisfy(sheet.skeleton.words.contains))
    sheet.forEachModel { place, model in #expect(model.violations == [], "\(place)") }
    #expect(try before.layOut(JSONReader(message)).skeleton.confidence.contains(.unknownKind))

    for kind in Kinds.names {
        for message in try Kinds.messages(kind) {
            #expect(try before.layOut(JSONReader(message)) == after.layOut(JSONReader(message)), "\(kind)")
        }
    }
}
