import JSON
import MessageLayout
import TestSupport
import Testing
import Typography

/// The frames of the named parts of a message, in a row of 200 px with 10 px a letter and 20 px a line.
private func frames(_ content: String, _ message: String, variant: Int = 0) throws -> [String: PixelRect] {
    let model = try model(content, message, variant: variant)
    var found: [String: PixelRect] = ["all": PixelRect(0, 0, model.size.width, model.size.height)]
    for (node, placement) in zip(model.skeleton.nodes, model.placements) where placement.isPresent {
        found[model.skeleton.text(of: node.part)] = placement.frame
    }
    return found
}

/// The distances from the top of a message to the baselines of the last lines of its texts.
private func baselines(_ content: String, _ message: String) throws -> [String: Int32] {
    let model = try model(content, message)
    var found: [String: Int32] = [:]
    for (node, placement) in zip(model.skeleton.nodes, model.placements) where placement.block >= 0 {
        let block = model.blocks[Int(placement.block)]
        let last = Int32(block.lines.count - 1)
        found[model.skeleton.text(of: node.part)] = placement.frame.top + last * block.pitch + block.ascent
    }
    return found
}

private func model(_ content: String, _ message: String, variant: Int = 0) throws -> LayoutModel {
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
    return sheet.model(target: 0, variant: variant)
}

private let fields = """
    a: "text", b: "text", part: "integer", list: { list: { title: "text", inner: { list: { title: "text" } } } }
    """

