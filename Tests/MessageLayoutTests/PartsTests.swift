import JSON
import MessageLayout
import TestSupport
import Testing
import Typography

/// Where the parts of a message stand that have a name, in a row of 200 px with 10 px a letter and 20 px a line.
private func frames(_ content: String, _ message: String, variant: Int = 0) throws -> [String: PixelRect] {
    var style = try JSONDocument(name: "style", bytes: Array(smallStyle.utf8), dialect: .json5).read {
        (root) throws(JSONError) in try StyleSheet(root)
    }
    let kind = #"{ kind: "k", frame: "bare", fields: { \#(fields) }, content: \#(content) }"#
    try JSONDocument(name: "kind", bytes: Array(kind.utf8), dialect: .json5).read {
        (root) throws(JSONError) in try style.addKind(root)
    }
    var composer = Composer(style) { text, _, result in result = measured(text) }
    let value = try JSONDocument(name: "message", bytes: Array("{ kind: 'k', \(message) }".utf8), dialect: .json5)
        .read { (root) throws(JSONError) in root.value }
    let sheet = try composer.layOut(JSONReader(value)) { text, _, result in result = measured(text) }
    let model = sheet.model(target: 0, variant: variant)
    var found: [String: PixelRect] = ["all": PixelRect(0, 0, model.size.width, model.size.height)]
    for (node, placement) in zip(model.skeleton.nodes, model.placements) where placement.isPresent {
        found[model.skeleton.text(of: node.part)] = placement.frame
    }
    return found
}

private let fields = """
    a: "text", b: "text", part: "integer", list: { list: { title: "text", inner: { list: { title: "text" } } } }
    """

private let smallStyle = """
    {
      name: "small", variants: ["own", "other"], targets: [{ widths: [200], scales: [1] }],
      lengths: {}, texts: { body: { size: 16, line: 20 } }, frames: { bare: { part: { stack: [{ slot: "content" }] } } },
    }
    """

private func measured(_ content: PlannedText.Content) -> MeasuredText {
    switch content {
    case .plain(let text): .monospaced(text)
    case .rich(let rich): .monospaced(rich)
    }
}

extension PixelRect {
    fileprivate init(_ left: Int32, _ top: Int32, _ width: Int32, _ height: Int32) {
        self.init(left: left, top: top, width: width, height: height)
    }
}

private let a = #"{ text: "{a}", style: "body", if: "a", name: "a" }"#
private let b = #"{ text: "{b}", style: "body", if: "b", name: "b" }"#

