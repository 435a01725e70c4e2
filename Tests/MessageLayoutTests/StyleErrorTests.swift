import JSON
import Testing

@testable import MessageLayout

/// A small style that is right but for one replacement.
private func style(_ change: (String, String)) -> String {
    """
    {
      name: "small", variants: ["own", "other"],
      targets: [{ widths: [320], scales: [2] }],
      classes: { tablet: { from: 600, lengths: { gap: 8 }, texts: { body: { size: 17 } } } },
      room: { percent: 100, less: 60 },
      strings: { more: "More" },
      lengths: { gap: 4 },
      texts: { body: { size: 16, line: 22 } },
      fields: { name: "text" },
      parts: { name: { text: "{name}", style: "body", if: "name" } },
      frames: { bubble: { part: { stack: [{ use: "name" }, { slot: "content" }], gap: "gap" } } },
    }
    """.replacing(change.0, with: change.1)
}

/// A kind of that style, with this content.
private func kind(_ content: String) -> String {
    #"{ kind: "text", frame: "bubble", fields: { text: "text!" }, content: \#(content) }"#
}

private func read(_ style: String, _ kind: String) throws(JSONError) -> StyleSheet {
    var sheet = try JSONDocument(name: "style", bytes: Array(style.utf8), dialect: .json5).read {
        (root) throws(JSONError) in try StyleSheet(root)
    }
    try JSONDocument(name: "kind", bytes: Array(kind.utf8), dialect: .json5).read {
        (root) throws(JSONError) in try sheet.addKind(root)
    }
    return sheet
}

private func complaint(_ style: String, _ kind: String) -> String {
    do { _ = try read(style, kind) } catch { return "\(error)" }
    return ""
}

private let text = #"{ text: "{text}", style: "body" }"#

@Test func `a style and a kind without mistakes are read`() {
    #expect(complaint(style(("", "")), kind(text)) == "")
}

private let wrongStyles: [(String, String, String)] = [
    (
        #"name: "small", "#, "",
        "style:1:1: 'name' is missing"
    ),
    (
        #"variants: ["own", "other"]"#, "variants: []",
        "style:2:28: variants: expected 1 to 8 variants, found an array of 0"
    ),
    (
        "widths: [320]", "widths: [0]",
        "style:3:24: targets[0].widths[0]: expected 1...16384 points in steps of 1/64, found 0"
    ),
    (
        "widths: [320]", "widths: [320, 320]",
        "style:3:12: targets: expected every target once, found an array of 1"
    ),
    (
        "scales: [2]", "scales: [9]",
        "style:3:39: targets[0].scales[0]: expected device pixels to a point, 0.5...8, found 9"
    ),
    (
        "scales: [2]", "scales: []",
        "style:3:12: targets: expected 1 to 64 targets, not 0, found an array of 1"
    ),
    (
        "lengths: { gap: 8 }", "lengths: { gat: 8 }",
        "style:4:51: classes.tablet.lengths.gat: expected a length that the style has, found 8"
    ),
    (
        "texts: { body: { size: 17 } }", "texts: { boby: { size: 17 } }",
        "style:4:71: classes.tablet.texts.boby: expected a text that the style has, found an object of 1"
    ),
    (
        "texts: { body: { size: 17 } }", "texts: { body: { weight: 700 } }",
        "style:4:71: classes.tablet.texts.body: expected weight and slant as in all classes, found an object of 1"
    ),
    (
        "percent: 100", "percent: 0",
        "style:5:20: room.percent: expected 1...100, found 0"
    ),
    (
        "lengths: { gap: 4 }", "lengths: { gap: -4 }",
        "style:7:19: lengths.gap: expected 0...4096 points in steps of 1/64, found -4"
    ),
    (
        "lengths: { gap: 4 }", "lengths: { gap: 0.3 }",
        "style:7:19: lengths.gap: expected 0...4096 points in steps of 1/64, found 0.3"
    ),
    (
        "line: 22 }", "lime: 22 }",
        "style:8:30: texts.body.lime: unknown; known are size, line, weight, italic, monospaced, scaled"
    ),
    (
        #"fields: { name: "text" }"#, #"fields: { name: "txt" }"#,
        "style:9:19: fields.name: expected 'TYPE', 'TYPE!' or 'TYPE USE' with the types text, integer, flag, "
            + "picture, bars, texts and the uses geometry, paint, behaviour, found 'txt'"
    ),
    (
        #"style: "body", if"#, #"style: "boby", if"#,
        "style:10:43: parts.name.style: expected one of the texts body, found 'boby'"
    ),
    (
        #"{ use: "name" }"#, #"{ use: "game" }"#,
        "style:11:46: frames.bubble.part.stack[0].use: expected one of the parts name, found 'game'"
    ),
    (
        #"{ slot: "content" }"#, #"{ use: "name" }"#,
        #"style:11:21: frames.bubble: expected a frame with a '{ slot: "content" }', found an object of 1"#
    ),
]

