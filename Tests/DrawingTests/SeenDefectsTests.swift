import FormeLayout
import JSON
import MessageLayout
import TestSupport
import Testing
import Typography

@testable import Drawing

// Defects that somebody saw in pictures of the styles, each told as a rule about where things stand.

@Test(arguments: Drawn.styles)
func `a marker stands beside the words of its item, whatever their direction and the screen's`(style: String) throws {
    for shown in try seen("- one\n- אחת\n- two words\n\n1. ראשון\n2. last", in: style) {
        let items = zip(shown.all("marker"), shown.all("item"))
        for (marker, item) in items {
            let (mark, words) = (shown.lines(of: marker)[0].frame, shown.lines(of: item)[0].frame)
            let gap = max(words.left - mark.right, mark.left - words.right)
            #expect(0...shown.pixels(24) ~= gap, "\(shown.name)")
            #expect((mark.left < words.left) != shown.lines(of: item)[0].traits.contains(.rightToLeft), "\(shown.name)")
        }
        #expect(shown.all("marker").count == 5)
    }
}

@Test(arguments: Drawn.styles)
func `an item inside of another one stands where the words of that begin, nearly`(style: String) throws {
    for (text, direction) in [("- one\n  - inside", false), ("- אחת\n  - בפנים", true)] {
        for shown in try seen(text, in: style) where shown.target.isMirrored == direction {
            let frames = shown.all("marker").map { shown.frame(of: $0) }
            let step = direction ? frames[0].right - frames[1].right : frames[1].left - frames[0].left
            #expect(step >= shown.pixels(14), "\(shown.name)")
        }
    }
}

@Test(arguments: Drawn.styles)
func `a link of which nothing is known shows its address`(style: String) throws {
    let message = #"{"kind":"link","preview":{"url":"https://example.com/b"}}"#
    for shown in try seen(message: message, in: style) {
        let words = try #require(shown.all("url").first)
        #expect(shown.lines(of: words)[0].frame.width > shown.pixels(60))
    }
    let known = #"{"kind":"link","preview":{"url":"https://example.com/b","title":"A page"}}"#
    for shown in try seen(message: known, in: style) { #expect(shown.all("url").isEmpty) }
}

@Test(
    arguments: Drawn.styles,
    [
        (
            #"{"kind":"text","text":"ok","reply":{"sender":"Ben","text":"Can you look at the second page? It has the numbers."}}"#,
            "reply"
        ),
        (
            #"{"kind":"text","text":"ok","reply":{"sender":"דנה","text":"מי אמר את זה? אני לא זוכר מי אמר, ומתי"}}"#,
            "reply"
        ),
        (
            #"{"kind":"link","preview":{"url":"a","site":"Example","title":"A page about layout, and what it has to do"}}"#,
            "preview"
        ),
        (#"{"kind":"rich","text":"> A quote that somebody wrote a long time ago, and that wraps."}"#, "quoteBlock"),
    ])
func `a tinted box has room around its words, at both ends and below`(
    style: String, quoted: (message: String, part: String)
) throws {
    for shown in try seen(message: quoted.message, in: style) {
        let box = try #require(shown.all(quoted.part).first.map { shown.frame(of: $0) })
        let texts = shown.model.skeleton.nodes.indices.filter {
            $0 > shown.all(quoted.part)[0] && shown.part(of: $0) != "text"
        }
        let lines = texts.flatMap { shown.lines(of: $0).map(\.frame) }.filter {
            $0.top >= box.top && $0.bottom <= box.bottom
        }
        #expect(!lines.isEmpty)
        for line in lines {
            #expect(
                line.left - box.left >= shown.pixels(7) && box.right - line.right >= shown.pixels(7), "\(shown.name)")
            #expect(
                line.top - box.top >= shown.pixels(3) && box.bottom - line.bottom >= shown.pixels(3), "\(shown.name)")
        }
    }
}

@Test(arguments: Drawn.styles, ["poll", "quiz"])
func `votes that are not known are not counted, and each option keeps its percents and its mark beside it`(
    style: String, kind: String
) throws {
    let message =
        #"{"kind":"\#(kind)","question":"Where?","options":[{"text":"Here","percent":40},{"text":"כאן","percent":60}]}"#
    for shown in try seen(message: message, in: style) {
        #expect(shown.all("total").isEmpty)
        for ((tick, text), percent) in zip(zip(shown.all("tick"), shown.all("optionText")), shown.all("percent")) {
            let (mark, words, number) = (shown.frame(of: tick), shown.lines(of: text)[0], shown.frame(of: percent))
            let isRightToLeft = words.traits.contains(.rightToLeft)
            #expect((mark.left < words.frame.left) != isRightToLeft, "\(shown.name)")
            #expect((number.left > words.frame.left) != isRightToLeft, "\(shown.name)")
            let gap = max(words.frame.left - mark.right, mark.left - words.frame.right)
            #expect(0...shown.pixels(10) ~= gap, "\(shown.name)")
        }
    }
}

