import FormeLayout
import JSON
import MessageLayout
import Testing

private let address =
    "https://example.com/a-page-with-quite-a-long-name/that-goes-over/more-than-one-line/of-any-phone-there-is/and-on"
private let name = "a page with quite a long name, that goes over more than one line of any phone there is, and on"

@Test(arguments: [
    ("text", "see \(address)", ""), ("rich", "see [\(name)](https://example.com/p)", "https://example.com/p"),
])
func `a link that goes over lines is touched on each of them, and leads where it says`(
    kind: String, text: String, target: String
) throws {
    var engine = try Kinds.engine(Kinds.style("bubble"))
    let message = try JSONValue.parse(Array(#"{"kind": "\#(kind)", "text": "\#(text)"}"#.utf8))
    let sheet = try engine.layOut(JSONReader(message))
    var most = 0
    try sheet.forEachModel { place, model in
        let skeleton = model.skeleton
        let node = try #require(
            skeleton.nodes.indices.first { node in
                let text = Int(skeleton.nodes[node].text)
                return text >= 0 && !skeleton.texts[text].entities.isEmpty
            })
        let entity = skeleton.texts[Int(skeleton.nodes[node].text)].entities[0]
        #expect(skeleton.text(of: entity.target) == target)
        let lines = model.shownLines(of: node).filter { $0.range.overlaps(entity.range) }
        let frames = model.entityFrames(in: node)[0]
        #expect(frames.map(\.top) == lines.map(\.frame.top), "\(place)")
        most = max(most, frames.count)
    }
    #expect(most > 1)
}