@Test(arguments: wrongStyles)
func `a mistake in a style is named with its place`(right: String, wrong: String, message: String) {
    #expect(complaint(style((right, wrong)), kind(text)) == message)
}

private let wrongContents: [(String, String)] = [
    (
        "{}",
        "kind:1:70: content: expected an object with one of text, stack, row, flow, grid, inset, overlay, "
            + "stamped, box, media, mosaic, bars, markdown, slot, use, found an object of 0"
    ),
    (
        #"{ text: "{text}", stack: [], style: "body" }"#,
        "kind:1:70: content: expected an object with one of text, stack, row, flow, grid, inset, overlay, "
            + "stamped, box, media, mosaic, bars, markdown, slot, use, found an object of 3"
    ),
    (
        #"{ text: "{text}" }"#,
        "kind:1:70: content: 'style' is missing"
    ),
    (
        #"{ text: "{text}", style: "boby" }"#,
        "kind:1:95: content.style: expected one of the texts body, found 'boby'"
    ),
    (
        #"{ text: "{text", style: "body" }"#,
        "kind:1:78: content.text: expected a '}' for every '{', found '{text'"
    ),
    (
        #"{ text: "{te xt}", style: "body" }"#,
        "kind:1:78: content.text: expected '{field}' or '{field|format}', found '{te xt}'"
    ),
    (
        #"{ text: "{text|loud}", style: "body" }"#,
        "kind:1:78: content.text: expected one of the formats plain, time, bytes, count, percent behind '|', "
            + "found '{text|loud}'"
    ),
    (
        #"{ text: "{$less}", style: "body" }"#,
        "kind:1:78: content.text: expected a word of 'strings' behind '$', found '{$less}'"
    ),
    (
        #"{ text: "{text}", style: "body", colour: "red" }"#,
        "kind:1:103: content.colour: unknown; known are text, style, lines, expands, alignment, block, "
            + "entities, name, role, token, corners, radius, clip, opaque, action, about, priority, label, access, if, "
            + "each, as, in, shows, width, align, grow, min, max, at"
    ),
    (
        #"{ text: "{text}", style: "body", in: ["named"] }"#,
        "kind:1:108: content.in[0]: expected one of the variants own, other, found 'named'"
    ),
    (
        #"{ text: "{text}", style: "body", if: "a b" }"#,
        "kind:1:107: content.if: expected a condition: 'field', '!field' or 'field=word', found 'a b'"
    ),
    (
        #"{ text: "{text}", style: "body", shows: "folded" }"#,
        "kind:1:110: content.shows: expected 'collapsed' or 'expanded' or 'cut', found 'folded'"
    ),
    (
        #"{ text: "{text}", style: "body", min: "wide" }"#,
        "kind:1:108: content.min: expected points, or one of the lengths gap, found 'wide'"
    ),
    (
        #"{ text: "{text}", style: "body", lines: 0 }"#,
        "kind:1:110: content.lines: expected 1...10000, found 0"
    ),
    (
        #"{ stack: [{ box: [1] }] }"#,
        "kind:1:87: content.stack[0].box: expected [width, height], found an array of 1"
    ),
    (
        #"{ stack: [{ box: [10, 4], share: "part" }] }"#,
        "kind:1:103: content.stack[0].share: expected a box with the width 'fill', found 'part'"
    ),
    (
        #"{ inset: { box: [1, 1] }, by: [1, 2, 3] }"#,
        "kind:1:100: content.by: expected 1, 2 or 4 lengths, found an array of 3"
    ),
    (
        #"{ media: "photo", most: [1] }"#,
        "kind:1:94: content.most: expected [width, height], found an array of 1"
    ),
    (
        #"{ slot: "content" }"#,
        "kind:1:1: expected a kind without a slot; only frames have one, found an object of 4"
    ),
    (
        #"{ use: "name", width: "wide" }"#,
        "kind:1:92: content.width: expected 'follow' or 'rest' or 'fill', found 'wide'"
    ),
]

