import JSON
import MessageLayout
import Testing

private let style = """
    {
      name: "small", variants: ["own"], targets: [{ widths: [320], scales: [2] }], room: { percent: 100, less: 60 },
      lengths: { gap: 4 }, texts: { body: { size: 16, line: 22 } }, fields: { name: "text" },
      frames: { bubble: { part: { stack: [{ slot: "content" }], gap: "gap" } } },
    }
    """

private let kind = """
    {
      kind: "all", frame: "bubble", content: { text: "{text}", style: "body" },
      fields: {
        text: "text!", count: "integer", isOn: "flag", photo: "picture", loudness: "bars", tags: "texts",
        place: { object: { city: "text" } }, options: { list: { text: "text!" }, atMost: 3 },
      },
    }
    """

/// The error for a message with more members than it must have; empty where the message is valid.
private func complaint(_ more: String) throws -> String {
    var sheet = try JSONDocument(name: "style", bytes: Array(style.utf8), dialect: .json5).read {
        (root) throws(JSONError) in try StyleSheet(root)
    }
    try JSONDocument(name: "kind", bytes: Array(kind.utf8), dialect: .json5).read {
        (root) throws(JSONError) in try sheet.addKind(root)
    }
    let message = #"{"kind":"all","text":"Hi"\#(more.isEmpty ? "" : ",")\#(more)}"#
    do throws(JSONError) {
        _ = try CheckedMessage(JSONReader(JSONValue.parse(Array(message.utf8))), of: sheet)
        return ""
    } catch {
        return "\(error)"
    }
}

private func many(_ count: Int, _ one: String) -> String {
    "[\(Array(repeating: one, count: count).joined(separator: ","))]"
}

@Test(arguments: [
    "", #""name":"\#(String(repeating: "a", count: 65536))""#, #""count":-7"#, #""isOn":false"#,
    #""photo":{"width":1000000,"height":1}"#, #""loudness":[0,255]"#, #""loudness":\#(many(4096, "7"))"#,
    #""tags":\#(many(256, "\"a\""))"#, #""place":{"city":"Ulm"}"#, #""options":\#(many(3, #"{"text":"a"}"#))"#,
])
func `a message says as much as its kind may say`(more: String) throws {
    #expect(try complaint(more) == "")
}

@Test(arguments: [
    (#""other":1"#, "other: unknown"),
    (#""name":"\#(String(repeating: "a", count: 65537))""#, "name: expected at most 65536 bytes"),
    (#""name":7"#, "name: expected a string"), (#""count":1.5"#, "count: expected an integer"),
    (#""isOn":1"#, "isOn: expected"), (#""photo":{"width":0}"#, "photo.width: expected 1...1000000"),
    (#""loudness":[0,256]"#, "loudness[1]: expected 0...255"),
    (#""loudness":\#(many(4097, "7"))"#, "at most 4096 bars"),
    (#""tags":\#(many(257, "\"a\""))"#, "tags: expected at most 256"),
    (#""tags":["a",1]"#, "tags[1]: expected a string"),
    (#""place":{"town":"Ulm"}"#, "place.town: unknown"), (#""place":[]"#, "place: expected an object"),
    (#""options":\#(many(4, #"{"text":"a"}"#))"#, "options: expected at most 3"),
    (#""options":[{"text":"a"},{}]"#, "options[1]: "),
    (#""options":[{"text":"a"},{"text":2}]"#, "options[1].text: expected a string"),
])
func `more is refused, with the path of what is wrong`(more: String, words: String) throws {
    let found = try complaint(more)
    #expect(found.contains(words), "\(found.prefix(200))")
}
