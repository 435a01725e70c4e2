import JSON
import Testing

@testable import MessageLayout

/// A small style that is right, with one place for what is wrong.
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

/// A kind for it, with these parts.
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

@Test(arguments: [
    (#"name: "small", "#, "", "STYLE"),
    (#"variants: ["own", "other"]"#, "variants: []", "STYLE"),
    ("widths: [320]", "widths: [0]", "STYLE"),
    ("widths: [320]", "widths: [320, 320]", "STYLE"),
    ("scales: [2]", "scales: [9]", "STYLE"),
    ("scales: [2]", "scales: []", "STYLE"),
    ("lengths: { gap: 8 }", "lengths: { gat: 8 }", "STYLE"),
    ("texts: { body: { size: 17 } }", "texts: { boby: { size: 17 } }", "STYLE"),
    ("percent: 100", "percent: 0", "STYLE"),
    ("lengths: { gap: 4 }", "lengths: { gap: -4 }", "STYLE"),
    ("lengths: { gap: 4 }", "lengths: { gap: 0.3 }", "STYLE"),
    ("line: 22 }", "lime: 22 }", "STYLE"),
    (#"fields: { name: "text" }"#, #"fields: { name: "txt" }"#, "STYLE"),
    (#"style: "body", if"#, #"style: "boby", if"#, "STYLE"),
    (#"{ use: "name" }"#, #"{ use: "game" }"#, "STYLE"),
    (#"{ slot: "content" }"#, #"{ use: "name" }"#, "STYLE"),
])
func `a mistake in a style is named with its place`(right: String, wrong: String, message: String) {
    #expect(complaint(style((right, wrong)), kind(text)) == message)
}

@Test(arguments: [
    ("{}", "KIND"),
    (#"{ text: "{text}", stack: [], style: "body" }"#, "KIND"),
    (#"{ text: "{text}" }"#, "KIND"),
    (#"{ text: "{text}", style: "boby" }"#, "KIND"),
    (#"{ text: "{text", style: "body" }"#, "KIND"),
    (#"{ text: "{te xt}", style: "body" }"#, "KIND"),
    (#"{ text: "{text|loud}", style: "body" }"#, "KIND"),
    (#"{ text: "{$less}", style: "body" }"#, "KIND"),
    (#"{ text: "{text}", style: "body", colour: "red" }"#, "KIND"),
    (#"{ text: "{text}", style: "body", in: ["named"] }"#, "KIND"),
    (#"{ text: "{text}", style: "body", if: "a b" }"#, "KIND"),
    (#"{ text: "{text}", style: "body", shows: "folded" }"#, "KIND"),
    (#"{ text: "{text}", style: "body", min: "wide" }"#, "KIND"),
    (#"{ text: "{text}", style: "body", lines: 0 }"#, "KIND"),
    (#"{ stack: [{ box: [1] }] }"#, "KIND"),
    (#"{ stack: [{ box: [10, 4], share: "part" }] }"#, "KIND"),
    (#"{ inset: { box: [1, 1] }, by: [1, 2, 3] }"#, "KIND"),
    (#"{ media: "photo", most: [1] }"#, "KIND"),
    (#"{ slot: "content" }"#, "KIND"),
    (#"{ use: "name", width: "wide" }"#, "KIND"),
])
func `a mistake in a kind is named with its place`(content: String, message: String) {
    #expect(complaint(style(("", "")), kind(content)) == message)
}

@Test(arguments: [
    (#"{ kind: "a", frame: "circle", content: { box: [1, 1] } }"#, "KIND"),
    (#"{ kind: "a", frame: "bubble" }"#, "KIND"),
    (#"{ kind: "a", frame: "bubble", content: { box: [1, 1] }, fields: { a: { list: { b: "loud" } } } }"#, "KIND"),
    (#"{ kind: "a", frame: "bubble", content: { box: [1, 1] }, jumbo: { field: "text", kind: "emoji" } }"#, "KIND"),
])
func `a mistake around the content of a kind is named with its place`(kind: String, message: String) {
    #expect(complaint(style(("", "")), kind) == message)
}

@Test func `no two files are of one kind`() throws {
    var sheet = try read(style(("", "")), kind(text))
    let again = try JSONDocument(name: "again", bytes: Array(kind(text).utf8), dialect: .json5)
    let error = #expect(throws: JSONError.self) {
        try again.read { (root) throws(JSONError) in try sheet.addKind(root) }
    }
    #expect(error?.description == "again: kind: expected a kind that is not there yet, found 'text'")
}

@Test func `parts stand in each other to a limit`() {
    let deep = String(repeating: "{ stack: [", count: 40) + "{ box: [1, 1] }" + String(repeating: "] }", count: 40)
    #expect(complaint(style(("", "")), kind(deep)).contains("expected at most 32 parts in each other"))
}
