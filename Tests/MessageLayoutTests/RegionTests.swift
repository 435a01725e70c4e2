import JSON
import MessageLayout
import TestSupport
import Testing
import Typography

private let style = """
    {
      name: "small", variants: ["own"], targets: [{ widths: [200], scales: [1] }], lengths: {},
      texts: { body: { size: 16, line: 20 } }, frames: { bare: { part: { stack: [{ slot: "content" }] } } },
    }
    """

/// A block to be opened, with a button in its corner, and a text that leads nowhere.
private let kind = """
    { kind: "code", frame: "bare", fields: { text: "text!" }, content: { stack: [
      { overlay: { box: [100, 40], name: "block", action: "open" }, over: [
        { box: [20, 20], name: "copy", action: "copy", priority: 70, at: "topEnd" },
        { box: [20, 20], name: "menu", action: "menu", priority: 0, at: "topStart" } ] },
      { text: "{text}", style: "body", name: "text" },
    ] } }
    """

@Test func `of regions that overlap each has the priority that its style gives it, or ten`() throws {
    var sheet = try JSONDocument(name: "style", bytes: Array(style.utf8), dialect: .json5).read {
        (root) throws(JSONError) in try StyleSheet(root)
    }
    try JSONDocument(name: "kind", bytes: Array(kind.utf8), dialect: .json5).read {
        (root) throws(JSONError) in try sheet.addKind(root)
    }
    var composer = Composer(sheet) { _, _, result in result = .monospaced("x") }
    let message = try JSONValue.parse(Array(#"{"kind": "code", "text": "x"}"#.utf8))
    let model = try composer.layOut(JSONReader(message)) { _, _, result in result = .monospaced("x") }
        .model(target: 0, variant: 0)
    func node(_ part: String) throws -> Int {
        try #require(model.skeleton.nodes.firstIndex { model.skeleton.text(of: $0.part) == part })
    }
    let regions = try ["block", "copy", "menu"].map { part in
        let node = try node(part)
        #expect(model.skeleton.text(of: model.skeleton.nodes[node].action) == (part == "block" ? "open" : part))
        return (priority: model.skeleton.nodes[node].priority, frame: model.placements[node].frame)
    }
    #expect(regions.map(\.priority) == [10, 70, 0])
    #expect(regions[1].frame == PixelRect(left: 80, top: 0, width: 20, height: 20))
    #expect(regions[2].frame == PixelRect(left: 0, top: 0, width: 20, height: 20))
    #expect(try model.skeleton.nodes[node("text")].action == 0)
}