private let smallStyle = """
    {
      name: "small", variants: ["own", "other"], targets: [{ widths: [200], scales: [1] }],
      lengths: {}, texts: { body: { size: 16, line: 20 }, small: { size: 8, line: 12 } }, frames: { bare: { part: { stack: [{ slot: "content" }] } } },
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

@Test func `a stamp stands behind the part of a row that takes the rest, where that is the last`() throws {
    let icon = #"{ box: [10, 10], name: "icon" }"#
    let text = #"{ text: "{a}", style: "body", width: "rest", name: "a" }"#
    let stamp = #"stamp: { box: [30, 10], name: "stamp" }, gap: 10"#
    let beside = try frames(#"{ stamped: { row: [\#(icon), \#(text)], gap: 5 }, \#(stamp) }"#, #"a: "see you""#)
    #expect(beside["stamp"] == PixelRect(95, 10, 30, 10))
    #expect(beside["all"] == PixelRect(0, 0, 125, 20))
    let below = try frames(#"{ stamped: { row: [\#(text), \#(icon)], gap: 5 }, \#(stamp) }"#, #"a: "see you""#)
    #expect(below["stamp"] == PixelRect(55, 20, 30, 10))
}

@Test(arguments: [
    #"{ text: "{a}", style: "body", name: "a" }"#,
    #"{ row: [{ box: [9, 30] }, { text: "{a}", style: "body", width: "rest", align: "center", name: "a" }] }"#,
    #"{ flow: [{ inset: { text: "{a}", style: "body", name: "a" }, by: [4, 8] }] }"#,
])
func `a stamp of words has the baseline of the last line`(content: String) throws {
    let stamp = #"{ text: "{b}", style: "small", name: "b" }"#
    let found = try baselines("{ stamped: \(content), stamp: \(stamp), gap: 10 }", #"a: "see", b: "at 9""#)
    #expect(found["a"] != nil && found["a"] == found["b"])
}

@Test func `below a box a stamp keeps off, and not below words`() throws {
    let stamp = #"stamp: { box: [30, 10], name: "stamp" }, apart: 6"#
    let box = try frames(#"{ stamped: { inset: \#(a), by: 5 }, \#(stamp) }"#, #"a: "see""#)
    #expect(box["stamp"] == PixelRect(10, 36, 30, 10))
    #expect(box["all"] == PixelRect(0, 0, 40, 46))
    let words = try frames(#"{ stamped: \#(a), \#(stamp) }"#, #"a: "it is twenty letters""#)
    #expect(words["stamp"]?.top == 20 && words["all"]?.height == 30)
}

@Test func `lines of a flow that stands at the end have one end`() throws {
    let chip = #"{ text: "{chip.title}", style: "body", each: "list", as: "chip", name: "chip" }"#
    let flow = #"{ flow: [\#(chip)], gap: 10, lineGap: 5, align: "end", name: "flow" }"#
    let two = #"list: [{ title: "wonderful" }, { title: "wonder" }, { title: "seen" }]"#
    let found = try frames("{ stack: [\(flow), { box: [200, 4] }] }", two)
    #expect(found["flow"] == PixelRect(40, 0, 160, 45))
    #expect(found["chip"] == PixelRect(160, 25, 40, 20))
    let start = try frames(#"{ stack: [\#(flow.replacing(#", align: "end""#, with: "")), { box: [200, 4] }] }"#, two)
    #expect(start["chip"] == PixelRect(0, 25, 40, 20))
}

@Test func `in a row that is turned, what is aligned in its room stands at the row's edge`() throws {
    let percent = #"{ text: "{b}", style: "body", alignment: "end", min: 60, name: "b" }"#
    let row = #"{ row: [{ text: "{a}", style: "body", width: "rest", name: "a" }, \#(percent)], gap: 10, turns: true }"#
    let content = "{ stack: [\(row), { box: [200, 4] }] }"
    #expect(try frames(content, #"a: "here", b: "60%""#)["b"] == PixelRect(140, 0, 60, 20))
    #expect(try frames(content, #"a: "כאן", b: "60%""#)["b"] == PixelRect(0, 0, 30, 20))
}

@Test func `parts of a row that yields are left out where the first has too little room beside them`() throws {
    let text = #"{ text: "{a}", style: "body", width: "rest", name: "a" }"#
    func found(_ least: Int, _ words: String) throws -> [String: PixelRect] {
        let box = #"{ box: [60, 30], name: "box" }"#
        return try frames(#"{ row: [\#(text), \#(box)], gap: 10, wraps: \#(least), yields: true }"#, #"a: "\#(words)""#)
    }
    // There are 130 px beside the box.
    #expect(try found(120, "see you at nine")["box"] == PixelRect(110, 0, 60, 30))
    #expect(try found(140, "see you")["box"] == PixelRect(80, 0, 60, 30))
    let alone = try found(140, "see you at nine")
    #expect(alone["box"] == nil)
    #expect(alone["a"] == PixelRect(0, 0, 150, 20))
    #expect(alone["all"] == PixelRect(0, 0, 150, 20))
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

@Test(arguments: [
    // Both whole beside each other; both of two words, which may stand below each other; a word that is too wide,
    // twice; lines that would be cut.
    ("seeyou", "atnine", PixelRect(64, 0, 60, 20)),
    ("see you", "wonderful ok", PixelRect(94, 0, 90, 40)),
    ("see you", "wonderfully", PixelRect(0, 24, 110, 20)),
    ("wonderfully", "see you", PixelRect(0, 24, 110, 20)),
    ("see you", "one two three four five six", PixelRect(0, 24, 180, 40)),
])
func `cells stand below each other where a word of one would be broken or a line cut`(
    first: String, second: String, cell: PixelRect
) throws {
    let part = #"{ text: "{cell.title}", style: "body", lines: 3, each: "list", as: "cell", name: "cell" }"#
    let content = #"{ grid: [\#(part)], columns: 8, gap: 4 }"#
    let cells = #"list: [{ title: "\#(first)" }, { title: "\#(second)" }]"#
    #expect(try frames(content, cells)["cell"] == cell)
}

@Test func `a radius never goes beyond a circle, and a box never beyond its row`() throws {
    #expect(try frames(#"{ box: [500, 10], radius: 50, name: "box" }"#, "")["box"] == PixelRect(0, 0, 200, 10))
}

@Test
func `a stamp stands in front of an only line that runs against the row, or below it where it is not to be aside`()
    throws
{
    func found(_ more: String) throws -> [String: PixelRect] {
        let text = #"{ text: "{a}", style: "body", name: "a" }"#
        let stamp = #"stamp: { box: [30, 10], name: "stamp" }, gap: 10"#
        return try frames(#"{ stack: [{ stamped: \#(text), \#(stamp)\#(more) }, { box: [200, 4] }] }"#, #"a: "כאן""#)
    }
    let aside = try found("")
    #expect(aside["stamp"] == PixelRect(170, 10, 30, 10))
    #expect(aside["a"] == PixelRect(0, 0, 160, 20))
    let below = try found(", aside: false")
    #expect(below["stamp"] == PixelRect(170, 20, 30, 10))
    #expect(below["a"] == PixelRect(0, 0, 200, 20))
    #expect(try found(", aside: true") == aside)
}

@Test func `a stamp stands at the edge, however much wider than its line the bubble is`() throws {
    let stamped = #"{ stamped: \#(a), stamp: { box: [30, 10], name: "stamp" }, gap: 10, name: "bubble" }"#
    let wider = try frames("{ stack: [\(stamped), { box: [200, 4] }] }", #"a: "see""#)
    #expect(wider["bubble"] == PixelRect(0, 0, 200, 20) && wider["stamp"] == PixelRect(170, 10, 30, 10))
    // The first line is the longer one.
    let lines = try frames("{ stack: [\(stamped)] }", #"a: "see you at nine, or at ten""#)
    #expect(lines["bubble"] == PixelRect(0, 0, 190, 40) && lines["stamp"] == PixelRect(160, 30, 30, 10))
}

@Test func `when a bubble is stretched its stamp stays at the end of the bottom, and the rest grows with it`() throws {
    let stamped = #"{ stamped: \#(a), stamp: { box: [30, 10], name: "stamp" }, gap: 10, name: "bubble" }"#
    let skeleton = try model(stamped, #"a: "see""#).skeleton
    func pins(_ part: String) -> Pins? { skeleton.nodes.first { skeleton.text(of: $0.part) == part }?.pins }
    #expect(pins("stamp") == [.end, .bottom])
    #expect(pins("a") == [.start, .end, .top, .bottom])
}

@Test func `a part that clips what stands in it, or hides what is behind it, says so, and no other does`() throws {
    let box = #"{ box: [60, 30], name: "box" }"#
    func traits(_ more: String) throws -> [String: NodeTraits] {
        let skeleton = try model(#"{ inset: \#(box), by: 4, name: "bubble", radius: 9\#(more) }"#, "").skeleton
        return Dictionary(uniqueKeysWithValues: skeleton.nodes.map { (skeleton.text(of: $0.part), $0.traits) })
    }
    #expect(try traits("") == ["bubble": [], "box": []])
    #expect(try traits(", clip: true") == ["bubble": .clips, "box": []])
    #expect(try traits(", clip: true, opaque: true") == ["bubble": [.clips, .opaque], "box": []])
    #expect(try traits(", clip: false, opaque: false") == ["bubble": [], "box": []])
}