@Test(arguments: wrongContents)
func `a mistake in a kind is named with its place`(content: String, message: String) {
    #expect(complaint(style(("", "")), kind(content)) == message)
}

private let wrongKinds: [(String, String)] = [
    (
        #"{ kind: "a", frame: "circle", content: { box: [1, 1] } }"#,
        "kind:1:21: frame: expected one of the frames bubble, found 'circle'"
    ),
    (
        #"{ kind: "a", frame: "bubble", content: { text: "{tekst}", style: "body" }, fields: { text: "text" } }"#,
        "kind:1:40: content: expected a field of this kind that changes geometry (name, text), found 'tekst'"
    ),
    (
        #"{ kind: "a", frame: "bubble", content: { stack: [{ use: "name", if: "!x.y" }] }, fields: { x: "picture" } }"#,
        "kind:1:50: content.stack[0]: expected a field of this kind that changes geometry (name, x), found 'x.y'"
    ),
    (
        #"{ kind: "a", frame: "bubble", content: { text: "{x}", style: "body" }, fields: { x: "text paint" } }"#,
        "kind:1:40: content: expected a field of this kind that changes geometry (name), found 'x'"
    ),
    (
        #"{ kind: "a", frame: "bubble", content: { box: [1, 1] }, fields: { name: "text paint" } }"#,
        "kind:1:21: frame: expected a field of this kind that changes geometry (), found 'name'"
    ),
    (
        #"{ kind: "a", frame: "bubble", content: { media: "name", most: [1, 1] } }"#,
        "kind:1:40: content: expected a picture, found 'name'"
    ),
    (
        #"{ kind: "a", frame: "bubble", content: { stack: [{ box: [1, 1], each: "name" }] } }"#,
        "kind:1:50: content.stack[0]: expected a list, found 'name'"
    ),
    (
        #"{ kind: "a", frame: "bubble", content: { text: "{x}", style: "body" }, fields: { x: "bars" } }"#,
        "kind:1:40: content: expected a text or a number, found 'x'"
    ),
    (
        #"{ kind: "a", frame: "bubble" }"#,
        "kind:1:1: 'content' is missing"
    ),
    (
        #"{ kind: "a", frame: "bubble", content: { box: [1, 1] }, fields: { a: { list: { b: "loud" } } } }"#,
        "kind:1:83: fields.a.list.b: expected 'TYPE', 'TYPE!' or 'TYPE USE' with the types text, integer, "
            + "flag, picture, bars, texts and the uses geometry, paint, behaviour, found 'loud'"
    ),
    (
        #"{ kind: "a", frame: "bubble", content: { box: [1, 1] }, jumbo: { field: "text", kind: "emoji" } }"#,
        "kind:1:64: jumbo: 'most' is missing"
    ),
]

@Test(arguments: wrongKinds)
func `a mistake around the content of a kind is named with its place`(kind: String, message: String) {
    #expect(complaint(style(("", "")), kind) == message)
}

@Test func `no two files are of one kind`() throws {
    var sheet = try read(style(("", "")), kind(text))
    let again = JSONDocument(name: "again", bytes: Array(kind(text).utf8), dialect: .json5)
    let error = #expect(throws: JSONError.self) {
        try again.read { (root) throws(JSONError) in try sheet.addKind(root) }
    }
    #expect(error?.description == "again:1:9: kind: expected a kind that is not there yet, found 'text'")
}

@Test func `parts stand in each other to a limit`() {
    let deep = String(repeating: "{ inset: ", count: 40) + "{ box: [1, 1] }" + String(repeating: " }", count: 40)
    #expect(complaint(style(("", "")), kind(deep)).contains("expected at most 32 parts in each other"))
}