@Test func `what has nothing in it takes no room and no gap`() throws {
    let content =
        #"{ stack: [{ stack: [\#(a)], name: "inner" }, { inset: \#(a), by: 5, name: "inset" }, \#(b)], gap: 7 }"#
    #expect(try frames(content, #"b: "see""#) == ["all": PixelRect(0, 0, 30, 20), "b": PixelRect(0, 0, 30, 20)])
    let both = try frames(content, #"a: "you", b: "see""#)
    #expect(both["inner"] == PixelRect(0, 0, 40, 20))
    #expect(both["inset"] == PixelRect(0, 27, 40, 30))
    #expect(both["b"] == PixelRect(0, 64, 40, 20))
}

@Test func `what is there for one reader takes no room for another`() throws {
    let mine = #"{ text: "{a}", style: "body", in: ["own"], name: "a" }"#
    let content = #"{ stack: [{ inset: \#(mine), by: 5, name: "inset" }, \#(b)], gap: 7 }"#
    #expect(try frames(content, #"a: "you", b: "see""#)["b"] == PixelRect(0, 37, 40, 20))
    #expect(try frames(content, #"a: "you", b: "see""#, variant: 1)["b"] == PixelRect(0, 0, 30, 20))
}

@Test func `what stands over nothing is not there, and a stamp stands alone`() throws {
    let over = #"{ overlay: \#(a), over: [{ box: [9, 9], name: "over" }] }"#
    #expect(try frames(#"{ stack: [\#(over), \#(b)] }"#, #"b: "see""#)["over"] == nil)
    let stamped = #"{ stamped: \#(a), stamp: { box: [9, 9], name: "stamp" } }"#
    #expect(try frames(stamped, "")["stamp"] == PixelRect(0, 0, 9, 9))
}

@Test(arguments: [(0, 0), (1, 0), (25, 12), (100, 50), (250, 50), (-3, 0)] as [(Int, Int32)])
func `a box fills its share of the width, in percent`(percent: Int, width: Int32) throws {
    let box = #"{ box: ["fill", 4], share: "part", name: "share" }"#
    let found = try frames("{ stack: [\(a), \(box)] }", #"a: "hello", part: \#(percent)"#)
    #expect(found["share"] == PixelRect(0, 20, width, 4))
}

@Test func `what is stretched in a row is as high as the row`() throws {
    let row = #"{ row: [{ box: [3, 0], align: "stretch", name: "bar" }, \#(a)], gap: 2 }"#
    #expect(try frames(row, #"a: "see you at nine, or at ten""#)["bar"] == PixelRect(0, 0, 3, 40))
}

@Test func `what follows is laid out in the width that others need`() throws {
    let quote =
        #"{ row: [{ box: [5, 5], name: "mark" }, { text: "{b}", style: "body", lines: 1, width: "rest", name: "b" }], width: "follow", name: "quote" }"#
    let found = try frames("{ stack: [\(quote), \(a)] }", #"a: "short", b: "much longer than that""#)
    #expect(found["quote"] == PixelRect(0, 0, 50, 20))
    #expect(found["b"] == PixelRect(5, 0, 45, 20))
}

@Test func `what takes the rest of a row is broken into what the others leave, less the gap`() throws {
    let row = #"{ row: [{ text: "{a}", style: "body", width: "rest", name: "a" }, \#(b)], gap: 10 }"#
    let found = try frames(row, #"a: "see you at nine, or at ten", b: "7 likes""#)
    #expect(found["a"] == PixelRect(0, 0, 110, 60))
    #expect(found["b"] == PixelRect(120, 0, 70, 20))
    #expect(found["all"]?.width == 190)
}

@Test func `a stamp finds room behind the last of what flows`() throws {
    let chip = #"{ text: "{chip.title}", style: "body", each: "list", as: "chip", name: "chip" }"#
    let content = #"{ stamped: { flow: [\#(chip)], gap: 10 }, stamp: { box: [30, 10], name: "stamp" }, gap: 10 }"#
    let two = try frames(content, #"list: [{ title: "see" }, { title: "you" }]"#)
    #expect(two["stamp"] == PixelRect(80, 10, 30, 10))
    let full = try frames(content, #"list: [{ title: "wonderful" }, { title: "wonderful" }]"#)
    #expect(full["stamp"] == PixelRect(160, 20, 30, 10))
}

@Test func `lists stand in lists, and the cells of a row are alike`() throws {
    let cell = #"{ text: "{cell.title}", style: "body", each: "row.inner", as: "cell", name: "cell" }"#
    let content = #"{ stack: [{ grid: [\#(cell)], columns: 8, gap: 4, each: "list", as: "row", name: "row" }] }"#
    let rows =
        #"list: [{ inner: [{ title: "see" }, { title: "wonder" }] }, { inner: [{ title: "you" }] }, { inner: [] }]"#
    let found = try frames(content, rows)
    #expect(found["all"] == PixelRect(0, 0, 124, 40))
    #expect(found["row"] == PixelRect(0, 20, 124, 20))
    #expect(found["cell"] == PixelRect(0, 20, 124, 20))
}

@Test func `a radius never goes beyond a circle, and a box never beyond its row`() throws {
    #expect(try frames(#"{ box: [500, 10], radius: 50, name: "box" }"#, "")["box"] == PixelRect(0, 0, 200, 10))
}
