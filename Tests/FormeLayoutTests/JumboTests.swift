import FormeLayout
import JSON
import MessageLayout
import Testing

/// A text of so many emoji, in a kind.
private func laidOut(_ count: Int, as kind: String, _ engine: inout LayoutEngine) throws -> LayoutSheet {
    let text = String(repeating: "👍🏽", count: count)
    let message = try JSONValue.parse(Array(#"{"kind": "\#(kind)", "text": "\#(text)"}"#.utf8))
    return try engine.layOut(JSONReader(message))
}

@Test(arguments: Kinds.styles)
func `a text of one to six emoji is shown as emoji are, and one of more as any text`(style: String) throws {
    var engine = try Kinds.engine(Kinds.style(style))
    for count in 1...8 {
        let isLarge = try laidOut(count, as: "text", &engine) == laidOut(count, as: "emoji", &engine)
        #expect(isLarge == (count <= 6), "\(count)")
    }
}
