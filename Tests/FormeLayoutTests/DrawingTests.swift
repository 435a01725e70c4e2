import FormeLayout
import JSON
import MessageLayout
import TestSupport
import Testing

/// The facts about a node that clients get besides its place, as one row of a table.
private struct Told: Equatable, CustomStringConvertible {
    var part: String
    var path = ""
    var words: String?
    var about = ""

    var description: String { "\(part) of \(path): \(words ?? "-"), about \(about)" }
}

private func told(_ message: String, style: String = "bubble") throws -> [Told] {
    var engine = try Kinds.engine(Kinds.style(style))
    let skeleton = try engine.layOut(JSONReader(JSONValue.parse(Array(message.utf8)))).skeleton
    let drawing = try #require(skeleton.drawing)
    return skeleton.nodes.indices.map { place in
        let (node, source) = (skeleton.nodes[place], skeleton.text(of: skeleton.nodes[place].source))
        return Told(
            part: skeleton.text(of: node.part),
            path: node.text < 0 ? "" : drawing.path(of: Int(node.text), orSource: source),
            words: node.text < 0 ? nil : drawing.generatedWords(of: Int(node.text)),
            about: node.action == 0 ? "" : drawing.subject(of: place, orSource: source))
    }
}

@Test(arguments: Kinds.styles)
func `an option says where it is, what its percents are, and that a vote is for it`(style: String) throws {
    let poll = """
        {"kind":"poll","question":"Which?","options":[{"text":"One","percent":7},{"text":"Two","percent":93}],"votes":1200}
        """
    let told = try told(poll, style: style)
    #expect(told.filter { $0.part == "option" }.map(\.about) == ["options[0]", "options[1]"])
    #expect(told.filter { $0.part == "optionText" }.map(\.path) == ["options[0].text", "options[1].text"])
    #expect(told.filter { $0.part == "optionText" }.allSatisfy { $0.words == nil })
    let percents = told.filter { $0.part == "percent" }
    #expect(percents.map(\.path) == ["options[0].percent", "options[1].percent"])
    #expect(percents.map(\.words) == ["7%", "93%"])
    #expect(told.filter { $0.part == "total" } == [Told(part: "total", path: "votes", words: "1.2K votes")])
}

@Test func `a list within a list has its whole way`() throws {
    let buttons = """
        {"kind":"buttons","text":"Now?","rows":[{"buttons":[{"title":"A"}]},{"buttons":[{"title":"B"},{"title":"C"}]}]}
        """
    let told = try told(buttons)
    #expect(
        told.filter { $0.part == "button" }.map(\.about)
            == ["rows[0].buttons[0]", "rows[1].buttons[0]", "rows[1].buttons[1]"])
    #expect(told.first { $0.part == "buttonTitle" }?.path == "rows[0].buttons[0].title")
}

@Test func `markers and languages are words of their own, and code is about the text that it stands in`() throws {
    let told = try told(#"{"kind":"rich","text":"- one\n\n3. three\n\n```swift\nlet a = 1\n```"}"#)
    #expect(told.filter { $0.part == "marker" }.map(\.words) == ["•", "3."])
    #expect(told.filter { $0.part == "language" }.map(\.words) == ["swift"])
    #expect(told.filter { $0.part == "item" }.allSatisfy { $0.words == nil && $0.path == "text" })
    #expect(told.filter { ["copy", "codeBlock"].contains($0.part) }.allSatisfy { $0.about == "text" })
}

@Test(arguments: [
    (#"{"kind":"text","text":"Hi","name":"Ada","reply":{"sender":"Ben","text":"Yes"}}"#, "reply", "reply"),
    (#"{"kind":"text","text":"Hi","name":"Ada"}"#, "name", "name"),
    (#"{"kind":"text","text":"Hi","reactions":[{"emoji":"👍","count":2}]}"#, "reaction", "reactions[0]"),
    (#"{"kind":"text","text":"Hi","thread":{"count":3}}"#, "thread", "thread"),
    (#"{"kind":"contact","contact":{"name":"Ada","phone":"+1 2"}}"#, "phone", "contact.phone"),
    (#"{"kind":"contact","contact":{"name":"Ada"}}"#, "open", "contact"),
    (#"{"kind":"file","file":{"name":"a.pdf","size":1400000}}"#, "fileIcon", "file"),
    (#"{"kind":"form","title":"T","submit":"Go","inputs":[{"label":"L"}]}"#, "input", "inputs[0]"),
    (#"{"kind":"form","title":"T","submit":"Go","inputs":[{"label":"L"}]}"#, "submit", ""),
])
func `an action says what it is about`(message: String, part: String, about: String) throws {
    #expect(try told(message).first { $0.part == part }?.about == about)
}

@Test(arguments: [
    (#"{"kind":"file","file":{"name":"a.pdf","size":1400000}}"#, "fileSize", "1.4 MB", "file.size"),
    (#"{"kind":"video","video":{"width":4,"height":3},"duration":65}"#, "durationText", "1:05", "duration"),
    (#"{"kind":"text","text":"Hi","thread":{"count":3}}"#, "threadCount", "3 replies", "thread.count"),
    (#"{"kind":"text","text":"Hi","reactions":[{"emoji":"👍","count":2}]}"#, "count", "2", "reactions[0].count"),
])
func `words that are made say what they are and of what`(
    message: String, part: String, words: String, path: String
) throws {
    #expect(try told(message).first { $0.part == part } == Told(part: part, path: path, words: words))
}

@Test func `texts name the face that they were measured with`() throws {
    var engine = try Kinds.engine(Kinds.style("bubble"))
    let message = #"{"kind":"poll","question":"Which?","options":[{"text":"One"}],"name":"Ada"}"#
    let skeleton = try engine.layOut(JSONReader(JSONValue.parse(Array(message.utf8)))).skeleton
    let drawing = try #require(skeleton.drawing)
    func weight(_ part: String) -> Int16? {
        skeleton.nodes.first { skeleton.text(of: $0.part) == part }.map { drawing.texts[Int($0.text)].face.weight }
    }
    #expect(weight("question") == 700 && weight("name") == 700 && weight("optionText") == 400)
}

/// Messages of one kind share their plan: nothing of the one stands in the other.
@Test func `words that were made for one message do not stay for the next`() throws {
    var engine = try Kinds.engine(Kinds.style("bubble"))
    for (size, words) in [(1_400_000, "1.4 MB"), (700, "700 B")] {
        let message = #"{"kind":"file","file":{"name":"a.pdf","size":\#(size)}}"#
        let skeleton = try engine.layOut(JSONReader(JSONValue.parse(Array(message.utf8)))).skeleton
        #expect(skeleton.drawing?.generated.map(\.words) == [words])
    }
}
