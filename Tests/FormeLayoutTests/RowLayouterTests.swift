import FormeLayout
import JSON
import MessageLayout
import Names
import Shaping
import TestSupport
import Testing
import Typography
import Wire

private func state(_ body: String, status: String? = nil, reactions: String? = nil) throws -> MessageState {
    MessageState(
        order: 1,
        body: MessageBody(sender: try SenderID("ada"), time: Timestamp(milliseconds: 0), content: Array(body.utf8)),
        status: status.map { Array($0.utf8) }, reactions: reactions.map { Array($0.utf8) }, revision: Revision(1))
}

private func layouter() throws -> RowLayouter {
    try RowLayouter(style: Kinds.style("bubble"), fonts: Kinds.fontList())
}

@Test func `a row has the key, the layouts and the measured texts of its message`() throws {
    var layouter = try layouter()
    for kind in Kinds.names {
        for (text, record) in zip(try Kinds.texts(kind), try Kinds.records(kind, "bubble")) {
            let message = try state(String(decoding: text, as: UTF8.self))
            let row = try layouter.row(of: message)
            let key = layouter.key(of: try layouter.checked(message))
            #expect(row.layout == record && row.key == key)
            var texts = try StoredTexts(row.measured[...])
            while try texts.next() != nil {}
        }
    }
}

@Test func `a row that was made elsewhere is stored with the same list of heights as one that is made here`() throws {
    var layouter = try layouter()
    for kind in Kinds.names {
        for text in try Kinds.texts(kind) {
            let row = try layouter.row(of: state(String(decoding: text, as: UTF8.self)))
            let made = layouter.row(MadeRow(row, at: 0))
            #expect(made == row && !made.heights.isEmpty)
        }
    }
}

@Test func `a record that cannot be read has no list of heights`() throws {
    var layouter = try layouter()
    let heights = layouter.listedHeights(of: [1, 2, 3])
    #expect(heights.isEmpty)
}

@Test func `measured texts are stored in the order of the parts`() throws {
    var layouter = try layouter()
    let row = try layouter.row(of: state(#"{"kind":"text","text":"Hello there"}"#))
    var texts = try StoredTexts(row.measured[...])
    var counts: [Int] = []
    while let text = try texts.next() { counts.append(text.count) }
    #expect(counts.contains("Hello there".utf16.count))
    #expect(throws: MeasuredTextError.truncated) {
        var cut = try StoredTexts(row.measured.dropLast())
        while try cut.next() != nil {}
    }
}

@Test func `a status changes nothing that is laid out, reactions do`() throws {
    var layouter = try layouter()
    let text = #"{"kind":"text","text":"Hello","status":"sent"}"#
    let row = try layouter.row(of: state(text))
    let read = try layouter.row(of: state(text, status: "\"read\""))
    #expect(read.key == row.key && read.layout == row.layout)
    let liked = try layouter.row(of: state(text, reactions: #"[{"emoji":"👍","count":2}]"#))
    #expect(liked.key != row.key && liked.layout != row.layout)
}

@Test func `what the style refuses is said with the field`() throws {
    let layouter = try layouter()
    let objection = #expect(throws: Objection.self) {
        _ = try layouter.checked(state(#"{"kind":"text","txt":"Hello"}"#))
    }
    #expect(objection?.text.hasPrefix("txt: unknown; known are") == true)
}

@Test func `a message with more nodes than a record may have is refused before its texts are measured`() throws {
    var own = try layouter()
    var fresh = try layouter()
    let text = Array(repeating: "- a", count: 4000).joined(separator: "\\n")
    let message = try own.checked(state(#"{"kind":"rich","text":"\#(text)"}"#))
    var reached: [LayoutStage] = []
    let objection = #expect(throws: Objection.self) {
        _ = try own.row(of: message) { reached.append($0) }
    }
    #expect(objection?.text.contains("nodes") == true && !reached.contains(.measure) && !reached.contains(.encode))
    // The next message is laid out as ever.
    let short = try state(#"{"kind":"rich","text":"- a"}"#)
    let row = try own.row(of: short)
    let again = try fresh.row(of: short)
    #expect(row == again)
}

@Test func `an edition is named by what it lays out with`() throws {
    let bubble = try layouter().edition.id
    let flat = try RowLayouter(style: Kinds.style("flat"), fonts: Kinds.fontList()).edition.id
    let again = try layouter().edition.id
    #expect(bubble != flat && bubble == again && bubble.text.utf8.count == 32)
}

@Test(arguments: [
    #""kind":"text","text":"直角""#, #""kind":"rich","text":"- 直**角**\n- 今""#,
    #""kind":"poll","question":"直?","options":[{"text":"角"},{"text":"骨"}]"#,
])
func `words in a language are measured in the fonts that are listed for it`(body: String) throws {
    var layouter = try layouter()
    func fonts(_ measured: [UInt8]) throws -> Set<String> {
        let families = try Kinds.fontList().families
        let names = families.flatMap { family in family.faces.map { _ in family.name } }
        var (texts, found): (StoredTexts, Set<String>) = (try StoredTexts(measured[...]), [])
        while let text = try texts.next() { found.formUnion(text.runs.map { names[Int($0.font)] }) }
        return found
    }
    let plain = try layouter.row(of: state("{\(body)}"))
    let japanese = try layouter.row(of: state(#"{\#(body),"lang":"ja-JP"}"#))
    #expect(try fonts(plain.measured).contains("NotoSansCJKsc"))
    let found = try fonts(japanese.measured)
    #expect(found.contains("NotoSansCJKjp") && !found.contains("NotoSansCJKsc"))
    #expect(plain.key != japanese.key)
    // Han characters are as wide in all countries.
    #expect(plain.layout == japanese.layout)
}

@Test(arguments: [#""日本""#, "7", #""""#])
func `what is no language is refused with the field`(tag: String) throws {
    let layouter = try layouter()
    let objection = #expect(throws: Objection.self) {
        _ = try layouter.checked(state(#"{"kind":"text","text":"Hello","lang":\#(tag)}"#))
    }
    #expect(objection?.text.contains("lang") == true)
}
