import MessageLayout
import Wire

/// The workings of a layout: lines on their baselines, rectangles of entities, and dashed regions to touch.
extension RowPicture {
    mutating func drawWorkings() {
        let nodes = model.skeleton.nodes
        for place in nodes.indices where nodes[place].text >= 0 && model.placements[place].isPresent {
            let lines = model.shownLines(of: place)
            guard !lines.isEmpty else { continue }
            let baselines = lines.map { "M\($0.frame.left) \($0.baseline)h\($0.frame.width)" }
            markup.element("path", [("class", "baseline"), ("d", baselines.joined())])
            for frame in model.entityFrames(in: place).joined() {
                markup.element(
                    "rect",
                    [
                        ("class", "entity"), ("x", frame.left), ("y", frame.top), ("width", frame.width),
                        ("height", frame.height),
                    ])
            }
        }
        // The most important on top.
        for place in nodes.indices.sorted(by: { nodes[$0].priority < nodes[$1].priority })
        where nodes[place].action != 0 && model.placements[place].isPresent {
            markup.open("path", [("class", "region"), ("d", outline(of: place).path)])
            markup.title(model.skeleton.text(of: nodes[place].action))
            markup.close("path")
        }
    }
}