@Test(
    arguments: Drawn.styles,
    [
        (#"{"kind":"file","file":{"name":"%","size":1412345}}"#, "fileIcon", "fileName"),
        (#"{"kind":"contact","contact":{"name":"%","phone":"+44 20 7946 0000"}}"#, "contactAvatar", "contactName"),
        (#"{"kind":"contact","contact":{"name":"Ada Lovelace, Countess","note":"%"}}"#, "contactAvatar", "note"),
        (#"{"kind":"audio","audio":{"duration":7,"title":"%","bars":[0,37,74,111,148,185,222,3]}}"#, "play", "title"),
    ])
func `a title stands beside its icon, whichever way it and the screen run`(
    style: String, titled: (message: String, icon: String, title: String)
) throws {
    for words in ["Short", "קצר"] {
        for shown in try seen(message: titled.message.replacing("%", with: words), in: style) {
            let icon = shown.frame(of: try #require(shown.all(titled.icon).first))
            let line = shown.lines(of: try #require(shown.all(titled.title).first))[0].frame
            let gap = shown.target.isMirrored ? icon.left - line.right : line.left - icon.right
            #expect(0...shown.pixels(10) ~= gap, "\(shown.name): \(words)")
        }
    }
}

@Test(arguments: Drawn.styles, ["poll", "quiz"])
func `nobody's votes are counted as everybody's are`(style: String, kind: String) throws {
    for (votes, told) in [(0, "0 votes"), (12, "12 votes")] {
        let message =
            #"{"kind":"\#(kind)","question":"Where?","votes":\#(votes),"options":[{"text":"Here","percent":0}]}"#
        for shown in try seen(message: message, in: style) {
            let total = try #require(shown.all("total").first)
            let text = Int(shown.model.skeleton.nodes[total].text)
            #expect(shown.all("total").count == 1 && shown.model.skeleton.drawing?.generatedWords(of: text) == told)
        }
    }
}

@Test(arguments: Drawn.styles)
func `the language of code and what copies it stand at the two ends of the line above it`(style: String) throws {
    for shown in try seen("```swift\nfunc lines(of text: String) -> [Range<Int>]\n```", in: style) {
        let (head, language) = (
            shown.frame(of: shown.all("codeHead")[0]), shown.lines(of: shown.all("language")[0])[0].frame
        )
        #expect(
            language.left == head.left && shown.frame(of: shown.all("copy")[0]).right == head.right, "\(shown.name)")
    }
}

@Test(arguments: Drawn.styles)
func `nothing over a small video covers anything else there`(style: String) throws {
    for shown in try seen(message: #"{"kind":"video","video":{"width":40,"height":30},"duration":83}"#, in: style) {
        let frames = ["play", "duration", "capsule"].flatMap { shown.all($0) }.map { shown.frame(of: $0) }
        #expect(frames.count >= 2)
        for (one, other) in frames.indices.flatMap({ one in frames.indices.map { (frames[one], frames[$0]) } })
        where one != other {
            let isApart =
                one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top
            #expect(isApart, "\(shown.name)")
        }
    }
}

@Test func `a sticker of one's own stands at the edge where one's messages stand, whatever is above it`() throws {
    let message =
        #"{"kind":"sticker","sticker":{"width":400,"height":400},"reply":{"sender":"Ben","text":"A long answer to what was said"}}"#
    for shown in try seen(message: message, in: "bubble") {
        let (picture, stamp) = (shown.frame(of: shown.all("sticker")[0]), shown.frame(of: shown.all("capsule")[0]))
        let isAtRight = (shown.variant == 0) != shown.target.isMirrored
        for frame in [picture, stamp] {
            #expect(isAtRight ? frame.right == shown.model.size.width : frame.left == 0, "\(shown.name)")
        }
    }
}

@Test(arguments: ["sticker", "roundVideo", "emoji"])
func `a quote above a picture of one's own stands at that edge, and has the room that the row has`(kind: String) throws
{
    let content = [
        "sticker": #""sticker":{"width":400,"height":400}"#, "roundVideo": #""video":{}"#, "emoji": #""text":"🎉""#,
    ]
    let message =
        #"{"kind":"\#(kind)",\#(content[kind]!),"reply":{"sender":"Ben","text":"Shall we?"},"#
        + #""reactions":[{"emoji":"👍"}],"thread":{"count":14}}"#
    for shown in try seen(message: message, in: "bubble") {
        let isAtRight = (shown.variant == 0) != shown.target.isMirrored
        for part in ["plate", "reactions"] {
            #expect(!shown.all(part).isEmpty)
            for frame in shown.all(part).map({ shown.frame(of: $0) }) {
                #expect(isAtRight ? frame.right == shown.model.size.width : frame.left == 0, "\(shown.name): \(part)")
            }
        }
        let words = try #require(shown.all("replyText").first)
        #expect(!shown.lines(of: words)[0].traits.contains(.ellipsis), "\(shown.name)")
    }
}

@Test(arguments: Drawn.styles, ["poll", "quiz"])
func `the bar of an option begins where its words do, and there is none where percents are not known`(
    style: String, kind: String
) throws {
    func message(_ first: String, _ second: String) -> String {
        #"{"kind":"\#(kind)","question":"Where?","options":[{"text":"Here"\#(first)},{"text":"כאן"\#(second)}]}"#
    }
    let known = try seen(message: message(#","percent":40"#, #","percent":60"#), in: style)
    for shown in known {
        #expect(shown.all("track").count == 2 && shown.all("trackShare").count == 2)
        for ((track, share), text) in zip(zip(shown.all("track"), shown.all("trackShare")), shown.all("optionText")) {
            let (whole, part) = (shown.frame(of: track), shown.frame(of: share))
            let isRightToLeft = shown.lines(of: text)[0].traits.contains(.rightToLeft)
            #expect(isRightToLeft ? part.right == whole.right : part.left == whole.left, "\(shown.name)")
        }
    }
    for (one, shown) in zip(known, try seen(message: message("", #","percent":0"#), in: style)) {
        #expect(shown.all("track").count == 1 && shown.all("trackShare").isEmpty)
        // A vote moves nothing.
        #expect(shown.model.size == one.model.size, "\(shown.name)")
    }
}

@Test func `what stands in a line of the flat style has room around it, and a name is beside its avatar`() throws {
    for shown in try seen(message: #"{"kind":"event","text":"Ann joined"}"#, in: "flat") {
        let (box, line) = (shown.frame(of: shown.all("line")[0]), shown.lines(of: shown.all("text")[0])[0].frame)
        #expect(line.left - box.left >= shown.pixels(8) && box.right - line.right >= shown.pixels(8), "\(shown.name)")
        #expect(shown.model.placements[shown.all("line")[0]].radius > 0)
    }
    for name in ["Ben", "דנה"] {
        for shown in try seen(message: #"{"kind":"text","text":"Hello","name":"\#(name)"}"#, in: "flat") {
            guard let node = shown.all("name").first else { continue }
            let line = shown.lines(of: node)[0].frame
            #expect(shown.target.isMirrored ? line.right == shown.model.size.width : line.left == 0, "\(shown.name)")
        }
    }
}

@Test(arguments: [
    (#"{"text":"a","right":true},{"text":"b","chosen":true}"#, [true, true]),
    (#"{"text":"a","right":true,"chosen":true},{"text":"b"}"#, [true, false]),
    (#"{"text":"a","chosen":true},{"text":"b"}"#, [true, false]),
    (#"{"text":"a"},{"text":"b"}"#, [false, false]),
])
func `a right answer has a check, and a wrong one that was chosen a cross`(options: String, shown: [Bool]) throws {
    var studio = try Drawn.Studio("bubble")
    let message = try JSONValue.parse(Array(#"{"kind":"quiz","question":"?","options":[\#(options)]}"#.utf8))
    for picture in try studio.pictures(of: message) {
        #expect([Glyph.check, .cross].map { picture.markup.text.contains($0.path) } == shown)
    }
}

@Test func `a row that could show a name, and has none, begins with what is said`() throws {
    for shown in try seen(message: #"{"kind":"text","text":"Hello"}"#, in: "flat") {
        #expect(shown.frame(of: shown.all("text")[0]).top == 0, "\(shown.name)")
        #expect(shown.all("time").count == 1, "\(shown.name)")
    }
}

private func seen(_ markdown: String, in style: String) throws -> [Seen] {
    var json = JSONWriter()
    json.object { json in
        json.key("kind")
        json.string("rich")
        json.key("text")
        json.string(markdown)
    }
    return try seen(message: String(decoding: json.bytes, as: UTF8.self), in: style)
}
