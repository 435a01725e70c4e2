import FormeLayout
import JSON
import MessageLayout
import Testing

@Test func `a message hugs its widest line`() throws {
    var engine = try Kinds.engine(Kinds.style("bubble"))
    let message = try JSONValue.parse(Array(#"{"kind": "text", "text": "See you at nine, as ever\nok"}"#.utf8))
    let sheet = try engine.layOut(JSONReader(message))
    try sheet.forEachModel { place, model in
        let skeleton = model.skeleton
        let text = try #require(skeleton.nodes.firstIndex { skeleton.text(of: $0.part) == "text" })
        let lines = model.shownLines(of: text)
        #expect(lines.count == 2 && model.stamp == .tucked, "\(place)")
        #expect(lines.map(\.frame.width).max() == model.placements[text].frame.width, "\(place)")
        #expect(model.size.width < model.placements[text].frame.width * 3 / 2, "\(place)")
    }
}
