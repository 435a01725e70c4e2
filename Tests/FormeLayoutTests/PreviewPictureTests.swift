import FormeLayout
import JSON
import MessageLayout
import Testing

@Test(arguments: Kinds.styles)
func `the picture of a page fills its place in its own ratio`(style: String) throws {
    var engine = try Kinds.engine(Kinds.style(style))
    for (width, height) in [(1200, 630), (800, 800), (900, 1200)] as [(Int32, Int32)] {
        let picture = #"{"width": \#(width), "height": \#(height)}"#
        let preview = #"{"url": "a", "title": "A", "picture": \#(picture), "large": true}"#
        let message = try JSONValue.parse(Array(#"{"kind": "link", "preview": \#(preview)}"#.utf8))
        try engine.layOut(JSONReader(message)).forEachModel { place, model in
            let skeleton = model.skeleton
            let node = try #require(
                skeleton.nodes.indices.first { node in
                    skeleton.text(of: skeleton.nodes[node].part) == "picture" && model.placements[node].isPresent
                })
            // It is cut where its place is narrower or lower than it.
            let (frame, fill) = (model.placements[node].frame, model.placements[node].fill)
            let ratio = Double(fill.width) / Double(fill.height)
            #expect(abs(ratio - Double(width) / Double(height)) < 0.02, "\(width) x \(height) on \(place): \(fill)")
            #expect(frame.width <= fill.width && frame.height <= fill.height, "\(width) x \(height) on \(place)")
        }
    }
}
