import Foundation
import TestSupport
import Testing

private let fonts = Project.file("config/fonts.json5").path

/// A style whose sizes can be added up in the head: a bubble of 10 points around a text, and a button below it.
private func style(in folder: TemporaryFolder, content: String = Style.content) throws -> String {
    try FileManager.default.createDirectory(atPath: folder.file("kinds"), withIntermediateDirectories: true)
    try Style.sheet.write(toFile: folder.file("style.json5"), atomically: true, encoding: .utf8)
    try content.write(toFile: folder.file("kinds/text.json5"), atomically: true, encoding: .utf8)
    return folder.file("style.json5")
}

private func layout(
    _ words: [String], _ message: String, content: String = Style.content
) throws -> (code: Int32, output: String, errors: String) {
    let folder = try TemporaryFolder()
    let path = try style(in: folder, content: content)
    return try run(["layout", "--fonts", fonts, "--style", path] + words, input: message)
}

private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

@Test(.waits) func `a layout is printed with everything that a client applies`() throws {
    let result = try layout(["--target", "200@2"], #"{"kind": "text", "text": "At https://a.org"}"#)
    #expect(result.code == 0 && result.errors.isEmpty)
    let model = try object(result.output)
    #expect(model["target"] as? String == "200@2" && model["variant"] as? String == "own")
    #expect(model["stamp"] as? String == "none" && model["confidence"] as? [String] == [])
    let nodes = try #require(model["nodes"] as? [[String: Any]])
    #expect(nodes.map { $0["part"] as? String } == ["bubble", "text", "open"])
    #expect(nodes.map { $0["parent"] as? Int } == [nil, 0, 0])
    let size = try #require(model["size"] as? [Int])
    #expect(nodes[0]["frame"] as? [Int] == [0, 0] + size && size[1] == 20 + 40 + 48 + 20)
    #expect(nodes[0]["radius"] as? Int == 16 && nodes[0]["corners"] as? [String] == ["topStart", "bottomStart"])
    #expect(nodes[2]["action"] as? String == "open" && nodes[2]["priority"] as? Int == 10)
    let text = try #require(nodes[1]["text"] as? [String: Any])
    let line = try #require((text["lines"] as? [[String: Any]])?.first)
    #expect(line["start"] as? Int == 0 && line["end"] as? Int == 16 && line["direction"] as? String == "ltr")
    #expect(line["left"] as? Int == 20 && line["top"] as? Int == 20)
    let baseline = try #require(line["baseline"] as? Int)
    #expect(20 + 20..<20 + 40 ~= baseline)
    let entity = try #require((text["entities"] as? [[String: Any]])?.first)
    #expect(entity["kind"] as? String == "url" && (entity["frames"] as? [[Int]])?.count == 1)
    #expect((model["reading"] as? [[String: Any]])?.map { $0["role"] as? String } == ["text", "button"])
}

@Test(.waits) func `without a target all targets of the style are printed, and each says which it is`() throws {
    let result = try layout([], #"{"kind": "text", "text": "See you"}"#)
    let models = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    #expect(models.map { $0["target"] as? String } == ["300@2", "200@2"])
}

@Test(.waits) func `a mirrored layout has the same parts from the other side`() throws {
    let message = #"{"kind": "text", "text": "See you at nine"}"#
    let words = ["--target", "200@2", "--variant", "own"]
    let frames = try [words, words + ["--rtl"]].map { words in
        let model = try object(layout(words, message).output)
        let nodes = try #require(model["nodes"] as? [[String: Any]])
        return (try #require(model["size"] as? [Int]), nodes.compactMap { $0["frame"] as? [Int] })
    }
    #expect(frames[0].0 == frames[1].0)
    for (frame, mirrored) in zip(frames[0].1, frames[1].1) {
        #expect(frame[0] == frames[1].0[0] - mirrored[0] - mirrored[2])
    }
}

@Test(.waits) func `a larger text size makes text larger, and what does not grow with it stays`() throws {
    let message = #"{"kind": "text", "text": "See you"}"#
    let size = try object(layout(["--target", "200@2", "--text-scale", "1.5"], message).output)["size"] as? [Int]
    #expect(size?[1] == 20 + 60 + 48 + 20)
}

@Test(.waits) func `an explanation tells offers, wishes, what ends the layout's reach, and what it depends on`() throws
{
    let message = #"{"kind": "text", "text": "See you at nine, or when you can", "seen": true}"#
    let result = try layout(["--target", "200@2", "--explain"], message)
    #expect(result.code == 0)
    let lines = result.output.split(separator: "\n").map(String.init)
    let text = try #require(lines.first { $0.contains(" text ") || $0.hasPrefix("    text") })
    #expect(text.contains("360~") && text.contains("2 lines, wrapped"))
    #expect(text.contains("no narrower row would do; a wider row would change it"))
    #expect(lines.contains { $0.hasPrefix("bubble (inset)") && $0.contains("400~") })
    #expect(lines.contains { $0.hasPrefix("It is the layout for rows of ") && $0.contains(" to 400,") })
    #expect(result.output.contains(#/\nThe key of a record for these targets is [0-9a-f]{32}, made of\n/#))
    #expect(lines.contains { $0.contains("not seen: it is for paint") })
    #expect(lines.contains { $0.contains("length pad") && $0.hasSuffix(" 20") })
}

@Test(.waits) func `a drawing has boxes, words on their baselines and regions, in points outside and pixels inside`()
    throws
{
    let result = try layout(["--target", "200@2", "--svg", "-", "--workings"], #"{"kind": "text", "text": "<&>"}"#)
    #expect(result.code == 0 && result.output.contains(#"width="200" height="64" viewBox="0 0 400 128""#))
    let width = try #require(result.output.firstMatch(of: #/class="bubble" d="M16 0H(\d+)V/#)?.1)
    let outline = "M16 0H\(width)V128H16a16 16 0 0 1 -16 -16V16a16 16 0 0 1 16 -16z"
    #expect(result.output.contains(#"<path class="bubble" d="\#(outline)"/>"#))
    #expect(result.output.contains(">&lt;&amp;&gt;</text>"))
    #expect(result.output.contains(#"<path class="region""#) && result.output.contains("<title>open</title>"))
    #expect(result.output.contains("200@2 own · "))
}

@Test(.waits) func `a page stands alone, in the colours that are asked for, and with its fonts in it where they are`()
    throws
{
    let words = ["--target", "200@2", "--html", "-"], message = #"{"kind": "text", "text": "See you"}"#
    let page = try layout(words + ["--dark"], message).output
    #expect(
        page.hasPrefix("<!doctype html>") && page.contains(#"data-scheme="dark""#) && page.contains(">See you</text>"))
    #expect(page.contains("local('Noto Sans Regular'), local('NotoSans-Regular')") && !page.contains("https:"))
    let whole = try layout(words + ["--embed-fonts"], message).output
    #expect(whole.contains("src: url(data:font/ttf;base64,AAEAAAA") && whole.utf8.count > 500_000)
    // The fonts of other scripts stay outside.
    #expect(whole.contains("local('Noto Sans Hebrew Regular')"))
}

@Test(.waits) func `a drawing shows each text in its own place, whether one of them is cut or not`() throws {
    let content = """
        { kind: "text", frame: "bubble", fields: { text: "text!" }, content: { stack: [
          { text: "{text}", style: "body", lines: 1, expands: true },
          { text: "More", style: "body", shows: "cut", action: "expand" },
          { text: "End", style: "body" },
        ] } }
        """
    for (text, shown) in [("One", ["One", "End"]), ("One and so many more that they do not fit", ["More", "End"])] {
        let message = #"{"kind": "text", "text": "\#(text)"}"#
        let result = try layout(["--target", "200@2", "--svg", "-"], message, content: content)
        let texts = result.output.matches(of: #/<text [^>]*>(.*)</text>/#).map { String($0.1) }
        // The caption comes first.
        #expect(texts.suffix(2) == shown[...] && texts.count == (text == "One" ? 3 : 4))
    }
}

@Test(
    .waits,
    arguments: [
        (["--target", "wide"], "--target takes WIDTH@SCALE, such as the style's 300@2, 200@2, not 'wide'."),
        (["--variant", "mine"], "--variant is one of own, other, not 'mine'."),
        (["--state", "open"], "--state is one of collapsed, expanded, not 'open'."),
        (["--dark"], "--dark goes with --html or --svg."),
        (["--workings"], "--workings goes with --html or --svg."),
        (["--html", "a", "--dark", "--light"], "--dark and --light exclude each other."),
        (["--html", "-", "--svg", "-"], "--html and --svg cannot both go to standard output."),
        (["--text-scale", "9"], "--text-scale takes a factor from 0.25 to 4, such as 1.3, not '9'."),
    ])
func `a word that is not known is told with those that are`(words: [String], sentence: String) throws {
    let result = try layout(words, #"{"kind": "text", "text": "x"}"#)
    #expect(result.code == 2 && result.output.isEmpty)
    #expect(result.errors == "forme: \(sentence) Read: forme help layout\n")
}

@Test(
    .waits,
    arguments: [
        (#"{"kind": "text","#, "standard input:1:17: expected a key, found the end of the text"),
        ("{\"kind\": \"text\",\n \"txt\": 1}", "standard input:2:2: txt: unknown; known are seen, text"),
        (#"{"kind": "text", "text": 7}"#, "standard input:1:26: text: expected a string, found 7"),
        (#"{"text": "x"}"#, "standard input:1:1: 'kind' is missing"),
    ])
func `a message that is wrong is told with line and column`(message: String, sentence: String) throws {
    for words in [[], ["--explain"], ["--svg", "-"], ["--html", "-"]] {
        let result = try layout(words, message)
        #expect(result.code == 1 && result.output.isEmpty)
        #expect(result.errors == "forme: \(sentence)\n")
    }
}

@Test(.waits) func `a style that is wrong or not there is told with its file`() throws {
    let wrong = try layout([], "{}", content: "{ kind: 'text',\n  frame: 'none' }")
    #expect(wrong.code == 1)
    #expect(wrong.errors.contains("kinds/text.json5:2:10: frame: expected one of the frames bubble, found 'none'"))
    let absent = try run(["layout", "--style", "/nowhere/style.json5"])
    #expect(absent.code == 74)
    #expect(absent.errors.contains("/nowhere/style.json5 cannot be read; name a style such as config/styles/"))
}

@Test(.waits) func `a drawing that cannot be written is told with 74`() throws {
    let result = try layout(["--svg", "/nowhere/a.svg"], #"{"kind": "text", "text": "x"}"#)
    #expect(result.code == 74)
    #expect(result.errors == "forme: /nowhere/a.svg cannot be written; check its folder, its owner and the disk\n")
}

@Test(.waits) func `a gallery holds messages of arrays and of lines, and shows why one is refused`() throws {
    let folder = try TemporaryFolder()
    let path = try style(in: folder)
    try FileManager.default.createDirectory(atPath: folder.file("messages"), withIntermediateDirectories: true)
    try #"[{"kind": "text", "text": "one"}, {"kind": "text", "text": "</script>"}]"#
        .write(toFile: folder.file("messages/a.json"), atomically: true, encoding: .utf8)
    try "{\"kind\": \"text\", \"text\": \"three\"}\n\n{\"kind\": \"text\"}\n"
        .write(toFile: folder.file("messages/b.jsonl"), atomically: true, encoding: .utf8)
    let words = ["gallery", "--fonts", fonts, "--style", path, "--fixtures", folder.file("messages")]
    let result = try run(words + ["--output", folder.file("page.html")])
    #expect(result.code == 0 && result.output.contains("styles: 1, kinds: 1, messages: 4, drawings: "))
    #expect(result.output.hasSuffix(", refused: 1\n"))
    let page = try String(contentsOfFile: folder.file("page.html"), encoding: .utf8)
    #expect(page.contains(">one</text>") && page.contains(">three</text>") && page.contains(">&lt;/script&gt;</text>"))
    #expect(page.contains("&#39;text&#39; is missing"))
    #expect(page.contains(##"<a href="#kind0">text</a> <small>4</small>"##))
}

@Test(.waits) func `a kind that was just added is in the gallery, with the names of its fields`() throws {
    let folder = try TemporaryFolder()
    let path = try style(in: folder)
    try FileManager.default.createDirectory(atPath: folder.file("messages"), withIntermediateDirectories: true)
    try #"{"kind": "text", "text": "one"}"#
        .write(toFile: folder.file("messages/text.jsonl"), atomically: true, encoding: .utf8)
    try #"""
    { kind: "payment", frame: "bubble", fields: { amount: "text!", paid: "flag", to: { object: { owner: "text!" } } },
      content: { stack: [{ text: "{amount}", style: "body" }, { text: "{to.owner}", style: "body", if: "to" }] } }
    """#.write(toFile: folder.file("kinds/payment.json5"), atomically: true, encoding: .utf8)
    let words = ["gallery", "--fonts", fonts, "--style", path, "--fixtures", folder.file("messages")]
    let result = try run(words + ["--output", folder.file("page.html")])
    #expect(result.code == 0 && result.output.contains("styles: 1, kinds: 2, messages: 2, drawings: "))
    #expect(!result.output.contains("refused"))
    let page = try String(contentsOfFile: folder.file("page.html"), encoding: .utf8)
    #expect(page.contains("payment</a> <small>1</small>") && page.contains("(payment.jsonl), so this one says"))
    #expect(page.contains(">Amount</text>") && page.contains(">Owner</text>"))
}

@Test(.waits) func `a gallery without messages says where it looked`() throws {
    let folder = try TemporaryFolder()
    let result = try run(["gallery", "--fixtures", folder.path, "--output", folder.file("page.html")])
    #expect(result.code == 74)
    let sentence = "\(folder.path) has no *.json or *.jsonl; name a folder of messages with --fixtures"
    #expect(result.errors == "forme: \(sentence)\n")
}

private enum Style {
    static let sheet = """
        {
          name: "plain", variants: ["own", "other"], targets: [{ widths: [200, 300], scales: [2] }],
          lengths: { pad: 10 }, texts: { body: { size: 16, line: 20 } },
          fields: { seen: "flag paint" },
          frames: { bubble: { part: {
            inset: { slot: "content" }, by: "pad", name: "bubble", token: "bubble", corners: "start", radius: 8,
          } } },
          fallback: "text",
        }
        """
    static let content = """
        {
          kind: "text", frame: "bubble", fields: { text: "text!" },
          content: { stack: [
            { text: "{text}", style: "body", name: "text", entities: true },
            { box: ["fill", 24], name: "open", role: "control", action: "open" },
          ] },
        }
        """
}
